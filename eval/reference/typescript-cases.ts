import type {OperatorCase, TaskCase, TaskReference} from '../../datasets/schema/task.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import type {CaseComparison, CaseSource, OpenCases, RuleFinding} from '../cases.ts'
import {benchmarkTolerance, compareHardened, compareLiteral, type Comparison} from '../compare.ts'
import {decode, encode} from './dtype.ts'
import {caseDtypes, describeCase, expectedOutputs, holdsNaN, loadReference, prepareCase} from './typescript.ts'

/** Cases of a task whose reference is `validation/reference.ts`. Every row can be judged. */
export const openTypescriptCases: OpenCases = async (candidate, rows): Promise<CaseSource> => {
  const reference = await loadReference(candidate.task.reference.path)
  return {
    rows,
    dtypes: (row) => caseDtypes(describeCase(reference, row)),
    prepare: (row, family, seed) => {
      const operatorCase = prepareCase(reference, row, family, seed)
      return Promise.resolve({
        operatorCase,
        compare: (outputs, rules) => Promise.resolve(compareCase(reference, row, operatorCase, outputs, rules)),
        discard: () => Promise.resolve(),
      })
    },
  }
}

interface JudgedOutput {
  spec: TensorSpec
  bytes: Uint8Array
  expected: Float64Array
}

function compareCase(
  reference: TaskReference,
  row: TaskCase,
  operatorCase: OperatorCase,
  seen: readonly Uint8Array[],
  {literal}: {literal: boolean},
): CaseComparison {
  const outputs = pairOutputs(operatorCase, seen, expectedOutputs(reference, row, operatorCase))
  const byRule = (compare: (output: JudgedOutput) => Comparison) => conclude(outputs, outputs.map(compare))
  return {
    ...(literal
      ? {
          literal: byRule(({spec, expected, bytes}) =>
            compareLiteral(
              expected,
              decode(bytes, spec.dtype),
              reference.tolerance?.[spec.dtype] ?? benchmarkTolerance,
            ),
          ),
        }
      : {}),
    hardened: byRule(({spec, expected, bytes}) =>
      compareHardened(spec, expected, bytes, reference.tolerance?.[spec.dtype]),
    ),
    seen: outputs.map(({bytes}) => bytes),
    expected: outputs.map(({spec, expected}) => encode(expected, spec.dtype)),
    expectsNaN: holdsNaN(outputs.map(({expected}) => expected)),
  }
}

/** An executor that gives too few outputs is met by empty bytes, which no comparison of a non-empty tensor accepts. */
function pairOutputs(
  operatorCase: OperatorCase,
  seen: readonly Uint8Array[],
  expected: readonly Float64Array[],
): JudgedOutput[] {
  return operatorCase.outputs.map((spec, index) => ({
    spec,
    bytes: seen[index] ?? new Uint8Array(),
    expected: expected[index] ?? new Float64Array(),
  }))
}

function conclude(outputs: readonly JudgedOutput[], comparisons: readonly Comparison[]): RuleFinding {
  const failed = comparisons.findIndex(({ok}) => !ok)
  return {
    ok: failed < 0,
    output: outputs[failed]?.spec.name ?? '',
    reason: comparisons[failed]?.reason ?? '',
    worstAbsolute: largest(comparisons.map(({worstAbsolute}) => worstAbsolute)),
    worstRelative: largest(comparisons.map(({worstRelative}) => worstRelative)),
  }
}

/** null wins: an error next to NaN has no size. */
export function largest(errors: readonly (number | null)[]): number | null {
  return errors.reduce<number | null>(
    (most, error) => (most === null || error === null ? null : Math.max(most, error)),
    0,
  )
}
