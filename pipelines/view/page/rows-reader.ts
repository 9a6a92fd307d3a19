import type {
  Asking,
  Line,
  Marked,
  Meter,
  OpenFile,
  OpenFiles,
  Opening,
  Requests,
  Told,
  WholeRow,
} from './rows-protocol.ts'
import {ofEvery, type Shown} from './shown-columns.ts'
import {Table, type Cell} from './row-table.ts'

// Reads the rows of a configuration: short columns of all of them, texts of those that are opened.

let files: OpenFile[] = []
let shown: Shown
let table = new Table(0)
let listed: Uint32Array = new Uint32Array(0)
let read = 0
let opening = 0
let openFiles: OpenFiles
let tell: (told: Told) => void = () => undefined
const meter: Meter = {bytes: 0}

async function open({files: given, shown: asked, token}: Opening): Promise<{rows: number}> {
  const mine = ++opening
  const opened = await openFiles(given, token, meter)
  const rows = opened.reduce((sum, file) => sum + file.rows, 0)
  ;[files, shown, table, listed, read] = [opened, asked, new Table(rows), new Uint32Array(0), 0]
  for (const {file, first, rows: count} of files)
    table.fill(
      'split',
      first,
      Array.from({length: count}, () => file.split),
    )
  void readColumns(opened, () => mine === opening)
  return {rows}
}

/** Everything is found anew when more rows are reported, so the next report has this many times as many. */
const growth = 1.3

async function readColumns(opened: readonly OpenFile[], isWanted: () => boolean): Promise<void> {
  const {facets, searched, numbers, badges} = shown
  const wanted = [...new Set([...facets, ...searched, ...numbers, ...badges])]
  for (const file of opened) {
    const columns = file.known(wanted)
    for (const {start, end} of file.groups) {
      if (!isWanted()) return
      await file.eachColumn({start, end, columns, meter}, (name, from, cells) => {
        if (isWanted()) table.fill(name, file.first + from, cells)
      })
      if (!isWanted()) return
      const now = file.first + end
      if (now < table.size && now < read * growth) continue
      read = now
      tell({read})
    }
  }
}

async function find({inTexts, ...asked}: Asking): Promise<Requests['find'][1]> {
  const searched = [...shown.searched, ...shown.facets]
  const among = inTexts && asked.words.length > 0 ? await rowsWithWords(asked) : undefined
  const query = {...asked, searched, among, words: among ? [] : asked.words}
  const found = table.find(query, [...ofEvery, ...shown.facets], read)
  listed = found.rows
  return {count: listed.length, facets: found.facets, complete: read === table.size}
}

/** Rows whose texts are searched at a time. */
const atOnce = 1000
let searching = 0

/** Rows that the filters let through and whose texts have all the words; given up when something else is asked. */
async function rowsWithWords({words, filters}: Omit<Asking, 'inTexts'>): Promise<Uint8Array> {
  const mine = ++searching
  const hits = new Uint8Array(table.size)
  const {rows} = table.find({filters, words: [], searched: [], sort: ''}, [], read)
  let at = 0
  while (at < rows.length && mine === searching) {
    const file = fileOf(rows[at]!)
    const start = rows[at]! - file.first
    const end = Math.min(start + atOnce, file.rows)
    const texts = await file.rowsOf({start, end, columns: file.known(shown.texts), meter})
    for (; at < rows.length && rows[at]! < file.first + end; at += 1) {
      const text = textOf(texts[rows[at]! - file.first - start]).toLowerCase()
      if (words.every((word) => text.includes(word.toLowerCase()))) hits[rows[at]!] = 1
    }
    tell({read, searched: at / rows.length})
  }
  return hits
}

/** Every text in a value, whatever its shape. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Object.values(value).map(textOf).join('\n') : ''
}

function lines({from, to}: {from: number; to: number}): Line[] {
  const names = [...shown.badges, ...shown.numbers.slice(0, 1), ...ofEvery]
  return [...listed.subarray(from, to)].map((row) => ({
    row,
    path: String(table.cell('path', row) ?? ''),
    cells: Object.fromEntries(names.map((name): [string, Cell] => [name, table.cell(name, row)])),
  }))
}

/** In milliseconds: a row that is opened meanwhile waits for no more. */
const headsAtOnce = 40

/** First words of some of these rows, by their numbers; a page of the column is read once for neighbours. */
async function heads({rows}: {rows: readonly number[]}): Promise<Record<number, string>> {
  const words: Record<number, string> = {}
  const sorted = [...rows].sort((a, b) => a - b)
  const until = performance.now() + headsAtOnce
  while (sorted.length > 0 && (performance.now() < until || sorted.length === rows.length)) {
    const first = sorted[0]!
    const file = fileOf(first)
    const near = sorted.filter((row) => row - first < 50 && row < file.first + file.rows)
    sorted.splice(0, near.length)
    const start = first - file.first
    const end = near.at(-1)! - file.first + 1
    const read = await file.rowsOf({start, end, columns: [shown.head], meter})
    for (const row of near) words[row] = firstWords(textOf(Object.values(read[row - first] ?? {}).map(contentOf)))
  }
  return words
}

/** A conversation's words without the roles of its turns. */
function contentOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map((turn: {content?: unknown}) => turn.content ?? '') : value
}

function firstWords(text: string): string {
  const line = text.split('\n', 20).find((one) => /\p{L}/u.test(one)) ?? ''
  return line
    .replace(/[#*`>]/g, '')
    .trim()
    .slice(0, 200)
}

async function row({row: number}: {row: number}): Promise<WholeRow> {
  const file = fileOf(number)
  const inFile = number - file.first
  const own: Meter = {bytes: 0}
  const [cells = {}] = await file.rowsOf({start: inFile, end: inFile + 1, meter: own})
  return {cells, file: file.file, inFile, bytes: own.bytes}
}

function fileOf(number: number): OpenFile {
  const file = files.findLast(({first}) => first <= number)
  if (!file || number >= file.first + file.rows) throw new Error(`There is no row ${number}.`)
  return file
}

function marks(marked: readonly Marked[]): null {
  table.fill('mark', 0, new Array(table.size).fill(null))
  for (const {path, row, mark} of marked) {
    const file = files.find((one) => one.file.path === path)
    if (file && row < file.rows) table.fill('mark', file.first + row, [mark])
  }
  return null
}

const place = ({row: number}: {row: number}) => listed.indexOf(number)

const answers: {readonly [R in keyof Requests]: (given: Requests[R][0]) => Requests[R][1] | Promise<Requests[R][1]>} = {
  ...{open, find, lines, heads, row, place, marks},
}

/** One reader at a time: whoever asks waits for its answers, and hears how far it is. */
export function startReader(openWith: OpenFiles, onTold: (told: Told) => void) {
  ;[openFiles, tell] = [openWith, onTold]
  return async <R extends keyof Requests>(name: R, given: Requests[R][0]): Promise<Requests[R][1]> => {
    // Whatever is asked of the list ends a search that nobody waits for any more.
    if (name === 'find' || name === 'open') searching += 1
    return answers[name](given)
  }
}
