import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import {fileURLToPath} from 'node:url'
import {Language, Parser, type Node} from 'web-tree-sitter'
import {type Arm, type Chain, type Part, partsOf} from './directives.ts'

const grammarName = 'tree-sitter-cpp/tree-sitter-cpp.wasm'

let ready: Promise<Parser> | undefined

async function loadParser(): Promise<Parser> {
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(grammarFile()))
  return parser
}

/** The built package has a copy; sources take the library's own. */
function grammarFile(): string {
  const copy = fileURLToPath(new URL(`../vendor/${grammarName}`, import.meta.url))
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(grammarName)
}

/**
 * Parses C++ with Ascend C's decorations and hands the tree to `read`; the tree is freed when `read` returns, so no
 * node may leave it. Never fails on a syntax error: macros of the host side and launch brackets are errors to any
 * grammar, and the rest is still there.
 */
export async function readCpp<T>(text: string, read: (root: Node) => T): Promise<T> {
  const parser = await (ready ??= loadParser())
  const tree = parser.parse(blankDecorations(text))
  if (!tree) throw new TypeError('the parser has no language')
  try {
    return read(tree.rootNode)
  } finally {
    tree.delete()
  }
}

/**
 * Whether code was nested too deeply to be read: trees are walked by recursion, and no file that people write comes
 * near, but one made by a program, of thousands of brackets or of an endless sum, exhausts the stack.
 */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message)
}

/**
 * 1-based line of the first place that the C++ grammar rejects; undefined if there is none. Where brackets open under
 * one condition of the preprocessor and close under another, one choice of branches must be free of errors.
 */
export async function firstSyntaxError(text: string): Promise<number | undefined> {
  const plain = foreign.reduce((so, [pattern, by]) => so.replace(pattern, by), text)
  const line = await errorLine(plain)
  if (line === undefined || !/^[ \t]*#[ \t]*if/m.test(plain)) return line
  for (const wanted of ['first', 'last'] as const)
    if ((await errorLine(withBranches(plain, wanted))) === undefined) return undefined
  return line
}

function errorLine(text: string): Promise<number | undefined> {
  return readCpp(text, (root) => {
    const error = root.hasError ? firstError(root) : undefined
    return error && error.startPosition.row + 1
  })
}

/** The text as a compiler sees it that takes the first, or the last, branch of each `#if`; lines stay. */
function withBranches(text: string, wanted: 'first' | 'last'): string {
  const lines = text.split('\n')
  const kept = lines.map(() => '')
  const keep = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (typeof part === 'number') kept[part] = lines[part] as string
      else keep(branchOf(part)?.body ?? [])
    }
  }
  /** Without an `#else`, the last branch of an `#if` is the empty one that is not written. */
  const branchOf = ({arms}: Chain): Arm | undefined => {
    const [first, last] = [arms[0] as Arm, arms.at(-1) as Arm]
    if (wanted === 'first') return first
    return last.condition === undefined || /^\s*#\s*ifn?def\b/.test(lines[first.lines[0]] as string) ? last : undefined
  }
  keep(partsOf(lines))
  return kept.join('\n')
}

function firstError(node: Node): Node {
  const inner = node.children.find((child) => child && (child.hasError || child.isMissing))
  return inner && !inner.isError && !inner.isMissing ? firstError(inner) : (inner ?? node)
}

/** What compilers take and the grammar does not, with what says the same to it on the same line. */
const foreign: readonly [RegExp, string][] = [
  // `CHECK(x, LOG("a"); y = 0, return false)`: statements of an argument before the one that returns.
  [/;(?=\s*,\s*return\b)/g, ''],
  [/(?<=\breturn\s+-?\w+);(?=\s*\))/g, ''],
  [/;(?=\s*\*?\w+ = \w+,\s*return\b)/g, ','],
  // `CHECK(x, return false)`, `CHECK(x, return)`: macros of the vendor take statements as arguments.
  [/([,(]\s*)return(?=\s*[,)])/g, '$1none'],
  [/([,(]\s*)return\b/g, '$1'],
  // The macro expands to `constexpr (…)`.
  [/\bif\s+(ASCEND_IS_\w+)/g, 'if ($1)'],
  [/=\s*\{\s*\}(?=\s*[,)])/g, '= 0'],
  // `#define CHECK(name, args...)` names what the standard leaves nameless.
  [/^([ \t]*#\s*define\s+\w+\([^()]*?)\w+\.\.\.\)/gm, '$1...)'],
  // Base classes that a macro names.
  [/(?<=[:,]\s*(?:(?:public|protected|private)\s+)?)(MATMUL_IMPORT_MODULE\w*)\([^()]*\)/g, '$1'],
  [/(?<=(?:\.|->)\s*)operator\s*\[\](?=\s*\()/g, 'at'],
  // A macro call on separate lines without a semicolon: the macro brings it, or is empty.
  [
    /^([ \t]*[A-Z][A-Z\d_]{3,}\([^;{}()#]*(?:\([^;{}()#]*\)[^;{}()#]*)*\))[ \t]*(?=(?:\/\/[^\n]*)?\n\s*[\w}/])/gm,
    '$1;',
  ],
]

const decorations = new RegExp(
  [
    String.raw`\b(?:__aicore__|__global__|__gm__|__ubuf__|__cbuf__|__ca__|__cb__|__cc__|__fbuf__)`,
    String.raw`\b(?:__inline__|__forceinline__|__sync_alias__|__vector__|__cube__|__no_simd_vf_fusion__|__simd_\w+__)`,
    String.raw`\b__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)`,
    String.raw`\b__mix__\s*\([^()]*\)`,
    // Libraries give the words of the device a name of their own: `CATLASS_DEVICE`.
    String.raw`^[ \t]*(?:[A-Z][A-Z\d]*_)*DEVICE(?=[ \t]*\n|[ \t]+[\w~])`,
    String.raw`\b(?:ACLNN_API|__BLOCK_LOCAL__|MSG_POS|MsgTmpPos)\b`,
    String.raw`\b__ASC_USE_RESERVED_UBUF__\s*\([^()]*\)`,
    String.raw`\b__(?:in|out|inout)_pipe__\s*\([\w, ]+\)`,
    // Profiling of a call; some files omit its semicolon.
    String.raw`\bL[02]_DFX\w*\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)(?!\s*;)`,
    // Brackets that open under one condition and close under another.
    String.raw`^[ \t]*#\s*ifdef\s+__cplusplus\s+(?:extern\s+"C"\s*\{|\}[^\n]*)\s*#\s*endif`,
    String.raw`(?<=(?:\.|->)[ \t]*)template(?=\s+\w)`,
  ].join('|'),
  'gm',
)
const hostMacros = new RegExp(
  [
    String.raw`\bBEGIN_TILING_DATA_DEF\b[^]*?\bEND_TILING_DATA_DEF\b\s*;?`,
    String.raw`\b(?:REGISTER_\w+|OP_ADD|IMPL_OP\w*)\s*\([^()]*\)(?=\s*(?:\n|;|$))`,
  ].join('|'),
  'g',
)

/** `if ASCEND_IS_AIC {`: the macro brings its own parentheses, which the grammar cannot see. */
const coreQuestions = /\b(if(?:\s+constexpr)?)\s(ASCEND_IS_\w+)\s/g

/** Words that a C++ grammar does not know become spaces of the same length, so that positions stay. */
function blankDecorations(text: string): string {
  return text.replace(decorations, blank).replace(hostMacros, blank).replace(coreQuestions, '$1($2)')
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
