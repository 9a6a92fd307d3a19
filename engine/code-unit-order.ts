/** Orders names by UTF-16 code unit, alike on every machine: `localeCompare` follows the locale. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
