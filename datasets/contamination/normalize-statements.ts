import {Flow} from './flow-links.ts'
import {emptyHash, hashOn} from './ngrams.ts'
import {cppTokens, foldedNames} from './normalize.ts'

/** A statement with every name of the author's folded. */
interface Statement {
  hash: number
  /** How many. */
  tokens: number
  /** Calls the API, which nothing does idly. */
  isCalling: boolean
}

/** What code says, statement by statement. */
interface Said {
  statements: Statement[]
  /** Names of the API that are called, in order. */
  calls: string[]
}

export interface CodeForm extends Said {
  /** Those with a body, in order. */
  functions: FunctionForm[]
}

interface FunctionForm extends Said {
  /** Runs on the device, and is more than its entry, which hands over to others. */
  isDevice: boolean
  /** What flows from statement to statement, as `flow-links.ts` tells it. */
  links: number[]
}

const control = new Set(['if', 'for', 'while', 'switch', 'else', 'do', 'return', 'catch', 'case'])

/** Words that can be added or left out without changing what a statement does. */
const qualifiers = new Set('const inline static volatile constexpr auto __forceinline__ __inline__'.split(' '))

/** What statements and functions are told by. */
const structure = new Set(['{', '}', '(', ')', ';', '__aicore__'])

/**
 * C++ as statements: what ends with `;`, `{` or `}`, and each directive. Never fails; what is not C++ gives statements
 * that no code has.
 */
export function cppForm(text: string, api?: ReadonlySet<string>): CodeForm {
  const form: CodeForm = {statements: [], calls: [], functions: []}
  const open: boolean[] = []
  let body: FunctionForm | undefined
  let flow = new Flow()
  const statement: string[] = []
  const names: string[] = []
  let isDevice = false
  let depth = 0

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

  const folded = foldedCpp(text, api)
  for (let index = 0; index < folded.tokens.length; index += 1) {
    const token = folded.tokens[index] as string
    // Most tokens are names and marks of no weight.
    if (!structure.has(token)) {
      statement.push(token)
      names.push(folded.names[index] as string)
    } else if (token === '{') {
      const isFunction = body === undefined && isSignature(statement)
      open.push(isFunction)
      if (isFunction) {
        body = {statements: [], calls: [], links: [], isDevice: isDevice && !statement.includes('__global__')}
        clear()
        form.functions.push(body)
      } else end()
      depth = 0
    } else if (token === '}') {
      end()
      if (open.pop()) endBody()
      depth = 0
    } else if (token === ';' && depth === 0) end()
    // Says where code runs, and may be left out.
    else if (token === '__aicore__') isDevice = true
    else {
      if (token === '(') depth += 1
      if (token === ')') depth = Math.max(0, depth - 1)
      statement.push(token)
      names.push(token)
    }
  }
  end()
  // Of an excerpt, the last function may have no end.
  endBody()
  return form
}

/** @param known what the same tokens said before */
function add(to: Said, tokens: readonly string[], known?: Statement): Statement {
  const before = to.calls.length
  for (let index = 0; index + 1 < tokens.length; index += 1)
    if (isCall(tokens[index] as string, tokens[index + 1])) to.calls.push(tokens[index] as string)
  const said = known ?? {hash: hashOf(tokens), tokens: tokens.length, isCalling: to.calls.length > before}
  to.statements.push(said)
  return said
}

/** Of the tokens with spaces between them. */
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

interface FoldedTokens {
  tokens: string[]
  /** The same as they were written. */
  names: string[]
}

function foldedCpp(text: string, api: ReadonlySet<string> | undefined): FoldedTokens {
  // A directive ends with its line: as a statement of its own it does not reach into the next one.
  const directives = text.includes('#') ? text.replace(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*$/gm, (line) => `;${line};`) : text
  const names = cppTokens(directives, {identifiers: 'kept'})
  const tokens = foldedNames(names, api)
  const kept: FoldedTokens = {tokens: [], names: []}
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as string
    const next = tokens[index + 1]
    if ((token === 'this' && next === '->') || (next === '::' && (token === 'v' || token === 'AscendC'))) index += 1
    else if (!qualifiers.has(token)) {
      kept.tokens.push(token)
      kept.names.push(names[index] as string)
    }
  }
  return kept
}

const pythonToken = /[A-Za-z_]\w*|\d[\w.]*|\*\*|\/\/|[-+*/=!<>]=|->|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\n|\S/g
const pythonWords = new Set(
  `and as assert class def del elif else except for from if import in is lambda not or pass raise return try while
  with`.split(/\s+/),
)

/** Python rather than prose: a definition or an import of a module, each on a line of its own. */
export function looksLikePython(text: string): boolean {
  return /^(?:import [\w.]+|from [\w.]+ import |class \w+.*:$|[ \t]*def \w+\(.*)/m.test(text) && /:\s*$/m.test(text)
}

/**
 * Python as statements, one a logical line, without comments and strings in three quotation marks. Names stay where
 * they are a library's: after a dot that does not follow `self`, and as a keyword argument.
 */
export function pythonForm(text: string): CodeForm {
  const plain = text.replace(/("""|''')[\s\S]*?\1/g, ' ').replace(/#[^\n]*/g, '')
  const tokens = plain.match(pythonToken) ?? []
  const form: CodeForm = {statements: [], calls: [], functions: []}
  const statement: string[] = []
  let depth = 0
  function end(): void {
    if (statement.length > 0) form.statements.push(pythonStatement(statement))
    statement.length = 0
  }
  for (const [index, token] of tokens.entries()) {
    if (/^[([{]$/.test(token)) depth += 1
    if (/^[)\]}]$/.test(token)) depth = Math.max(0, depth - 1)
    if (token === '\n') {
      if (depth === 0) end()
      continue
    }
    const folded = foldedPython(tokens, index, depth)
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

function foldedPython(tokens: readonly string[], index: number, depth: number): string {
  const token = tokens[index] ?? ''
  if (!/^[A-Za-z_]/.test(token) || pythonWords.has(token)) return token
  if (tokens[index - 1] === '.') return tokens[index - 2] === 'self' ? 'v' : token
  if (tokens[index + 1] === '.' || (depth > 0 && tokens[index + 1] === '=')) return token === 'self' ? 'v' : token
  return 'v'
}
