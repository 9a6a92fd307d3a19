/** Characters of the page that a model sees with a formula. */
export const shownText = 6000

/**
 * A formula as inserted in the text. `<` would open a tag where the page is HTML, and `|` end a cell if the formula is
 * in a table row.
 */
export function inPlace(latex: string, isAlone: boolean): string {
  const plain = latex.replaceAll('<', '\\lt ').replaceAll('>', '\\gt ')
  if (isAlone) return `$$${plain}$$`
  return `$${plain.replace(/\\?\|/g, (bar) => (bar === '|' ? '\\vert ' : '\\Vert ')).trim()}$`
}
