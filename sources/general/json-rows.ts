import {decoded} from './decoded.ts'
import {fetchAgain, FileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {lenientJson} from './lenient-json.ts'
import {isTurns} from './turns.ts'

/** A longer line or value is not a row; it is skipped without being kept in memory. */
const longestRow = 64 * 1024 * 1024

/** The only value of a file is read whole, so there is a limit to it. */
const largestValue = 256 * 1024 * 1024

/** Lines checked to distinguish JSON lines from multi-line values. */
const lookedAt = 20

/**
 * Rows of a file of JSON, packed or not: lines, numbered as they are; a list; values over many lines; or one object
 * that contains the rows. Its beginning decides which, not its name.
 */
export async function* jsonRows(path: string): AsyncIterable<FoundRow> {
  const form = await formOf(path)
  yield* form === 'lines' ? ofOneOrMore(linesOf(path)) : valueRows(path, form)
}

type Form = 'lines' | 'list' | 'values'

async function formOf(path: string): Promise<Form> {
  let head = ''
  for await (const text of decoded(path)) {
    head += text
    if (head.trim() !== '') break
  }
  const lines = head
    .split(breakOf(head))
    .slice(0, lookedAt)
    .filter((line) => line.trim() !== '')
  const whole = lines.filter((line) => !('fault' in parsed(line, 0)))
  if (whole.length > 0 && 2 * whole.length >= lines.length) return 'lines'
  const first = head.trimStart()[0] ?? ''
  if (first === '[') return 'list'
  return first === '{' ? 'values' : 'lines'
}

/** Line breaks are no part of JSON's texts; an old Mac writes them as CR alone. */
const breakOf = (head: string) => (head.includes('\r') && !head.includes('\n') ? '\r' : '\n')

async function* valueRows(path: string, form: 'list' | 'values'): AsyncIterable<FoundRow> {
  const isList = form === 'list'
  const values = valuesIn(decoded(path), {isList, longest: isList ? longestRow : largestValue})
  let isWhole = true
  async function* numbered() {
    let number = 0
    for (;;) {
      const {done, value} = await values.next()
      if (done === true) {
        isWhole = value
        return
      }
      number += 1
      yield value === undefined ? tooLong(number, isList ? longestRow : largestValue) : parsed(value, number)
    }
  }
  if (isList) yield* numbered()
  else yield* ofOneOrMore(numbered())
  if (!isWhole) throw new FileFault('file-cut-short', 'is cut short: it ends in the middle of a value', fetchAgain)
}

/** Rows one after another; a file's only value may contain them all. */
async function* ofOneOrMore(rows: AsyncIterable<FoundRow>): AsyncIterable<FoundRow> {
  let first: FoundRow | undefined
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count === 1) {
      first = row
      continue
    }
    if (count === 2 && first) yield bare(first)
    yield bare(row)
  }
  if (count !== 1 || first === undefined) return
  const within = 'fault' in first ? [] : rowsWithin(first.value)
  if ('fault' in first || within[0] === first.value) yield first
  else for (const [at, value] of within.entries()) yield {number: at + 1, value}
}

/** Lines that each hold their row as a list of one. */
const bare = (row: FoundRow): FoundRow => ('fault' in row ? row : {...row, value: onlyRow(row.value)})

function parsed(text: string, number: number): FoundRow {
  try {
    return {number, value: asRow(JSON.parse(text))}
  } catch (error) {
    try {
      return {number, value: asRow(lenientJson(text))}
    } catch {
      return {number, fault: 'not-json', detail: error instanceof Error ? error.message.slice(0, 120) : String(error)}
    }
  }
}

function tooLong(number: number, most: number): FoundRow {
  return {number, fault: 'line-too-long', detail: `more than ${most} characters`}
}

async function* linesOf(path: string): AsyncIterable<FoundRow> {
  let lineBreak: string | undefined
  let pieces: string[] = []
  let [length, number] = [0, 0]
  const take = (): FoundRow[] => {
    number += 1
    const line = pieces.join('')
    const row = length > longestRow ? [tooLong(number, longestRow)] : [line].filter((one) => one.trim() !== '')
    pieces = []
    length = 0
    return row.map((one) => (typeof one === 'string' ? parsed(one, number) : one))
  }
  const keep = (piece: string) => {
    length += piece.length
    if (length > longestRow) pieces = []
    else pieces.push(piece)
  }
  for await (const text of decoded(path)) {
    lineBreak ??= breakOf(text)
    let start = 0
    for (let end = text.indexOf(lineBreak); end !== -1; end = text.indexOf(lineBreak, start)) {
      keep(text.slice(start, end))
      yield* take()
      start = end + 1
    }
    if (start < text.length) keep(text.slice(start))
  }
  if (length > 0) yield* take()
}

/**
 * The text of one value; undefined for one that is longer than a row may be, and skipped without being kept in memory.
 */
type ValueText = string | undefined

const [quote, backslash, comma] = ['"', '\\', ','].map((one) => one.charCodeAt(0))
const opening = new Set(['[', '{'].map((one) => one.charCodeAt(0)))
const closing = new Set([']', '}'].map((one) => one.charCodeAt(0)))
const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff

/**
 * Splits a text into values by its brackets: the elements of a list, or values one after another, over as many lines as
 * they take. Whether they are JSON is checked later.
 * @param isList whether the text begins as a list, whose elements are wanted
 * @returns whether the text ended where a value, and the list, does
 */
async function* valuesIn(
  texts: AsyncIterable<string>,
  {isList, longest}: {isList: boolean; longest: number},
): AsyncGenerator<ValueText, boolean> {
  const cutter = new Cutter(isList ? 1 : 0, longest)
  for await (const text of texts) yield* cutter.cut(text)
  return cutter.isWhole
}

class Cutter {
  readonly #floor: number
  readonly #longest: number
  #depth = 0
  #inString = false
  #escaped = false
  #pieces: string[] = []
  #length = 0

  constructor(floor: number, longest: number) {
    this.#floor = floor
    this.#longest = longest
  }

  get isWhole(): boolean {
    return this.#depth === 0 && this.#length === 0
  }

  /** Values that end in this part of the text. */
  *cut(text: string): Iterable<ValueText> {
    let start = this.#length > 0 ? 0 : -1
    const ended = (end: number) => {
      this.#keep(text.slice(start, end))
      start = -1
      return this.#take()
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (this.#inString) {
        this.#inside(code)
        continue
      }
      const isOutside = this.#depth <= this.#floor
      if (isOutside && start === -1 && (isBlank(code) || code === comma)) continue
      // What ends a number or a word of a list.
      if (isOutside && start !== -1 && (code === comma || closing.has(code))) yield ended(at)
      const before = this.#depth
      if (code === quote) this.#inString = true
      else if (opening.has(code)) this.#depth += 1
      else if (closing.has(code)) this.#depth = Math.max(0, before - 1)
      const isFrame = Math.min(before, this.#depth) < this.#floor
      if (!isFrame && start === -1 && code !== comma) start = at
      if (!isFrame && this.#depth === this.#floor && before > this.#floor) yield ended(at + 1)
    }
    if (start !== -1) this.#keep(text.slice(start))
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === backslash) this.#escaped = true
    else if (code === quote) this.#inString = false
  }

  #keep(piece: string): void {
    this.#length += piece.length
    if (this.#length > this.#longest) this.#pieces = []
    else this.#pieces.push(piece)
  }

  #take(): ValueText {
    const value = this.#length > this.#longest ? undefined : this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return value
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Names under which a file keeps its rows if it also has other lists, in order of preference. */
const rowLists = ['data', 'rows', 'train', 'examples', 'instances', 'records', 'samples', 'items']

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRowList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isFields(one) || isTurns(one)) && !isTurns(value)

/**
 * The rows in a file's only value: a list, an object with the list under a name, columns with a list or a numbered
 * object each, rows under their names; or, as a row, the value itself.
 */
function rowsWithin(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return isTurns(value) ? [asRow(value)] : value.map(asRow)
  if (!isFields(value)) return [value]
  return namedRows(value) ?? splitTable(value) ?? listedColumns(value) ?? numberedColumns(value) ?? [value]
}

/** A list of turns alone is a row, and a row that the Hub's viewer numbered is inside. */
function asRow(value: unknown): unknown {
  if (Array.isArray(value) && isTurns(value)) return {messages: value}
  if (isFields(value) && isFields(value['row']) && 'row_idx' in value) return value['row']
  return value
}

/** What a list of one row holds. */
function onlyRow(value: unknown): unknown {
  return isRowList(value) && value.length === 1 ? value[0] : value
}

function namedRows(value: Fields): readonly unknown[] | undefined {
  const lists = Object.entries(value).filter(([, one]) => isRowList(one))
  const name =
    rowLists.find((one) => lists.some(([key]) => key === one)) ?? (lists.length === 1 ? lists[0]?.[0] : undefined)
  return name === undefined ? undefined : (value[name] as readonly unknown[]).map(asRow)
}

/** What pandas writes with `orient="split"`. */
function splitTable({columns, data}: Fields): Fields[] | undefined {
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every(Array.isArray)) return undefined
  return data.map((cells: unknown[]) => Object.fromEntries(columns.map((name, at) => [String(name), cells[at]])))
}

function listedColumns(value: Fields): Fields[] | undefined {
  const columns = Object.entries(value)
  const length = Array.isArray(columns[0]?.[1]) ? columns[0][1].length : 0
  const isColumn = (one: unknown) => Array.isArray(one) && one.length === length && !isTurns(one)
  if (length === 0 || !columns.every(([, one]) => isColumn(one))) return undefined
  return Array.from({length}, (_, at) =>
    Object.fromEntries(columns.map(([name, cells]) => [name, (cells as unknown[])[at]])),
  )
}

/** What pandas writes by default: `{column: {"0": cell}}`; and rows under names of their own: `{id: row}`. */
function numberedColumns(value: Fields): readonly unknown[] | undefined {
  const inner = Object.values(value)
  if (inner.length === 0 || !inner.every(isFields)) return undefined
  const numbers = Object.keys(inner[0] as Fields)
  if (!numbers.every((name) => /^\d+$/.test(name))) return inner.length > 1 ? inner : undefined
  return numbers.map((at) =>
    Object.fromEntries(Object.entries(value).map(([name, cells]) => [name, (cells as Fields)[at]])),
  )
}
