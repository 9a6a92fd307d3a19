import {flowLinks, type NamedStatement} from './flow-links.ts'
import {cppTokens, foldedNames} from './normalize.ts'

/** What code says, statement by statement, with every name of the author's folded. */
interface Said {
  /** Tokens of each statement, joined by spaces. */
  statements: string[]
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

/**
 * C++ as statements: what ends with `;`, `{` or `}`, and each directive. Never fails; what is not C++ gives statements
 * that no code has.
 */
export function cppForm(text: string, api?: ReadonlySet<string>): CodeForm {
  const form: CodeForm = {statements: [], calls: [], functions: []}
  const open: boolean[] = []
  let body: FunctionForm | undefined
  let flow: NamedStatement[] = []
  let statement: string[] = []
  let names: string[] = []
  let isDevice = false
  let depth = 0

  function end(): void {
    if (statement.length === 0) {
      clear()
      return
    }
    for (const said of body ? [form, body] : [form]) {
      said.statements.push(statement.join(' '))
      said.calls.push(...statement.filter((token, index) => isCall(token, statement[index + 1])))
    }
    if (body) flow.push({tokens: statement, names})
    clear()
  }

  function clear(): void {
    statement = []
    names = []
    isDevice = false
  }

  for (const {token, name} of foldedCpp(text, api)) {
    if (token === '{') {
      const isFunction = body === undefined && isSignature(statement)
      open.push(isFunction)
      if (isFunction) {
        body = {statements: [], calls: [], links: [], isDevice: isDevice && !statement.includes('__global__')}
        flow = []
        clear()
        form.functions.push(body)
      } else end()
      depth = 0
    } else if (token === '}') {
      end()
      if (open.pop() && body) {
        body.links = flowLinks(flow)
        body = undefined
      }
      depth = 0
    } else if (token === ';' && depth === 0) end()
    // Says where code runs, and may be left out.
    else if (token === '__aicore__') isDevice = true
    else {
      if (token === '(') depth += 1
      if (token === ')') depth = Math.max(0, depth - 1)
      statement.push(token)
      names.push(name)
    }
  }
  end()
  // Of an excerpt, the last function may have no end.
  if (body) body.links = flowLinks(flow)
  return form
}

const isCall = (token: string, next: string | undefined) =>
  /^[A-Z]\w*[a-z]/.test(token) && (next === '(' || next === '<')

function isSignature(tokens: readonly string[]): boolean {
  return tokens.includes('(') && !tokens.includes('=') && !control.has(tokens[0] ?? '')
}

interface FoldedToken {
  token: string
  /** As it was written. */
  name: string
}

function foldedCpp(text: string, api: ReadonlySet<string> | undefined): FoldedToken[] {
  // A directive ends with its line: as a statement of its own it does not reach into the next one.
  const directives = text.replace(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*$/gm, (line) => `;${line};`)
  const names = cppTokens(directives, {identifiers: 'kept'})
  const tokens = foldedNames(names, api)
  const kept: FoldedToken[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? ''
    const next = tokens[index + 1]
    if ((token === 'this' && next === '->') || (next === '::' && /^(?:v|AscendC)$/.test(token))) index += 1
    else if (!qualifiers.has(token)) kept.push({token, name: names[index] ?? ''})
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
  let statement: string[] = []
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    if (/^[([{]$/.test(token)) depth += 1
    if (/^[)\]}]$/.test(token)) depth = Math.max(0, depth - 1)
    if (token === '\n') {
      if (depth === 0 && statement.length > 0) {
        form.statements.push(statement.join(' '))
        statement = []
      }
      continue
    }
    const folded = foldedPython(tokens, index, depth)
    statement.push(folded)
    if (folded !== 'v' && /^[A-Za-z_]/.test(folded) && tokens[index + 1] === '(') form.calls.push(folded)
  }
  if (statement.length > 0) form.statements.push(statement.join(' '))
  return form
}

function foldedPython(tokens: readonly string[], index: number, depth: number): string {
  const token = tokens[index] ?? ''
  if (!/^[A-Za-z_]/.test(token) || pythonWords.has(token)) return token
  if (tokens[index - 1] === '.') return tokens[index - 2] === 'self' ? 'v' : token
  if (tokens[index + 1] === '.' || (depth > 0 && tokens[index + 1] === '=')) return token === 'self' ? 'v' : token
  return 'v'
}
