import {type Part, partsOf} from './directives.ts'

interface Guard {
  open: number
  close: number
}

/**
 * The lines of an include guard: the first directive is `#ifndef X` followed by `#define X`, and its `#endif` is the
 * last one.
 * @param parts how the lines nest, where that is known
 */
export function guardLines(lines: readonly string[], parts?: readonly Part[]): Guard | undefined {
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*#\s*pragma\s+once\b/.test(line))
  const name = /^\s*#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+))/.exec(lines[first] ?? '')
  const macro = name?.[1] ?? name?.[2]
  if (macro === undefined) return undefined
  const second = lines.findIndex((line, index) => index > first && line.trim() !== '')
  if (!new RegExp(`^\\s*#\\s*define\\s+${macro}\\b`).test(lines[second] ?? '')) return undefined
  const chain = (parts ?? partsOf(lines)).find((part) => typeof part === 'object' && part.arms[0]?.lines[0] === first)
  if (typeof chain !== 'object' || chain.end >= lines.length) return undefined
  return lines.slice(chain.end + 1).every((line) => line.trim() === '') ? {open: first, close: chain.end} : undefined
}
