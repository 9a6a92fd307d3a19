import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {startCounting} from '../../engine/progress.ts'
import {
  carriedOver,
  isoTime,
  keepSaving,
  readRunRecord,
  saveRecord,
  type RunRecord,
  type Spent,
} from '../../engine/run.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

// What `run.json` tells of a run that goes on: labels over time, and what teachers were asked.

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']})
})
afterEach(() => vi.useRealTimers())

function started(more: Partial<RunRecord> = {}) {
  const progress = [startCounting('judge'), startCounting('label')] as const
  const record: RunRecord = {
    ...{recipe: 'candidates', state: 'running', seed: 's', config: null, startedAt: isoTime(0), stages: []},
    counts: progress.map(({counts}) => counts),
    ...more,
  }
  return {progress, record}
}

const asked = (requests: number): Spent => ({requests, cachedReplies: 1, tokens: 10, cost: 0.5, currency: 'USD'})

test('labels of all stages are noted when they change, with the seconds', async () => {
  const directory = await temporaryFolder()
  const {progress, record} = started()
  let seconds = 0
  const saving = keepSaving(directory, record, {now: () => 1000 * seconds})
  const pass = async (by: number) => {
    seconds += by
    await vi.advanceTimersByTimeAsync(2000)
  }
  progress[0].tally('green')
  await pass(2)
  await pass(2)
  progress[1].tally('green')
  progress[1].tally('orange')
  await pass(2)
  const {history} = await saving.end({state: 'finished'})
  expect(history).toEqual([
    {seconds: 2, tallies: {green: 1}},
    {seconds: 6, tallies: {green: 2, orange: 1}},
  ])
  expect((await readRunRecord(directory))?.history).toEqual(history)
})

test('a long run keeps fewer moments, its last one included', async () => {
  const {progress, record} = started()
  let seconds = 0
  const saving = keepSaving(await temporaryFolder(), record, {now: () => 1000 * seconds})
  for (; seconds < 241; seconds += 1) {
    progress[0].tally('green')
    await vi.advanceTimersByTimeAsync(2000)
  }
  const {history = []} = await saving.end({state: 'finished'})
  expect(history.length).toBeLessThanOrEqual(240)
  expect(history.length).toBeGreaterThan(100)
  expect(history.at(-1)).toEqual({seconds: 240, tallies: {green: 241}})
  expect(history.every(({seconds: at}, index) => index === 0 || at > (history[index - 1]?.seconds ?? 0))).toBe(true)
})

test('a resumed run goes on with what the killed one noted and spent', async () => {
  const directory = await temporaryFolder()
  const history = [{seconds: 30, tallies: {green: 2, orange: 1}}]
  await saveRecord(directory, started({history, spent: asked(7)}).record)

  const {progress, record} = started(await carriedOver(directory))
  let seconds = 0
  const saving = keepSaving(directory, record, {now: () => 1000 * seconds, spent: () => asked(3)})
  // What is in the ledger is counted again first.
  for (const names of [['green'], ['green', 'orange'], ['green']]) {
    for (const name of names) progress[0].tally(name)
    seconds += 2
    await vi.advanceTimersByTimeAsync(2000)
  }
  const ended = await saving.end({state: 'finished'})
  expect(ended.history).toEqual([...history, {seconds: 36, tallies: {green: 3, orange: 1}}])
  expect(ended.spent).toEqual({requests: 10, cachedReplies: 2, tokens: 20, cost: 1, currency: 'USD'})
  expect(await carriedOver(directory)).toEqual({})
})

test('a run that asks nothing more keeps what was spent before', async () => {
  const directory = await temporaryFolder()
  await saveRecord(directory, started({spent: asked(7), state: 'stopped'}).record)
  const {record} = started(await carriedOver(directory))
  const nothing = {...asked(0), cachedReplies: 0, tokens: 0, cost: 0}
  const saving = keepSaving(directory, record, {now: () => 0, spent: () => nothing})
  expect((await saving.end({state: 'finished'})).spent).toEqual(asked(7))
})
