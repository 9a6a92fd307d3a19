import {withoutComments} from '../../datasets/op-def.ts'
import type {SourceFile} from '../../datasets/schema/kernel.ts'

interface Block {
  name: string
  text: string
}

/**
 * The tiling structures that host files declare by macro, with the registrations that bind them to operators and the constants
 * that array sizes need: what a kernel has to see of its host side. Structures stand after those that they contain. '' without any.
 */
export function tilingDeclarations(host: readonly SourceFile[]): string {
  const sources = host.map(({text}) => withoutComments(text))
  const blocks = sources.flatMap((text) =>
    [...text.matchAll(/\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)[^]*?\bEND_TILING_DATA_DEF\b\s*;?/g)].map(
      (match): Block => ({name: match[1] as string, text: tidy(match[0])}),
    ),
  )
  const registrations = sources.flatMap((text) =>
    [...text.matchAll(/\bREGISTER_TILING_DATA_CLASS\s*\([^)]*\)/g)].map((match) => tidy(match[0])),
  )
  const unique = [...new Map(blocks.map((block) => [block.name, block])).values()]
  const constants = unique.flatMap(({text}) => arraySizes(text)).flatMap((name) => definition(name, sources))
  return [
    ...new Set([...constants, ...inOrder(unique).map(({text}) => text), ...registrations.map((line) => `${line};`)]),
  ].join('\n')
}

function tidy(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.join('\n').replace(/END_TILING_DATA_DEF\s*;?$/, 'END_TILING_DATA_DEF;')
}

function arraySizes(block: string): string[] {
  return [...block.matchAll(/\bTILING_DATA_FIELD_DEF_ARR\s*\(\s*[\w:]+\s*,\s*([A-Za-z_]\w*)\s*,/g)].map(
    (match) => match[1] as string,
  )
}

function definition(name: string, sources: readonly string[]): string[] {
  for (const text of sources) {
    const match = new RegExp(
      `^[ \\t]*(?:static\\s+|inline\\s+)*(?:constexpr|const)\\s+[\\w:]+\\s+${name}\\s*=\\s*[^;\\n]+;|^[ \\t]*#\\s*define\\s+${name}\\s+.+$`,
      'm',
    ).exec(text)
    if (match) return [match[0].trim().replace(/\s+/g, ' ')]
  }
  return []
}

function inOrder(blocks: readonly Block[]): Block[] {
  const ordered: Block[] = []
  const visit = (block: Block) => {
    if (ordered.includes(block)) return
    for (const [, inner] of block.text.matchAll(/\bTILING_DATA_FIELD_DEF_STRUCT\s*\(\s*(\w+)\s*,/g)) {
      const other = blocks.find(({name}) => name === inner)
      if (other && other !== block) visit(other)
    }
    ordered.push(block)
  }
  for (const block of blocks) visit(block)
  return ordered
}
