import type {Build, Execution, Executor} from '../datasets/schema/executor.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {CaseFault, CaseResult, Violation} from '../datasets/schema/verdict.ts'
import type {CaseComparison, CaseSource, RuleFinding} from './cases.ts'
import type {RunEvidence} from './integrity.ts'
import type {InputFamily} from './reference/inputs.ts'
import {largest} from './reference/compare-outputs.ts'
import {caseId} from './reference/typescript.ts'

/** One hardened run: the family of its inputs, and the row itself or one with other sizes. */
export interface Trial {
  family: InputFamily
  row: TaskCase
  /** Number of the draw within a family; absent for the first. */
  draw?: number
}

/** The parts that seed the inputs of a trial. */
export function seedOf(seed: readonly (string | number)[], {draw}: Trial): readonly (string | number)[] {
  return draw === undefined ? seed : [...seed, draw]
}

export interface CasePlan {
  executor: Executor
  build: Build
  source: CaseSource
  row: TaskCase
  /** The hardened runs; the literal run uses `normal`, like the benchmark, and is checked by both rules. */
  trials: readonly Trial[]
  /** Parts that seed the inputs. */
  seed: readonly (string | number)[]
  /** The literal run continues after broken rules that the device tolerates. */
  tolerant: boolean
  signal?: AbortSignal | undefined
}

export type Stopped = Exclude<Execution, {outcome: 'ran'}>

export interface CaseFinding {
  result: CaseResult
  evidence: RunEvidence[]
  /** Why the hardened check was not completed, although the literal run finished. */
  stopped?: Stopped
}

/**
 * Judges one row of `test_cases.csv`: once as the benchmark does, then with other inputs and other sizes, outputs
 * poisoned with NaN patterns and blocks in reverse order. Every run is a separate process, so no state is carried over;
 * the executor itself refuses writes to inputs. Returns early when a run did not finish; a tolerant plan still reports
 * the literal result.
 */
export async function runCase(plan: CasePlan): Promise<CaseFinding | Stopped> {
  const first = await runLiteral(plan)
  if ('outcome' in first) return first
  const {literal} = first
  const evidence = [first.evidence]
  const refused = (stopped: Stopped): CaseFinding | Stopped =>
    plan.tolerant ? {result: stoppedResult(caseId(plan.row), stopped, literal.ok), evidence, stopped} : stopped
  if (first.tolerated) return refused({outcome: 'violated', violation: first.tolerated})
  const hardened = [first.hardened]
  for (const [index, trial] of plan.trials.entries()) {
    // A refuted pass by the literal rule gets a second run: whether the output was computed at all shows only in
    // comparison.
    if (!hardened.every(({ok}) => ok) && (!literal.ok || evidence.length > 1)) break
    const run = await runHardened(plan, trial, index)
    if ('outcome' in run) return refused(run)
    evidence.push(run.evidence)
    hardened.push(...run.findings)
  }
  return {result: caseResult(plan.row, literal, hardened), evidence}
}

/** The result of a row whose runs all finished. */
export function caseResult(row: TaskCase, literal: PlacedFinding, hardened: readonly PlacedFinding[]): CaseResult {
  const failed = [literal, ...hardened].find(({ok}) => !ok)
  const fault = failed && faultOf(failed)
  return {
    case: caseId(row),
    literal: literal.ok,
    hardened: hardened.every(({ok}) => ok),
    worstAbsolute: largest(hardened.map(({worstAbsolute}) => worstAbsolute)),
    worstRelative: largest(hardened.map(({worstRelative}) => worstRelative)),
    reason: failed?.reason ?? '',
    ...(fault && {fault}),
  }
}

/** A finding with its size. */
interface PlacedFinding extends RuleFinding {
  otherSize?: true
}

function faultOf({output, worst, otherSize}: PlacedFinding): CaseFault | undefined {
  if (!worst) return undefined
  const told = (value: number) => (Number.isFinite(value) ? value : String(value))
  const {index, seen, expected} = worst
  const place = {output, index, ...(otherSize && {otherSize})}
  return {kind: 'element', ...place, seen: told(seen), expected: told(expected)}
}

interface LiteralRun {
  literal: PlacedFinding
  hardened: PlacedFinding
  evidence: RunEvidence
  tolerated: Violation | undefined
}

/** One run like the benchmark's, checked by both rules. */
export async function runLiteral(plan: CasePlan): Promise<LiteralRun | Stopped> {
  const trial: Trial = {family: 'normal', row: plan.row}
  // Fresh device memory is mostly zero: what the benchmark's `torch.empty` outputs hold when nothing is written to
  // them.
  const run = await runOnce(plan, trial, {
    poison: 'zero',
    order: 'forward',
    literal: true,
    ...(plan.tolerant && {tolerant: true}),
  })
  if ('outcome' in run) return run
  const {comparison, evidence, tolerated} = run
  const hardened = placed(comparison.hardened, trial, plan.row)
  return {literal: placed(comparison.literal ?? comparison.hardened, trial, plan.row), hardened, evidence, tolerated}
}

/** One hardened run, or two if the first cannot show what was written. */
export async function runHardened(
  plan: CasePlan,
  trial: Trial,
  index: number,
): Promise<{findings: PlacedFinding[]; evidence: RunEvidence} | Stopped> {
  const order = index % 2 === 0 ? 'reverse' : 'forward'
  const run = await runOnce(plan, trial, {poison: 'nan', order})
  if ('outcome' in run) return withSize(run, trial, plan.row)
  const findings = [placed(run.comparison.hardened, trial, plan.row)]
  if (run.comparison.hardened.ok && run.comparison.expectsNaN) {
    // If NaN is expected, the poison looks correct; other poison reveals it.
    const again = await runOnce(plan, trial, {poison: 'zero', order})
    if ('outcome' in again) return withSize(again, trial, plan.row)
    findings.push(placed(again.comparison.hardened, trial, plan.row))
  }
  return {findings, evidence: run.evidence}
}

/** A finding whose reason names its run. */
function placed(finding: RuleFinding, {family, row}: Trial, own: TaskCase): PlacedFinding {
  if (finding.ok) return finding
  const size = sizeOf(row, own)
  const reason = `${finding.output}, ${family} inputs${size}: ${finding.reason}`
  return {...finding, reason, ...(size !== '' && {otherSize: true as const})}
}

/** ` of another size (shape [3, 7])`; nothing for the row's own size. */
function sizeOf(row: TaskCase, own: TaskCase): string {
  const changed = Object.entries(row).filter(([column, cell]) => own[column] !== cell)
  return changed.length === 0
    ? ''
    : ` of another size (${changed.map(([column, cell]) => `${column} ${cell}`).join(', ')})`
}

/** Adds to a stop that its size is not in `test_cases.csv`. */
function withSize(stopped: Stopped, {row}: Trial, own: TaskCase): Stopped {
  const size = sizeOf(row, own)
  if (size === '') return stopped
  const note = `with inputs${size}`
  switch (stopped.outcome) {
    case 'launch-failed':
      return {...stopped, message: `${stopped.message} ${note}`}
    case 'violated':
      return {
        ...stopped,
        violation: {...stopped.violation, message: `${stopped.violation.message} ${note}`, otherSize: true},
      }
    case 'crashed':
      return {...stopped, log: `${note}\n${stopped.log}`}
    case 'timed-out':
      return stopped
  }
}

/** The result of a case whose hardened check did not finish. */
export function stoppedResult(id: string, stopped: Stopped, literal = false): CaseResult {
  const fault = stopped.outcome === 'violated' && {kind: 'rule' as const, rule: stopped.violation.rule}
  const [reason, worst] = [describeStop(stopped), {worstAbsolute: null, worstRelative: null}]
  return {case: id, literal, hardened: false, ...worst, reason, ...(fault && {fault})}
}

export function describeStop(stopped: Stopped): string {
  switch (stopped.outcome) {
    case 'launch-failed':
      return `launch failed: ${stopped.message}`
    case 'violated':
      return `${stopped.violation.rule} in ${stopped.violation.api}: ${stopped.violation.message}`
    case 'crashed':
      return `crashed: ${stopped.cause}`
    case 'timed-out':
      return `not done after ${stopped.limitSeconds} s`
  }
}

interface FinishedRun {
  comparison: CaseComparison
  evidence: RunEvidence
  tolerated: Violation | undefined
}

interface RunOptions {
  poison: 'nan' | 'zero'
  order: 'forward' | 'reverse'
  literal?: boolean
  tolerant?: boolean
}

async function runOnce(
  {executor, build, source, seed, signal}: CasePlan,
  trial: Trial,
  {literal = false, ...how}: RunOptions,
): Promise<FinishedRun | Stopped> {
  const prepared = await source.prepare(trial.row, trial.family, seedOf(seed, trial))
  try {
    const execution = await executor.execute(build, prepared.operatorCase, how, signal)
    if (execution.outcome !== 'ran') return execution
    const comparison = await prepared.compare(execution.outputs, {literal})
    const inputs = prepared.operatorCase.inputs.map(({data}) => data)
    return {
      comparison,
      evidence: {inputs, outputs: comparison.seen, expected: comparison.expected, trace: execution.trace},
      tolerated: execution.tolerated,
    }
  } finally {
    await prepared.discard()
  }
}
