import {createRequire} from 'node:module'
import {Language, Parser, type Node} from 'web-tree-sitter'

let ready: Promise<Parser> | undefined

async function loadParser(): Promise<Parser> {
  await Parser.init()
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-cpp/tree-sitter-cpp.wasm')
  const parser = new Parser()
  parser.setLanguage(await Language.load(grammar))
  return parser
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

/** 1-based line of the first place that no C++ grammar takes; undefined when there is none. */
export function firstSyntaxError(text: string): Promise<number | undefined> {
  const plain = foreign.reduce((so, [pattern, by]) => so.replace(pattern, by), text)
  return readCpp(plain, (root) => {
    const error = root.hasError ? firstError(root) : undefined
    return error && error.startPosition.row + 1
  })
}

function firstError(node: Node): Node {
  const inner = node.children.find((child) => child && (child.hasError || child.isMissing))
  return inner && !inner.isError && !inner.isMissing ? firstError(inner) : (inner ?? node)
}

/** What compilers take and the grammar does not, with what says the same to it on the same line. */
const foreign: readonly [RegExp, string][] = [
  // `CHECK(x, return false)`, `CHECK(x, return)`: macros of the vendor take statements as arguments.
  [/([,(]\s*)return(?=\s*[,)])/g, '$1none'],
  [/([,(]\s*)return\b/g, '$1'],
  // The macro stands for `constexpr (…)`.
  [/\bif\s+(ASCEND_IS_\w+)/g, 'if ($1)'],
  [/=\s*\{\s*\}(?=\s*[,)])/g, '= 0'],
]

const decorations = new RegExp(
  [
    String.raw`\b(?:__aicore__|__global__|__gm__|__ubuf__|__cbuf__|__ca__|__cb__|__cc__|__fbuf__)`,
    String.raw`\b(?:__inline__|__forceinline__|__sync_alias__|__vector__|__cube__|__no_simd_vf_fusion__)`,
    String.raw`\b__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)`,
    String.raw`\b__mix__\s*\([^()]*\)`,
    String.raw`\b(?:ACLNN_API|__BLOCK_LOCAL__)\b`,
    String.raw`\b__(?:in|out|inout)_pipe__\s*\(\w+\)`,
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
