// What every page of the reference is put together from.

export type Row = readonly string[]

/** Outside of code, what stands in angle brackets would be taken for HTML. */
export const prose = (text: string) =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('`')
const cell = (text: string) => prose(text.replaceAll('|', '\\|').replaceAll('\n', ' '))
export const table = (head: Row, rows: readonly Row[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
export const code = (text: string) => (text === '' ? '' : `\`${text}\``)
export const generated = (from: string) => `<!-- Generated from ${from} by \`npm run docs:reference\`: do not edit. -->`
export const page = (parts: readonly string[]) => `${parts.filter((part) => part !== '').join('\n\n')}\n`
