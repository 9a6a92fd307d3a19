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
 * Parses C++ with Ascend C's decorations and hands the tree to `read`; the tree is freed when `read` returns, so no node may leave it.
 * Never fails on a syntax error: macros of the host side and launch brackets are errors to any grammar, and the rest is still there.
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

const decorations =
  /\b(?:__aicore__|__global__|__gm__|__ubuf__|__cbuf__|__ca__|__cb__|__cc__|__fbuf__|__inline__|__forceinline__|__sync_alias__|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)|__vector__|__cube__|__mix__\s*\([^()]*\)|__no_simd_vf_fusion__)|(?<=(?:\.|->)[ \t]*)template(?=\s+\w)/g

/** Words that a C++ grammar does not know become spaces of the same length, so that positions stay. */
export function blankDecorations(text: string): string {
  return text
    .replace(decorations, blank)
    .replace(
      /\bBEGIN_TILING_DATA_DEF\b[^]*?\bEND_TILING_DATA_DEF\b\s*;?|\b(?:REGISTER_\w+|OP_ADD|IMPL_OP\w*)\s*\([^()]*\)(?=\s*(?:\n|;|$))/g,
      blank,
    )
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
