import {mkdir, writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {parquetWriteBuffer} from 'hyparquet-writer'
import {describe, expect, test} from 'vitest'
import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {Artifact} from '../../../datasets/schema/sample.ts'
import type {Spending} from '../../../engine/llm/connect.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'
import type {RunRecord} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {printSummary} from '../../../pipelines/commands/run-summary.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {labelled} from '../preference/records.ts'

const nothingSpent: Spending = {
  requests: 0,
  retries: 0,
  cachedReplies: 0,
  promptTokens: 0,
  completionTokens: 0,
  tokens: 0,
  cost: 0,
  currency: 'USD',
  estimated: 0,
  trimmed: 0,
  faults: {},
}

async function ran<T>(out: string, recipe: string, schema: Stage<T, T>['input'], records: readonly T[]) {
  const stage: Stage<T, T> = {name: 'given', version: 1, input: schema, output: schema, run: each((one) => [one])}
  await runPipeline({
    pipeline: Pipeline.from(recipe, records, stage),
    directory: join(out, recipe),
    model: () => undefined,
    seed: 'test',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  })
}

const record = (recipe: string, ...counts: Partial<StageCounts>[]): RunRecord => ({
  recipe,
  state: 'finished',
  seed: 's',
  config: {},
  startedAt: '2026-01-01T00:00:00Z',
  stages: [],
  counts: counts.map((given) => ({...startCounting('s').counts, ...given})),
})

interface Given {
  out?: string
  records?: RunRecord[]
  seconds?: number
  spending?: Partial<Spending>
  json?: boolean
}

async function summed({out, records = [], seconds = 0, spending = {}, json = false}: Given = {}) {
  const folder = out ?? (await temporaryFolder())
  const world = recordedWorld()
  const finished = {records, seconds, reportFile: '/o/report.html', spending: {...nothingSpent, ...spending}}
  await printSummary({config: Config.parse({out: folder}), ...finished}, world, {json})
  expect(world.said).toEqual([])
  return world.printed
}

const page = {kind: 'card', path: 'README.md', rows: 0, bytes: 3, sha256: 'a'.repeat(64)} as const

/** An exported file of interfaces, a row for each kind. */
async function exported(out: string, kinds: readonly string[]): Promise<Artifact> {
  const columns = {kind: kinds, ...both('language'), ...both('product'), ...both('licence'), ...both('repository')}
  const columnData = Object.entries({...columns, ...both('revision')}).map(([name, data]) => ({
    name,
    data: [...data],
    type: 'STRING' as const,
  }))
  const bytes = Buffer.from(parquetWriteBuffer({columnData}))
  await mkdir(join(out, 'dataset'), {recursive: true})
  await writeFile(join(out, 'dataset', 'apis.parquet'), bytes)
  const sha256 = 'b'.repeat(64)
  return {kind: 'parquet', path: 'apis.parquet', rows: kinds.length, bytes: bytes.length, sha256, config: 'apis'}

  function both(name: string) {
    return {[name]: kinds.map(() => name)}
  }
}

describe('the last lines of a command', () => {
  test('of a run that released nothing say whose data set lies there', async () => {
    const out = await temporaryFolder()
    await ran(out, 'release-apis', Artifact, [await exported(out, ['a'])])
    await ran(out, 'card', Artifact, [page])
    const line = async (...recipes: string[]) =>
      (await summed({out, records: recipes.map((recipe) => record(recipe))})).find((one) => one.startsWith('data set'))
    const dataset = `data set  ${join(resolve(out), 'dataset')}  (2 files`
    expect(await line('kernels', 'release-apis')).toBe(`${dataset})`)
    await ran(out, 'kernels', Artifact, [page])
    expect(await line('release-apis')).toBe(
      `${dataset}; not made with this command's seed ascend-cot: kernels with seed test)`,
    )
    expect(await line('kernels')).toBe(
      `${dataset}, from an earlier run, with the seed test where this one has ascend-cot: release again to include this run)`,
    )
    expect(await line('signatures')).toBe(undefined)
    expect(await line('signatures', 'kernels')).toMatch(/release again/)
  })

  test('of a run that left nothing are the report and the time', async () => {
    expect(await summed()).toEqual(['', 'report    /o/report.html', 'took      0.0 s'])
  })

  test.each<[number, Partial<Spending>, string]>([
    [0.04, {}, 'took      0.0 s'],
    [0.06, {}, 'took      0.1 s'],
    [61, {cachedReplies: 1}, 'took      61.0 s; 0 requests, 1 from cache, 0 tokens'],
    [1, {requests: 1, tokens: 5}, 'took      1.0 s; 1 request, 0 from cache, 5 tokens'],
    [1, {requests: 2, tokens: 5, cost: 0.5}, 'took      1.0 s; 2 requests, 0 from cache, 5 tokens, 0.5000 USD'],
    [1, {tokens: 5, cost: 0.5}, 'took      1.0 s'],
  ])('after %d s and %j: %s', async (seconds, spending, line) => {
    expect((await summed({seconds, spending})).at(-1)).toBe(line)
  })

  test('begin with every run, stage by stage, the most frequent reason first', async () => {
    const records = [
      record('one', {stage: 'read', written: 3}, {stage: 'cut', read: 3, dropped: 3, reasons: {short: 1, long: 2}}),
      record('two'),
    ]
    expect((await summed({records})).slice(0, 2)).toEqual([
      [
        '',
        'one',
        '  stage  read  written  dropped  failed  reused  why',
        '  read      0        3        0       0       0',
        '  cut       3        0        3       0       0  long 2, short 1',
      ].join('\n'),
      '\ntwo\n  stage  read  written  dropped  failed  reused  why',
    ])
  })

  test('count candidates by label, the best first, and by who judged them', async () => {
    const out = await temporaryFolder()
    const other = {name: 'npu', fingerprint: 'g', compiler: 'bisheng', soc: 'Ascend910B1'}
    const green = labelled('green', 'elsewhere')
    await ran(out, 'candidates', LabelledCandidate, [
      labelled('purple', 'a'),
      labelled('orange', 'b'),
      labelled('green', 'c'),
      labelled('orange', 'd'),
      {...green, verdict: {...green.verdict, executor: other}},
    ])
    expect((await summed({out, records: [record('candidates')]})).slice(1)).toEqual([
      [
        '',
        'label   candidates  observed by',
        'green            1  scripted (none, Ascend910_9392)',
        'green            1  npu (bisheng, Ascend910B1)',
        'orange           2  scripted (none, Ascend910_9392)',
        'purple           1  scripted (none, Ascend910_9392)',
      ].join('\n'),
      '',
      'report    /o/report.html',
      'took      0.0 s',
    ])
  })

  test('count exported rows by kind, the most frequent first, as the files have them', async () => {
    const out = await temporaryFolder()
    await ran(out, 'release-apis', Artifact, [await exported(out, ['type', 'function', 'type'])])
    expect((await summed({out, records: [record('release-apis')]})).slice(1)).toEqual([
      ['', 'records  kind      rows', 'apis     type         2', 'apis     function     1'].join('\n'),
      '',
      `data set  ${join(resolve(out), 'dataset')}  (1 file)`,
      'report    /o/report.html',
      'took      0.0 s',
    ])
    const [document] = await summed({out, json: true})
    expect((JSON.parse(document ?? '') as {rows: unknown}).rows).toEqual([
      {config: 'apis', kind: 'type', count: 2},
      {config: 'apis', kind: 'function', count: 1},
    ])
  })

  test('say where the data set lies once there are files of it', async () => {
    const out = await temporaryFolder()
    await ran(out, 'card', Artifact, [page, {...page, path: 'LICENCE'}])
    expect((await summed({out, records: [record('card')]})).slice(1)).toEqual([
      '',
      `data set  ${join(resolve(out), 'dataset')}  (2 files)`,
      'report    /o/report.html',
      'took      0.0 s',
    ])
  })
})

test('as JSON, one document has all of it', async () => {
  const out = await temporaryFolder()
  await ran(out, 'candidates', LabelledCandidate, [labelled('green', 'c')])
  const records = [record('one', {stage: 'read', written: 3})]
  const printed = await summed({out, records, seconds: 1.25, spending: {requests: 1}, json: true})
  expect(printed.map((text) => JSON.parse(text) as unknown)).toEqual([
    {
      seconds: 1.25,
      rows: [],
      labels: [{label: 'green', count: 1, executor: 'scripted (none, Ascend910_9392)'}],
      dataset: join(resolve(out), 'dataset'),
      report: '/o/report.html',
      spending: {...nothingSpent, requests: 1},
      runs: records,
    },
  ])
})
