/** The entities used in code: the five of XML, and the no-break space. */
const codeEntities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Decodes a text's entities: numeric ones, and the names used in code; unknown names are kept. This also runs on C++,
 * so no other name is decoded unless requested: `&times;` may be a variable.
 * @param more further names, for a text that is known to be prose
 */
export function decodeEntities(text: string, more: Readonly<Record<string, string>> = {}): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return character(Number(decimal)) ?? whole
    if (hex !== undefined) return character(Number.parseInt(hex, 16)) ?? whole
    const key = String(name).toLowerCase()
    return codeEntities[key] ?? more[key] ?? whole
  })
}

/** Undefined for numbers without a character: controls, halves of pairs, and what lies beyond Unicode. */
function character(code: number): string | undefined {
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return code >= 0x20 || code === 9 || code === 10 ? String.fromCodePoint(code) : undefined
}
