import type {SourceFile} from './schema/operator.ts'
import type {Diagnostic, Verdict} from './schema/verdict.ts'

interface SignatureOptions {
  /** Names of the API: these are kept, every other name is the candidate's own. */
  names: ReadonlySet<string>
  /** The candidate's files: whatever is declared in them is its own. */
  files: readonly SourceFile[]
}

/** The subject of a compile or link failure. */
export interface DiagnosticSignature {
  /** Equal for the same fault with other names, places, values and element types. */
  signature: string
  /** The name of the interface that the fault is about; '' if there is none. */
  api: string
  /** The first error as the compiler worded it. */
  message: string
  /** In the candidate's files: for an error inside a header, the call; '' and 0 if neither is in them. */
  place: {file: string; line: number; column: number}
  /** The line there; '' if unknown. */
  code: string
}

/** The first error of a verdict, with its notes. */
interface Fault {
  error: Diagnostic
  notes: readonly Diagnostic[]
  place: DiagnosticSignature['place']
  code: string
  isOwn(diagnostic: Diagnostic): boolean
  isKnown(name: string): boolean
}

/** The subject of a verdict's first error; undefined when the candidate was built. */
export function diagnosticSignature(verdict: Verdict, options: SignatureOptions): DiagnosticSignature | undefined {
  if (verdict.outcome === 'link-failed') return linkSignature(verdict.log, options)
  if (verdict.outcome !== 'compile-failed') return undefined
  const fault = firstFault(verdict.diagnostics, options)
  if (!fault) return {signature: 'no message', api: '', message: '', place: nowhere, code: ''}
  const {error, place, code} = fault
  const api = apiOf(fault)
  return {signature: sentenceOf(fault), api, message: error.message, place, code}
}

const nowhere = {file: '', line: 0, column: 0}

function firstFault(diagnostics: readonly Diagnostic[], {names, files}: SignatureOptions): Fault | undefined {
  const first = diagnostics.findIndex(({severity}) => severity === 'error')
  const error = diagnostics[first]
  if (!error) return undefined
  const rest = diagnostics.slice(first + 1)
  const next = rest.findIndex(({severity}) => severity === 'error')
  const notes = next < 0 ? rest : rest.slice(0, next)
  const isOwn = ({file}: Diagnostic) => files.some(({path}) => path === file)
  const {file, line, column} = [error, ...notes].find(isOwn) ?? nowhere
  const code = files.find(({path}) => path === file)?.text.split('\n')[line - 1] ?? ''
  const own = namesAt(error, notes.filter(isOwn))
  const host = [...error.message.matchAll(hostName)].map(([, name = '']) => name)
  const foreign = namesAt(
    error,
    notes.filter((note) => !isOwn(note)),
  )
  const isKnown = (name: string) => !own.has(name) && (names.has(name) || foreign.has(name) || host.includes(name))
  return {error, notes, place: {file, line, column}, code, isOwn, isKnown}
}

// The host's interface has its own namespaces, in which no candidate declares anything.
const hostName = /\b(?:gert|ge|platform_ascendc|matmul_tiling)::(\w+)/g

/** The names that notes say are declared at their places, such as the functions that a call could mean. */
function namesAt(error: Diagnostic, notes: readonly Diagnostic[]): Set<string> {
  const isCallee = notes.some(({message}) => /^candidate(?::| function| template)/.test(message))
  const callee = isCallee ? quotedNames(asClangSays(error.message)).slice(-1) : []
  return new Set([...callee, ...notes.flatMap(({message}) => declared(message))])
}

/** The name that a note says is declared at its place. */
const declared = (note: string) => /^'(?:[\w<>, ]+::)*(\w+)' (?:has been )?declared here/.exec(note)?.slice(1) ?? []

function sentenceOf({error, notes, code, isKnown}: Fault): string {
  const said = asClangSays(error.message)
  const meant = suggestion(error.message)
  const parts = [
    normalSentence(said, isKnown),
    isCall(said, code) ? ', called' : '',
    isKnown(meant) ? `; did you mean '${meant}'?` : '',
    overloads(
      notes.map(({message}) => mismatch(message)).filter((why) => why !== undefined),
      isKnown,
    ),
  ]
  return parts.join('')
}

/** A missing function is a different fault from a missing variable. */
function isCall(said: string, code: string): boolean {
  const name = /^(?:use of undeclared identifier '(\w+)'|no member named '(\w+)' in namespace)/.exec(said)
  if (!name) return false
  return new RegExp(`\\b${name[1] ?? name[2]}\\s*(?:<[^;()]*>)?\\s*\\(`).test(code)
}

// An overload with another number of arguments says little if one with this number gives a reason.
const count = /^requires (?:at (?:least|most) )?(?:(\d+)|single) (?:non-object )?arguments?.*?, but (\d+|no)|^allows/

/** Overloads refuse one call for many reasons; the first few in alphabetical order distinguish calls well enough. */
const mostReasons = 3

function overloads(reasons: readonly string[], isKnown: Fault['isKnown']): string {
  if (reasons.length === 0) return ''
  const others = reasons.filter((reason) => !count.test(reason))
  if (others.length === 0) return `: ${argumentCount(reasons)}`
  const distinct = [...new Set(others.map((reason) => normalReason(reason, isKnown)))].sort()
  return `: ${distinct.slice(0, mostReasons).join('; ')}`
}

function normalReason(reason: string, isKnown: Fault['isKnown']): string {
  const plain = reason
    .replace(/for parameter '[^']*' /, '')
    .replace(/ and '/, " vs. '")
    .replace(/^requirement '.*' was not satisfied/, 'requirement not satisfied')
    .replace(/\[with .*\]/, '')
  return normalSentence(plain, isKnown)
}

function argumentCount(reasons: readonly string[]): string {
  const counts = reasons.map((reason) => count.exec(reason) ?? [])
  const wanted = counts.map(([, needed = '1']) => Number(needed))
  const given = Number(counts[0]?.[2] === 'no' ? 0 : (counts[0]?.[2] ?? 0))
  if (given < Math.min(...wanted)) return 'too few arguments'
  return given > Math.max(...wanted) ? 'too many arguments' : 'no overload takes so many arguments'
}

function apiOf({error, notes, isOwn, isKnown}: Fault): string {
  const isApi = (name: string | undefined): name is string => name !== undefined && isKnown(name) && !isOfLanguage(name)
  const said = asClangSays(error.message)
  // The type has a page; its missing member has none.
  const owner = /^no member named '\w+' in '(?:\w+::)*(\w+)/.exec(said)?.[1]
  const foreign = notes.filter((note) => !isOwn(note)).flatMap(({message}) => declared(message))
  const instantiated = notes.map(({message}) => /^in instantiation of [\w ]+ '(?:\w+::)*(\w+)/.exec(message)?.[1])
  const found = [owner, suggestion(error.message), ...quotedNames(said), ...foreign, ...instantiated].find(isApi)
  return found ?? ''
}

const linkShapes: readonly [RegExp, string][] = [
  [/undefined reference to [`'](.*)'/, 'undefined symbol'],
  [/undefined symbol: (.*)$/, 'undefined symbol'],
  [/multiple definition of [`'](.*?)'/, 'duplicate symbol'],
  [/duplicate symbol: (.*)$/, 'duplicate symbol'],
]

function linkSignature(log: string, {names}: SignatureOptions): DiagnosticSignature {
  const shared = {place: nowhere, code: ''}
  for (const line of log.split('\n')) {
    for (const [pattern, what] of linkShapes) {
      const symbol = pattern.exec(line)?.[1]
      if (symbol === undefined) continue
      const api = (symbol.match(/[A-Za-z_]\w*/g) ?? []).find((name) => names.has(name) && !isOfLanguage(name)) ?? ''
      return {signature: `${what} '${api || '…'}'`, api, message: line.trim(), ...shared}
    }
  }
  return {signature: 'no message', api: '', message: log.split('\n')[0]?.trim() ?? '', ...shared}
}

/** Placeholder for whatever a candidate named, and for the content of angle brackets. */
const placeholder = '…'

/**
 * Messages of g++ in the words of clang, so that the same fault reads the same under either compiler. Other messages
 * are unchanged.
 */
const clangSays: readonly [RegExp, string][] = [
  [/^'([^']*)' was not declared in this scope(?:; did you mean '([^']*)'\?)?.*$/, "use of undeclared identifier '$1'"],
  [/^'([^']*)' does not name a type(?:; did you mean '([^']*)'\?)?$/, "unknown type name '$1'"],
  [/^'([^']*)' has not been declared$/, "use of undeclared identifier '$1'"],
  [/^'([^']*)' is not a member of '([^']*)'.*$/, "no member named '$1' in namespace '$2'"],
  [/^'(?:class |struct )?([^']*)' has no member named '([^']*)'.*$/, "no member named '$2' in '$1'"],
  [/^could not convert '.*?' from '([^']*)' to '([^']*)'$/, "no viable conversion from '$1' to '$2'"],
  [/^conversion from '([^']*)' to non-scalar type '([^']*)' requested$/, "no viable conversion from '$1' to '$2'"],
  [/^static assertion failed due to requirement '.*?'(?=:|$)/, 'static assertion failed'],
  [/^(no matching )member (function)/, '$1$2'],
  [/^(expected .*) before .*$/, '$1'],
]

/** Why an overload does not fit: messages of both compilers without their prefixes. */
const reasonShapes: readonly [RegExp, string][] = [
  [/^candidate(?: \([^()]*\))?(?: [\w ]+?)?(?: \([^()]*\))? (?:ignored|not viable): (.*)$/, '$1'],
  [/^ *(deduced conflicting types for parameter '.*)$/, '$1'],
  [/^ *candidate expects (?:at (?:least|most) )?(\d+) arguments?, (\d+) provided$/, 'requires $1 arguments, but $2'],
  [/^ *'([^']*)' is not derived from '([^']*)'$/, "could not match '$2' against '$1'"],
  [/^ *mismatched types '([^']*)' and '([^']*)'$/, "could not match '$1' against '$2'"],
  [/^ *no known conversion for argument (\d+) from '([^']*)' to '([^']*)'$/, "no known conversion from '$2' to '$3'"],
  [/^ *couldn't deduce template parameter '([^']*)'$/, "couldn't infer template argument '$1'"],
]

/** Scalar types differ from one instantiation to the next; their kind of value does not. */
const scalars: Readonly<Record<string, string>> = {
  bool: 'bool',
  ...kind('floating point', 'float half double bfloat16_t float16_t float32_t _Float16'),
  ...kind('integer', 'char short int long unsigned signed size_t int8_t int16_t int32_t int64_t'),
  ...kind('integer', 'uint8_t uint16_t uint32_t uint64_t int4b_t __int128'),
}

function kind(name: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, name]))
}

/** Words of the language and namespaces that do not belong to a candidate. */
const language = new Set(
  `if else for while do switch case default break continue return goto new delete this operator template typename class
  struct union enum using namespace static inline virtual public private protected friend void auto nullptr true false
  sizeof static_cast reinterpret_cast const_cast dynamic_cast extern typedef try catch throw decltype constexpr
  AscendC std ge gert optiling platform_ascendc std GM_ADDR`.split(/\s+/),
)

/** A message of either compiler, in the words of clang. */
function asClangSays(message: string): string {
  const plain = withoutArguments(message).replace(/ \(aka '[^']*'\)/g, '')
  const shape = clangSays.find(([pattern]) => pattern.test(plain))
  return shape ? plain.replace(...shape) : plain
}

/** The name that clang suggests, if it does. */
function suggestion(message: string): string {
  return /did you mean (?:to use )?'(?:\w+::)*(\w+)'\?/.exec(message)?.[1] ?? ''
}

/** Why a note's overload does not fit; undefined if the note says something else. */
function mismatch(note: string): string | undefined {
  if (/^candidate constructor \(the implicit/.test(note)) return undefined
  const shape = reasonShapes.find(([pattern]) => pattern.test(note))
  return (
    shape &&
    asClangSays(note)
      .replace(/^ */, '')
      .replace(...shape)
  )
}

/** `function 'f(int, float)'`: g++ adds the types of the call, which are not part of the name. */
function withoutArguments(message: string): string {
  return message.replace(
    /^((?:no matching function for call to|call of overloaded) ')(?:[^'(]*::)?([\w~]+)[^'(]*\(.*\)'/,
    "$1$2'",
  )
}

/**
 * A message with placeholders for everything that a candidate chose: names, numbers and template arguments. Names that
 * satisfy `isKnown` are kept, and so are keywords.
 */
function normalSentence(sentence: string, isKnown: (name: string) => boolean): string {
  return sentence
    .replace(/; did you mean[^?]*\?/, '')
    .split(/('(?:[^']|'(?=[^\s,;:.)]))*')/)
    .map((part, index) => (index % 2 === 1 ? `'${normalCode(part.slice(1, -1), isKnown)}'` : withoutValues(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const withoutValues = (text: string) => text.replace(/"[^"]*"/g, `"${placeholder}"`).replace(/\b\d+\b/g, '#')

function normalCode(code: string, isKnown: (name: string) => boolean): string {
  const flat = withoutTemplateArguments(code)
    .replace(/__attribute__\(\((?:[^()]|\([^()]*\))*\)\) ?/g, '')
    .replace(/\b(?:const|volatile|struct|class|__gm__|__ubuf__|__restrict__)\b ?/g, '')
    .replace(/ ?&+$/, '')
    .replace(/\bunsigned (?:long|int|short|char)\b(?: int)?/g, 'unsigned')
    .replace(/\b(?:AscendC|std)::(?=\w)/g, '')
  const named = flat.replace(/[A-Za-z_]\w*|\d[\w.]*/g, (word) => {
    if (/^\d/.test(word)) return '#'
    return scalars[word] ?? (isKnown(word) || language.has(word) ? word : placeholder)
  })
  return named.replace(/…(?:(?:::|<…>)…?)*/g, (run) => (run.endsWith('::') ? run : placeholder)).trim()
}

/** `A<B<C>, 1>` → `A<…>`. Comparisons and shifts in quoted code are unchanged. */
function withoutTemplateArguments(code: string): string {
  let text = code
  for (;;) {
    const shorter = text.replace(/(\w)<(?:[^<>]|<…>)*>(?!…)/g, (whole, before: string) =>
      whole.endsWith('<…>') && whole.length === 4 ? whole : `${before}<${placeholder}>`,
    )
    if (shorter === text) return text
    text = shorter
  }
}

/** The names in quotes, in order, without the content of angle brackets. */
function quotedNames(sentence: string): string[] {
  const quoted = [...sentence.replace(/; did you mean.*/, '').matchAll(/'([^']*)'/g)]
  return quoted.flatMap(([, code = '']) => [...withoutTemplateArguments(code).matchAll(/[A-Za-z_]\w*/g)].map(String))
}

/** Whether a word is a type or word of the language, so that no API page is about it. */
const isOfLanguage = (word: string) => language.has(word) || word in scalars
