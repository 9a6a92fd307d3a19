import type {OperatorCase, TaskCase, TaskReference} from '../../datasets/schema/task.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {randomFrom} from '../../engine/random.ts'
import type {CaseComparison, CaseSource, OpenCases, RuleFinding} from '../cases.ts'
import {benchmarkTolerance, compareHardened, compareLiteral, type Comparison} from '../compare.ts'
import {freshRows, isSameRegime, type CallShape} from '../fresh-row.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import {caseDtypes, caseId, describeCase, expectedOutputs, holdsNaN, loadReference, prepareCase} from './typescript.ts'

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
    fresh: (row, seed) => Promise.resolve(freshRow(reference, row, {table: candidate.task.cases, seed})),
  }
}

/** The first row of other sizes that the reference describes as a call of the same regime, and computes. */
function freshRow(
  reference: TaskReference,
  row: TaskCase,
  {table, seed}: {table: readonly TaskCase[]; seed: readonly (string | number)[]},
): TaskCase | undefined {
  const before = callShape(reference, row)
  const random = randomFrom(...seed, caseId(row), 'sizes')
  for (const {row: other, sizes} of freshRows(row, {call: before, table, random})) {
    try {
      if (!isSameRegime(before, callShape(reference, other), sizes)) continue
      expectedOutputs(reference, other, prepareCase(reference, other, 'normal', [...seed, 'trial']))
      return other
    } catch (error) {
      // A reference may refuse a size, or not come out even with it; then another row is tried.
      if (!(error instanceof PipelineError)) throw error
    }
  }
  return undefined
}

function callShape(reference: TaskReference, row: TaskCase): CallShape {
  const {inputs, outputs, attributes = {}} = describeCase(reference, row)
  return {tensors: [...inputs, ...outputs], values: attributes}
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
