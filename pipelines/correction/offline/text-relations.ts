// How one expression differs from another, by its text.

/** `(n) * 4` for `n`. */
export function scaleOf(wrong: string, right: string): string | undefined {
  return new RegExp(`^\\(?${escaped(right)}\\)? \\* (sizeof\\(\\w+\\)|2|4|32)$`).exec(wrong)?.[1]
}

/** `n + 1` for `n`. */
export function offsetOf(wrong: string, right: string): string | undefined {
  const [, sign, value] = new RegExp(`^${escaped(right)} ([+-]) ([\\w()]+)$`).exec(wrong) ?? []
  if (value === undefined) return undefined
  return sign === '-' ? `-${value}` : value
}

/** `n - 1`, `(n) / 2`. */
export function isSmaller(wrong: string, right: string): boolean {
  if (isNumber(wrong) && isNumber(right)) return Number(wrong) < Number(right)
  const of = escaped(right)
  return new RegExp(`^(?:\\(${of}\\)|${of}) / \\d+$|^\\(?${of}\\)? - 1$`).test(wrong) || /^[018]$/.test(wrong)
}

/** `n + 8192`, `(n) * 4`. */
export function isLarger(wrong: string, right: string): boolean {
  if (isNumber(wrong) && isNumber(right)) return Number(wrong) > Number(right)
  const of = escaped(right)
  return new RegExp(`^(?:\\(${of}\\)|${of}) (?:\\*|\\+) \\d+$`).test(wrong) || /^\d{5,}$/.test(wrong)
}

const isNumber = (text: string) => /^\d+$/.test(text)

/** For a regular expression that finds the text itself. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
