import {decode, encode} from '../../datasets/dtype.ts'
import type {TaskReference} from '../../datasets/schema/task.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import type {CaseComparison, RuleFinding} from '../cases.ts'
import {benchmarkTolerance, compareHardened, compareLiteral, type Comparison} from '../compare.ts'
import {holdsNaN} from './typescript.ts'

interface Outputs {
  specs: readonly TensorSpec[]
  seen: readonly Uint8Array[]
  /** In double precision. */
  expected: readonly Float64Array[]
}

interface Rules {
  literal: boolean
  tolerance?: TaskReference['tolerance'] | undefined
}

interface JudgedOutput {
  spec: TensorSpec
  bytes: Uint8Array
  expected: Float64Array
}

/** A candidate's outputs next to the expected ones. */
export function compareOutputs(given: Outputs, {literal, tolerance}: Rules): CaseComparison {
  const outputs = paired(given)
  const byRule = (compare: (output: JudgedOutput) => Comparison) => conclude(outputs, outputs.map(compare))
  return {
    ...(literal
      ? {
          literal: byRule(({spec, expected, bytes}) =>
            compareLiteral(expected, decode(bytes, spec.dtype), tolerance?.[spec.dtype] ?? benchmarkTolerance),
          ),
        }
      : {}),
    hardened: byRule(({spec, expected, bytes}) => compareHardened(spec, expected, bytes, tolerance?.[spec.dtype])),
    seen: outputs.map(({bytes}) => bytes),
    expected: outputs.map(({spec, expected}) => encode(expected, spec.dtype)),
    expectsNaN: holdsNaN(outputs.map(({expected}) => expected)),
  }
}

/** Missing outputs are treated as empty bytes, which fail every comparison of a non-empty tensor. */
function paired({specs, seen, expected}: Outputs): JudgedOutput[] {
  return specs.map((spec, index) => ({
    spec,
    bytes: seen[index] ?? new Uint8Array(),
    expected: expected[index] ?? new Float64Array(),
  }))
}

function conclude(outputs: readonly JudgedOutput[], comparisons: readonly Comparison[]): RuleFinding {
  const failed = comparisons.findIndex(({ok}) => !ok)
  const {reason = '', worst, first} = comparisons[failed] ?? {}
  return {
    ok: failed < 0,
    output: outputs[failed]?.spec.name ?? '',
    reason,
    ...(worst && {worst}),
    ...(first && {first}),
    worstAbsolute: largest(comparisons.map(({worstAbsolute}) => worstAbsolute)),
    worstRelative: largest(comparisons.map(({worstRelative}) => worstRelative)),
  }
}

/** null wins: an error relative to NaN is undefined. */
export function largest(errors: readonly (number | null)[]): number | null {
  return errors.reduce<number | null>(
    (most, error) => (most === null || error === null ? null : Math.max(most, error)),
    0,
  )
}
