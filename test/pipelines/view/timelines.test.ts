import {readdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import parquet from '../../../datasets/parquet/parquet.ts'
import {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {
  collect,
  dpoRow,
  kernelSample,
  optimisationPair,
  optimisationRow,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../../datasets/rows.ts'
import {exportPage} from '../../../pipelines/view/export-page.ts'
import {recordsOf} from '../../../pipelines/view/run-board.ts'
import {openBrowser, type Page} from '../../helpers/browser.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {requestOf, sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {noDrawing, viewed} from '../../helpers/viewed.ts'
import {judged} from '../preference/records.ts'

// Kernels of rows, records and scores, drawn by the twin when their timeline is opened.

const tasks = await loadTasks(
  {root: 'sources/starter/tasks', operators: 'sources/starter/operators', licence: 'Apache-2.0'},
  () => [],
)
const task = tasks.find(({name}) => name === 'Elu') as OperatorTask
const changed = (from: string, to: string): SourceFile[] =>
  task.answer.map((file) => ({...file, text: file.text.replace(from, to)}))
const single = changed('BUFFER_NUM = 2', 'BUFFER_NUM = 1')
const broken = changed('inQueue_.EnQue(xLocal);', '')
const origin = {...pair().origin, path: task.origin.path}

let browser: Awaited<ReturnType<typeof openBrowser>>
let executor: Executor
let folder: string
let built: number
beforeAll(async () => {
  ;[browser, executor, folder] = await Promise.all([openBrowser(), realExecutor(), writeRows()])
})
afterAll(async () => {
  await browser.close()
  await rm(folder, {recursive: true, force: true})
})
beforeEach(() => {
  built = 0
})

async function writeRows(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'ascend-cot-drawn-'))
  const write = (config: Config, rows: SplitRow[]) =>
    collect(parquet({config, directory}).run(stream(rows), recordingContext()))
  const sides = {...pair(), task: task.name, origin}
  await write('dpo', [
    dpoRow({...sides, chosen: {...sides.chosen, files: task.answer}, rejected: {...sides.rejected, files: broken}}),
  ])
  const step = optimisationPair({task: task.name, origin, step: 'one-buffer'})
  await write('optimisation', [
    optimisationRow({
      ...step,
      chosen: {...step.chosen, answer: formatFiles(task.answer)},
      rejected: {...step.rejected, answer: formatFiles(single)},
    }),
  ])
  const optimised = {step: 'one-buffer', sizes: '[8]', modelledMicroseconds: {before: 2, after: 1}}
  await write('sft', [
    sftRow(
      kernelSample({
        ...{kind: 'optimisation', prompt: `Faster.\n\n${formatFiles(single)}`, origin, optimised},
        files: task.answer,
      }),
    ),
    sftRow(kernelSample()),
    sftRow(sample()),
  ])
  return directory
}

/** Counts what is built. */
const counting = (): Executor => ({
  ...executor,
  build: (...given) => {
    built += 1
    return executor.build(...given)
  },
})

async function at(of: string, hash: string, cache?: string): Promise<Page> {
  const drawing = {executor: () => Promise.resolve(counting()), tasks: () => Promise.resolve(tasks)}
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.setViewport({width: 1400, height: 900})
  await page.goto(`${await viewed(of, {...drawing, cache: cache ?? (await temporaryFolder())})}${hash}`)
  await page.waitForSelector('.sample details.part')
  return page
}

async function opened(page: Page): Promise<{pictures: string[]; words: string}> {
  await page.evaluate(`[...document.querySelectorAll('.sample summary')]
    .find((one) => one.textContent === 'Timeline, modelled').click()`)
  await page.waitForFunction(
    `(document.querySelector('.picture') ||
      [...document.querySelectorAll('.sample .part .quiet')].some((one) => /no timeline|no operator|of this code/.test(one.textContent)))`,
  )
  const pictures = await page.$$eval('.picture', (all) =>
    all.map((one) => decodeURIComponent(one.getAttribute('src') ?? '')),
  )
  return {pictures, words: await page.$eval('.sample', (one) => one.textContent ?? '')}
}

const titles = (pictures: readonly string[]) => pictures.map((one) => /class="tl-bold"[^>]*>([^<]*)</.exec(one)?.[1])
const cycles = (picture = '') => Number(/([\d,]+) modelled cycles/.exec(picture)?.[1]?.replaceAll(',', ''))
const ticks = (picture = '') =>
  [...picture.matchAll(/text-anchor="(?:start|middle)">([^<]*)</g)].map(([, tick]) => tick)

describe('a row', () => {
  test('of an optimisation has before and after beside each other, on the same cycles', async () => {
    const page = await at(folder, '#/rows/optimisation?row=0')
    const {pictures} = await opened(page)
    expect(await page.$$eval('.diff .line.came', (all) => all.map((one) => one.textContent))).toHaveLength(1)
    expect(titles(pictures)).toEqual(['Elu without one-buffer', 'Elu with it'])
    expect(cycles(pictures[0])).toBeGreaterThan(cycles(pictures[1]) * 1.2)
    expect(ticks(pictures[0])).toEqual(ticks(pictures[1]))
    expect(pictures[0]).toContain('waits')
    expect(pictures[0]).toContain('a free tensor of inQueue_')
    expect(pictures[0]).toContain('never measured')
    expect(pictures[0]).toContain('the largest call of its tests, made longer')
  })

  test('of an optimised sample draws the slower code that its question quotes', async () => {
    const {pictures} = await opened(await at(folder, '#/rows/sft?row=0'))
    expect(titles(pictures)).toEqual(['Elu without one-buffer', 'Elu with it'])
  })

  test('of a pair says why a side has none', async () => {
    const {pictures, words} = await opened(await at(folder, '#/rows/dpo?row=0'))
    expect(titles(pictures)).toEqual(['Elu chosen'])
    expect(words).toMatch(/Elu rejected: There is no timeline of Elu.*deque-empty/)
  })

  test('without a known call says so, and prose has no timeline', async () => {
    const {words} = await opened(await at(folder, '#/rows/sft?row=1'))
    expect(words).toContain('The call of this code is in the runs')
    const prose = await at(folder, '#/rows/sft?row=2')
    const parts = await prose.$$eval('.sample summary', (all) => all.map((one) => one.textContent))
    expect(parts).not.toContain('Timeline, modelled')
  })

  test('is drawn once for the same code, of any core', async () => {
    const cache = await temporaryFolder()
    const page = await at(folder, '#/rows/optimisation?row=0', cache)
    expect(built).toBe(0)
    await opened(page)
    expect(built).toBe(2)
    expect(readdirSync(join(cache, 'timelines'))).toHaveLength(2)
    await page.select('.sample .part select', '48')
    await page.waitForFunction("document.querySelector('.picture')?.alt.includes('core 48 of 48')")
    await opened(await at(folder, '#/rows/sft?row=0', cache))
    expect(built).toBe(2)
  })
})

test('a report has those of its rows that say whose code they have, of the slowest core', async () => {
  const out = await temporaryFolder()
  symlinkSync(folder, join(out, 'dataset'))
  await sampleRun(out, 'worked', [sample()])
  const drawing = {executor: () => Promise.resolve(counting()), tasks: () => Promise.resolve(tasks)}
  const file = join(out, 'report.html')
  writeFileSync(file, await exportPage(out, {...noDrawing, ...drawing, cache: join(out, 'cache')}))
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const opens = async (hash: string) => {
    await page.goto('about:blank')
    await page.goto(`${pathToFileURL(file)}${hash}`)
    await page.waitForSelector('.sample details.part')
  }
  await opens('#/rows/optimisation?row=0')
  const {pictures} = await opened(page)
  expect(titles(pictures)).toEqual(['Elu without one-buffer', 'Elu with it'])
  expect(await page.$('.sample .part select')).toBeNull()
  await opens('#/rows/sft?row=1')
  const parts = await page.$$eval('.sample summary', (all) => all.map((one) => one.textContent))
  expect(parts).not.toContain('Timeline, modelled')
})

test('a candidate of a score is drawn with its own code, as a record of a run is', async () => {
  const out = await temporaryFolder()
  const candidate = judged({task, files: task.answer, written: task.answer.map(({path}) => path)})
  const given: Stage<JudgedCandidate, JudgedCandidate> = {
    ...{name: 'judge', version: 1, input: JudgedCandidate, output: JudgedCandidate},
    run: each((record) => [record]),
  }
  const run = await runPipeline(requestOf(Pipeline.from('evaluate-bench', [candidate], given), out))
  expect(run.counts.at(-1)?.written).toBe(1)
  await sampleRun(out, 'score-bench', [sample()])
  const results = [{task: task.name, level: 1, category: 'c', attempt: '', outcome: 'correct', why: ''}]
  writeFileSync(join(out, 'score-bench', 'score.json'), JSON.stringify({benchmark: 'bench', results}))
  const {pictures} = await opened(await at(join(out, 'score-bench'), '#/scores?of=score-bench&n=0'))
  expect(titles(pictures)).toEqual(['Elu'])
  const [{id = ''} = {}] = (await recordsOf(out, 'evaluate-bench', 0)).records
  expect(titles((await opened(await at(out, `#/record/${id}`))).pictures)).toEqual(['Elu'])
})
