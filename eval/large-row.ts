import type {TaskCase} from '../datasets/schema/task.ts'
import {elementCount} from '../datasets/schema/tensor.ts'

/** A cell that is a shape: `[20, 1024]`. */
const shape = /^\s*[[(]\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*[\])]\s*$/

function sizesIn(cell: string): number[] | undefined {
  return shape.exec(cell)?.[1]?.split(',').map(Number)
}

/** Elements of the largest shape in a row's cells; 1 without any. */
function elementsOf(row: TaskCase): number {
  return Math.max(1, ...Object.values(row).map((cell) => elementCount(sizesIn(cell) ?? [1])))
}

/**
 * The row of a table whose shapes are largest, with the first size of all that start alike multiplied until there are
 * about so many elements: what a device is built for, where rows for correctness are small.
 */
export function largeRow(rows: readonly TaskCase[], elements: number): TaskCase | undefined {
  const [first] = rows
  if (!first) return undefined
  const largest = rows.reduce((one, other) => (elementsOf(other) > elementsOf(one) ? other : one), first)
  const shapes = Object.values(largest).flatMap((cell) => sizesIn(cell) ?? [])
  const factor = Math.floor(elements / elementsOf(largest))
  const widest = Object.values(largest)
    .flatMap((cell) => [sizesIn(cell) ?? []])
    .reduce((one, other) => (elementCount(other) > elementCount(one) ? other : one), [])
  const [size] = widest
  if (shapes.length === 0 || size === undefined || factor < 2) return largest
  const grown = Object.entries(largest).map(([column, cell]): [string, string] => {
    const sizes = sizesIn(cell)
    if (!sizes || sizes[0] !== size || sizes.length !== widest.length) return [column, cell]
    return [column, cell.replace(/\d+/, String(size * factor))]
  })
  return Object.fromEntries(grown)
}

/** `shape [20, 1024], dtype float32`: a row as text. */
export function rowText(row: TaskCase): string {
  return Object.entries(row)
    .filter(([column]) => column !== 'case_id')
    .map(([column, cell]) => `${column} ${cell}`)
    .join(', ')
}
