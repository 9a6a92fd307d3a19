import {decoded} from './decoded.ts'
import {fetchAgain, FileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {valuesIn} from './json-values.ts'
import {lenientJson} from './lenient-json.ts'
import {asRow, onlyRow, rowsWithin} from './rows-within.ts'

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
