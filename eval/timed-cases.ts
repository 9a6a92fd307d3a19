import type {Executor, MeasuredRun} from '../datasets/schema/executor.ts'
import type {OperatorTask, TaskCase} from '../datasets/schema/task.ts'
import type {CaseResult, CaseTime, Verdict} from '../datasets/schema/verdict.ts'
import {PipelineError} from '../engine/errors.ts'
import {withBuilds, type BuiltGroup} from './builds.ts'
import {ownAnswer} from './candidates/answers.ts'
import type {CaseSource, OpenCases} from './cases.ts'
import {caseId} from './reference/typescript.ts'
import type {Stopped} from './run-case.ts'

interface Timing {
  executor: Executor
  source: CaseSource
  seed: readonly (string | number)[]
  signal: AbortSignal
}

type Measure = NonNullable<Executor['measure']>

/** Microseconds that the task's own answer takes for a row; undefined where it has none. */
export type AnswerTime = (row: TaskCase) => Promise<number | undefined>

/**
 * A correct verdict with the time of each case. Outputs of the last timed launch are compared again: what is wrong
 * there kept results, or depended on the first addresses of its tensors.
 */
export async function withTimes(
  verdict: Verdict,
  groups: readonly BuiltGroup[],
  timing: Timing,
  answerTime: AnswerTime,
): Promise<Verdict> {
  const {executor} = timing
  const measure = executor.measure?.bind(executor)
  if (verdict.outcome !== 'correct' || !measure) return verdict
  const cases = new Map(verdict.cases.map((result) => [result.case, result]))
  for (const {build, rows} of groups) {
    for (const row of rows) {
      const result = cases.get(caseId(row))
      if (!result) continue
      const timed = await timeRow(row, {...timing, measure, build})
      if ('outcome' in timed) return {...timed, case: caseId(row), executor: executor.identity}
      if (timed.reason !== '') {
        cases.set(caseId(row), {...result, hardened: false, reason: `after timing, ${timed.reason}`})
        return {outcome: 'mismatched', cases: [...cases.values()], executor: executor.identity}
      }
      const answer = await answerTime(row)
      cases.set(caseId(row), {...result, time: {...timed.time, ...(answer !== undefined && {answer})}})
    }
  }
  return {...verdict, cases: [...cases.values()]}
}

interface TimedRow {
  /** Why the outputs are wrong after all; '' when they are not. */
  reason: string
  time: CaseTime
}

async function timeRow(
  row: TaskCase,
  {source, seed, signal, measure, build}: Timing & {measure: Measure; build: BuiltGroup['build']},
): Promise<TimedRow | Stopped> {
  const prepared = await source.prepare(row, 'normal', seed)
  try {
    const run = await measure(build, prepared.operatorCase, signal)
    if ('outcome' in run) return run
    const {hardened} = await prepared.compare(run.outputs, {literal: false})
    return {reason: hardened.ok ? '' : `${hardened.output}: ${hardened.reason}`, time: timeOf(run)}
  } finally {
    await prepared.discard()
  }
}

const timeOf = ({microseconds, spread, repeats}: MeasuredRun): CaseTime => ({microseconds, spread, repeats})

/**
 * Times the task's own answer as its candidates are timed.
 * @throws PipelineError `executor-failed` if it does not finish: it was correct before
 */
export async function timeAnswer(
  task: OperatorTask,
  row: TaskCase,
  {source: _, ...timing}: Timing,
  open: OpenCases,
): Promise<number | undefined> {
  const source = await open(ownAnswer(task), [row], () => undefined)
  let found: CaseResult['time']
  try {
    const verdict = await withBuilds({operator: task.name, files: task.answer}, {...timing, source}, async (groups) => {
      const plain: Verdict = {outcome: 'correct', cases: [untimed(row)], executor: timing.executor.identity}
      const timed = await withTimes(plain, groups, {...timing, source}, () => Promise.resolve(undefined))
      found = timed.outcome === 'correct' ? timed.cases[0]?.time : undefined
      return timed
    })
    if (found) return found.microseconds
    throw new PipelineError('executor-failed', `${task.name}: its own answer is ${verdict.outcome} when it is timed.`, {
      fix: 'Look at the boards (`npu-smi info`), then run `ascend-cot resume`.',
    })
  } finally {
    await source.close?.()
  }
}

function untimed(row: TaskCase): CaseResult {
  const exact = {worstAbsolute: 0, worstRelative: 0, reason: ''}
  return {case: caseId(row), literal: true, hardened: true, ...exact}
}
