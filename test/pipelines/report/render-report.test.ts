import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {load} from 'cheerio'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {collectReport} from '../../../pipelines/report/collect.ts'
import type {ReportInput} from '../../../pipelines/report/input.ts'
import {highlighted, readable} from '../../../pipelines/report/prose.ts'
import {renderReport} from '../../../pipelines/report/render-report.ts'
import {labelled} from '../preference/records.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  executor,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../../datasets/rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'report-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>'

const kernels = Array.from({length: 30}, (_, index) => kernelSample({prompt: `Task ${index}`}))

async function exported(): Promise<Artifact[]> {
  const sft = [
    sftRow(sample({prompt: hostile, reasoning: hostile})),
    ...kernels.map((record, index) => sftRow(record, index === 0 ? 'test' : 'train')),
  ]
  const apis = [apiRow(apiEntry()), apiRow(apiEntry({name: 'Stay', kind: 'c', examples: []}))]
  const write = (config: Config, rows: typeof sft) =>
    collect(parquet({config, directory, rowGroupRows: 7}).run(stream(rows), recordingContext()))
  return [...(await write('sft', sft)), ...(await write('dpo', [dpoRow(pair())])), ...(await write('apis', apis))]
}

async function* candidates(): AsyncIterable<LabelledCandidate> {
  const [good, bad] = [pair().chosen, pair().rejected]
  for (const {label, verdict, sampler, files} of [good, bad, bad])
    yield {...labelled(label, ''), verdict, sampler, files}
}

const counts = {
  stage: 'compile',
  read: 3,
  written: 2,
  accepted: 2,
  dropped: 1,
  failed: 0,
  reused: 0,
  reasons: {'not-covered': 1},
  failures: {},
  tallies: {},
  ended: true,
}

async function input(over: Partial<ReportInput> = {}): Promise<ReportInput> {
  const collected = await collectReport({
    title: 'Report',
    directory,
    artifacts: await exported(),
    candidates: candidates(),
    paths: [{what: 'data set', path: 'out/dataset'}],
    runs: [
      {
        recipe: 'kernels',
        state: 'finished',
        startedAt: '2026-01-01T00:00:00.000Z',
        endedAt: '2026-01-01T00:00:02.500Z',
        counts: [counts],
      },
    ],
  })
  return {...collected, ...over}
}

describe('collectReport', () => {
  test('takes the numbers from the files and the labels from all candidates', async () => {
    const report = await input()
    expect(report.configs.map(({config, kinds}) => [config, kinds])).toEqual([
      [
        'sft',
        [
          ['kernel', 30],
          ['documentation', 1],
        ],
      ],
      ['dpo', [['green · purple', 1]]],
      [
        'apis',
        [
          ['basic', 1],
          ['c', 1],
        ],
      ],
    ])
    expect(report.candidates).toMatchObject({
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
    })
    expect(report.executors).toEqual([executor])
  })

  test('chooses one of each kind, the same one whatever the row groups', async () => {
    const {samples} = await input()
    const ids = samples.filter(({kind}) => kind === 'kernel').map(({id}) => id)
    const all = kernels.map((record) => sftRow(record).id)
    expect(ids).toEqual(all.sort().slice(0, 1))
    expect(samples.map(({kind}) => kind)).toContain('documentation')
    const [chosen, rejected] = samples.find(({kind}) => kind === 'preference')?.sides ?? []
    expect(chosen).toMatchObject({label: 'green', verdict: 'correct by twin'})
    expect(rejected).toMatchObject({
      label: 'purple',
      verdict: 'compile-failed by twin',
      said: [expect.stringContaining("6: no member named 'Proces'")],
    })
  })

  test('shows an interface by its declarations and what its page says of it', async () => {
    const {samples} = await input()
    const [entry, ...others] = samples.filter(({kind, prompt}) => kind === 'interface' && prompt.startsWith('Move'))
    expect(others).toEqual([])
    expect(entry).toMatchObject({config: 'apis', author: 'page Move', source: 'ascend-cot/starter docs/move.html:1–40'})
    expect(entry?.prompt).toMatch(/^Move \(basic\)\n```cpp\ntemplate <typename T>\nvoid Move\(/)
    expect(entry?.sides.map(({answer}) => answer)).toEqual([
      [
        '把数据从一处搬运到另一处。',
        '**parameters**\n- `dst, src` (both): 操作数。 起始地址需要32字节对齐。',
        '**element types**\n- half, float (910b)',
        '**constraints**\n- count * sizeof(T)必须是256字节的整数倍。',
        '**pipe**\n- PIPE_MTE2',
        '搬运一块数据：\n```cpp\nAscendC::Move(dstLocal, 128);\n```\n\ndstLocal: [1 2 3]',
      ].join('\n\n'),
    ])
    const page = load(renderReport(await input()))
    expect(page('#records').text()).toContain('Documented interfaces by kind')
    expect(page('header').text()).toContain('2documented interfaces')
  })

  test('reports an output folder that holds nothing yet', async () => {
    const report = await collectReport({title: 'Empty', directory, artifacts: [], runs: [], paths: []})
    expect(load(renderReport(report))('#records').text()).toContain('Nothing was exported.')
  })
})

describe('renderReport', () => {
  test('shows stages, reasons, labels and executors', async () => {
    const page = load(renderReport(await input()))
    expect(page('#runs summary').text()).toContain('kernelsfinished · 2 written · 1 dropped · 2.5 s')
    expect(
      page('#runs td')
        .map((_, cell) => page(cell).text())
        .get(),
    ).toEqual(['compile', '3', '2', '1', '–', '–', 'not-covered 1'])
    expect(page('#verdicts .bars').first().text()).toBe('green1orange0purple2')
    expect(page('#verdicts').text()).toContain('its verdicts are not hardware verdicts')
    expect(page('#samples .gone').text()).toContain('op.Process();')
  })

  test('asks for nothing from anywhere', async () => {
    const page = load(renderReport(await input()))
    expect(page('script[src], link, img, iframe, [style*="url("]').length).toBe(0)
    expect(page('meta[http-equiv="Content-Security-Policy"]').attr('content')).toContain("default-src 'none'")
    expect(
      page('a')
        .map((_, link) => page(link).attr('href'))
        .get()
        .every((href) => String(href).startsWith('#')),
    ).toBe(true)
  })

  test('shows hostile text as text', async () => {
    const page = load(renderReport(await input({title: hostile})))
    expect(page('script').length).toBe(1)
    expect(page('h1').text()).toBe(hostile)
    expect(page('article').text()).toContain(hostile)
  })

  test('opens a run that stopped and says what to do', async () => {
    const report = await input({
      runs: [
        {
          recipe: 'kernels',
          state: 'stopped',
          counts: [counts],
          error: {message: 'The disk is full.', fix: 'Free some space.'},
        },
      ],
    })
    const page = load(renderReport(report))
    expect(page('#runs details').attr('open')).toBeDefined()
    expect(page('#runs .trouble').text()).toBe('The disk is full. Free some space.')
  })

  test('refuses an input of another shape', async () => {
    const report = await input()
    expect(() => renderReport({...report, samples: [{id: 1}] as never})).toThrow('samples')
  })
})

describe('text', () => {
  test('code keeps its characters under the colours', () => {
    const code = '#include <a.h> // note\nauto s = "x < y";\nAdd(dst, src0 & src1, 32);'
    expect(load(highlighted(code).html, null, false).text()).toBe(code)
    expect(highlighted(code).html).toContain('<span class="a">Add</span>')
  })

  test('fences become code, pipe tables become tables, the rest stays as written', () => {
    const page = load(
      readable('before `x`\n```cpp\nint a;\n```\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| not a table\n').html,
      null,
      false,
    )
    expect(page('pre').text()).toBe('int a;')
    expect(
      page('td')
        .map((_, cell) => page(cell).text())
        .get(),
    ).toEqual(['1', '2'])
    expect(page('.text').last().text()).toContain('| not a table')
  })
})
