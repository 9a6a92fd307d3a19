import type {RunTrace} from '../../datasets/schema/executor.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'

/** One run of an operator, with the case that it was given: figures mean nothing without its shapes. */
export interface ObservedRun {
  inputs: readonly TensorSpec[]
  trace: RunTrace
}
