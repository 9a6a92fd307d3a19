import type {Candidate} from '../../datasets/schema/candidate.ts'
import {labelOf} from '../../datasets/schema/label.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {asFileError} from '../../engine/files.ts'
import {ownAnswer} from '../candidates/answers.ts'
import {classifyVerdict} from '../taxonomy.ts'
import type {Desk, Told} from './desk.ts'
import {evidenceOf, stagesOf} from './evidence.ts'
import type {Read} from './reading.ts'
import {rewardOf, type RewardRule} from './reward.ts'
import type {ScoredItem} from './score-wire.ts'
import type {Priority} from './waiting-line.ts'

/** The response for one completion; the caller adds its id. */
export type Assessment = Omit<ScoredItem, 'id' | 'wall_ms'>

export interface Asking {
  seed: string
  priority: Priority
  anew: boolean
  signal?: AbortSignal
}

/** Judges a parsed completion. Tool failures and time-outs are reported as such. */
export async function assess(desk: Desk, rule: RewardRule, read: Read, asking: Asking): Promise<Assessment> {
  if (!read.ok) return unreadable(read.problem, rule)
  const {candidate} = read
  try {
    const told = await desk.ask({candidate, ...asking})
    const {finding} = told
    if (finding.state === 'unfit') return unknown('infra_error', finding.reason, finding.detail, told)
    if (finding.verdict.outcome === 'not-covered')
      return {...judged(finding.verdict, told, null), label: 'not_covered', error_class: null}
    const times = await timesOf(desk, rule, candidate.task, finding, asking)
    return {
      ...judged(finding.verdict, told, finding.microseconds ?? null),
      reward: rewardOf(finding.verdict, rule, times) ?? null,
    }
  } catch (error) {
    if (asking.signal?.aborted) return nobodyWaits(asking.signal)
    return failed(asFileError(error))
  }
}

/** A failure affects one completion: the others of its request are still judged. */
function failed(error: unknown): Assessment {
  if (error instanceof PipelineError) return unknown('infra_error', error.code, `${error.message} ${error.fix}`)
  // It may quote a path: only the service's operator may see it.
  process.emitWarning(error instanceof Error ? error : String(error))
  return unknown('infra_error', 'internal', 'Internal error; the candidate was not judged. Send it again.')
}

/** A reward for speed compares with the task's own answer, which is judged once for each seed. */
async function timesOf(
  desk: Desk,
  {speed}: RewardRule,
  task: OperatorTask,
  {microseconds}: {microseconds?: number},
  asking: Asking,
): Promise<{candidate: number; answer: number} | undefined> {
  if (speed === 0 || microseconds === undefined || task.answer.length === 0) return undefined
  const candidate: Candidate = ownAnswer(task)
  const {finding} = await desk.ask({...asking, candidate, anew: false})
  if (finding.state !== 'judged' || finding.microseconds === undefined) return undefined
  return {candidate: microseconds, answer: finding.microseconds}
}

function judged(verdict: Verdict, {cached}: Told, microseconds: number | null): Assessment {
  const worst = 'cases' in verdict ? (verdict.cases ?? []).map(({worstAbsolute}) => worstAbsolute ?? 0) : []
  return {
    label: labelOf(verdict) ?? 'infra_error',
    reward: null,
    stages: stagesOf(verdict),
    decoy: verdict.outcome === 'cheated',
    error_class: classifyVerdict(verdict)?.class ?? null,
    evidence: evidenceOf(verdict),
    metrics: {max_abs_err: worst.length > 0 ? finite(Math.max(...worst)) : null, modelled_us: microseconds},
    cached,
  }
}

/** JSON has no infinity, and an infinite error is not a size. */
const finite = (value: number) => (Number.isFinite(value) ? value : null)

const nothingKnown = {
  stages: {extract: 'passed', compile: 'skipped', run: 'skipped', verify: 'skipped'},
  decoy: false,
  metrics: {max_abs_err: null, modelled_us: null},
  cached: 'no',
} as const

/** The time is up, or the client has disconnected and gets no answer. */
function nobodyWaits({reason}: AbortSignal): Assessment {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? unknown('infra_error', 'deadline', 'it was not judged in the given time')
    : unknown('infra_error', 'client-left', 'the client has disconnected')
}

function unreadable(problem: string, rule: RewardRule): Assessment {
  return {
    ...nothingKnown,
    label: 'invalid',
    reward: rule.unreadable,
    stages: {...nothingKnown.stages, extract: 'failed'},
    error_class: null,
    evidence: {outcome: 'unreadable', message: problem},
  }
}

function unknown(label: 'infra_error', outcome: string, message: string, told?: Told): Assessment {
  return {
    ...nothingKnown,
    label,
    reward: null,
    error_class: null,
    evidence: {outcome, message},
    cached: told?.cached ?? 'no',
  }
}
