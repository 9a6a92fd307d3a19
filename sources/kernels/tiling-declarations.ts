import {withoutComments} from '../../cpp/code-pieces.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {containedFirst, tilingBlocks, tilingRegistrations, type TilingBlock} from '../../cpp/tiling.ts'

/**
 * The tiling structures that host files declare by macro, with the registrations that bind them to operators and the
 * constants that array sizes need: what a kernel must see from its host side. Structures come after those that they
 * contain. '' without any.
 */
export function tilingDeclarations(host: readonly SourceFile[]): string {
  const sources = host.map(({text}) => withoutComments(text))
  const blocks = sources.flatMap(tilingBlocks)
  const registrations = sources.flatMap(tilingRegistrations).map(({text}) => `${tidy(text)};`)
  const unique = [...new Map(blocks.map((block) => [block.name, block])).values()]
  const constants = unique.flatMap(arraySizes).flatMap((name) => definition(name, sources))
  const structures = containedFirst(unique).map(({text}) => `${tidy(text)};`)
  return [...new Set([...constants, ...structures, ...registrations])].join('\n')
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}

function arraySizes(block: TilingBlock): string[] {
  return block.fields.flatMap(({size}) => (size !== undefined && /^[A-Za-z_]\w*$/.test(size) ? [size] : []))
}

function definition(name: string, sources: readonly string[]): string[] {
  for (const text of sources) {
    const constant = `(?:static\\s+|inline\\s+)*(?:constexpr|const)\\s+[\\w:]+\\s+${name}\\s*=\\s*[^;\\n]+;`
    const macro = `#\\s*define\\s+${name}\\s+.+$`
    const match = new RegExp(`^[ \\t]*${constant}|^[ \\t]*${macro}`, 'm').exec(text)
    if (match) return [match[0].trim().replace(/\s+/g, ' ')]
  }
  return []
}
