import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import {StringDecoder} from 'node:string_decoder'
import {createGunzip} from 'node:zlib'
import {PipelineError} from '../../engine/errors.ts'
import type {FoundRow} from './found-row.ts'

/** A line longer than this is no row; it is skipped without being held. */
const longestLine = 64 * 1024 * 1024

/** A file that is one list is read whole, so there is a limit to it. */
const largestList = 256 * 1024 * 1024

/** Rows of a file of JSON lines, plain or gzipped, numbered as its lines are. */
export async function* jsonLines(path: string): AsyncIterable<FoundRow> {
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    if (line === undefined) yield {number, fault: 'line-too-long', detail: `more than ${longestLine} characters`}
    else if (line.trim() !== '') yield parsed(line, number)
  }
}

/** Rows of a `.json` file: a list of objects, or JSON lines under that name. */
export async function* jsonRows(path: string): AsyncIterable<FoundRow> {
  if ((await firstCharacter(path)) !== '[') {
    yield* jsonLines(path)
    return
  }
  const {size} = await stat(path)
  if (size > largestList) throw unfit(path, `is one list of ${size} bytes, more than ${largestList}`)
  const parts: string[] = []
  for await (const text of textOf(path)) parts.push(text)
  const list = parsed(parts.join(''), 1)
  if (!('value' in list) || !Array.isArray(list.value)) throw unfit(path, 'is not the list that it begins as')
  for (const [at, value] of list.value.entries()) yield {number: at + 1, value}
}

function parsed(text: string, number: number): FoundRow {
  try {
    return {number, value: JSON.parse(text) as unknown}
  } catch (error) {
    // Python's writer leaves NaN and Infinity, which are no JSON.
    return {number, fault: 'not-json', detail: error instanceof Error ? error.message.slice(0, 120) : String(error)}
  }
}

async function* textOf(path: string): AsyncIterable<string> {
  const bytes = createReadStream(path, {highWaterMark: 1 << 18})
  const decoder = new StringDecoder('utf8')
  const stream = path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  let isFirst = true
  for await (const part of stream as AsyncIterable<Buffer>) {
    const text = decoder.write(part)
    // Writers on Windows begin a file with a byte-order mark, which is no JSON.
    yield isFirst ? text.replace(/^\uFEFF/, '') : text
    isFirst = false
  }
  yield decoder.end()
}

/** Lines; undefined for one that is too long. */
async function* linesOf(path: string): AsyncIterable<string | undefined> {
  let pieces: string[] = []
  let length = 0
  const take = () => {
    const line = length > longestLine ? undefined : pieces.join('')
    pieces = []
    length = 0
    return line
  }
  for await (const text of textOf(path)) {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      pieces.push(text.slice(start, end))
      length += end - start
      yield take()
      start = end + 1
    }
    length += text.length - start
    if (length > longestLine) pieces = []
    else if (start < text.length) pieces.push(text.slice(start))
  }
  if (length > 0) yield take()
}

async function firstCharacter(path: string): Promise<string> {
  for await (const text of textOf(path)) {
    const found = text.trimStart()[0]
    if (found !== undefined) return found
  }
  return ''
}

function unfit(path: string, what: string): PipelineError {
  return new PipelineError('input-invalid', `${path} ${what}.`, {
    fix: 'Write it as JSON lines, one object a line, or as Parquet.',
    scope: 'run',
    evidence: {path},
  })
}
