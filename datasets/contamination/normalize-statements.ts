import {isOpening, partnersOf} from '../../cpp/brackets.ts'
import type {Token} from '../../cpp/tokens.ts'
import {emptyHash, hashOn, pairOf} from './ngrams.ts'
import {codeTokens, foldedNames} from './normalize.ts'

/** A statement with all of the author's names folded. */
interface Statement {
  hash: number
  /** Their number. */
  tokens: number
  /** Whether it calls the API, which is never incidental. */
  isCalling: boolean
}

/** Code as statements. */
interface Said {
  statements: Statement[]
  /** Called API names, in order. */
  calls: string[]
}

export interface CodeForm extends Said {
  /** Those with a body, in order. */
  functions: FunctionForm[]
}

interface FunctionForm extends Said {
  /** Runs on the device, and is not just an entry that delegates. */
  isDevice: boolean
  /** Data flow between statements. */
  links: number[]
}

const control = new Set(['if', 'for', 'while', 'switch', 'else', 'do', 'return', 'catch', 'case'])

/** Words that can be added or removed without changing what a statement does. */
const qualifiers = new Set('const inline static volatile constexpr auto __forceinline__ __inline__'.split(' '))

/** What identifies statements and functions. */
const structure = new Set(['{', '}', '(', ';', '__aicore__'])

/**
 * C++ as statements: what ends with `;`, `{` or `}`, and each directive. Never fails; what is not C++ gives statements
 * that occur in no code.
 */
export function cppForm(text: string, api?: ReadonlySet<string>): CodeForm {
  const form: CodeForm = {statements: [], calls: [], functions: []}
  let body: FunctionForm | undefined
  let flow = new Flow()
  const statement: string[] = []
  const names: string[] = []
  let isDevice = false

  function end(): void {
    if (statement.length > 0) {
      const said = add(form, statement)
      if (body) {
        add(body, statement, said)
        flow.add(said.hash, statement, names)
      }
    }
    clear()
  }

  function clear(): void {
    statement.length = 0
    names.length = 0
    isDevice = false
  }

  function endBody(): void {
    if (body) body.links = flow.links()
    body = undefined
    flow = new Flow()
  }

  const written = withDirectivesApart(codeTokens(text))
  const partners = partnersOf(written)
  const folded = foldedNames(written, api)
  /** Ends of the parentheses and of the body that contain the statement. */
  let list = -1
  let bodyEnd = -1
  for (let index = 0; index < folded.length; index += 1) {
    const token = folded[index] as string
    const next = folded[index + 1]
    if (next !== undefined && isPath(token, next)) index += 1
    else if (qualifiers.has(token)) continue
    // Most tokens are names and marks without weight.
    else if (!structure.has(token) || (token === ';' && index < list)) {
      statement.push(token)
      names.push((written[index] as Token).text)
    } else if (token === '{') {
      if (body === undefined && isSignature(statement)) {
        body = {statements: [], calls: [], links: [], isDevice: isDevice && !statement.includes('__global__')}
        bodyEnd = endOf(partners, index)
        clear()
        form.functions.push(body)
      } else end()
      list = -1
    } else if (token === '}') {
      end()
      if (index === bodyEnd) endBody()
      list = -1
    } else if (token === ';') end()
    // States where code runs, and is optional.
    else if (token === '__aicore__') isDevice = true
    else {
      list = Math.max(list, endOf(partners, index))
      statement.push(token)
      names.push(token)
    }
  }
  end()
  // In an excerpt, the last function may have no end.
  endBody()
  return form
}

/** @param known results for the same tokens so far */
function add(to: Said, tokens: readonly string[], known?: Statement): Statement {
  const before = to.calls.length
  for (let index = 0; index + 1 < tokens.length; index += 1)
    if (isCall(tokens[index] as string, tokens[index + 1])) to.calls.push(tokens[index] as string)
  const said = known ?? {hash: hashOf(tokens), tokens: tokens.length, isCalling: to.calls.length > before}
  to.statements.push(said)
  return said
}

/** Text of the tokens, separated by spaces. */
function hashOf(tokens: readonly string[]): number {
  let hash = hashOn(emptyHash, tokens[0] ?? '')
  for (let index = 1; index < tokens.length; index += 1) hash = hashOn(hashOn(hash, ' '), tokens[index] as string)
  return hash
}

const isCall = (token: string, next: string | undefined) =>
  (next === '(' || next === '<') && /^[A-Z]\w*[a-z]/.test(token)

function isSignature(tokens: readonly string[]): boolean {
  return tokens.includes('(') && !tokens.includes('=') && !control.has(tokens[0] ?? '')
}

/** Before a name of the author's, it carries no meaning. */
function isPath(token: string, next: string): boolean {
  return next === '->' ? token === 'this' : next === '::' && (token === 'v' || token === 'AscendC')
}

/** Where the bracket at a place closes; may be missing in an excerpt. */
const endOf = (partners: Int32Array, at: number): number => {
  const partner = partners[at] as number
  return partner < 0 ? partners.length : partner
}

const semicolon: Token = {kind: 'mark', text: ';', start: 0, end: 0, leads: false, spaced: false}

/** A directive ends with its line: as a separate statement it does not extend into the next one. */
function withDirectivesApart(tokens: readonly Token[]): Token[] {
  const apart: Token[] = []
  let isDirective = false
  for (const token of tokens) {
    const begins = token.leads && token.text === '#'
    if (token.leads && isDirective) apart.push(semicolon)
    if (begins) apart.push(semicolon)
    if (token.leads) isDirective = begins
    apart.push(token)
  }
  return apart
}

const pythonToken = /[A-Za-z_]\w*|\d[\w.]*|\*\*|\/\/|[-+*/=!<>]=|->|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\n|\S/g
const pythonWords = new Set(
  `and as assert class def del elif else except for from if import in is lambda not or pass raise return try while
  with`.split(/\s+/),
)

/** Python rather than prose: a definition or an import of a module, each on its own line. */
export function looksLikePython(text: string): boolean {
  return /^(?:import [\w.]+|from [\w.]+ import |class \w+.*:$|[ \t]*def \w+\(.*)/m.test(text) && /:\s*$/m.test(text)
}

/**
 * Python as statements, one per logical line, without comments and triple-quoted strings. Names are kept if they are a
 * library's: after a dot that does not follow `self`, and as a keyword argument.
 */
export function pythonForm(text: string): CodeForm {
  const plain = text.replace(/("""|''')[\s\S]*?\1/g, ' ').replace(/#[^\n]*/g, '')
  const tokens = plain.match(pythonToken) ?? []
  const form: CodeForm = {statements: [], calls: [], functions: []}
  const statement: string[] = []
  const partners = partnersOf(tokens.map((text) => ({text})))
  /** End of the outermost brackets around the token. */
  let list = -1
  function end(): void {
    if (statement.length > 0) form.statements.push(pythonStatement(statement))
    statement.length = 0
  }
  for (const [index, token] of tokens.entries()) {
    const partner = partners[index] as number
    if (index > list && isOpening({text: token})) list = partner < 0 ? tokens.length : partner
    if (token === '\n') {
      if (index > list) end()
      continue
    }
    const folded = foldedPython(tokens, index, index < list)
    statement.push(folded)
    if (folded !== 'v' && /^[A-Za-z_]/.test(folded) && tokens[index + 1] === '(') form.calls.push(folded)
  }
  end()
  return form
}

const pythonStatement = (tokens: readonly string[]): Statement => ({
  hash: hashOf(tokens),
  tokens: tokens.length,
  isCalling: tokens.some((token, index) => isCall(token, tokens[index + 1])),
})

function foldedPython(tokens: readonly string[], index: number, isInList: boolean): string {
  const token = tokens[index] ?? ''
  if (!/^[A-Za-z_]/.test(token) || pythonWords.has(token)) return token
  if (tokens[index - 1] === '.') return tokens[index - 2] === 'self' ? 'v' : token
  if (tokens[index + 1] === '.' || (isInList && tokens[index + 1] === '=')) return token === 'self' ? 'v' : token
  return 'v'
}

/** Most names counted per statement: only tables have more. */
const mostPlaces = 8

/**
 * Data flow in a function: each place of a name, linked to the place in an earlier statement with the same name.
 * Renaming does not change it, nor do statements in between that use none of these names. Names that interact with no
 * other name do not count.
 */
class Flow {
  readonly #places: {name: string; place: number}[] = []
  readonly #meeting = new Set<string>()

  /**
   * @param hash of the statement
   * @param tokens folded, `v` for a name of the author's
   * @param names the tokens as they were written
   */
  add(hash: number, tokens: readonly string[], names: readonly string[]): void {
    const first = this.#places.length
    for (let index = 0; index < tokens.length && this.#places.length < first + mostPlaces; index += 1) {
      if (tokens[index] === 'v' && tokens[index + 1] !== '(')
        this.#places.push({name: names[index] as string, place: hashOn(hash, `@${index}`)})
    }
    const own = this.#places.slice(first)
    if (own.some(({name}) => name !== own[0]?.name)) for (const {name} of own) this.#meeting.add(name)
  }

  /** Hashes. */
  links(): number[] {
    const last = new Map<string, number>()
    const links: number[] = []
    for (const {name, place} of this.#places) {
      if (!this.#meeting.has(name)) continue
      const before = last.get(name)
      last.set(name, place)
      if (before !== undefined) links.push(pairOf(before, place))
    }
    return links
  }
}
