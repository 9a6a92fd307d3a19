import type {Build, Execution, Executor} from '../datasets/schema/executor.ts'
import type {OperatorCase, TaskCase, TaskReference} from '../datasets/schema/task.ts'
import type {TensorSpec} from '../datasets/schema/tensor.ts'
import type {CaseResult} from '../datasets/schema/verdict.ts'
import {benchmarkTolerance, compareHardened, compareLiteral, type Comparison} from './compare.ts'
import type {RunEvidence} from './integrity.ts'
import {decode, encode} from './reference/dtype.ts'
import type {InputFamily} from './reference/inputs.ts'
import {caseId, expectedOutputs, holdsNaN, prepareCase} from './reference/typescript.ts'

export interface CasePlan {
  executor: Executor
  build: Build
  reference: TaskReference
  row: TaskCase
  /** Families of the hardened runs; the literal run draws `normal`, as the benchmark does, and is checked by both rules. */
  families: readonly InputFamily[]
  /** Parts that seed the inputs. */
  seed: readonly (string | number)[]
  signal?: AbortSignal | undefined
}

export type Stopped = Exclude<Execution, {outcome: 'ran'}>

export interface CaseFinding {
  result: CaseResult
  evidence: RunEvidence[]
}

interface Errors {
  absolute: number | null
  relative: number | null
}

/**
 * Judges one row of `test_cases.csv`: once as the benchmark does, then with other inputs, outputs poisoned with NaN patterns
 * and blocks in reverse order. Every run is a process of its own, so nothing is carried from one to the next; a write to an
 * input is refused by the executor itself. Answers early when a run did not come to its end.
 */
export async function runCase(plan: CasePlan): Promise<CaseFinding | Stopped> {
  const {row, reference} = plan
  const evidence: RunEvidence[] = []
  const errors: Errors = {absolute: 0, relative: 0}
  // Fresh device memory is mostly zero: what the benchmark's `torch.empty` outputs hold when nothing is written to them.
  const first = await runOnce(plan, 'normal', {poison: 'zero', order: 'forward'})
  if ('outcome' in first) return first
  evidence.push(first.evidence)
  const literal = first.outputs.map(({spec, expected, bytes}) => compareLiteral(expected, decode(bytes, spec.dtype), reference.tolerance?.[spec.dtype] ?? benchmarkTolerance))
  const literalPass = literal.every(({ok}) => ok)
  let reason = firstReason(first.outputs, literal, 'normal')
  let hardened = true
  const harden = (run: FinishedRun, family: InputFamily) => {
    const comparisons = run.outputs.map(({spec, expected, bytes}) => compareHardened(spec, expected, bytes, reference.tolerance?.[spec.dtype]))
    for (const comparison of comparisons) keepWorst(errors, comparison)
    reason ||= firstReason(run.outputs, comparisons, family)
    hardened &&= comparisons.every(({ok}) => ok)
  }
  harden(first, 'normal')
  for (const [index, family] of plan.families.entries()) {
    // A refuted pass by the literal rule gets a second run: whether the output was computed at all shows only in comparison.
    if (!hardened && (!literalPass || evidence.length > 1)) break
    const order = index % 2 === 0 ? 'reverse' : 'forward'
    const run = await runOnce(plan, family, {poison: 'nan', order})
    if ('outcome' in run) return run
    evidence.push(run.evidence)
    harden(run, family)
    if (!hardened || !holdsNaN(run.outputs.map(({expected}) => expected))) continue
    // Where NaN is expected, the poison looks right; other poison tells.
    const again = await runOnce(plan, family, {poison: 'zero', order})
    if ('outcome' in again) return again
    harden(again, family)
  }
  const result: CaseResult = {
    case: caseId(row), literal: literalPass, hardened, worstAbsolute: errors.absolute, worstRelative: errors.relative, reason,
  }
  return {result, evidence}
}

interface JudgedOutput {
  spec: TensorSpec
  bytes: Uint8Array
  expected: Float64Array
}

interface FinishedRun {
  outputs: JudgedOutput[]
  evidence: RunEvidence
}

async function runOnce(plan: CasePlan, family: InputFamily, options: {poison: 'nan' | 'zero'; order: 'forward' | 'reverse'}): Promise<FinishedRun | Stopped> {
  const {executor, build, reference, row, signal} = plan
  const operatorCase = prepareCase(reference, row, family, plan.seed)
  const execution = await executor.execute(build, operatorCase, options, signal)
  if (execution.outcome !== 'ran') return execution
  const outputs = pairOutputs(operatorCase, execution.outputs, expectedOutputs(reference, row, operatorCase))
  return {
    outputs,
    evidence: {
      inputs: operatorCase.inputs.map(({data}) => data),
      outputs: outputs.map(({bytes}) => bytes),
      expected: outputs.map(({spec, expected}) => encode(expected, spec.dtype)),
    },
  }
}

/** An executor that gives too few outputs is met by empty bytes, which no comparison of a non-empty tensor accepts. */
function pairOutputs(operatorCase: OperatorCase, outputs: readonly Uint8Array[], expected: readonly Float64Array[]): JudgedOutput[] {
  return operatorCase.outputs.map((spec, index) => ({spec, bytes: outputs[index] ?? new Uint8Array(), expected: expected[index] ?? new Float64Array()}))
}

function firstReason(outputs: readonly JudgedOutput[], comparisons: readonly Comparison[], family: InputFamily): string {
  const index = comparisons.findIndex(({ok}) => !ok)
  if (index < 0) return ''
  return `${outputs[index]?.spec.name}, ${family} inputs: ${comparisons[index]?.reason}`
}

/** null, once seen, stays: an error next to NaN has no size. */
function keepWorst(errors: Errors, {worstAbsolute, worstRelative}: Comparison): void {
  errors.absolute = errors.absolute === null || worstAbsolute === null ? null : Math.max(errors.absolute, worstAbsolute)
  errors.relative = errors.relative === null || worstRelative === null ? null : Math.max(errors.relative, worstRelative)
}
