import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {marksFile} from '../../../datasets/schema/mark.ts'
import {openBrowser, type Page} from '../../helpers/browser.ts'
import {samples, viewed, writeDataset} from '../../helpers/viewed.ts'

// The built page in a real browser, on a small data set with hostile texts.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Awaited<ReturnType<typeof openBrowser>>
let folder: string
let faults: string[]

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'ascend-cot-viewed-'))
  await writeDataset(folder)
})
afterAll(async () => {
  await browser.close()
  await rm(folder, {recursive: true, force: true})
})
beforeEach(() => {
  faults = []
})

interface Seen {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
}

/** The page at a place, when its list is there. */
async function at(
  hash = '',
  {width = 1400, height = 900, scheme = 'light'}: Seen = {},
  address?: string,
): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (asked) => new URL(asked.url()).hostname === '127.0.0.1' || faults.push(asked.url()))
  await page.setViewport({width, height})
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}])
  await page.goto(`${address ?? (await viewed(folder))}${hash}`)
  return page
}

const listed = async (page: Page, count: string) =>
  page.waitForFunction(`document.querySelector('.count[data-complete=true]')?.textContent.startsWith('${count} of')`)
const text = (page: Page, selector: string) => page.$eval(selector, (one) => one.textContent ?? '')
const texts = (page: Page, selector: string) => page.$$eval(selector, (all) => all.map((one) => one.textContent ?? ''))
const opened = (page: Page, row: number) => page.waitForSelector(`.sample[data-row="${row}"][aria-busy=false] header`)
const paramsOf = (page: Page) => new URLSearchParams(page.url().split('?').at(-1))
const rowWith = (path: string) => {
  const split = [...samples.filter((_, number) => number !== 5), samples[5]]
  return split.findIndex((one) => one?.origin.path.endsWith(path))
}
const openPart = async (page: Page, title: string) => {
  await page.evaluate(`
    for (const one of document.querySelectorAll('.sample details.part:not([open]) > summary'))
      if (one.textContent.startsWith('${title}')) one.click()
  `)
}

describe('the list', () => {
  test('shows every row, its kinds with their counts, and the first words of its prompt', async () => {
    const page = await at()
    await listed(page, String(samples.length))
    expect(page.url()).toContain('#/rows/sft')
    await page.waitForFunction("document.querySelector('.row .head').textContent.includes('What does page 0 say')")
    const options = (await texts(page, '.option')).map((one) => one.trim())
    expect(options).toContain('documentation 60')
    expect(options).toContain('api-correction 1')
    expect(options).toContain('test 1')
    expect(faults).toEqual([])
  })

  test('filters by boxes, which the address keeps', async () => {
    const page = await at()
    await listed(page, String(samples.length))
    await page.click('input[data-value="documentation"]')
    await listed(page, '60')
    await page.click('input[data-value="en"]')
    await listed(page, '20')
    expect(paramsOf(page).getAll('kind')).toEqual(['documentation'])
    await page.goBack()
    await listed(page, '60')
    const link = await at(`#/rows/sft?kind=kernel&kind=api-correction`)
    await listed(link, '6')
    expect(await link.$eval('input[data-value="kernel"]', (one) => one.matches(':checked'))).toBe(true)
  })

  test('searches in places at once, and in texts when it is asked to', async () => {
    const page = await at()
    await listed(page, String(samples.length))
    await page.keyboard.press('/')
    await page.keyboard.type('page-1')
    await listed(page, '10')
    const deep = await at('#/rows/sft?q=page+17+say&in=texts')
    await listed(deep, '1')
    await deep.waitForSelector('.row')
    expect(await deep.$eval('.row', (one) => one.getAttribute('data-row'))).toBe(String(rowWith('page-17.html')))
    await listed(await at('#/rows/sft?q=page+17+say'), '0')
  })

  test('sorts by length, and draws the same rows for one seed', async () => {
    const page = await at('#/rows/sft?sort=-tokens')
    await listed(page, String(samples.length))
    expect(await page.$eval('.row', (one) => one.getAttribute('data-row'))).toBe(String(rowWith('long.cpp')))
    const rows = async (hash: string) => {
      const drawn = await at(hash)
      await listed(drawn, '5')
      await drawn.waitForFunction("document.querySelectorAll('.row').length === 5")
      return drawn.$$eval('.row', (all) => all.map((one) => one.getAttribute('data-row')))
    }
    const first = await rows('#/rows/sft?draw=5&seed=a')
    expect(await rows('#/rows/sft?draw=5&seed=a')).toEqual(first)
    expect(await rows('#/rows/sft?draw=5&seed=b')).not.toEqual(first)
  })

  test('goes by keys: down, open, on, close', async () => {
    const page = await at()
    await listed(page, String(samples.length))
    // As fast as a person who keeps a key down.
    for (const key of ['j', 'j', 'ArrowDown', 'k', 'Enter']) await page.keyboard.press(key as 'j')
    await opened(page, 1)
    await page.keyboard.press('j')
    await opened(page, 2)
    expect(paramsOf(page).get('row')).toBe('2')
    expect(await page.$eval('.row[aria-selected=true]', (one) => one.getAttribute('data-row'))).toBe('2')
    await page.keyboard.press('Escape')
    await page.waitForFunction("!document.querySelector('.sample')")
    expect(paramsOf(page).has('row')).toBe(false)
  })
})

describe('a sample', () => {
  test('of a correction shows wrong and fixed, its decisions and what the alternative did', async () => {
    const row = rowWith('wrong.cpp')
    const page = await at(`#/rows/sft?row=${row}`)
    await opened(page, row)
    expect(await texts(page, '.diff .line.gone')).toEqual(['−  op.Proces();\n'])
    expect(await texts(page, '.diff .line.came')).toEqual(['+  op.Process();\n'])
    await openPart(page, 'Decisions')
    await page.waitForSelector('.decisions')
    const told = await text(page, '.decisions')
    expect(told).toContain('single buffer')
    expect(told).toContain('3 of 64 elements differ: y[7] is 1, expected 2')
    expect(told).toContain('modelled 5.90 µs instead of 4.20 µs with the call made longer, to 261,120 elements')
    expect(await page.$$eval('.sample pre .hljs-string', (all) => all.length)).toBeGreaterThan(0)
  })

  test('of a pair shows both verdicts, the difference, and messages on their lines', async () => {
    const page = await at('#/rows/dpo?row=0')
    await opened(page, 0)
    expect(await text(page, '.sample .sides')).toMatch(/chosen.*correct by twin.*rejected.*compile-failed by twin/s)
    expect(await texts(page, '.diff .line.gone')).toEqual(['−  op.Proces();\n'])
    const noted = await text(page, '.line.noted')
    expect(noted).toContain('op.Proces();')
    expect(noted).toContain("error: no member named 'Proces'")
    expect(await page.$eval('.line.noted .number', (one) => one.getAttribute('data-number'))).toBe('6')
  })

  test('of a wrong result shows the case and its first wrong element', async () => {
    const page = await at('#/rows/dpo?row=1')
    await opened(page, 1)
    expect(await text(page, '.sample .sides')).toContain('case 4: y[12] is 0.25, expected 3')
  })

  test('keeps a mark with its note, and shows it in the list', async () => {
    const page = await at('#/rows/sft?row=7')
    await opened(page, 7)
    await page.type('.marks input', 'line 3 is wrong')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await page.waitForSelector('.mark.false[aria-pressed=true]')
    const lines = (await readFile(join(folder, marksFile), 'utf8')).trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      ...{config: 'sft', path: 'data/sft/train-00000-of-00001.parquet', row: 7},
      ...{mark: 'false', note: 'line 3 is wrong', reader: 'ann'},
    })
    await page.waitForFunction(`document.querySelector('.row[data-row="7"]').textContent.includes('false')`)
    const marked = await at('#/rows/sft?mark=false')
    await listed(marked, '1')
  })
})

describe('hostile text', () => {
  test.each(['script', 'ansi', 'reversed', 'long'])('is only text: %s', async (name) => {
    const row = rowWith(`${name}.cpp`)
    const page = await at(`#/rows/sft?row=${row}`)
    await opened(page, row)
    for (const part of ['Prompt', 'Reasoning', 'Answer']) await openPart(page, part)
    await page.waitForSelector(name === 'long' ? '.sample .text' : '.sample .code')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.$$('.sample img, .sample script')).toEqual([])
    const shown = await text(page, '.sample')
    expect(shown).not.toMatch(/[\u001b\u202e\u2066]/)
    if (name === 'script') expect(shown).toContain('<script>window.hacked = 1</script>')
    if (name === 'ansi') expect(shown).toContain('␛[31mred')
    if (name === 'reversed') expect(shown).toContain('⟨U+202E⟩')
    if (name === 'long') expect(shown.length).toBeLessThan(1_000_000)
    expect(faults).toEqual([])
  })
})

describe('everybody', () => {
  const places: [name: string, hash: string, ready: string][] = [
    ['the list', '#/rows/sft', '.count[data-complete=true]'],
    ['a correction', `#/rows/sft?row=${rowWith('wrong.cpp')}`, '.sample .diff'],
    ['a pair', '#/rows/dpo?row=0', '.sample .noted'],
  ]
  const looks: Seen[] = [{}, {scheme: 'dark'}, {width: 390, height: 844}, {width: 390, height: 844, scheme: 'dark'}]
  test.each(places.flatMap((place) => looks.map((look) => ({place, look}))))(
    'can read $place.0, $look',
    async ({place: [, hash, ready], look}) => {
      const page = await at(hash, look)
      await page.waitForSelector(ready)
      await page.waitForSelector('.row', {hidden: look.width === 390 && hash.includes('row=')})
      await page.evaluate(axe)
      const {violations} = (await page.evaluate('axe.run()')) as {
        violations: {id: string; impact: string; nodes: {html: string}[]}[]
      }
      const serious = violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
      expect(serious.map(({id, nodes}) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )

  test('sees a dark page in the dark', async () => {
    const paper = async (scheme: 'light' | 'dark') =>
      (await at('', {scheme})).evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await paper('dark')).toBe('rgb(20, 22, 26)')
    expect(await paper('light')).toBe('rgb(255, 255, 255)')
  })
})

test('without the token, the page says what is missing', async () => {
  const address = (await viewed(folder)).replace(/token=.*/, '')
  const page = await at('', {}, address)
  await page.waitForSelector('.trouble')
  expect(await text(page, 'main')).toContain('it ends with a token')
})
