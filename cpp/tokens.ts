import {Splices} from './splices.ts'

/** One token of C++ as a compiler sees it: splices are undone, digraphs are written out, comments are gone. */
export interface Token {
  kind: 'word' | 'number' | 'string' | 'character' | 'header' | 'mark'
  text: string
  /** Its position in the original text; `end` is one past its last character. */
  start: number
  end: number
  /** First of its logical line. */
  leads: boolean
  /** Whether white space or a comment precedes it. */
  spaced: boolean
}

/**
 * How a text is taken apart: `plain` as the preprocessor does it; `operators` with marks joined to the operators that
 * they make, but `<<` and `>>` apart, as they may end two template lists; `excerpt` the same of what may be a part of a
 * file, or prose: a quote that does not end on its line is a mark, and so are `$`, each letter beyond ASCII, and what
 * directives alone have.
 */
type Reading = 'plain' | 'operators' | 'excerpt'

const digraphs = new Map([
  ['%:', '#'],
  ['%:%:', '##'],
  ['<:', '['],
  [':>', ']'],
  ['<%', '{'],
  ['%>', '}'],
])

const names = ['::', '->']
const operators = '++ -- && || += -= *= /= %= &= |= ^= == != <= >='.split(' ')
const longMarks = [...digraphs.keys(), ...names, '##', '...']

/** Marks of several characters by the first of them, the longest first. */
function byFirst(marks: readonly string[]): readonly (readonly string[] | undefined)[] {
  const table: string[][] = []
  for (const mark of [...marks].sort((a, b) => b.length - a.length)) (table[mark.charCodeAt(0)] ??= []).push(mark)
  return table
}

const marksOf = {
  plain: byFirst(longMarks),
  operators: byFirst([...longMarks, ...operators, '<<=', '>>=']),
  excerpt: byFirst([...names, ...operators]),
}

/** What a character begins; those from `letter` on continue a word. */
const [blank, line, slash, quote, dot, letter, digit] = [1, 2, 3, 4, 5, 6, 7]
const unicodeBlanks =
  '\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'

/** By code unit. The byte order mark is white space, and forms of full width behind it are in no name. */
function classesOf(otherLetter: number): Uint8Array {
  const table = new Uint8Array(0x10000).fill(otherLetter, 0x80, 0xfeff)
  for (const [kind, members] of [
    [blank, ` \t\v\f\0\ufeff${unicodeBlanks}`],
    [line, '\n\r'],
    [slash, '/'],
    [quote, `"'`],
    [dot, '.'],
    [letter, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'],
    [otherLetter, '$'],
    [digit, '0123456789'],
  ] as const)
    for (const one of members) table[one.charCodeAt(0)] = kind
  return table
}

const fileClasses = classesOf(letter)
const classes = {plain: fileClasses, operators: fileClasses, excerpt: classesOf(0)}

/** What a literal has between its quotes, up to the end of its line. */
const inside = {
  '"': /[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*/y,
  "'": /[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*/y,
}
type Quote = keyof typeof inside
const prefixes = new Set(['u8', 'u', 'U', 'L'])
const rawPrefixes = new Set(['R', 'u8R', 'uR', 'UR', 'LR'])
const rawStart = /"([^ ()\\\t\v\f\n\r]{0,16})\(/y

/**
 * Tokens of a C++ text in the order of the standard's phases. A literal that does not end is one to the end of its
 * line, as compilers have it; a comment that does not end is one to the end of the text.
 */
export function tokenize(source: string, reading: Reading = 'plain'): Token[] {
  return new Scanner(source, reading).tokens()
}

/** The texts of the tokens alone, in half the time. */
export function tokenTexts(source: string, reading: 'excerpt'): string[] {
  return new Scanner(source, reading).texts()
}

/** By characters: an expression of all kinds takes four times as long. */
class Scanner {
  readonly #source: string
  readonly #text: string
  readonly #splices: Splices | undefined
  readonly #marks: ReturnType<typeof byFirst>
  readonly #classes: Uint8Array
  readonly #isExcerpt: boolean
  readonly #tokens: Token[] = []
  /** What is kept instead of tokens where texts are enough. */
  #texts: string[] | undefined
  #leads = true
  #spaced = false
  /** Up to there, no literal of that quote ends: one that begins later on the line would run into the same. */
  readonly #endless: Record<Quote, number> = {'"': 0, "'": 0}

  constructor(source: string, reading: Reading) {
    this.#source = source
    this.#splices = Splices.of(source)
    this.#text = this.#splices?.text ?? source
    this.#marks = marksOf[reading]
    this.#classes = classes[reading]
    this.#isExcerpt = reading === 'excerpt'
  }

  tokens(): Token[] {
    for (let at = 0; at < this.#text.length; ) at = this.#pieceAt(at)
    return this.#tokens
  }

  texts(): string[] {
    const texts: string[] = []
    this.#texts = texts
    this.tokens()
    return texts
  }

  /** Takes what begins at a place, and says where it ends. */
  #pieceAt(at: number): number {
    switch (this.#classAt(at)) {
      case blank:
        this.#spaced = true
        return this.#pastBlanks(at + 1)
      case line:
        this.#leads = true
        return at + 1
      case letter:
        return this.#word(at)
      case digit:
        return this.#number(at)
      case quote:
        return this.#literal(at, at) ?? this.#push('mark', this.#text[at] as string, at, at + 1)
      case slash:
        return this.#comment(at) ?? this.#mark(at)
      case dot:
        return this.#classAt(at + 1) === digit ? this.#number(at) : this.#mark(at)
      default:
        return this.#mark(at)
    }
  }

  #pastLetters(from: number): number {
    const [text, classes] = [this.#text, this.#classes]
    let end = from
    while (end < text.length && (classes[text.charCodeAt(end)] as number) >= letter) end += 1
    return end
  }

  #pastBlanks(from: number): number {
    const [text, classes] = [this.#text, this.#classes]
    let end = from
    while (end < text.length && classes[text.charCodeAt(end)] === blank) end += 1
    return end
  }

  #classAt(at: number): number {
    return this.#classes[this.#text.charCodeAt(at)] ?? 0
  }

  #push(kind: Token['kind'], text: string, from: number, to: number): number {
    if (this.#texts) {
      this.#texts.push(text)
      return to
    }
    const start = this.#splices?.original(from) ?? from
    const end = this.#splices ? this.#splices.original(to - 1) + 1 : to
    this.#tokens.push({kind, text, start, end, leads: this.#leads, spaced: this.#spaced})
    this.#leads = false
    this.#spaced = false
    return to
  }

  #word(from: number): number {
    const end = this.#pastLetters(from + 1)
    const word = this.#text.slice(from, end)
    if (end - from <= 3 && this.#classAt(end) === quote) {
      const literal = rawPrefixes.has(word) ? this.#raw(from, end) : undefined
      const prefixed = literal ?? (prefixes.has(word) ? this.#literal(from, end) : undefined)
      if (prefixed !== undefined) return prefixed
    }
    return this.#push('word', word, from, end)
  }

  #number(from: number): number {
    let end = from + 1
    for (;;) {
      const next = this.#text[end]
      if (next === '.' || this.#classAt(end) >= letter) end += 1
      else if (next === "'" && this.#classAt(end + 1) >= letter) end += 2
      else if ((next === '+' || next === '-') && /[eEpP]/.test(this.#text[end - 1] as string)) end += 1
      else break
    }
    return this.#push('number', this.#text.slice(from, end), from, end)
  }

  /** A string or a character whose quote is at a position; undefined if an excerpt lacks its end. */
  #literal(from: number, at: number): number | undefined {
    const mark = this.#text[at] as Quote
    if (at < this.#endless[mark]) return undefined
    inside[mark].lastIndex = at + 1
    inside[mark].test(this.#text)
    let end = inside[mark].lastIndex
    const isEnded = this.#text[end] === mark
    if (!isEnded && this.#isExcerpt) {
      this.#endless[mark] = end
      return undefined
    }
    if (isEnded || this.#text[end] === '\\') end += 1
    return this.#push(mark === '"' ? 'string' : 'character', this.#text.slice(from, end), from, end)
  }

  #raw(from: number, at: number): number | undefined {
    rawStart.lastIndex = at
    const [whole, delimiter] = rawStart.exec(this.#text) ?? []
    if (whole === undefined) return undefined
    // Splices of a raw string are part of it, so its end is looked for in the text as it was written.
    const inside = at + whole.length
    const stop = behind(this.#source, `)${delimiter}"`, this.#splices?.original(inside) ?? inside)
    const start = this.#splices?.original(from) ?? from
    return this.#push('string', this.#source.slice(start, stop), from, this.#splices?.spliced(stop) ?? stop)
  }

  #comment(at: number): number | undefined {
    const next = this.#text[at + 1]
    if (next !== '/' && next !== '*') return undefined
    this.#spaced = true
    if (next === '*') return behind(this.#text, '*/', at + 2)
    let end = at + 2
    while (end < this.#text.length && this.#classAt(end) !== line) end += 1
    return end
  }

  #mark(at: number): number {
    const header = this.#headerAt(at)
    if (header !== undefined) return this.#push('header', header, at, at + header.length)
    for (const mark of this.#marks[this.#text.charCodeAt(at)] ?? none) {
      // `f<::x>` has no digraph.
      const isLong =
        this.#text.startsWith(mark, at) && (mark !== '<:' || !/^:[^:>]/.test(this.#text.slice(at + 2, at + 4)))
      if (isLong) return this.#push('mark', digraphs.get(mark) ?? mark, at, at + mark.length)
    }
    return this.#push('mark', this.#text[at] as string, at, at + 1)
  }

  /** The text between angle brackets after `#include` is one token; elsewhere it would be many. */
  #headerAt(at: number): string | undefined {
    if (this.#leads || this.#isExcerpt || this.#text[at] !== '<') return undefined
    const [mark, name] = [this.#tokens.at(-2), this.#tokens.at(-1)]
    const includes = mark?.leads && mark.text === '#' && headerWords.has(name?.text ?? '')
    return includes ? /^<[^>\n\r]*>/.exec(this.#text.slice(at, at + 4096))?.[0] : undefined
  }
}

const none: readonly string[] = []
const headerWords = new Set(['include', 'include_next', 'import', 'embed'])

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
])

/** The value of a string literal or header name, without quotes; escapes are resolved. */
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
