/** The entities that code is written with: the five of XML, and the no-break space. */
const codeEntities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Text with its entities as characters: numbers, and the names that code is written with; a name that is not known
 * stays. C++ is decoded as well as prose, so no other name is taken unless it is asked for: `&times;` may be a
 * variable.
 * @param more names of a text that is known to be prose
 */
export function decodeEntities(text: string, more: Readonly<Record<string, string>> = {}): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return character(Number(decimal)) ?? whole
    if (hex !== undefined) return character(Number.parseInt(hex, 16)) ?? whole
    const key = String(name).toLowerCase()
    return codeEntities[key] ?? more[key] ?? whole
  })
}

/** Undefined for numbers that stand for no character: controls, halves of pairs, and what lies beyond Unicode. */
function character(code: number): string | undefined {
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return code >= 0x20 || code === 9 || code === 10 ? String.fromCodePoint(code) : undefined
}
