import {describe, expect, test} from 'vitest'
import type {JobRecord, Progress} from '../../../datasets/schema/job.ts'
import type {ReportJob} from '../../../pipelines/report/input.ts'
import {jobParts} from '../../../pipelines/report/overview-sections.ts'

const hash = (digit: string) => digit.repeat(64)

const record = (over: Partial<JobRecord> = {}): JobRecord => ({
  id: 'dpo-0badcafe',
  name: 'dpo',
  method: 'dpo',
  engine: 'trl',
  backend: 'local',
  spec: hash('1'),
  base: {name: 'job:sft', revision: null, job: 'sft-12345678', path: '/sft', adapter: null},
  data: {
    source: 'runs/dataset',
    config: 'dpo',
    split: 'train',
    rows: 1234,
    sha256: hash('2'),
    manifest: hash('3'),
  },
  versions: {trl: '1.16.0'},
  arithmetic: {world: 1, dataParallel: 1, accumulation: 1, steps: 4, warmupSteps: 0, epochs: 1},
  output: '/out',
  attempts: [
    {
      number: 1,
      handle: '1',
      state: 'failed',
      submitted: '2026-01-01T00:00:00Z',
      detail: 'exit code 1',
      resumedFrom: null,
    },
    {
      number: 2,
      handle: '2',
      state: 'succeeded',
      submitted: '2026-01-02T00:00:00Z',
      detail: 'all steps done',
      resumedFrom: '/out/checkpoint-2',
    },
  ],
  ...over,
})

const step = (number: number, loss: number | null): Progress => ({
  step: number,
  total: 4,
  loss,
  learningRate: null,
  gradientNorm: null,
  metrics: {},
})

const parts = (job: Partial<ReportJob>, manifest: string | null = null) =>
  jobParts({record: record(), progress: [], scores: [], sources: [], ...job}, manifest)

const words = (job: Partial<ReportJob>, manifest: string | null = null) =>
  parts(job, manifest)
    .map((part) => `${part.title}\n${part.kind === 'text' ? part.text : ''}`)
    .join('\n')

const curve = (job: Partial<ReportJob>) =>
  parts(job).flatMap((part) => (part.kind === 'curve' ? part.lines.flatMap(({points}) => points) : []))

test('a job names what it was made from, down to the rows of the data set', () => {
  const said = words({scores: ['score-npukernelbench-dpo']})
  expect(said).toContain('dpo-0badcafe')
  expect(said).toContain('dpo by trl on local (trl 1.16.0)')
  expect(said).toContain('from the model of job sft-12345678')
  expect(said).toContain('1234 rows of dpo, train, of the data set runs/dataset, manifest 333333333333')
  expect(said).toContain('(rows 222222222222)')
  expect(said).toContain('scored in score-npukernelbench-dpo')
})

test('and the sources that its data set was made from', () => {
  const sources = [
    {repository: 'https://host/ops', revision: 'abcdef0123456789', licence: 'Apache-2.0', rows: 1000},
    {repository: 'starter', revision: '', licence: 'Apache-2.0', rows: 2},
  ]
  const said = words({sources})
  expect(said).toContain('https://host/ops at abcdef012345, Apache-2.0: 1000 rows')
  expect(said).toContain('starter, Apache-2.0: 2 rows')
})

test('a data set is told as the one of this report by its manifest alone', () => {
  expect(words({}, hash('3'))).toContain('of the data set of this report')
  expect(words({}, hash('4'))).not.toContain('of the data set of this report')
  const unmarked = record({data: {...record().data, manifest: null}})
  expect(words({record: unmarked}, null)).not.toContain('of the data set of this report')
})

test('its last attempt tells its state, and where it stands', () => {
  expect(words({progress: [step(1, 0.7012), step(3, 0.61239)]})).toContain(
    'succeeded · 3 of 4 steps · loss 0.6124\n2 attempts',
  )
  expect(words({record: record({attempts: []})})).toContain('not started')
})

describe('the curve', () => {
  test('goes from the first to the last step, with gaps where the loss was no number', () => {
    const progress = [step(1, 2), step(2, 1), step(3, null), step(4, 1.5)]
    expect(curve({progress})).toEqual([
      [1, 2],
      [2, 1],
      [3, null],
      [4, 1.5],
    ])
  })

  test('is none for a single loss, and has no more points than a picture shows', () => {
    expect(curve({progress: [step(1, 2), step(2, null)]})).toEqual([])
    const points = curve({progress: Array.from({length: 5000}, (_, at) => step(at, 1 / (at + 1)))})
    expect(points.length).toBeLessThanOrEqual(281)
    expect(points.at(-1)).toEqual([4999, 1 / 5000])
  })
})
