/** One token of C++ as a compiler sees it: splices are undone, digraphs are written out, comments are gone. */
export interface Token {
  kind: 'word' | 'number' | 'string' | 'character' | 'header' | 'mark'
  text: string
  /** Where it stands in the text that it came from; `end` is one past its last character. */
  start: number
  end: number
  /** First of its logical line. */
  leads: boolean
  /** White space or a comment stands before it. */
  spaced: boolean
}

const digraphs = new Map([
  ['%:', '#'],
  ['%:%:', '##'],
  ['<:', '['],
  [':>', ']'],
  ['<%', '{'],
  ['%>', '}'],
])

const letter = String.raw`[\w$\u0080-\ufefe]`
/** One group a kind of piece. No text fits a group in two ways, so the time is linear. */
const piece = new RegExp(
  [
    String.raw`(\r\n|\n|\r)`,
    String.raw`([ \t\v\f\0\ufeff]+|\/\/[^\n\r]*)`,
    String.raw`(\/\*)`,
    String.raw`((?:u8|[uUL])?R"([^ ()\\\t\v\f\n\r]{0,16})\()`,
    String.raw`((?:u8|[uUL])?"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*\\?"?)`,
    String.raw`((?:u8|[uUL])?'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*\\?'?)`,
    String.raw`(\.?\d(?:[eEpP][+-]|'?${letter}|\.)*)`,
    `(${letter}+)`,
    String.raw`(%:%:|##|%:|<%|%>|<:(?!:[^:>])|:>|::|->|\.\.\.|[^])`,
  ].join('|'),
  'y',
)
const kinds = [undefined, 'string', 'character', 'number', 'word', 'mark'] as const

/**
 * Tokens of a C++ text in the order of the standard's phases. A literal that does not end is one to the end of its
 * line, as compilers have it; a comment that does not end is one to the end of the text.
 */
export function tokenize(source: string): Token[] {
  const {text, original, spliced} = withoutSplices(source)
  const tokens: Token[] = []
  let leads = true
  let spaced = false
  const push = (kind: Token['kind'], written: string, at: number, end: number) => {
    tokens.push({kind, text: written, start: original(at), end: original(end - 1) + 1, leads, spaced})
    leads = false
    spaced = false
  }
  for (let at = 0; at < text.length; ) {
    const header = headerName(tokens, text, at, leads)
    if (header !== undefined) {
      push('header', header, at, at + header.length)
      at += header.length
      continue
    }
    piece.lastIndex = at
    const [whole = '', line, space, block, raw, delimiter, ...rest] = piece.exec(text) ?? []
    let end = at + Math.max(whole.length, 1)
    if (line !== undefined) leads = true
    else if (space !== undefined) spaced = true
    else if (block !== undefined) {
      end = behind(text, '*/', end)
      spaced = true
    } else if (raw === undefined) {
      push(kinds[rest.findIndex((one) => one !== undefined) + 1] ?? 'mark', digraphs.get(whole) ?? whole, at, end)
    } else {
      // Splices of a raw string are part of it, so its end is looked for in the text as it was written.
      const stop = behind(source, `)${delimiter}"`, original(end))
      end = spliced(stop)
      push('string', source.slice(original(at), stop), at, end)
    }
    at = end
  }
  return tokens
}

const operators = new Set('++ -- && || <<= >>= += -= *= /= %= &= |= ^= == != <= >='.split(' '))

/** With marks joined to the operators that they make; `<<` and `>>` stay apart, as they may end two template lists. */
export function withOperators(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const one = tokens[at] as Token
    const text = one.kind === 'mark' ? operatorAt(tokens, at) : one.text
    joined.push(text === one.text ? one : {...one, text, end: one.start + text.length})
    if (one.kind === 'mark' && text.length > one.text.length) at += text.length - 1
  }
  return joined
}

function operatorAt(tokens: readonly Token[], at: number): string {
  const [one, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  if (!one || second?.start !== one.end) return one?.text ?? ''
  const two = one.text + second.text
  if (third?.start === second.end && operators.has(two + third.text)) return two + third.text
  return operators.has(two) ? two : one.text
}

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** What stands between angles behind `#include` is one token; elsewhere it would be many. */
function headerName(tokens: readonly Token[], text: string, at: number, leads: boolean): string | undefined {
  if (leads || text[at] !== '<') return undefined
  const [mark, name] = tokens.slice(-2)
  const includes = mark?.leads && mark.text === '#' && /^(?:include|include_next|import|embed)$/.test(name?.text ?? '')
  return includes ? /^<[^>\n\r]*>/.exec(text.slice(at, at + 4096))?.[0] : undefined
}

/** The text without its splices, and where its places lie in the text with them. */
function withoutSplices(source: string) {
  const parts: string[] = []
  /** Where each part starts, in both texts. */
  const starts: {here: number; there: number}[] = [{here: 0, there: 0}]
  let length = 0
  let from = 0
  for (const {0: mark, index} of source.matchAll(/\\[ \t\v\f]*(?:\r\n|\n|\r)/g)) {
    parts.push(source.slice(from, index))
    length += index - from
    from = index + mark.length
    starts.push({here: length, there: from})
  }
  const last = (side: 'here' | 'there', place: number) => {
    let low = 0
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1
      if ((starts[middle]?.[side] ?? 0) <= place) low = middle
      else high = middle
    }
    return starts[low] ?? {here: 0, there: 0}
  }
  const original = (place: number) => {
    const {here, there} = last('here', place)
    return there + place - here
  }
  const spliced = (place: number) => {
    const {here, there} = last('there', place)
    return here + place - there
  }
  return {text: parts.join('') + source.slice(from), original, spliced}
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
])

/** What a string literal or header name stands for, without quotes; escapes are resolved. */
export function literalValue({kind, text}: Token): string {
  if (kind === 'header') return text.slice(1, -1)
  const raw = /^(?:u8|[uUL])?R"([^(]*)\(/.exec(text)
  if (raw) return text.slice(raw[0].length, -(raw[1] as string).length - 2)
  return text
    .replace(/^(?:u8|[uUL])?["']|["']$/g, '')
    .replace(/\\(?:x([\da-fA-F]+)|([0-7]{1,3})|u\{?([\da-fA-F]{4,})\}?|(.))/g, (_, hex, octal, code, one: string) => {
      if (one !== undefined) return escapes.get(one) ?? one
      const value = octal === undefined ? Number.parseInt(hex ?? code, 16) : Number.parseInt(octal, 8)
      return value < 0x110000 ? String.fromCodePoint(value) : ''
    })
}
