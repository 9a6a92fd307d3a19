import {isTurns} from './turns.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names under which a file keeps its rows if it also has other lists, in order of preference. */
const rowLists = ['data', 'rows', 'train', 'examples', 'instances', 'records', 'samples', 'items']

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRowList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isFields(one) || isTurns(one)) && !isTurns(value)

/**
 * The rows in a file's only value: a list, an object with the list under a name, columns with a list or a numbered
 * object each, rows under their names; or, as a row, the value itself.
 */
export function rowsWithin(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return isTurns(value) ? [asRow(value)] : value.map(asRow)
  if (!isFields(value)) return [value]
  return namedRows(value) ?? splitTable(value) ?? listedColumns(value) ?? numberedColumns(value) ?? [value]
}

/** A list of turns alone is a row, and a row that the Hub's viewer numbered is inside. */
export function asRow(value: unknown): unknown {
  if (Array.isArray(value) && isTurns(value)) return {messages: value}
  if (isFields(value) && isFields(value['row']) && 'row_idx' in value) return value['row']
  return value
}

/** What a list of one row holds. */
export function onlyRow(value: unknown): unknown {
  return isRowList(value) && value.length === 1 ? value[0] : value
}

function namedRows(value: Fields): readonly unknown[] | undefined {
  const lists = Object.entries(value).filter(([, one]) => isRowList(one))
  const name =
    rowLists.find((one) => lists.some(([key]) => key === one)) ?? (lists.length === 1 ? lists[0]?.[0] : undefined)
  return name === undefined ? undefined : (value[name] as readonly unknown[]).map(asRow)
}

/** What pandas writes with `orient="split"`. */
function splitTable({columns, data}: Fields): Fields[] | undefined {
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every(Array.isArray)) return undefined
  return data.map((cells: unknown[]) => Object.fromEntries(columns.map((name, at) => [String(name), cells[at]])))
}

function listedColumns(value: Fields): Fields[] | undefined {
  const columns = Object.entries(value)
  const length = Array.isArray(columns[0]?.[1]) ? columns[0][1].length : 0
  const isColumn = (one: unknown) => Array.isArray(one) && one.length === length && !isTurns(one)
  if (length === 0 || !columns.every(([, one]) => isColumn(one))) return undefined
  return Array.from({length}, (_, at) =>
    Object.fromEntries(columns.map(([name, cells]) => [name, (cells as unknown[])[at]])),
  )
}

/** What pandas writes by default: `{column: {"0": cell}}`; and rows under names of their own: `{id: row}`. */
function numberedColumns(value: Fields): readonly unknown[] | undefined {
  const inner = Object.values(value)
  if (inner.length === 0 || !inner.every(isFields)) return undefined
  const numbers = Object.keys(inner[0] as Fields)
  if (!numbers.every((name) => /^\d+$/.test(name))) return inner.length > 1 ? inner : undefined
  return numbers.map((at) =>
    Object.fromEntries(Object.entries(value).map(([name, cells]) => [name, (cells as Fields)[at]])),
  )
}
