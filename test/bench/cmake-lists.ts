// As much of CMake as the examples of a direct launch use: variables, conditions, targets, definitions, folders.

/** What a CMakeLists.txt builds, with paths as it writes them. */
interface CMakeTargets {
  sources: string[]
  definitions: string[]
  include: string[]
  /** What it asks for and does not get: its FATAL_ERROR, or a package beside the device's compiler. */
  refusal?: string
}

interface Command {
  name: string
  args: string[]
}

type Variables = Map<string, string>

/** @param given variables as `-DNAME=VALUE` on CMake's command line gives them */
export function readCMakeLists(text: string, given: ReadonlyMap<string, string>): CMakeTargets {
  const variables: Variables = new Map([
    ['CMAKE_CURRENT_SOURCE_DIR', '.'],
    ['CMAKE_SOURCE_DIR', '.'],
    ['PROJECT_SOURCE_DIR', '.'],
    ...given,
  ])
  const targets: CMakeTargets = {sources: [], definitions: [], include: []}
  /** One for each open `if`: whether its present branch runs, and whether one of its branches has run. */
  const branches: {runs: boolean; ran: boolean}[] = []
  for (const command of commandsOf(text)) {
    const outer = branches.slice(0, -1).every(({runs}) => runs)
    const branch = branches.at(-1)
    if (command.name === 'if') {
      const runs = branches.every((one) => one.runs) && holds(command.args, variables)
      branches.push({runs, ran: runs})
    } else if (command.name === 'elseif' && branch) {
      branch.runs = !branch.ran && outer && holds(command.args, variables)
      branch.ran ||= branch.runs
    } else if (command.name === 'else' && branch) {
      branch.runs = !branch.ran && outer
    } else if (command.name === 'endif') {
      branches.pop()
    } else if (branches.every(({runs}) => runs)) {
      apply(
        command.name,
        command.args.map((arg) => substituted(arg, variables)),
        variables,
        targets,
      )
    }
  }
  return targets
}

function* commandsOf(text: string): Generator<Command> {
  const plain = text.replace(/^([^"#\n]*(?:"[^"\n]*"[^"#\n]*)*)#.*$/gm, '$1')
  const start = /^[ \t]*(\w+)[ \t]*\(/gm
  for (let found = start.exec(plain); found; found = start.exec(plain)) {
    const end = closing(plain, start.lastIndex)
    const inside = plain.slice(start.lastIndex, end)
    const args = [...inside.matchAll(/"((?:\\.|[^"\\])*)"|[()]|[^\s()"]+(?:\([^)]*\)[^\s()"]*)?/g)]
    yield {name: (found[1] as string).toLowerCase(), args: args.map(([whole, quoted]) => quoted ?? whole)}
    start.lastIndex = end
  }
}

function closing(text: string, from: number): number {
  let depth = 1
  for (let place = from; place < text.length; place += 1) {
    if (text[place] === '(') depth += 1
    if (text[place] === ')') depth -= 1
    if (depth === 0) return place
  }
  return text.length
}

function substituted(text: string, variables: Variables): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '')
}

const isTrue = (value: string) => !/^(?:0|off|no|false|n|ignore|notfound|)$/i.test(value)

/** Brackets first, then NOT, AND and OR. */
function holds(args: readonly string[], variables: Variables): boolean {
  const close = args.indexOf(')')
  const open = args.lastIndexOf('(', close)
  if (open >= 0 && close > open) {
    const inner = holds(args.slice(open + 1, close), variables) ? '1' : '0'
    return holds([...args.slice(0, open), inner, ...args.slice(close + 1)], variables)
  }
  const or = splitAt(args, 'OR')
  return or.some((part) => splitAt(part, 'AND').every((term) => termHolds(term, variables)))
}

function termHolds(term: readonly string[], variables: Variables): boolean {
  const [first = '', second = '', third = ''] = term
  if (first === 'NOT') return !termHolds(term.slice(1), variables)
  if (first === 'DEFINED') return variables.has(second.replace(/^CACHE\{(.*)\}$/, '$1'))
  if (first === 'EXISTS' || first === 'TARGET') return false
  const value = (word: string) => variables.get(word) ?? substituted(word, variables)
  if (second === 'STREQUAL') return value(first) === value(third)
  if (second === 'EQUAL') return Number(value(first)) === Number(value(third))
  if (second === 'MATCHES') return new RegExp(value(third)).test(value(first))
  if (second === 'IN_LIST') return value(third).split(';').includes(value(first))
  if (second === 'LESS') return Number(value(first)) < Number(value(third))
  if (second === 'GREATER') return Number(value(first)) > Number(value(third))
  return isTrue(/^[$\d]/.test(first) ? substituted(first, variables) : (variables.get(first) ?? ''))
}

function splitAt(words: readonly string[], word: string): string[][] {
  const parts: string[][] = [[]]
  for (const one of words) {
    if (one === word) parts.push([])
    else (parts.at(-1) as string[]).push(one)
  }
  return parts
}

const keywords = new Set(['PRIVATE', 'PUBLIC', 'INTERFACE', 'SHARED', 'STATIC', 'OBJECT', 'MODULE', 'BEFORE', 'SYSTEM'])
/** Packages that a direct launch on the device builds with; another is a framework. */
const knownPackages = new Set(['ASC', 'ASCEND', 'AscendC', 'Threads'])

function apply(name: string, args: string[], variables: Variables, targets: CMakeTargets): void {
  const [first = '', ...rest] = args
  const values = rest.filter((arg) => !keywords.has(arg))
  if (name === 'set') set(first, rest, variables)
  else if (name === 'option') variables.set(first, variables.get(first) ?? rest[1] ?? 'OFF')
  else if (name === 'string' && first === 'REGEX' && rest[0] === 'MATCH') {
    const [, pattern = '', variable = '', text = ''] = rest
    variables.set(variable, new RegExp(pattern).exec(text)?.[0] ?? '')
  } else if (name === 'list' && first === 'APPEND') {
    const [list = '', ...items] = rest
    variables.set(list, [variables.get(list) ?? '', ...items].filter(Boolean).join(';'))
  } else if (name === 'message' && first === 'FATAL_ERROR') targets.refusal ??= rest.join(' ')
  else if (name === 'find_package' && !knownPackages.has(first)) targets.refusal ??= `needs ${first}`
  else if (name === 'add_executable' || name === 'add_library') targets.sources.push(...listed(values))
  else if (name === 'target_sources') targets.sources.push(...listed(values))
  else if (name === 'target_compile_definitions') targets.definitions.push(...listed(values).flatMap(definition))
  else if (name === 'target_compile_options') targets.definitions.push(...listed(values).flatMap(definedByOption))
  else if (name === 'add_definitions' || name === 'add_compile_definitions' || name === 'add_compile_options') {
    targets.definitions.push(...listed(args).flatMap(name === 'add_compile_definitions' ? definition : definedByOption))
  } else if (name === 'include_directories') targets.include.push(...listed(args))
  else if (name === 'target_include_directories') targets.include.push(...listed(values))
}

function set(name: string, values: readonly string[], variables: Variables): void {
  const cache = values.indexOf('CACHE')
  if (cache >= 0 && variables.has(name)) return
  variables.set(name, (cache >= 0 ? values.slice(0, cache) : values).join(';'))
}

const listed = (args: readonly string[]) => args.flatMap((arg) => arg.split(';')).filter((arg) => arg !== '')

/** `$<condition:value>`, as it is for the device's language and this chip. */
function plain(value: string): string | undefined {
  const conditional = /^\$<(\$<.*>|[01]):([^<>]*)>$/.exec(value)
  if (!conditional) return value.includes('$<') ? undefined : value
  return /3510|RUN_MODE|cpu|sim/.test(conditional[1] as string) ? undefined : conditional[2]
}

function definition(value: string): string[] {
  const text = plain(value)
  return text === undefined || text === '' ? [] : [text.replace(/^-D/, '')]
}

function definedByOption(value: string): string[] {
  const text = plain(value)
  return text?.startsWith('-D') ? [text.slice(2)] : []
}
