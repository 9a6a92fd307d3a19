import {isInclude} from '../cpp/macros.ts'
import type {Expanded} from '../cpp/macros.ts'
import {literalValue} from '../cpp/tokens.ts'
import type {Token} from '../cpp/tokens.ts'

/** Where a rule was broken, with the text there. */
interface Sighting {
  start: number
  seen: string
}

/** A rule's input: one text of a candidate, tokenised as by a compiler. */
interface RuledText extends Expanded {
  path: string
  /** Positions of each word in the code. */
  words: ReadonlyMap<string, readonly number[]>
  /** Names that some text of the candidate declares as its own variables or parameters. */
  own: ReadonlySet<string>
  /** Other names of `std`. */
  standard: ReadonlySet<string>
}

interface SourceRule {
  rule: string
  find: (text: RuledText) => Sighting | undefined
  /** Files in which it is legitimate. */
  except?: RegExp
}

const forbiddenHeaders = new RegExp(
  `^(?:${[
    'fstream|filesystem|experimental/.*|thread|future|csignal|csetjmp',
    String.raw`(?:pthread|unistd|dlfcn|fcntl|signal|setjmp|spawn|link|elf|sched|dirent|poll|ucontext|execinfo)\.h`,
    // An absolute path, or a folder of the system's or of PyTorch's headers.
    '(?:sys|netinet|arpa|linux|asm|torch|ATen)?/.*',
  ].join('|')})$`,
)

/** System functions with unambiguous names: mentioning one is enough. */
const systemNames = [
  'fopen|freopen|fdopen|popen|tmpfile|mkstemp|opendir|readdir|openat|creat|ftruncate|memfd_create|sendfile|ioctl|fcntl',
  'posix_spawnp?|execl[pe]?|execvp?e?|fexecve|execveat|vfork|pthread_create|pthread_kill|sigaction|sigprocmask',
  'sigaltstack|dlopen|dlsym|dlvsym|dlmopen|dladdr|dl_iterate_phdr|mmap|mremap|munmap|mprotect|shm_open|shmget|shmat',
  'getenv|secure_getenv|setenv|putenv|unsetenv|environ|syscall|ptrace|prctl|setrlimit|getrlimit|prlimit',
  'process_vm_readv|process_vm_writev|at_quick_exit|quick_exit|_exit|_Exit',
]
const systemName = new RegExp(`^(?:__libc_|__builtin_|__)?(?:${systemNames.join('|')})(?:64)?$`)
/** System functions whose names candidates also use for their own. */
const systemWord = /^(?:system|fork|signal|socket|raise|kill|clone|open|setjmp|longjmp|siglongjmp|atexit|on_exit|exit)$/

const fileStream = /^(?:basic_)?(?:if|of|f)stream$|^(?:basic_)?filebuf$|^jthread$/
const startsThreads = /^(?:thread|async|filesystem)$/
/** Attributes by which code runs before or after the kernel, or under another name. */
const earlyAttribute = /^_*(?:constructor|destructor|init_priority|ifunc|alias|weakref|section)_*$/
const earlyPragmaName = /^(?:section|init|fini|redefine_extname|weak)$/

const torchSpace = /^(?:at|torch|aten)$/

const referenceText = /\b(?:reference\.ts|module\.py|prepare_inputs|test_cases\.csv|validation\/|golden[_.]\w+)/
const referenceWord = /^(?:prepare_inputs|golden_\w+)$/

/**
 * Things that an operator must not use. The compiler and the candidate run in a sandbox, so these rules are not for
 * security: they show that a result was not earned. Sources: facts on benchmark hacks (KernelBench and others, reward
 * hacking guides).
 */
export const sourceRules: readonly SourceRule[] = [
  {rule: 'forbidden-include', find: forbiddenInclude},
  {rule: 'reads-the-reference', find: (text) => saysSo(text, referenceText) ?? whereWord(text, referenceWord)},
  {rule: 'includes-bytes', find: includedBytes},
  {
    rule: 'calls-the-system',
    find: (text) => whereWord(text, systemName, isNoMember) ?? whereWord(text, systemWord, isSystemCall),
  },
  {rule: 'inline-assembly', find: (text) => whereWord(text, /^(?:asm|__asm|__asm__|__REDIRECT\w*)$/)},
  {
    rule: 'runs-outside-the-kernel',
    find: (text) =>
      whereWord(text, fileStream, isNoMember) ??
      whereWord(text, startsThreads, isOfStandard) ??
      whereWord(text, earlyAttribute, isAttribute) ??
      earlyPragma(text),
  },
  // An operator may include its own hand-written aclnn interface, in files of that name.
  {
    rule: 'calls-a-finished-operator',
    find: (text) => whereWord(text, /^aclnn[A-Z]/, isOperatorCall) ?? whereWord(text, torchSpace, isNamespace),
    except: /\/aclnn_\w+\.(?:cpp|h)$/,
  },
  {rule: 'touches-the-judge', find: touchesJudge},
  {rule: 'stored-results', find: storedResults},
]

function forbiddenInclude({directives, path}: RuledText): Sighting | undefined {
  for (const {start, tokens} of directives.filter(isInclude)) {
    const header = headerOf(tokens)
    const quoted = tokens[0]?.kind === 'string' ? `"${header}"` : `<${header}>`
    if (forbiddenHeaders.test(header) || leavesTheProject(path, header)) return {start, seen: `#include ${quoted}`}
  }
  return undefined
}

function headerOf(tokens: readonly Token[]): string {
  const [first] = tokens
  if (first?.kind === 'header' || first?.kind === 'string') return literalValue(first)
  return tokens
    .map(({text}) => text)
    .join('')
    .replace(/^<(.*)>.*$/, '$1')
}

const machineFolder = /^(?:etc|usr|proc|sys|dev|lib\w*|bin|opt|home|root|tmp|var|run|mnt|work)$/

/** Outside the project are a repository's other operators, which are absent here, and local files. */
function leavesTheProject(path: string, header: string): boolean {
  let depth = path.split('/').length - 1
  return header.split('/').some((part) => {
    if (part === '..') depth -= 1
    else if (depth < 0 && machineFolder.test(part)) return true
    else if (part !== '.' && part !== '') depth += 1
    return false
  })
}

/** A string that contains it; adjacent strings are joined. */
function saysSo({code, directives}: RuledText, pattern: RegExp): Sighting | undefined {
  const included = directives.filter(isInclude).flatMap(({tokens}) => tokens)
  const tokens = [...code, ...included]
  for (let at = 0; at < tokens.length; ) {
    const start = at
    let said = ''
    for (; tokens[at]?.kind === 'string' || tokens[at]?.kind === 'header'; at += 1)
      said += literalValue(tokens[at] as Token)
    const found = said === '' ? null : pattern.exec(said)
    if (found) return {start: tokens[start]?.start ?? 0, seen: found[0]}
    if (at === start) at += 1
  }
  return undefined
}

function includedBytes(text: RuledText): Sighting | undefined {
  const embed = text.directives.find(({name}) => name === 'embed')
  return embed ? {start: embed.start, seen: '#embed'} : saysSo(text, /\.incbin/)
}

type WordTest = (code: readonly Token[], at: number, text: RuledText) => boolean

/** The first forbidden name in a place where the rule applies. */
function whereWord(text: RuledText, name: RegExp, test: WordTest = () => true): Sighting | undefined {
  const {code, words} = text
  let first = Number.POSITIVE_INFINITY
  for (const [word, places] of words) {
    if (name.test(word)) first = Math.min(first, places.find((at) => test(code, at, text)) ?? first)
  }
  return first < code.length ? {start: code[first]?.start ?? 0, seen: seenAt(code, first)} : undefined
}

function seenAt(code: readonly Token[], at: number): string {
  const [before, token, behind] = [code[at - 1], code[at], code[at + 1]]
  const left = before?.text === '::' ? `${code[at - 2]?.text ?? ''}::` : ''
  return `${left}${token?.text ?? ''}${behind?.text === '(' || behind?.text === '::' ? behind.text : ''}`
}

function isNoMember(code: readonly Token[], at: number): boolean {
  return !['.', '->', '~'].includes(code[at - 1]?.text ?? '')
}

/** `f(…)` and `(f)(…)`. */
function isCalled(code: readonly Token[], at: number): boolean {
  const next = code[at + 1]?.text
  return next === '(' || (next === ')' && code[at - 1]?.text === '(' && code[at + 2]?.text === '(')
}

/** `&f`, `= f;`, `g(f)`, `{f}`: the function itself as a value. */
function isTaken(code: readonly Token[], at: number): boolean {
  let from = at - 1
  if (code[from]?.text === '::') from -= code[from - 1]?.text === 'std' ? 2 : 1
  const before = code[from]?.text ?? ''
  return (
    ['=', '&', '(', ')', ',', '{', 'return', '?', ':', '*'].includes(before) &&
    /^[;,)}:]?$/.test(code[at + 1]?.text ?? '')
  )
}

function isSystemCall(code: readonly Token[], at: number, {own}: RuledText): boolean {
  if (!isNoMember(code, at)) return false
  return isCalled(code, at) || (!own.has(code[at]?.text ?? '') && isTaken(code, at))
}

function isOfStandard(code: readonly Token[], at: number, {standard}: RuledText): boolean {
  if (!isNoMember(code, at)) return false
  if (code[at - 1]?.text === '::') return standard.has(code[at - 2]?.text ?? '')
  // Only a type or a call: a variable may have such a name.
  return standard.has('') && (code[at + 1]?.kind === 'word' || (code[at]?.text === 'async' && isCalled(code, at)))
}

/** Longer ones are not declarations. */
const longestAttribute = 2000

/**
 * Whether a name is between `[[` and `]]`, or in the double parentheses of `__attribute__`. Attribute arguments may
 * contain blocks: `[[gnu::aligned(int{16}), gnu::constructor]]`. Brackets are counted from the name backwards, as a
 * candidate that hides something need not close those of the rest.
 */
function isAttribute(code: readonly Token[], at: number): boolean {
  let [depth, blocks] = [0, 0]
  for (let index = at - 1; index >= 0; index -= 1) {
    const {text, leads} = code[index] as Token
    if (at - index > longestAttribute) return true
    if (text === '}') blocks += 1
    if (text === '{') blocks -= 1
    if (blocks < 0 || (blocks === 0 && text === ';') || (text === '' && leads)) return false
    if (text === ')' || text === ']') depth += 1
    if (text !== '(' && text !== '[') continue
    depth -= 1
    if (depth >= -1) continue
    if (text === '[' && code[index + 1]?.text === '[') return true
    return /^__attribute(?:__)?$/.test(code[index - 1]?.text ?? '')
  }
  return false
}

function earlyPragma({directives, code, words}: RuledText): Sighting | undefined {
  for (const {name, start, tokens} of directives) {
    const [first, second] = tokens.map(({text}) => text)
    const said = /^(?:clang|GCC)$/.test(first ?? '') ? second : first
    if (name === 'pragma' && earlyPragmaName.test(said ?? '')) return {start, seen: `#pragma ${said}`}
  }
  const at = words.get('_Pragma')?.find((place) => earlyPragmaName.test(purposeOf(code[place + 2])))
  return at === undefined ? undefined : {start: code[at]?.start ?? 0, seen: `_Pragma(${code[at + 2]?.text})`}
}

/** The keyword of a pragma. */
function purposeOf(said: Token | undefined): string {
  const [first = '', second = ''] = said?.kind === 'string' ? literalValue(said).trim().split(/\W+/) : []
  return /^(?:clang|GCC)$/.test(first) ? second : first
}

function isOperatorCall(code: readonly Token[], at: number): boolean {
  if (['.', '->'].includes(code[at - 1]?.text ?? '')) return false
  return isCalled(code, at) || (code[at - 1]?.text === '&' && isTaken(code, at))
}

function isNamespace(code: readonly Token[], at: number): boolean {
  return isNoMember(code, at) && (code[at + 1]?.text === '::' || namesNamespace(code, at))
}

/** `using namespace n` and `namespace m = n`. */
function namesNamespace(code: readonly Token[], at: number): boolean {
  const from = code[at - 1]?.text === '::' ? at - 1 : at
  const [a, b, c] = [code[from - 3]?.text, code[from - 2]?.text, code[from - 1]?.text]
  return (b === 'using' && c === 'namespace') || (a === 'namespace' && c === '=')
}

const judgeSpace = /^twin(?:_host|_entry|_kernel)?$/

function touchesJudge(text: RuledText): Sighting | undefined {
  for (const {name, start, tokens} of text.directives) {
    // A candidate that detects the judge, or changes parts of it.
    const macro = name === 'pragma' ? undefined : tokens.find((token) => /^_*TWIN_/.test(token.text))
    if (macro) return {start, seen: `#${name} ${macro.text}`}
  }
  const isUsed: WordTest = (code, at) => isCalled(code, at) || code[at - 1]?.text === '&'
  return (
    whereWord(text, judgeSpace, isNamespace) ??
    whereWord(text, /^_*TWIN_/) ??
    whereWord(text, /^twin(?:_host|_entry|_kernel)?_\w+$/, isUsed)
  )
}

/**
 * Limits on numbers in lists per text: in lists of 16 or more, and distinct ones in all lists. Real kernels contain
 * polynomials: the maximum over 154 answers of a benchmark is 16 and 16, over CANN's math operators 32 and 109, except
 * for one that stores its whole range.
 */
const mostInLongLists = 63
const mostDifferent = 127
/** Escaped bytes of strings. */
const mostBytes = 255

function storedResults({code}: RuledText): Sighting | undefined {
  const lists: Token[][] = []
  const different = new Map<string, Token>()
  let long: Token[] = []
  let bytes = 0
  for (const [at, token] of code.entries()) {
    if (token.kind === 'string') bytes += token.text.match(/\\[x0-7]/g)?.length ?? 0
    if (token.text === '{') lists.push([])
    const list = token.text === '}' ? lists.pop() : undefined
    if (list && list.length >= 16) long = [...long, ...list]
    if (token.kind !== 'number') continue
    const stored = storedAt(code, at)
    if (stored === 'element') lists.at(-1)?.push(token)
    if (stored && !different.has(token.text)) different.set(token.text, token)
  }
  const text = code.find(({kind, text: said}) => kind === 'string' && /\\[x0-7]/.test(said))
  if (text && bytes > mostBytes) return {start: text.start, seen: `${bytes} escaped bytes in strings`}
  if (long[0] && long.length > mostInLongLists)
    return {start: long[0].start, seen: `${long.length} numbers in long lists`}
  const [first] = different.values()
  return first && different.size > mostDifferent
    ? {start: first.start, seen: `${different.size} different numbers in lists`}
    : undefined
}

/** Whether a number is an element of a list, or a complete assigned or returned value. */
function storedAt(code: readonly Token[], at: number): 'element' | 'single' | undefined {
  let before = at - 1
  while (/^[-+]$/.test(code[before]?.text ?? '')) before -= 1
  const [left, right] = [code[before]?.text ?? '', code[at + 1]?.text ?? '']
  if (/^[{,]$/.test(left) && /^[,}]$/.test(right)) return 'element'
  const placed = left === '=' && code[before - 1]?.text === ']' && code[before - 2]?.kind === 'number'
  return right === ';' && (placed || left === 'return') ? 'single' : undefined
}
