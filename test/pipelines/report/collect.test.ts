import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {collectReport} from '../../../pipelines/report/collect.ts'
import type {ReportInput} from '../../../pipelines/report/input.ts'
import {sectionsOf} from '../../../pipelines/report/overview-sections.ts'
import {executor as judge, labelled} from '../preference/records.ts'
import {
  collect,
  dpoRow,
  errorEntry,
  errorRow,
  executor,
  kernelSample,
  optimisationPair,
  optimisationRow,
  pair,
  recordingContext,
  sample,
  sftRow,
  side,
  stream,
  unpairedReply,
  unpairedRow,
} from '../../datasets/rows.ts'

const directory = mkdtempSync(join(tmpdir(), 'collect-'))
afterAll(() => rmSync(directory, {recursive: true, force: true}))
const write = (config: Config, rows: SplitRow[]) =>
  collect(parquet({config, directory, rowGroupRows: 2}).run(stream(rows), recordingContext()))

const ids = (prefix: string, count: number) => Array.from({length: count}, (_, at) => `${prefix}${at}`)
let artifacts: Artifact[] = []
beforeAll(async () => {
  const kernels = ids('k', 5).map((id, at) => ({
    ...sftRow(kernelSample({prompt: id}), at === 0 ? 'test' : 'train'),
    id,
  }))
  const pages = ['d2', 'd0', 'd1'].map((id) => ({...sftRow(sample({prompt: id})), id}))
  const verdict = {outcome: 'mismatched' as const, executor, cases: []}
  artifacts = [
    ...(await write('sft', [...kernels, ...pages])),
    ...(await write('dpo', [
      {...dpoRow(pair()), id: 'p'},
      {...dpoRow(pair({rejected: side({label: 'orange', verdict})})), id: 'q'},
    ])),
    ...(await write('kto', [{...unpairedRow(unpairedReply()), id: 'u'}])),
    ...(await write('optimisation', [{...optimisationRow(optimisationPair()), id: 'o'}])),
    ...(await write('errors', [errorRow(errorEntry())])),
  ]
})

async function* none(): AsyncIterable<LabelledCandidate> {}

const sources = {directory, scores: [], jobs: [], manifest: null, paths: [], candidates: none()}

test('configurations are told with who wrote their rows and who judged them', async () => {
  const {configs, executors} = await collectReport({...sources, artifacts})
  const told = Object.fromEntries(configs.map(({config, splits, ...rest}) => [config, rest]))
  expect(told['sft']).toEqual({
    kinds: [
      ['kernel', 5],
      ['documentation', 3],
    ],
    teachers: [
      ['model', 5],
      ['offline', 3],
    ],
    licences: [['Apache-2.0', 8]],
  })
  expect(told['dpo']).toMatchObject({
    teachers: [
      ['answer', 1],
      ['mutation', 1],
    ],
  })
  expect(executors).toEqual([executor])
  expect(told['errors']).toMatchObject({teachers: [['mutation', 1]]})
  expect(told['kto']).toMatchObject({teachers: [['answer', 1]]})
  expect(told['optimisation']).toMatchObject({teachers: []})
  expect(configs[0]?.splits.map(({split, rows, files}) => [split, rows, files])).toEqual([
    ['train', 7, 1],
    ['test', 1, 1],
  ])
})

const titles = (report: ReportInput) => sectionsOf(report).flatMap(({parts}) => parts.map(({title}) => title))

describe('candidates', () => {
  async function* judged(): AsyncIterable<LabelledCandidate> {
    yield* [labelled('purple', 'a'), labelled('green', 'b', {kind: 'answer'}), labelled('purple', 'c')]
  }
  test('are counted by label, outcome and who wrote them', async () => {
    const report = await collectReport({...sources, artifacts: [], candidates: judged()})
    expect(report.candidates).toEqual({
      total: 3,
      labels: [
        ['green', 1],
        ['orange', 0],
        ['purple', 2],
      ],
      outcomes: [
        ['compile-failed', 2],
        ['correct', 1],
      ],
      samplers: [
        ['mutation', 2],
        ['answer', 1],
      ],
      executors: [
        ['scripted: purple', 2],
        ['scripted: green', 1],
      ],
    })
    expect(report.executors).toEqual([judge])
    expect(report.errors?.groups).toHaveLength(1)
  })
  test('of several executors are counted apart, both of those that two judged', async () => {
    const board = {...judge, name: 'cann-board', fingerprint: 'b'}
    async function* both(): AsyncIterable<LabelledCandidate> {
      yield* judged()
      const {verdict: first, ...green} = labelled('green', 'd')
      const second: LabelledCandidate['verdict'] = {outcome: 'mismatched', cases: [], executor: board}
      yield {...green, label: 'orange', verdict: second, confirmation: {first, second}}
    }
    const report = await collectReport({...sources, artifacts: [], candidates: both()})
    expect(report.candidates?.executors).toEqual([
      ['scripted: purple', 2],
      ['scripted, then cann-board: orange', 1],
      ['scripted: green', 1],
    ])
    expect(report.executors).toEqual([judge, board])
    expect(titles(report)).toContain('Candidates by executor and label')
    const alone = await collectReport({...sources, artifacts: [], candidates: judged()})
    expect(titles(alone)).not.toContain('Candidates by executor and label')
  })
  test('that are none are left out, as are errors, jobs and scores', async () => {
    expect(await collectReport({...sources, artifacts: []})).toEqual({
      configs: [],
      executors: [],
      scores: [],
      jobs: [],
      manifest: null,
      paths: [],
    })
  })
})
