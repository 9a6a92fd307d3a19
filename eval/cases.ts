import type {Candidate} from '../datasets/schema/candidate.ts'
import type {OperatorCase, TaskCase} from '../datasets/schema/task.ts'
import type {Dtype} from '../datasets/schema/tensor.ts'
import type {Comparison} from './compare.ts'
import type {InputFamily} from './reference/inputs.ts'

/**
 * The source of a candidate's cases and expected outputs: our own reference in TypeScript, a benchmark's own in
 * PyTorch, or the task's own answer. The judge knows only this.
 */
export interface CaseSource {
  /** Rows that can be judged, in file order. */
  rows: readonly TaskCase[]
  /** dtype of every input and output of a row by OpDef name: rows that agree share one build. */
  dtypes(row: TaskCase): Record<string, Dtype>
  /** One call of the operator with inputs of a family; the same seed parts give the same inputs. */
  prepare(row: TaskCase, family: InputFamily, seed: readonly (string | number)[]): Promise<PreparedCase>
  /**
   * A row like this one with sizes that are not in `test_cases.csv`, accepted by the reference and by `prepare`. It
   * depends on the seed parts and the row. Undefined if there is none: its sizes do not follow from its cells, or the
   * reference refuses others.
   */
  fresh(row: TaskCase, seed: readonly (string | number)[]): Promise<TaskCase | undefined>
  /**
   * A row like this one whose tensors have at least this many bytes in all, and less than twice as many, with one size
   * increased. Undefined if the reference accepts none.
   */
  grown?(row: TaskCase, bytes: number): Promise<TaskCase | undefined>
  /** Rows with the same tensors and other cells, if values depend on cells: those of the table, one cell at a time. */
  alike?(row: TaskCase): AsyncIterable<TaskCase>
  /** Releases its resources; it must not be used afterwards. */
  close?(): Promise<void>
}

export interface PreparedCase {
  operatorCase: OperatorCase
  /**
   * Compares what the candidate left in its outputs. The expected values are computed here, after the candidate ran.
   * Other outputs may be compared later. `right`: also returns the expected values.
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
  /** The element in the reason. */
  worst?: Comparison['worst']
  /** The first element that fails, where the source tells it. */
  first?: Comparison['first']
  /** Worst errors over all outputs, null next to a value that is not finite. */
  worstAbsolute: number | null
  worstRelative: number | null
}

export interface CaseComparison {
  /** By the task's own rule; only if requested. */
  literal?: RuleFinding
  /** By our rule. */
  hardened: RuleFinding
  /** Compared values, as bytes. */
  seen: readonly Uint8Array[]
  expected: readonly Uint8Array[]
  /** Expected content of each output, if known and different from `expected`; only if requested. */
  right?: readonly (Uint8Array | undefined)[]
  /** Whether an expected value is NaN: then the poison of an unwritten output looks correct. */
  expectsNaN: boolean
}

/** Opens the cases of a candidate; rows that cannot be judged are reported to `skip`. */
export type OpenCases = (
  candidate: Candidate,
  rows: readonly TaskCase[],
  skip: (row: TaskCase, reason: string, detail: string) => void,
) => Promise<CaseSource>
