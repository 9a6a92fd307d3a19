import {replacePieces} from '../../../cpp/code-pieces.ts'
import {blank, withoutOpenBranches} from './branches.ts'

/** A call in C++ source, found by its tokens. Positions count characters of the file. */
export interface Call {
  name: string
  /** Where the name starts; `end` is one past the closing parenthesis. */
  start: number
  end: number
  /** What the call is asked of, with its mark: `inQueue_.`, `this->pipe.`, `AscendC::`; '' when of nothing. */
  receiver: string
  /** Template arguments as written, angle brackets included; '' when there are none. */
  template: string
  args: Span[]
  /** The whole statement with its semicolon, when the call is one: `queue.EnQue(x);`. */
  statement: Range | undefined
}

export interface Range {
  start: number
  end: number
}

interface Span extends Range {
  text: string
}

/**
 * One file with what the mutation operators look for. `code` has comments, strings and directives blanked; positions
 * agree.
 */
export interface SourceView {
  path: string
  text: string
  code: string
  calls: Call[]
}

/** Reads tokens, not grammar: enough for the way operators are written, and it never rejects a file. */
export function viewSource(path: string, text: string): SourceView {
  const code = withoutOpenBranches(replacePieces(text, blank)).replace(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, blank)
  return {path, text, code, calls: findCalls(code, text)}
}

const keywords = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'sizeof',
  'constexpr',
  'static_cast',
  'reinterpret_cast',
  'const_cast',
  'alignof',
  'decltype',
])

function findCalls(code: string, text: string): Call[] {
  // Commas between angle brackets separate types, not arguments.
  const flat = code.replace(/(?<=\w)<[\w\s:,*]*>(?=\s*[(&*>{\w])/g, (part) => part.replaceAll(',', ' '))
  const calls: Call[] = []
  const partners = bracketPartners(code)
  for (const match of code.matchAll(/\b([A-Za-z_]\w*)\s*(<[\w\s:,*]*>)?\s*\(/g)) {
    const name = match[1] ?? ''
    if (keywords.has(name)) continue
    const open = match.index + match[0].length - 1
    const close = partners.get(open)
    if (close === undefined) continue
    calls.push({
      name,
      start: match.index,
      end: close + 1,
      receiver: receiverBefore(code, match.index),
      template: match[2] ?? '',
      args: splitArguments(flat, text, open + 1, close),
      statement: statementAround(code, match.index, close + 1),
    })
  }
  return calls
}

/** Receivers are short; a longer one is cut, and then the call is of nothing. */
const longestReceiver = 120

function receiverBefore(code: string, start: number): string {
  const before = code.slice(Math.max(0, start - longestReceiver), start)
  return (
    /(?<![\w)\]>.])(?:[\w[\]]+(?:<[\w\s,]*>)?(?:\(\s*\))?(?:\.|->|::)\s*(?:template\s+)?)+$/.exec(before)?.[0] ?? ''
  )
}

/** For each bracket that is closed, the position of the one that closes it: `matching` for all of them in one pass. */
function bracketPartners(code: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>()
  const open: number[] = []
  for (const {0: bracket, index} of code.matchAll(/[([{)\]}]/g)) {
    if ('([{'.includes(bracket)) open.push(index)
    else {
      const begin = open.pop()
      if (begin !== undefined) partners.set(begin, index)
    }
  }
  return partners
}

/** The position of the bracket that closes the one at `open`. */
export function matching(code: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    const character = code[at] as string
    if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    if (depth === 0) return at
  }
  return undefined
}

function splitArguments(flat: string, text: string, from: number, to: number): Span[] {
  const spans: Span[] = []
  let depth = 0
  let start = from
  const push = (end: number) => {
    const raw = text.slice(start, end)
    const lead = raw.length - raw.trimStart().length
    const trimmed = raw.trim()
    if (trimmed !== '') spans.push({start: start + lead, end: start + lead + trimmed.length, text: trimmed})
  }
  for (let at = from; at < to; at += 1) {
    const character = flat[at] as string
    if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    else if (character === ',' && depth === 0) {
      push(at)
      start = at + 1
    }
  }
  push(to)
  return spans
}

/** A call is a statement when nothing but its receiver stands before it and a semicolon follows. */
function statementAround(code: string, start: number, end: number): Range | undefined {
  const after = /^\s*;/.exec(code.slice(end))
  if (!after) return undefined
  let begin = start
  while (begin > 0 && !';{}'.includes(code[begin - 1] as string)) begin -= 1
  const before = code.slice(begin, start)
  if (!/^\s*(?:(?:[\w:[\]]+(?:\(\s*\))?(?:\.|->))+(?:template\s+)?|(?:\w+::)+)?$/.test(before)) return undefined
  return {start: begin + (before.length - before.trimStart().length), end: end + after[0].length}
}

/** The range with the whole line when nothing else stands on it, so that taking it out leaves no empty line. */
export function wholeLines(text: string, {start, end}: Range): Range {
  let from = start
  while (from > 0 && ' \t'.includes(text[from - 1] as string)) from -= 1
  const atLineStart = from === 0 || text[from - 1] === '\n'
  if (!atLineStart || text[end] !== '\n') return {start, end}
  return {start: from, end: end + 1}
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
