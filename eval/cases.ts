import type {Candidate} from '../datasets/schema/candidate.ts'
import type {OperatorCase, TaskCase} from '../datasets/schema/task.ts'
import type {Dtype} from '../datasets/schema/tensor.ts'
import type {Comparison} from './compare.ts'
import type {InputFamily} from './reference/inputs.ts'

/**
 * Where the cases of a candidate come from and what says whether its outputs are right: a reference of ours in
 * TypeScript, a benchmark's own in PyTorch, or the task's own answer. The judge knows only this.
 */
export interface CaseSource {
  /** Rows that can be judged, in the file's order. */
  rows: readonly TaskCase[]
  /** dtype of every input and output of a row by OpDef name: one build serves all rows that agree on it. */
  dtypes(row: TaskCase): Record<string, Dtype>
  /** One call of the operator with inputs of a family; the same seed parts give the same inputs. */
  prepare(row: TaskCase, family: InputFamily, seed: readonly (string | number)[]): Promise<PreparedCase>
  /**
   * A row like this one with sizes that `test_cases.csv` does not have, accepted by the reference and by `prepare`.
   * It depends on the seed parts and the row. Undefined where there is none: its sizes do not follow from its cells, or
   * the reference refuses others.
   */
  fresh(row: TaskCase, seed: readonly (string | number)[]): Promise<TaskCase | undefined>
  /**
   * A row like this one whose tensors have at least so many bytes together, and not twice as many, by one size that
   * grew. Undefined where the reference takes none.
   */
  grown?(row: TaskCase, bytes: number): Promise<TaskCase | undefined>
  /** Rows of the same tensors and other cells, where values hang on cells: those of the table, one cell at a time. */
  alike?(row: TaskCase): AsyncIterable<TaskCase>
  /** Gives back what it keeps open; nothing is asked of it any more. */
  close?(): Promise<void>
}

export interface PreparedCase {
  operatorCase: OperatorCase
  /**
   * Compares what the candidate left in its outputs. The expected values come into being here, after the candidate ran.
   * Other outputs may be compared after them. `right`: what each output should hold is told too.
   */
  compare(outputs: readonly Uint8Array[], rules: {literal: boolean; right?: boolean}): Promise<CaseComparison>
  /** Ends the case when nothing is to be compared. */
  discard(): Promise<void>
}

export interface RuleFinding {
  ok: boolean
  /** The output that fails; '' when none does. */
  output: string
  /** Where it fails and by how much; '' when it does not. */
  reason: string
  /** The element that the reason names. */
  worst?: Comparison['worst']
  /** Worst errors over all outputs, null next to a value that is not finite. */
  worstAbsolute: number | null
  worstRelative: number | null
}

export interface CaseComparison {
  /** By the task's own rule; only when it was asked for. */
  literal?: RuleFinding
  /** By our rule. */
  hardened: RuleFinding
  /** What was compared, as bytes. */
  seen: readonly Uint8Array[]
  expected: readonly Uint8Array[]
  /** What each output should hold, where that is known and is not `expected` itself; only when it was asked for. */
  right?: readonly (Uint8Array | undefined)[]
  /** Some expected value is NaN: there the poison of an unwritten output looks right. */
  expectsNaN: boolean
}

/** Opens the cases of a candidate; rows that cannot be judged are told to `skip`. */
export type OpenCases = (
  candidate: Candidate,
  rows: readonly TaskCase[],
  skip: (row: TaskCase, reason: string, detail: string) => void,
) => Promise<CaseSource>
