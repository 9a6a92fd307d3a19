import type {Build, Execution, Executor} from '../datasets/schema/executor.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {CaseResult, Violation} from '../datasets/schema/verdict.ts'
import type {CaseComparison, CaseSource, RuleFinding} from './cases.ts'
import type {RunEvidence} from './integrity.ts'
import type {InputFamily} from './reference/inputs.ts'
import {largest} from './reference/typescript-cases.ts'
import {caseId} from './reference/typescript.ts'

interface CasePlan {
  executor: Executor
  build: Build
  source: CaseSource
  row: TaskCase
  /**
   * Families of the hardened runs; the literal run draws `normal`, as the benchmark does, and is checked by both rules.
   */
  families: readonly InputFamily[]
  /** Parts that seed the inputs. */
  seed: readonly (string | number)[]
  /** The literal run goes past broken rules where the device would. */
  tolerant: boolean
  signal?: AbortSignal | undefined
}

export type Stopped = Exclude<Execution, {outcome: 'ran'}>

export interface CaseFinding {
  result: CaseResult
  evidence: RunEvidence[]
  /** Why the hardened check was not carried through, though the literal run came to its end. */
  stopped?: Stopped
}

/**
 * Judges one row of `test_cases.csv`: once as the benchmark does, then with other inputs, outputs poisoned with NaN
 * patterns and blocks in reverse order. Every run is a process of its own, so nothing is carried from one to the next;
 * a write to an input is refused by the executor itself. Answers early when a run did not come to its end; a tolerant
 * plan still tells then what the literal rule says.
 */
export async function runCase(plan: CasePlan): Promise<CaseFinding | Stopped> {
  const evidence: RunEvidence[] = []
  const findings: {family: InputFamily; finding: RuleFinding}[] = []
  // Fresh device memory is mostly zero: what the benchmark's `torch.empty` outputs hold when nothing is written to
  // them.
  const first = await runOnce(plan, 'normal', {
    poison: 'zero',
    order: 'forward',
    literal: true,
    ...(plan.tolerant && {tolerant: true}),
  })
  if ('outcome' in first) return first
  evidence.push(first.evidence)
  const literal = first.comparison.literal ?? first.comparison.hardened
  const hardened: RuleFinding[] = []
  const harden = ({comparison}: FinishedRun, family: InputFamily) => {
    hardened.push(comparison.hardened)
    findings.push({family, finding: comparison.hardened})
    return comparison.hardened.ok
  }
  findings.push({family: 'normal', finding: literal})
  const refused = (stopped: Stopped): CaseFinding | Stopped =>
    plan.tolerant ? {result: stoppedResult(caseId(plan.row), stopped, literal.ok), evidence, stopped} : stopped
  if (first.tolerated) return refused({outcome: 'violated', violation: first.tolerated})
  let holds = harden(first, 'normal')
  for (const [index, family] of plan.families.entries()) {
    // A refuted pass by the literal rule gets a second run: whether the output was computed at all shows only in
    // comparison.
    if (!holds && (!literal.ok || evidence.length > 1)) break
    const order = index % 2 === 0 ? 'reverse' : 'forward'
    const run = await runOnce(plan, family, {poison: 'nan', order})
    if ('outcome' in run) return refused(run)
    evidence.push(run.evidence)
    holds = harden(run, family) && holds
    if (!holds || !run.comparison.expectsNaN) continue
    // Where NaN is expected, the poison looks right; other poison tells.
    const again = await runOnce(plan, family, {poison: 'zero', order})
    if ('outcome' in again) return refused(again)
    holds = harden(again, family) && holds
  }
  const result: CaseResult = {
    case: caseId(plan.row),
    literal: literal.ok,
    hardened: holds,
    worstAbsolute: largest(hardened.map(({worstAbsolute}) => worstAbsolute)),
    worstRelative: largest(hardened.map(({worstRelative}) => worstRelative)),
    reason: firstReason(findings),
  }
  return {result, evidence}
}

/** The result of a case whose hardened check did not come to its end. */
export function stoppedResult(id: string, stopped: Stopped, literal = false): CaseResult {
  return {case: id, literal, hardened: false, worstAbsolute: null, worstRelative: null, reason: describeStop(stopped)}
}

function describeStop(stopped: Stopped): string {
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
  {executor, build, source, row, seed, signal}: CasePlan,
  family: InputFamily,
  {literal = false, ...how}: RunOptions,
): Promise<FinishedRun | Stopped> {
  const prepared = await source.prepare(row, family, seed)
  try {
    const execution = await executor.execute(build, prepared.operatorCase, how, signal)
    if (execution.outcome !== 'ran') return execution
    const comparison = await prepared.compare(execution.outputs, {literal})
    const inputs = prepared.operatorCase.inputs.map(({data}) => data)
    return {
      comparison,
      evidence: {inputs, outputs: comparison.seen, expected: comparison.expected},
      tolerated: execution.tolerated,
    }
  } finally {
    await prepared.discard()
  }
}

function firstReason(findings: readonly {family: InputFamily; finding: RuleFinding}[]): string {
  const failed = findings.find(({finding}) => !finding.ok)
  return failed ? `${failed.finding.output}, ${failed.family} inputs: ${failed.finding.reason}` : ''
}
