import {z} from 'zod'
import {DrawnCall} from './operator-call.ts'
import {SourceFile} from './operator.ts'
import {Origin} from './origin.ts'
import type {Tensor, TensorSpec} from './tensor.ts'

/** One row of `test_cases.csv`: column name to the cell's text; `case_id` is among them. */
export const TaskCase = z.record(z.string(), z.string())
/** One row of `test_cases.csv`: column name to the cell's text. */
export type TaskCase = z.infer<typeof TaskCase>

/** The source of expected outputs. Paths are absolute. */
const Reference = z.discriminatedUnion('kind', [
  /** A module of ours, `reference.ts`. */
  z.strictObject({kind: z.literal('typescript'), path: z.string()}),
  /** The benchmark's own `module.py`. */
  z.strictObject({kind: z.literal('pytorch'), path: z.string()}),
  /** The outputs of the task's own answer, run by the same executor on the same inputs; its calls by case id. */
  z.strictObject({kind: z.literal('answer'), calls: z.record(z.string(), DrawnCall)}),
])

/** One kernel-writing task, of a benchmark or for training. */
export const OperatorTask = z.strictObject({
  origin: Origin,
  /** The operator's type in CamelCase; also the task folder's name. */
  name: z.string().min(1),
  level: z.int().min(1).max(3),
  category: z.string().min(1),
  /** `api_desc.md`. */
  description: z.string().min(1),
  /** `question/op_host/<snake>.cpp` and `question/op_kernel/<snake>.cpp`: a sampler's starting point. */
  hostTemplate: SourceFile,
  kernelTemplate: SourceFile,
  cases: z.array(TaskCase).min(1),
  /**
   * Columns of `test_cases.csv` in the file's order, which a stored record does not preserve; requests show this order.
   * Absent in older records.
   */
  columns: z.array(z.string()).optional(),
  reference: Reference,
  /** A verified implementation (`answer/0`), when the task has one. Never shown in a prompt. */
  answer: z.array(SourceFile),
})
export type OperatorTask = z.infer<typeof OperatorTask>

/** The module that defines a task's outputs, if there is one. */
export function modulePath({name, reference}: Pick<OperatorTask, 'name' | 'reference'>): string {
  if (reference.kind !== 'answer') return reference.path
  throw new TypeError(`${name} has no reference module: its own answer defines its outputs`)
}

/** An OpDef attribute's value. */
export type AttributeValue = boolean | number | string | readonly number[]

/** One call of an operator, ready to run: inputs and attributes in OpDef order, and what comes out. */
export interface OperatorCase {
  id: string
  inputs: readonly Tensor[]
  attributes: Readonly<Record<string, AttributeValue>>
  /** An output that carries an input's name is that input, written in place. */
  outputs: readonly OutputSpec[]
}

/** `cleared`: the caller passes the output filled with zeros, which the operator may rely on. */
export type OutputSpec = TensorSpec & {cleared?: boolean}

/**
 * A case as passed to a reference. All numbers are doubles; the harness has already rounded inputs to their dtype and
 * rounds expected outputs itself. Integers up to 2^53 are exact.
 */
export interface ReferenceInputs {
  /** By OpDef name, row-major. */
  [name: string]: Float64Array
}

/** What `validation/reference.ts` of a task default-exports: the operator's definition, without PyTorch. */
export interface TaskReference {
  /** Shapes, dtypes and attributes of one CSV row, in OpDef order. */
  describe(row: TaskCase): {inputs: TensorSpec[]; outputs: TensorSpec[]; attributes?: Record<string, AttributeValue>}
  /** Ranges of input values for which the operator is defined, by input name; default [-10, 10] for floats. */
  domain?: Record<string, [number, number]>
  /** Expected outputs by name, in double precision. */
  compute(inputs: ReferenceInputs, row: TaskCase): Record<string, Float64Array | number[]>
  /** Absolute and relative tolerance by output dtype; default the benchmark's 1e-3 and 1e-3. */
  tolerance?: Partial<Record<string, {absolute: number; relative: number}>>
}
