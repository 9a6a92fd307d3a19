/** Characters of the page that a model is shown beside a formula. */
export const shownText = 6000

/**
 * A formula as it stands in the text. `<` would open a tag where the page is HTML, and `|` end a cell where the formula
 * stands in the row of a table.
 */
export function inPlace(latex: string, isAlone: boolean): string {
  const plain = latex.replaceAll('<', '\\lt ').replaceAll('>', '\\gt ')
  if (isAlone) return `$$${plain}$$`
  return `$${plain.replace(/\\?\|/g, (bar) => (bar === '|' ? '\\vert ' : '\\Vert ')).trim()}$`
}
