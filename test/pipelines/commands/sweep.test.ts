import {readdirSync, readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {isScoreOf} from '../../../pipelines/commands/sweep/scored-rows.ts'
import {sweepTable} from '../../../pipelines/commands/sweep/sweep-table.ts'
import type {TrainRooms} from '../../../pipelines/commands/train/train-rooms.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {findJobs} from '../../../trainers/job-folder.ts'
import {standInRooms} from '../../helpers/stand-in-rooms.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const twoSeeds = {name: 'two-seeds', shows: ['table-3'], seeds: [1, 2], rows: [{name: 'LoRA', spec: '{}'}]}

/** The stand-in reads no paths; a seed is all that a row of these tables changes. */
function withSeeds(rooms: TrainRooms): TrainRooms {
  return {
    ...rooms,
    async readSpec(given, set) {
      const spec = await rooms.readSpec(given, {})
      const seed = {value: Number(set['hyperparameters.seed']), source: 'ours' as const}
      return {...spec, hyperparameters: {...spec.hyperparameters, seed}}
    },
  }
}

async function swept(given: unknown, {dryRun = false, wanted = {}, out = '', set = {}, json = true} = {}) {
  const folder = out === '' ? await temporaryFolder() : out
  const path = join(folder, 'table.yaml')
  await writeFile(path, JSON.stringify(given))
  const world = {...recordedWorld(), now: () => Date.now()}
  const rooms = withSeeds(standInRooms({out: folder, milliseconds: 1, ...wanted}))
  const code = await sweepTable({table: path, out: folder, set, dryRun, json}, rooms, world)
  if (!json) return {folder, code, jobs: [], files: [], page: world.printed.join('\n')}
  const said = JSON.parse(world.printed.at(-1) ?? '') as {jobs: {state: string; id: string}[]; files: string[]}
  return {folder, code, ...said, page: ''}
}

test('every row becomes a job for each seed, run one after another', async () => {
  const {folder, code, jobs} = await swept(twoSeeds)
  expect([code, jobs.map(({state}) => state)]).toEqual([0, ['succeeded', 'succeeded']])
  const records = await findJobs(folder)
  expect(records.map(({id}) => id).sort()).toEqual(jobs.map(({id}) => id).sort())
  expect(new Set(jobs.map(({id}) => id)).size).toBe(2)
})

test('a second sweep starts nothing that was started', async () => {
  const first = await swept(twoSeeds)
  const before = await findJobs(first.folder)
  const again = await swept(twoSeeds, {out: first.folder})
  expect(again.jobs).toEqual(first.jobs)
  expect(await findJobs(first.folder)).toEqual(before)
})

test('a dry run tells what each job costs', async () => {
  expect((await swept(twoSeeds, {dryRun: true, json: false})).page).toMatch(/planned +about 1,000 tokens; memory and/)
})

test('what is set holds for every row that does not set it itself', async () => {
  const rows = [
    {name: 'a', spec: '{}'},
    {name: 'b', spec: '{}', set: {'environment.python': 'theirs'}},
  ]
  const set = {'environment.python': 'mine', 'hyperparameters.seed': '9'}
  const seen: object[] = []
  const path = join(await temporaryFolder(), 'table.yaml')
  await writeFile(path, JSON.stringify({...twoSeeds, seeds: [1], rows}))
  const rooms = standInRooms({out: ''})
  const read: TrainRooms['readSpec'] = (given, all) => {
    seen.push(all)
    return rooms.readSpec(given, {})
  }
  const request = {table: path, out: '/nowhere', set, dryRun: true, json: true}
  await sweepTable(request, {...rooms, readSpec: read}, recordedWorld())
  const seed = {'hyperparameters.seed': '1'}
  expect(seen).toEqual([
    {...seed, 'environment.python': 'mine'},
    {...seed, 'environment.python': 'theirs'},
  ])
})

test('a dry run plans every job, starts none and writes nothing', async () => {
  const {folder, jobs, files} = await swept(twoSeeds, {dryRun: true})
  expect(jobs.map(({state}) => state)).toEqual(['planned', 'planned'])
  expect(await findJobs(folder)).toEqual([])
  expect([files, readdirSync(folder)]).toEqual([[], ['table.yaml']])
})

test('a job that the check refuses is told with the codes, and the others go on', async () => {
  const findings = [{code: 'lengths', severity: 'error' as const, message: 'cut', fix: 'raise it'}]
  const {code, jobs} = await swept(twoSeeds, {wanted: {findings}})
  const hindrance = ['cut raise it']
  expect([code, jobs]).toMatchObject([1, [{state: 'refused', detail: 'lengths', hindrance}, {state: 'refused'}]])
  const {page} = await swept(twoSeeds, {wanted: {findings}, json: false})
  expect(page.match(/^LoRA: cut raise it$/gm)).toHaveLength(1)
  // What it costs elsewhere is told all the same.
  expect(page.match(/refused +lengths; about 1,000 tokens/g)).toHaveLength(2)
})

test('a job that fails makes the sweep fail, and says how to go on', async () => {
  const {code, jobs} = await swept({...twoSeeds, seeds: [1]}, {wanted: {fault: 'exit-at-1'}})
  expect(code).toBe(1)
  expect(jobs[0]).toMatchObject({state: 'failed', detail: expect.stringContaining('train status')})
})

describe('what stands in the way of a plan', () => {
  const failing = (error: PipelineError, at: 'readSpec' | 'check') => ({
    ...withSeeds(standInRooms({out: ''})),
    [at]: () => Promise.reject(error),
  })
  const run = async (error: PipelineError, at: 'readSpec' | 'check' = 'check') => {
    const out = await temporaryFolder()
    const path = join(out, 'table.yaml')
    await writeFile(path, JSON.stringify(twoSeeds))
    const world = recordedWorld()
    await sweepTable({table: path, out, set: {}, dryRun: true, json: true}, failing(error, at), world)
    return JSON.parse(world.printed.at(-1) ?? '') as {jobs: unknown[]}
  }

  test('a model that an earlier row has yet to make is waited for', async () => {
    const missing = new PipelineError('input-missing', 'There is no job sft-8b.', {fix: '', scope: 'record'})
    expect((await run(missing)).jobs[0]).toMatchObject({state: 'waiting', hindrance: ['There is no job sft-8b.']})
  })

  test('a faulty specification ends the sweep', async () => {
    const error = new PipelineError('config-invalid', 'no such key', {fix: 'Do.', scope: 'record'})
    await expect(run(error, 'readSpec')).rejects.toThrow('no such key')
    expect((await run(error)).jobs).toMatchObject([{state: 'refused', hindrance: ['no such key Do.']}, {}])
  })
})

test('tables are written as Markdown and as a page', async () => {
  const {files} = await swept(twoSeeds)
  expect(files.map((file) => file.split('/').at(-1))).toEqual(['tables.md', 'tables.html'])
  expect(readFileSync(files[0] ?? '', 'utf8')).toContain('| LoRA | succeeded | – | – |')
})

test('a score is of a job by its whole id', () => {
  expect(isScoreOf('score-npukernelbench-job-sft-12345678-kernel-only-static', 'job-sft-12345678')).toBe(true)
  expect(isScoreOf('score-npukernelbench-job-sft-12345678', 'job-sft-12345678')).toBe(true)
  expect(isScoreOf('score-npukernelbench-job-sft-12345678-full-static', 'job-sft-1234567')).toBe(false)
  expect(isScoreOf('evaluate-npukernelbench-job-sft-12345678', 'job-sft-12345678')).toBe(false)
})
