import {existsSync, mkdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import {cells, columns} from '../../datasets/parquet/columns.ts'
import {qwen3} from '../../datasets/tokens/chat-format.ts'
import {contentId} from '../../engine/ids.ts'
import {whatIsIn} from '../../pipelines/view/open-folder.ts'
import {startViewer} from '../../pipelines/view/viewer.ts'
import {openBrowser, type Page} from '../helpers/browser.ts'
import {noDrawing} from '../helpers/viewed.ts'
import {syntheticSamples} from './export-rows.ts'

// The viewer on a data set of many rows: first paint, filter, search, sort, and bytes read for one row.

/** @param folder where the data set is made if it is not there yet */
export async function benchView(folder: string, rows: number): Promise<void> {
  const file = join(folder, 'data/sft/train-00000-of-00001.parquet')
  if (!existsSync(file)) await writeRows(file, rows)
  const viewer = await startViewer({seen: whatIsIn(folder), port: 0, reader: 'bench', now: () => 0, drawing: noDrawing})
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const figures = await measured(page, viewer.address)
    const {size} = statSync(file)
    console.log(
      JSON.stringify({rows, fileMb: Math.round(size / 1e6), ...figures, rowShare: figures.rowBytes / size}, null, 2),
    )
  } finally {
    await browser.close()
    await viewer.close()
  }
}

async function writeRows(path: string, rows: number): Promise<void> {
  mkdirSync(dirname(path), {recursive: true})
  // Tokens are estimated: counting them would take longer than everything else.
  const format = {...qwen3, tokens: (prompt: string, reply: string) => (prompt.length + reply.length) >> 2}
  const file = await createParquetFile(path, columns.sft, {
    codec: 'zstd',
    rowGroupBytes: 32_000_000,
    rowGroupRows: 50_000,
  })
  for await (const record of syntheticSamples(rows)) {
    const id = contentId(record)
    await file.write(cells({config: 'sft', id, split: 'train', record}, format), id)
  }
  await file.finish()
  await file.publish(path)
}

async function measured(page: Page, address: string) {
  const started = performance.now()
  const since = (from: number) => Math.round(performance.now() - from)
  await page.setViewport({width: 1400, height: 900})
  await page.goto(address)
  await page.waitForSelector('.row')
  const firstRowMs = since(started)
  await page.waitForSelector('.count[data-complete="true"]', {timeout: 600_000})
  const allReadMs = since(started)
  const settled = async (action: () => Promise<unknown>) => {
    const count = "document.querySelector('.count').textContent"
    const before = JSON.stringify(await page.evaluate(count))
    const from = performance.now()
    await action()
    await page.waitForFunction(`${count} !== ${before}`, {polling: 5})
    return since(from)
  }
  const filterMs = await settled(() => page.click('input[type=checkbox][data-value="kernel"]'))
  const searchMs = await settled(() => page.type('input[type=search]', 'op_123'))
  const clearMs = await settled(() => page.evaluate(clear))
  const from = performance.now()
  await page.select('.search select', '-tokens')
  await page.waitForFunction("document.querySelector('.row').dataset.row !== '0'", {polling: 5})
  const sortMs = since(from)
  const opened = performance.now()
  await page.click('.row')
  await page.waitForSelector('.sample header')
  const rowMs = since(opened)
  const rowBytes = Number(await page.$eval('.sample', (one) => one.getAttribute('data-bytes')))
  const {JSHeapUsedSize = 0} = await page.metrics()
  return {
    firstRowMs,
    allReadMs,
    filterMs,
    searchMs,
    clearMs,
    sortMs,
    rowMs,
    rowBytes,
    pageHeapMb: Math.round(JSHeapUsedSize / 1e6),
  }
}

/** Runs in the page. */
const clear = `
  const field = document.querySelector('input[type=search]')
  field.value = ''
  field.dispatchEvent(new Event('input', {bubbles: true}))`
