import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import licenceGate from '../../../datasets/gates/licence-gate.ts'
import {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {contentId} from '../../../engine/ids.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {lockDirectory} from '../../../engine/lock.ts'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'
import {isoTime, RunRecord} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {sample} from '../../datasets/rows.ts'
import {openBrowser, type Page} from '../../helpers/browser.ts'
import {requestOf, sampleRun} from '../../helpers/sample-run.ts'
import {inputsOf} from '../../helpers/stage-inputs.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'
import {viewed, writeDataset} from '../../helpers/viewed.ts'

// Runs, lineage and scores in the page, from run directories that the engine itself has written.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

interface Look {
  width: number
  scheme: 'light' | 'dark'
}

async function pageOf(
  folder: string,
  hash: string,
  {width, scheme}: Look = {width: 1400, scheme: 'light'},
): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.setViewport({width, height: 900})
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}])
  await page.goto(`${await viewed(folder)}${hash}`)
  return page
}

const says = (page: Page, words: string) =>
  page.waitForFunction(`document.querySelector('main').textContent.includes(${JSON.stringify(words)})`)
const text = (page: Page, selector: string) => page.$eval(selector, (one) => one.textContent ?? '')

const foreign = sample({prompt: 'x?', origin: {...sample().origin, path: 'docs/foreign.html', licence: 'GPL-3.0-only'}})

test('what a stage dropped is told by reason, with its meaning and examples', async () => {
  const out = await temporaryFolder()
  await sampleRun(out, 'release-sft', [sample(), foreign], [licenceGate({config: 'sft'})])
  const page = await pageOf(out, '#/runs')
  await says(page, 'release-sft')
  await page.click('summary')
  await (await page.waitForSelector('td a'))?.click()
  await page.waitForSelector('.drops ul')
  // Pace and time left are those of a run that goes on.
  const columns = ['stage', 'read', 'written', 'dropped', 'failed', 'reused', 'why, and what']
  expect(await page.$$eval('details[open] thead th', (all) => all.map((one) => one.textContent))).toEqual(columns)
  expect(await page.$$eval('details[open] tbody tr:first-child td', (all) => all.length)).toBe(columns.length)
  const told = await text(page, '.drops')
  expect(told).toContain('licence-not-allowed 1')
  expect(told).toContain('unknown or not in')
  expect(told).toContain('docs/foreign.html')
  expect(told).toContain('GPL-3.0-only of ascend-cot/starter')
})

test('a run that goes on is followed to its end', async () => {
  const out = await temporaryFolder()
  await sampleRun(out, 'before', [sample()])
  const page = await pageOf(out, '#/runs')
  await says(page, 'before')
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow: Stage<CotSample, CotSample> = {
    ...{name: 'slow', version: 1, input: CotSample, output: CotSample},
    async *run(records) {
      for await (const record of records) {
        yield record
        if (record.prompt === '1?') await gate
      }
    },
  }
  const records = [0, 1, 2].map((at) => sample({prompt: `${at}?`}))
  const running = runPipeline(requestOf(Pipeline.from('going', records, slow), out))
  await says(page, 'running · 2 written')
  open()
  await running
  await says(page, 'finished · 3 written')
})

/** A run as its process saved it, which is alive as long as this one. */
function saved(out: string, counts: readonly Partial<StageCounts>[], more: Partial<RunRecord> = {}): string {
  const directory = join(out, 'going')
  mkdirSync(directory, {recursive: true})
  const record = {
    ...{recipe: 'going', state: 'running', seed: 's', config: null, startedAt: isoTime(Date.now() - 65_000)},
    stages: counts.map((_, at) => ({name: `stage-${at}`, version: 1, key: `${at}`})),
    counts: counts.map((count, at) => ({...startCounting(`stage-${at}`).counts, ...count})),
    ...more,
  }
  writeFileSync(join(directory, 'run.json'), JSON.stringify(record))
  return directory
}

test('a run that goes on says how much will come, how fast, and how long that takes', async () => {
  const out = await temporaryFolder()
  const source = {read: 1, written: 10, expected: 20}
  onTestFinished(lockDirectory(saved(out, [source, {read: 5, written: 5, accepted: 5}])))
  const page = await pageOf(out, '#/runs')
  await says(page, '5 of about 20')
  expect(await text(page, 'summary')).toMatch(/running · 5 written · 0 dropped · 1:\d\d/)
  expect(await page.$$eval('tbody tr:first-child td', (all) => all[1]?.textContent)).toBe('1')
  const [, , , , , , pace, left] = await page.$$eval('tr:last-child td', (all) => all.map((one) => one.textContent))
  // 5 in 65 s and more, and 15 to come.
  expect(pace).toMatch(/^[2-4]\.\d a minute$/)
  expect(left).toMatch(/^[345]:\d\d$/)
  saved(out, [
    {...source, written: 20, ended: true},
    {read: 11, written: 11, accepted: 11, reused: 11},
  ])
  await says(page, '11 of 20')
  expect(await text(page, 'tr:last-child')).not.toContain('a minute')
})

test('who works on a stage is told with what it holds', async () => {
  const out = await temporaryFolder()
  const worker = {id: 'a', by: 'u@n1', capability: 'twin, 8 at once', records: 1200, rate: 3.5, fit: []}
  const workers = [{...worker, holds: '2 shares', silentSeconds: 4}]
  saved(out, [{read: 9, workforce: {unit: 'share', waiting: 1, working: 2, workers}}])
  const page = await pageOf(out, '#/runs')
  await says(page, 'workers of stage-0')
  const cells = await page.$$eval('tbody tr:last-child td', (all) => all.map((one) => one.textContent))
  expect(cells.slice(-6)).toEqual(['u@n1', 'twin, 8 at once', '1,200', '3.5', '4 s ago', '2 shares'])
  expect(await text(page, 'main')).toContain('1 share waiting, 2 worked on')
})

test('a run whose process was killed is open, and says how to go on', async () => {
  const out = await temporaryFolder()
  saved(out, [{read: 1, written: 1}])
  const page = await pageOf(out, '#/runs')
  await says(page, 'interrupted')
  expect(await page.$eval('details', (one) => one.matches('[open]'))).toBe(true)
  expect(await text(page, '.trouble')).toContain('ascend-cot resume')
})

test('drops that are open grow with the run', async () => {
  const out = await temporaryFolder()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const gated: Stage<CotSample, CotSample> = {
    ...{name: 'gated', version: 1, input: CotSample, output: CotSample},
    run: each(async (record, {drop}) => {
      if (record.prompt !== '0?') await gate
      return drop(record, 'not-wanted', record.prompt)
    }),
  }
  const records = [0, 1, 2].map((at) => sample({prompt: `${at}?`}))
  const running = runPipeline(requestOf(Pipeline.from('going', records, gated), out))
  await until(() => existsSync(join(out, 'going/run.json')))
  const page = await pageOf(out, '#/runs?run=going&stage=gated')
  await says(page, 'not-wanted 1')
  open()
  await says(page, 'not-wanted 3')
  await running
})

test('a row is followed back through the runs', async () => {
  const out = await temporaryFolder()
  await writeDataset(join(out, 'dataset'))
  const first = sample({
    prompt: 'What does page 0 say about DataCopy?',
    language: 'en',
    origin: {...sample().origin, path: 'docs/page-00.html'},
  })
  const same: Stage<CotSample, CotSample> = {
    ...{name: 'written', version: 1, input: CotSample, output: CotSample},
    run: each((record) => [record]),
  }
  await sampleRun(out, 'documentation', [first], [same])
  const page = await pageOf(out, '#/rows/sft?row=0')
  await page.waitForSelector('.sample header')
  await page.evaluate(`[...document.querySelectorAll('summary')]
    .find((one) => one.textContent === 'Where it came from').click()`)
  await page.waitForSelector('.way li')
  expect(await text(page, '.way')).toContain('documentation/written')
  expect(await text(page, '.way')).toContain(contentId(first).slice(0, 12))
})

test('what a run wrote can be read without a data set', async () => {
  const out = await temporaryFolder()
  await sampleRun(out, 'worked', [sample(), foreign])
  const page = await pageOf(out, '#/runs?run=worked&from=0')
  await page.waitForSelector('.drops a')
  expect(await text(page, '.drops')).toContain('docs/foreign.html')
  await page.click('.drops a')
  await page.waitForSelector('.sample .text')
  expect(await text(page, '.sample')).toContain(sample().prompt)
  expect(await text(page, '.sample')).toContain(sample().reasoning)
})

/** Two runs of scores, each with the candidates that it judged. */
async function scored(out: string): Promise<string> {
  const judged = inputsOf('score/two-attempts-at-one-task').map((one) => JudgedCandidate.parse(one))
  const given: Stage<JudgedCandidate, JudgedCandidate> = {
    ...{name: 'judge', version: 1, input: JudgedCandidate, output: JudgedCandidate},
    run: each((record) => [record]),
  }
  for (const name of ['bench', 'bench-other']) {
    await runPipeline(requestOf(Pipeline.from(`evaluate-${name}`, judged, given), out))
    await sampleRun(out, `score-${name}`, [sample()])
    const results = judged.map(({task, verdict}) => ({
      ...{task: task.name, level: task.level, category: task.category, attempt: ''},
      ...{outcome: verdict.outcome, why: 'because'},
    }))
    writeFileSync(join(out, `score-${name}`, 'score.json'), JSON.stringify({benchmark: 'bench', results}))
  }
  return join(out, 'score-bench')
}

test('scores are shown by task and verdict, two runs beside each other, down to a candidate', async () => {
  const page = await pageOf(await scored(await temporaryFolder()), '')
  await page.waitForSelector('.verdict-link')
  const before = (await page.$$('.verdict-link')).length
  await page.select('.fields label:nth-child(2) select', 'score-bench-other')
  await page.waitForFunction(`document.querySelectorAll('.verdict-link').length === ${2 * before}`)
  expect(await text(page, 'thead')).toMatch(/bench: its own answers.*bench: other/)
  await page.click('.verdict-link')
  await page.waitForSelector('.sample .code .line')
  expect(await text(page, '.sample')).toContain('Prompt')
  expect(page.url()).toContain('of=score-bench&n=0')
})

test('cost so far and labels over time are shown of a run', async () => {
  const out = await temporaryFolder()
  await sampleRun(out, 'candidates', [sample()])
  const file = join(out, 'candidates', 'run.json')
  const record = RunRecord.parse(JSON.parse(readFileSync(file, 'utf8')))
  const history = [0, 2, 4].map((seconds) => ({seconds, tallies: {green: seconds, orange: 1}}))
  const spent = {requests: 12, cachedReplies: 3, tokens: 4500, cost: 0.0123, currency: 'USD'}
  writeFileSync(file, JSON.stringify({...record, spent, history}))
  const page = await pageOf(out, '#/runs')
  await says(page, 'candidates')
  await page.click('summary')
  await page.waitForSelector('.curve polyline')
  expect(await text(page, 'main')).toContain('12 requests, 3 from cache, 4,500 tokens, 0.0123 USD')
  const lines = await page.$$eval('.curve polyline', (all) => all.map((one) => one.getAttribute('points')))
  expect(lines).toEqual(['6.0,114.0 280.0,60.0 554.0,6.0', '6.0,87.0 280.0,87.0 554.0,87.0'])
  expect(await page.$eval('.curve polyline', (one) => one.getAttribute('class'))).toContain('green')
})

describe('everybody', () => {
  const looks: Look[] = [1400, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({width, scheme})))
  const places = ['runs', 'record', 'scores'] as const
  let made: Record<(typeof places)[number], [folder: string, hash: string, ready: string]>
  beforeAll(async () => {
    const out = await mkdtemp(join(tmpdir(), 'ascend-cot-looks-'))
    await sampleRun(out, 'worked', [sample(), foreign], [licenceGate({config: 'sft'})])
    const file = join(out, 'worked', 'run.json')
    const history = [0, 2].map((seconds) => ({seconds, tallies: {green: seconds, orange: 1}}))
    writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), history}))
    made = {
      runs: [out, '#/runs?run=worked&stage=licence-gate', '.drops ul'],
      record: [out, `#/record/${contentId(sample())}`, '.sample .text'],
      scores: [await scored(out), '#/scores?b=score-bench-other&of=score-bench&n=0', '.sample .code .line'],
    }
  })
  afterAll(() => rm(made.runs[0], {recursive: true, force: true}))
  test.each(places.flatMap((place) => looks.map((look) => ({place, look}))))(
    'can read $place, $look',
    async ({place, look}) => {
      const [folder, hash, ready] = made[place]
      const page = await pageOf(folder, hash, look)
      await page.waitForSelector(ready)
      await page.evaluate(axe)
      const {violations} = (await page.evaluate('axe.run()')) as {
        violations: {id: string; impact: string; nodes: {html: string}[]}[]
      }
      const serious = violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
      expect(serious.map(({id, nodes}) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )
})
