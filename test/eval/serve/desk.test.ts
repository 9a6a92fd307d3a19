import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import {openDesk} from '../../../eval/serve/desk.ts'
import {openStore} from '../../../eval/serve/store.ts'
import type {Finding} from '../../../eval/serve/verdicts.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const candidate = {task: {name: 'A'}, files: [{path: 'a.cpp', text: 'x'}]} as unknown as Candidate
const compiled = {state: 'judged', verdict: {outcome: 'compiled'}} as unknown as Finding
const unfit: Finding = {state: 'unfit', reason: 'no-reference', detail: ''}
const asked = {candidate, seed: 's', priority: 'normal', anew: false} as const

/** A desk whose judge says what it is told to say, when it is told to. */
async function controlledDesk() {
  const begun: {signal: AbortSignal; say(finding: Finding): void}[] = []
  const judge = (_: Candidate, __: unknown, signal: AbortSignal) =>
    new Promise<Finding>((say) => void begun.push({signal, say}))
  const store = openStore(await temporaryFolder())
  const desk = openDesk({judging: {key: 'k', judge}, store, workers: 1, places: 4, now: () => 0, judged: () => {}})
  return {desk, store, begun}
}

describe('several who ask for the same', () => {
  test('one who leaves takes nothing from the others', async () => {
    const {desk, begun} = await controlledDesk()
    const leaving = new AbortController()
    const left = desk.ask({...asked, signal: leaving.signal})
    const staying = desk.ask({...asked, signal: new AbortController().signal})
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(begun.map(({signal}) => signal.aborted)).toEqual([false])
    begun[0]?.say(compiled)
    expect(await staying).toMatchObject({finding: compiled, cached: 'shared'})
  })

  test('with the last one the work is stopped', async () => {
    const {desk, begun} = await controlledDesk()
    const leaving = [new AbortController(), new AbortController()]
    const answers = leaving.map(({signal}) => desk.ask({...asked, signal}))
    for (const controller of leaving) controller.abort(new Error('left'))
    await Promise.allSettled(answers)
    expect(begun.map(({signal}) => signal.aborted)).toEqual([true])
  })
})

test.each([
  ['a verdict is kept', compiled, 1],
  // A reference that is not there today may be there tomorrow.
  ['what no verdict was found for is asked again', unfit, 0],
])('%s', async (_, finding, kept) => {
  const {desk, store, begun} = await controlledDesk()
  const told = desk.ask(asked)
  begun[0]?.say(finding)
  expect((await told).finding).toEqual(finding)
  expect(store.counts().findings).toBe(kept)
})

test('closing tells all who wait, and stops what runs', async () => {
  const {desk, begun} = await controlledDesk()
  const other = {...candidate, files: [{path: 'b.cpp', text: 'y'}]}
  const waiting = [desk.ask(asked), desk.ask({...asked, candidate: other})]
  desk.close()
  for (const one of waiting) await expect(one).rejects.toMatchObject({code: 'interrupted'})
  expect(begun.map(({signal}) => signal.aborted)).toEqual([true])
  await expect(desk.ask(asked)).rejects.toMatchObject({code: 'interrupted'})
})

test('only requests without a reply are begun again after a restart', async () => {
  const folder = await temporaryFolder()
  const before = openStore(folder)
  before.accept('done', '{}', false)
  before.accept('open', '{}', false)
  before.finish('done', '{}')
  before.close()
  expect(
    openStore(folder)
      .unfinished()
      .map(({id}) => id),
  ).toEqual(['open'])
})
