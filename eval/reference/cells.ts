import type {ReferenceInputs, TaskCase} from '../../datasets/schema/task.ts'
import {Dtype} from '../../datasets/schema/tensor.ts'

// `ascend-cot/reference`: helpers for a task's `validation/reference.ts`. Cells of `test_cases.csv` are Python
// literals; a missing or unexpected one throws, because the task and its cells have the same author.

export type {ReferenceInputs, TaskCase, TaskReference} from '../../datasets/schema/task.ts'

function cell(row: TaskCase, column: string): string {
  const text = row[column]
  if (text !== undefined) return text.trim()
  throw new Error(`case ${row['case_id'] ?? '?'}: no column "${column}", only ${Object.keys(row).join(', ')}`)
}

/**
 * A cell such as `[8, 2048]` as a shape: sizes of the axes, outermost first.
 * @throws Error when the column is missing or holds no list of integers
 */
export function shapeCell(row: TaskCase, column: string): number[] {
  const shape: unknown = JSON.parse(cell(row, column))
  if (!Array.isArray(shape) || !shape.every(Number.isSafeInteger)) {
    throw new Error(`column "${column}": saw ${cell(row, column)}, expected a list of integers`)
  }
  return shape as number[]
}

/**
 * A cell such as `1e-5` as a number.
 * @throws Error when the column is missing or holds no finite number
 */
export function numberCell(row: TaskCase, column: string): number {
  const value = Number(cell(row, column))
  if (!Number.isFinite(value)) throw new Error(`column "${column}": saw ${cell(row, column)}, expected a number`)
  return value
}

/**
 * A cell such as `float16` as an element type.
 * @throws Error when the column is missing, ZodError when it holds another type than the judge knows
 */
export function dtypeCell(row: TaskCase, column: string): Dtype {
  return Dtype.parse(cell(row, column))
}

/**
 * The values of an input, row-major, as the device would read them: rounded to the input's element type.
 * @throws Error when the task has no such input
 */
export function inputOf(inputs: ReferenceInputs, name: string): Float64Array {
  const values = inputs[name]
  if (values === undefined) throw new Error(`no input "${name}", only ${Object.keys(inputs).join(', ')}`)
  return values
}

/**
 * The rows of a row-major tensor whose last dimension is `cols` elements long; views, not copies. `cols` must divide
 * the number of elements.
 */
export function rowsOf(values: Float64Array, cols: number): Float64Array[] {
  return Array.from({length: values.length / cols}, (_, row) => values.subarray(row * cols, (row + 1) * cols))
}
