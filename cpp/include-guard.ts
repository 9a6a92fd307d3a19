interface Guard {
  open: number
  close: number
}

/**
 * The lines of an include guard: the first directive is `#ifndef X` followed by `#define X`, and its `#endif` is the
 * last one.
 */
export function guardLines(lines: readonly string[]): Guard | undefined {
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*#\s*pragma\s+once\b/.test(line))
  const name = /^\s*#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+))/.exec(lines[first] ?? '')
  const macro = name?.[1] ?? name?.[2]
  if (macro === undefined) return undefined
  const second = lines.findIndex((line, index) => index > first && line.trim() !== '')
  if (!new RegExp(`^\\s*#\\s*define\\s+${macro}\\b`).test(lines[second] ?? '')) return undefined
  let depth = 0
  for (let index = first; index < lines.length; index += 1) {
    if (/^\s*#\s*if/.test(lines[index] as string)) depth += 1
    if (/^\s*#\s*endif\b/.test(lines[index] as string)) depth -= 1
    if (depth === 0)
      return lines.slice(index + 1).every((line) => line.trim() === '') ? {open: first, close: index} : undefined
  }
  return undefined
}
