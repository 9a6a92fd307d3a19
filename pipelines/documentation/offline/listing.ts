/**
 * Listings with parts left out cannot be compiled and teach nothing; very long ones are whole programs of another kind.
 */
export function isWholeCode(code: string): boolean {
  const hasGaps = /^\s*(?:\/\/\s*)?(?:\.{3}|…+)/m.test(code) || /<<<|\.\.\.\s*;/.test(code)
  return code.length >= 20 && code.length <= 6000 && !hasGaps
}

const apiCall = /(?:AscendC::|\.|->|\b)([A-Z][A-Za-z0-9_]{2,})\s*(?:<[^;(){}=]*>)?\s*\(/g

/** The interfaces that a listing calls, in order, each once, a dozen at most. */
export function apisIn(code: string): string[] {
  const calls = code.replace(/\/\/[^\n]*/g, '').matchAll(apiCall)
  return [...new Set([...calls].map((match) => match[1]!))].slice(0, 12)
}
