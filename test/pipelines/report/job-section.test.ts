import {describe, expect, test} from 'vitest'
import type {JobRecord, Progress} from '../../../datasets/schema/job.ts'
import type {ReportJob} from '../../../pipelines/report/input.ts'
import {jobSection} from '../../../pipelines/report/job-section.ts'

const hash = (digit: string) => digit.repeat(64)
const attempt = (state: JobRecord['attempts'][number]['state'], detail = ''): JobRecord['attempts'][number] => ({
  number: 1,
  handle: '1',
  state,
  submitted: '2026-01-01T00:00:00Z',
  detail,
  resumedFrom: null,
})
const record = (over: Partial<JobRecord> = {}): JobRecord => ({
  id: 'sft-1',
  name: 'sft',
  method: 'sft',
  engine: 'trl',
  backend: 'local',
  spec: hash('1'),
  base: {name: 'org/base', revision: null, job: null, path: '/base', adapter: null},
  data: {source: 'out/data', config: 'sft', split: 'train', rows: 1234, sha256: hash('2'), manifest: null},
  versions: {},
  arithmetic: {world: 1, dataParallel: 1, accumulation: 1, steps: 2000, warmupSteps: 0, epochs: 1},
  output: '/out',
  attempts: [attempt('succeeded')],
  ...over,
})
const step = (at: number, loss: number | null): Progress => ({
  step: at,
  total: 2000,
  loss,
  learningRate: null,
  gradientNorm: null,
  metrics: {},
})
const html = (job: Partial<ReportJob> = {}, manifest: string | null = null) =>
  jobSection({jobs: [{record: record(), progress: [], scores: [], sources: [], ...job}], manifest}).html
const summary = (job: Partial<ReportJob>) => /<span class="quiet">(.*?)<\/span>/.exec(html(job))?.[1]
const items = (job: Partial<ReportJob>, manifest: string | null = null) =>
  [...html(job, manifest).matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item)

test('a job is told whole', () => {
  expect(html()).toBe(`<section id="jobs">
<h2>Training</h2>
<details >
<summary>sft-1<span class="quiet">succeeded</span></summary>
<ul>
<li>sft by trl on local</li>
<li>from the model org/base</li>
<li>on 1\u202f234 rows of sft, train, of the data set out/data (rows 222222222222)</li>


</ul>

</details>

</section>
`)
})

describe('the head of a job', () => {
  test.each<[string, Partial<ReportJob>, string]>([
    ['without an attempt', {record: record({attempts: []})}, 'not started'],
    [
      'by its last attempt',
      {record: record({attempts: [attempt('failed'), attempt('running')]})},
      'running · 2 attempts',
    ],
    [
      'with its last step and loss',
      {progress: [step(1, 3), step(1500, 0.71234)]},
      'succeeded · 1\u202f500 of 2\u202f000 steps · loss 0.7123',
    ],
    ['whose loss is no number', {progress: [step(5, null)]}, 'succeeded · 5 of 2\u202f000 steps'],
    ['whose loss is nought', {progress: [step(5, 0)]}, 'succeeded · 5 of 2\u202f000 steps · loss 0.000'],
  ])('%s', (_, job, told) => expect(summary(job)).toBe(told))

  test('is open unless the job succeeded', () => {
    expect(html()).toContain('<details >')
    expect(html({record: record({attempts: [attempt('failed')]})})).toContain('<details open>')
    expect(html({record: record({attempts: []})})).toContain('<details open>')
  })

  test('stands over a curve of two steps or more', () => {
    expect(html({progress: [step(1, 3)]})).not.toContain('<svg')
    expect(html({progress: [step(1, 3), step(2, 2)]})).toContain('<svg')
  })
})

describe('what a job was made from', () => {
  const {data, base} = record()
  test.each<[string, Partial<JobRecord>, string | null, number, string]>([
    [
      'versions of what trained it',
      {versions: {trl: '1.0', torch: '2.5'}},
      null,
      0,
      'sft by trl on local (trl 1.0, torch 2.5)',
    ],
    [
      'a model at a revision',
      {base: {...base, revision: '0123456789abcdef'}},
      null,
      1,
      'from the model org/base at 0123456789ab',
    ],
    ['another job', {base: {...base, job: 'pre-1', revision: 'abc'}}, null, 1, 'from the model of job pre-1'],
    [
      'a data set with a manifest',
      {data: {...data, manifest: hash('3')}},
      null,
      2,
      'on 1\u202f234 rows of sft, train, of the data set out/data, manifest 333333333333 (rows 222222222222)',
    ],
    [
      'the data set of this report',
      {data: {...data, manifest: hash('3')}},
      hash('3'),
      2,
      'on 1\u202f234 rows of sft, train, of the data set of this report (rows 222222222222)',
    ],
    [
      'not that one',
      {data: {...data, manifest: hash('3')}},
      hash('4'),
      2,
      'on 1\u202f234 rows of sft, train, of the data set out/data, manifest 333333333333 (rows 222222222222)',
    ],
  ])('%s', (_, over, manifest, at, told) => expect(items({record: record(over)}, manifest)[at]).toBe(told))

  test('a single source is a list as well', () => {
    const sources = [{repository: 'starter', revision: '', licence: 'MIT', rows: 2}]
    expect(html({sources})).toContain('<ul><li>starter, MIT: 2 rows</li></ul>')
  })

  test('sources, scores and the detail of the last attempt have their lines', () => {
    const sources = [
      {repository: 'host/ops', revision: 'abcdef0123456789', licence: 'MIT', rows: 1000},
      {repository: 'starter', revision: '', licence: 'Apache-2.0', rows: 2},
    ]
    const attempts = [attempt('failed', 'first'), attempt('failed', 'exit code 1')]
    const text = html({sources, scores: ['one', 'two'], record: record({attempts})})
    expect(text).toContain(
      '<ul><li>host/ops at abcdef012345, MIT: 1\u202f000 rows</li><li>starter, Apache-2.0: 2 rows</li></ul></li>\n' +
        '<li>scored in one</li><li>scored in two</li>\n<li>exit code 1</li>\n',
    )
  })
})
