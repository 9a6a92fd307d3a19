import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {basename, join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {kindTally} from '../../datasets/card/stats.ts'
import {Refusal} from '../../engine/service.ts'
import {kernelsOfRow, type Cells} from '../commands/kernels-of.ts'
import {overviewInput} from '../report/overview-input.ts'
import {sectionsOf} from '../report/overview-sections.ts'
import {dataFiles, rowsIn} from './data-files.ts'
import {pageFiles} from './page-files.ts'
import type {DataFile, Embedded, Folder, Overview} from './protocol.ts'
import {dropsOf, runsNow, waysOf} from './run-board.ts'
import {attemptDetail, scoreBoard} from './score-board.ts'
import {drawTimelines, type Drawing} from './timelines.ts'

/**
 * The viewer in one HTML file: its page, and what it would ask the server for, with one row of each kind. Nothing is
 * loaded, and only its own script runs.
 * @param out an output folder with runs
 * @param drawing draws timelines of the rows; without it there are none
 * @throws PipelineError `run-missing` when there are none
 */
export async function exportPage(out: string, drawing?: Drawing): Promise<string> {
  const overview: Overview = {sections: sectionsOf(await overviewInput(out))}
  // Where nothing was made yet, it only names the runs.
  const opensOnOverview = overview.sections.length > 1
  const {rows, files} = await sampleRows(out)
  const ids = Object.values(rows).flatMap((all) => all.map(({id}) => String(id)))
  const boards = await scoreAnswers(out)
  const scores = Object.keys(boards).flatMap((path) => /^\/api\/scores\/([^/]+)$/.exec(path)?.[1] ?? [])
  const folder: Folder = {title: basename(out), files, hasRuns: true, scores, reader: '', opensOnOverview}
  const answers = {'/api/folder': folder, '/api/overview': overview, ...(await runAnswers(out)), ...boards}
  const ways = Object.fromEntries((await waysOf(out, ids)).map((way) => [`/api/records/${way.id}`, way]))
  const timelines = drawing ? await timelineAnswers(rows, drawing) : {}
  return htmlOf({answers: {...answers, ...ways, ...timelines}, rows})
}

/** The rows with the smallest ids of each kind: ids are hashes, so this is a random sample, and the same every time. */
async function sampleRows(out: string): Promise<Pick<Embedded, 'rows'> & {files: DataFile[]}> {
  const directory = join(out, 'dataset')
  const files = existsSync(join(directory, 'data')) ? await dataFiles(directory) : []
  const chosen = new Map<string, {file: DataFile; cells: Cells}>()
  for (const file of files) {
    const kinds = kindTally[file.config].split('+')
    for (const cells of await rowsIn(directory, file)) {
      const key = [file.config, ...kinds.map((name) => cells[name])].join(' ')
      const known = chosen.get(key)
      if (!known || String(cells['id']) < String(known.cells['id'])) chosen.set(key, {file, cells})
    }
  }
  const rows: Record<string, Cells[]> = {}
  for (const {file, cells} of chosen.values()) (rows[file.id] ??= []).push(cells)
  return {rows, files: files.filter(({id}) => rows[id])}
}

/** Of the rows that say whose code they have: those of the slowest core. */
async function timelineAnswers(rows: Embedded['rows'], drawing: Drawing): Promise<Embedded['answers']> {
  const tasks = await drawing.tasks()
  const answers: Record<string, unknown> = {}
  for (const [id, all] of Object.entries(rows)) {
    for (const [at, cells] of all.entries()) {
      const kernels = kernelsOfRow(cells, tasks)
      if (kernels.length > 0)
        answers[`/api/timelines/rows/${id}/${at}/0`] = await drawTimelines(kernels, undefined, drawing)
    }
  }
  return answers
}

async function runAnswers(out: string): Promise<Embedded['answers']> {
  const runs = await runsNow(out)
  const answers: Record<string, unknown> = {'/api/runs': runs}
  for (const {recipe, stages} of runs.runs) {
    for (const {stage, dropped} of stages) {
      const path = `/api/runs/${encodeURIComponent(recipe)}/drops/${encodeURIComponent(stage)}`
      if (dropped > 0) answers[path] = await dropsOf(out, recipe, stage)
    }
  }
  return answers
}

/** Tables of all attempts, and of each outcome one attempt with its code. */
async function scoreAnswers(out: string): Promise<Embedded['answers']> {
  const answers: Record<string, unknown> = {}
  const {runs} = await runsNow(out)
  for (const folder of runs.map(({recipe}) => join(out, recipe)).filter((one) => existsSync(join(one, 'score.json')))) {
    const board = await scoreBoard(folder).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
    if (!board) continue
    const path = `/api/scores/${encodeURIComponent(board.name)}`
    answers[path] = board
    for (const outcome of new Set(board.attempts.map((one) => one.outcome))) {
      const at = board.attempts.findIndex((one) => one.outcome === outcome)
      answers[`${path}/attempts/${at}`] = await attemptDetail(folder, at)
    }
  }
  return answers
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function htmlOf(embedded: Embedded): string {
  const file = (wanted: string) => pageFiles().find(({name}) => name === wanted)?.text ?? ''
  // Within HTML, these end a script or begin a comment, wherever they stand.
  const script = file('page.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const style = file('page.css')
  const policy = [
    ...["default-src 'none'", `script-src ${hashOf(script)}`, `style-src ${hashOf(style)}`],
    ...['img-src data:', "base-uri 'none'", "form-action 'none'"],
  ].join('; ')
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
  const packed = gzipSync(JSON.stringify(embedded, plain), {level: 9}).toString('base64')
  const data = `<script type="text/plain" id="embedded">${packed}</script>`
  return file('index.html')
    .replace(
      '<meta charset="utf-8">',
      (meta) => `${meta}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
    .replace('<link rel="stylesheet" href="/page.css">', () => `<style>${style}</style>`)
    .replace(/\n *<script type="module"[^>]*><\/script>/, '')
    .replace('</body>', () => `  ${data}\n    <script type="module">${script}</script>\n  </body>`)
}
