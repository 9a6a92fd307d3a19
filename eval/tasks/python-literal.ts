/** A value of Python's literal syntax. A tuple reads as an array; `1` and `1.0` both read as numbers. */
type PythonValue = null | boolean | number | string | PythonValue[]

interface Cursor {
  text: string
  at: number
  depth: number
}

/** Shapes of tensor lists are nested three deep. */
const deepest = 100

/**
 * Reads one Python literal: None, True, False (also in lower case, as some benchmark rows spell them), numbers, strings
 * without prefix, lists and tuples, nested. Dictionaries, sets and expressions are refused: no task file uses them.
 * @throws SyntaxError with the column (1-based)
 */
export function parsePythonLiteral(text: string): PythonValue {
  const cursor = {text, at: 0, depth: 0}
  const value = readValue(cursor)
  skipSpace(cursor)
  if (cursor.at < text.length) throw unexpected(cursor, 'the end')
  return value
}

const constants: ReadonlyMap<string, PythonValue> = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
  ['true', true],
  ['false', false],
])

function readValue(cursor: Cursor): PythonValue {
  skipSpace(cursor)
  const next = cursor.text[cursor.at]
  if (next === '[') return readItems(cursor, ']').items
  if (next === '(') return readTuple(cursor)
  if (next === "'" || next === '"') return readString(cursor, next)
  const constant = readConstant(cursor)
  return constant === undefined ? readNumber(cursor) : constant
}

function readItems(cursor: Cursor, close: string): {items: PythonValue[]; commas: number} {
  const items: PythonValue[] = []
  let commas = 0
  if (cursor.depth === deepest) {
    throw new SyntaxError(`column ${cursor.at + 1}: brackets nested more than ${deepest} deep`)
  }
  cursor.depth += 1
  cursor.at += 1
  for (;;) {
    skipSpace(cursor)
    if (cursor.text[cursor.at] === close) break
    items.push(readValue(cursor))
    skipSpace(cursor)
    if (cursor.text[cursor.at] === close) break
    if (cursor.text[cursor.at] !== ',') throw unexpected(cursor, `',' or '${close}'`)
    commas += 1
    cursor.at += 1
  }
  cursor.at += 1
  cursor.depth -= 1
  return {items, commas}
}

/** `(3)` is a number in parentheses, `(3,)` and `()` are tuples. */
function readTuple(cursor: Cursor): PythonValue {
  const {items, commas} = readItems(cursor, ')')
  const [only] = items
  return items.length === 1 && commas === 0 && only !== undefined ? only : items
}

const escapes: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"'}

function readString(cursor: Cursor, quote: string): string {
  let value = ''
  cursor.at += 1
  for (;;) {
    const character = cursor.text[cursor.at]
    if (character === undefined) throw unexpected(cursor, quote)
    cursor.at += 1
    if (character === quote) return value
    if (character !== '\\') {
      value += character
      continue
    }
    const escaped = escapes[cursor.text[cursor.at] ?? '']
    if (escaped === undefined) throw unexpected(cursor, 'a known escape')
    value += escaped
    cursor.at += 1
  }
}

function readConstant(cursor: Cursor): PythonValue | undefined {
  const word = match(cursor, /[A-Za-z_][A-Za-z_0-9]*/y)
  if (word === undefined) return undefined
  const value = constants.get(word)
  if (value === undefined) {
    cursor.at -= word.length
    throw unexpected(cursor, 'None, True, False, a number, a string or a list')
  }
  return value
}

function readNumber(cursor: Cursor): number {
  const digits = match(cursor, /[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y)
  if (digits === undefined) throw unexpected(cursor, 'a value')
  return Number(digits.replaceAll('_', ''))
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

function skipSpace(cursor: Cursor): void {
  match(cursor, /\s+/y)
}

function unexpected(cursor: Cursor, expected: string): SyntaxError {
  const seen = cursor.text[cursor.at]
  return new SyntaxError(
    `column ${cursor.at + 1}: saw ${seen === undefined ? 'the end' : JSON.stringify(seen)}, expected ${expected}`,
  )
}
