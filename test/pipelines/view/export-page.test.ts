import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import licenceGate from '../../../datasets/gates/licence-gate.ts'
import {exportPage} from '../../../pipelines/view/export-page.ts'
import {sample} from '../../datasets/rows.ts'
import {openBrowser, type Page} from '../../helpers/browser.ts'
import {embeddedIn} from '../../helpers/embedded-answers.ts'
import {sampleRun} from '../../helpers/sample-run.ts'
import {samples, writeDataset} from '../../helpers/viewed.ts'

// The report: the viewer's page in one file, opened as a file, with hostile texts in it.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const hostile = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'

let browser: Awaited<ReturnType<typeof openBrowser>>
let folder: string
let html: string
let faults: string[]

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'ascend-cot-report-'))
  await writeDataset(join(folder, 'dataset'))
  const foreign = sample({prompt: 'x?', origin: {...sample().origin, path: hostile, licence: 'GPL-3.0-only'}})
  await sampleRun(folder, 'worked', [sample(), foreign], [licenceGate({config: 'sft'})])
  html = await exportPage(folder)
  await writeFile(join(folder, 'report.html'), html)
})
afterAll(async () => {
  await browser.close()
  await rm(folder, {recursive: true, force: true})
})
beforeEach(() => {
  faults = []
})

async function at(hash: string, {width = 1400, scheme = 'light'} = {}): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (asked) => /^(?:file|data):/.test(asked.url()) || faults.push(asked.url()))
  await page.setViewport({width, height: 900})
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}])
  await page.goto(`${pathToFileURL(join(folder, 'report.html'))}${hash}`)
  return page
}

const text = (page: Page, selector: string) => page.$eval(selector, (one) => one.textContent ?? '')

describe('the report', () => {
  test('has one row of each kind, the one with the smallest id, and its way through the runs', () => {
    const {answers, rows} = embeddedIn(html)
    const all = Object.values(rows).flat()
    const kinds = all.map(({kind, rejected_label}) => kind ?? rejected_label)
    expect(kinds.toSorted()).toEqual(['api-correction', 'documentation', 'kernel', 'orange', 'purple'])
    expect(samples.length).toBeGreaterThan(60)
    expect(Object.keys(answers)).toContain('/api/runs/worked/drops/licence-gate')
  })

  test('of runs that made nothing yet begins with its rows, and without any with the runs', async () => {
    const page = await at('')
    await page.waitForSelector('.row')
    expect(page.url()).toMatch(/#\/rows\/sft$/)
    const empty = await mkdtemp(join(folder, 'empty-'))
    await sampleRun(empty, 'api-index', [sample()])
    await writeFile(join(empty, 'report.html'), await exportPage(empty))
    await page.goto(String(pathToFileURL(join(empty, 'report.html'))))
    await page.waitForSelector('.runs details')
    expect(page.url()).toMatch(/#\/runs$/)
    expect(faults).toEqual([])
  })

  test('is browsed as a file: list, filter, search in texts, a row, its parts', async () => {
    const page = await at('#/rows/sft')
    await page.waitForSelector('.count[data-complete=true]')
    expect(await text(page, '.count')).toBe('3 of 3 rows')
    await page.click('input[data-value="api-correction"]')
    await page.waitForFunction("document.querySelectorAll('.row').length === 1")
    await page.click('.row')
    await page.waitForSelector('.sample .diff')
    expect(await text(page, '.diff .line.came')).toContain('op.Process();')
    expect(await page.$('.marks')).toBeNull()
    const found = await at('#/rows/sft?q=does+not+compile&in=texts')
    await found.waitForFunction("document.querySelectorAll('.row').length === 1")
    expect(faults).toEqual([])
  })

  test('tells stages, and drops by reason with what they mean', async () => {
    const page = await at('#/runs?run=worked&stage=licence-gate')
    await page.waitForSelector('.drops ul')
    expect(await text(page, 'main')).toContain('finished · 1 written · 1 dropped')
    expect(await text(page, '.drops')).toContain('unknown or not in')
    expect(await text(page, '.drops')).toContain(hostile)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('says where more can be seen of what it lacks', async () => {
    const page = await at('#/record/ffff')
    await page.waitForSelector('.trouble')
    expect(await text(page, '.trouble')).toContain('`ascend-cot view` shows the rest')
  })

  test('runs its own script alone, and loads nothing', async () => {
    const page = await at('#/overview')
    await page.waitForSelector('.runs .part')
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'window.hacked = 1'
      document.body.append(script)
      document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x.png">')
    }`)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(faults.join()).toMatch(/script-src.*img-src/s)
    expect(html).not.toMatch(/(?:src|href)="\//)
  })

  const looks = [1400, 390].flatMap((width) => ['light', 'dark'].map((scheme) => ({width, scheme})))
  test.each(looks)('can be read by everybody, $width $scheme', async (look) => {
    const page = await at('#/overview', look)
    await page.waitForSelector('.runs .part')
    const {violations} = (await page.evaluate(`${axe}; axe.run()`)) as {
      violations: {id: string; impact: string; nodes: {html: string}[]}[]
    }
    const serious = violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
    expect(serious.map(({id, nodes}) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
