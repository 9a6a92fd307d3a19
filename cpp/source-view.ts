import {
  isClosing,
  itemsBetween,
  templateClose,
  templateOpen,
  type Stretch,
  streamOf,
  type TokenStream,
} from './brackets.ts'
import {matchesOf, type Match, type Pattern} from './pattern.ts'
import {tokenize, type Token} from './tokens.ts'

/** A call in C++ source, found by its tokens. Positions count characters of the file. */
export interface Call {
  name: string
  /** Where the name starts; `end` is one past the closing parenthesis. */
  start: number
  end: number
  /** The receiver of the call, with its operator: `inQueue_.`, `this->pipe.`, `AscendC::`; '' when of nothing. */
  receiver: string
  /** Template arguments as written, angle brackets included; '' if none. */
  template: string
  args: Span[]
  /** The whole statement with its semicolon, when the call is one: `queue.EnQue(x);`. */
  statement: Range | undefined
  /** Its tokens, from the receiver to the closing parenthesis. */
  from: number
  to: number
}

export interface Range {
  start: number
  end: number
}

interface Span extends Range {
  text: string
}

/** One file with what the mutation operators look for: its tokens without directives, and its calls. */
export interface SourceView extends TokenStream {
  path: string
  text: string
  /** Comments, strings and directives are blank; positions agree. */
  code: string
  calls: Call[]
}

/** Reads tokens, not grammar: enough for the way operators are written, and it never rejects a file. */
export function viewSource(path: string, text: string): SourceView {
  const stream = streamOf(withoutDirectives(tokenize(text, 'operators')))
  return {path, text, code: codeOf(text, stream.tokens), ...stream, calls: findCalls(stream, text)}
}

/** Non-tokens and literals are blank. */
function codeOf(text: string, tokens: readonly Token[]): string {
  const parts: string[] = []
  let done = 0
  for (const {kind, start, end} of tokens) {
    if (kind === 'string' || kind === 'character') continue
    parts.push(blank(text.slice(done, start)), text.slice(start, end))
    done = end
  }
  return parts.join('') + blank(text.slice(done))
}

function blank(part: string): string {
  return part.trim() === '' ? part : part.replaceAll(/[^\n]/g, ' ')
}

const keywords = new Set(
  'if for while switch return sizeof constexpr static_cast reinterpret_cast const_cast alignof decltype'.split(' '),
)

function findCalls(stream: TokenStream, text: string): Call[] {
  const {tokens, partners} = stream
  const calls: Call[] = []
  for (const [at, {kind, text: name, start}] of tokens.entries()) {
    if (kind !== 'word' || keywords.has(name)) continue
    const angle = templateClose(tokens, at + 1)
    const open = (angle ?? at) + 1
    const close = partners[open] as number
    if (tokens[open]?.text !== '(' || close < 0) continue
    const from = receiverStart(stream, at)
    calls.push({
      name,
      start,
      end: endOf(tokens, close),
      receiver: text.slice(startOf(tokens, from), start),
      template: angle === undefined ? '' : text.slice(startOf(tokens, at + 1), endOf(tokens, angle)),
      args: itemsBetween(tokens, partners, {from: open + 1, to: close})
        .filter((one) => one.from < one.to)
        .map((one) => spanOf({tokens, text}, one)),
      statement: statementOf(tokens, {from, at, close}),
      from,
      to: close + 1,
    })
  }
  return calls
}

const startOf = (tokens: readonly Token[], at: number): number => (tokens[at] as Token).start
const endOf = (tokens: readonly Token[], at: number): number => (tokens[at] as Token).end

/** What a stretch of tokens, at least one, is in the text. */
export function spanOf({tokens, text}: Pick<SourceView, 'tokens' | 'text'>, {from, to}: Stretch): Span {
  const [start, end] = [startOf(tokens, from), endOf(tokens, to - 1)]
  return {start, end, text: text.slice(start, end)}
}

const marks = new Set(['.', '->', '::'])

/** The first token of a name's receiver, back over `a.`, `a[i].`, `a("x").` and `A<T>::`; other forms have none. */
function receiverStart({tokens, partners}: TokenStream, name: number): number {
  let from = name
  for (;;) {
    const mark = tokens[from - 1]?.text === 'template' ? from - 2 : from - 1
    const before = tokens[mark - 1]
    if (!marks.has(tokens[mark]?.text ?? '') || !before || tokens[mark]?.spaced) break
    const piece = pieceStart({tokens, partners}, mark - 1)
    if (piece === undefined) return name
    from = piece
  }
  const [first, before] = [tokens[from], tokens[from - 1]]
  const isCut = from < name && !first?.spaced && !first?.leads && before && /[)\]>.]$/.test(before.text)
  return isCut ? name : from
}

/** The receiver of a call, without its operator: `queue_`, `this->pipe`. */
export function receiverName({receiver}: Pick<Call, 'receiver'>): string {
  return receiver.replace(/(?:\.|->|::)\s*(?:template\s+)?$/, '')
}

function pieceStart({tokens, partners}: TokenStream, last: number): number | undefined {
  let at = last
  const open = partners[at] as number
  if (tokens[at]?.text === ')' && tokens.slice(open + 1, at).every(({kind}) => kind === 'string')) at = open - 1
  while (tokens[at]?.text === ']' && partners[at] === at - 2) at -= 3
  if (tokens[at]?.text === '>') at = (templateOpen(tokens, at) ?? 0) - 1
  const kind = tokens[at]?.kind
  return kind === 'word' || kind === 'number' ? at : undefined
}

/**
 * A call is a statement when only its receiver precedes it and a semicolon follows; one with a template receiver is
 * not.
 */
function statementOf(tokens: readonly Token[], {from, at, close}: {from: number; at: number; close: number}) {
  const isTemplate = tokens.slice(from, at).some(({text}) => text === '<')
  if (isTemplate || tokens[close + 1]?.text !== ';' || !endsStatement(tokens[from - 1])) return undefined
  return {start: startOf(tokens, from), end: endOf(tokens, close + 1)}
}

export function endsStatement(token: Token | undefined): boolean {
  return token === undefined || [';', '{', '}'].includes(token.text)
}

/** The position of the bracket that closes the one at a position. */
export function matching({tokens, partners}: TokenStream, position: number): number | undefined {
  const close = partners[tokenAt(tokens, position)] ?? -1
  return tokens[close]?.start
}

/** The position of the bracket that closes what is around a position. */
export function enclosing({tokens, partners}: TokenStream, position: number): number | undefined {
  let at = tokenAt(tokens, position)
  while (at < tokens.length && !isClosing(tokens[at] as Token)) at = Math.max(at, partners[at] as number) + 1
  return tokens[at]?.start
}

/** The index of the token that begins at a position, or of the first behind it. */
export function tokenAt(tokens: readonly Token[], position: number): number {
  let low = 0
  for (let high = tokens.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((tokens[middle] as Token).start < position) low = middle + 1
    else high = middle
  }
  return low
}

/** A place where a pattern fits; `hole` gives the text of a hole, '' if it is empty. */
export interface Found extends Span, Match {
  hole(name: string): string
  at(name: string): Span
}

/** The places of a file where one of some patterns fits, in order. */
export function foundIn(source: SourceView, ...patterns: readonly Pattern[]): Found[] {
  return [...matchesOf(source, patterns)].map((match) => {
    const at = (name: string): Span => {
      const taken = match.holes[name] ?? {from: match.from, to: match.from}
      const {start} = source.tokens[taken.from] as Token
      return taken.from < taken.to ? spanOf(source, taken) : {start, end: start, text: ''}
    }
    return {...match, ...spanOf(source, match), at, hole: (name) => at(name).text}
  })
}

/** The range with the whole line when nothing else is on it, so that taking it out leaves no empty line. */
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

/** One branch of a conditional directive: where its tokens begin among those that are kept. */
interface Conditional {
  from: number
  /** Where the second branch begins. */
  second: number | undefined
}

/**
 * Tokens without directives. Where branches of an `#if` open a block that is closed after `#endif`, brackets match only
 * when one of them is read: the first. Balanced branches are kept, since it is unknown here which one is compiled.
 */
export function withoutDirectives(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  const conditionals: Conditional[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token
    if (!token.leads || token.text !== '#') {
      kept.push(token)
      continue
    }
    const word = tokens[at + 1]?.text ?? ''
    while (at + 1 < tokens.length && !tokens[at + 1]?.leads) at += 1
    const here = conditionals.at(-1)
    if (word.startsWith('if')) conditionals.push({from: kept.length, second: undefined})
    else if (word.startsWith('el') && here) here.second ??= kept.length
    else if (word === 'endif') {
      const {from, second} = conditionals.pop() ?? {from: 0, second: undefined}
      if (second !== undefined && leavesOpen(kept.slice(from, second))) kept.length = second
    }
  }
  return kept
}

/** Whether there are more braces of one kind than of the other. */
function leavesOpen(tokens: readonly Token[]): boolean {
  const count = (brace: string) => tokens.filter(({text}) => text === brace).length
  return count('{') !== count('}')
}
