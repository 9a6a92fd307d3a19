import type {Canary} from '../datasets/schema/candidate.ts'
import type {Executor} from '../datasets/schema/executor.ts'
import type {OperatorTask, TaskCase} from '../datasets/schema/task.ts'
import type {CaseResult, Sizes, Verdict} from '../datasets/schema/verdict.ts'
import {PipelineError} from '../engine/errors.ts'
import {findSign, withBuilds, type BuiltGroup} from './builds.ts'
import {ownAnswer} from './candidates/answers.ts'
import type {CaseSource, OpenCases} from './cases.ts'
import {separate, type Separation} from './degenerate.ts'
import {isInteger} from '../datasets/dtype.ts'
import {UnfitAnswer} from './reference/answer-cases.ts'
import type {InputFamily} from './reference/inputs.ts'
import {caseId} from './reference/typescript.ts'
import {caseResult, describeStop, runHardened, runLiteral, type CasePlan, type Stopped, type Trial} from './run-case.ts'

/** How the candidates of one task are judged in addition to the literal run. */
export interface TaskPlan {
  canary: Canary
  /** By case id. */
  rows: ReadonlyMap<string, RowPlan>
  /** Result for the task's own answer, if it was judged: it need not be judged again. */
  verdict?: Verdict
}

interface RowPlan {
  trials: readonly Trial[]
  sizes: Sizes
}

export interface Planning {
  executor: Executor
  source: CaseSource
  families: readonly InputFamily[]
  /** Whether rows of other sizes are drawn. */
  sizes: 'fresh' | 'pinned'
  /** Seeds inputs and sizes. */
  seed: readonly (string | number)[]
  signal: AbortSignal
}

/**
 * Families for which some tasks define no result: the rows take turns with them (with fewer than four rows, each takes
 * its share), and only if the task's own answer passes. So they cost one run per row.
 */
export const furtherFamilies: readonly InputFamily[] = ['wide', 'infinite', 'nan', 'denormal']

/** Plans from the rows, and from what distinguishes degenerate answers from the correct one. */
export async function planUnasked(planning: Planning): Promise<{rows: Map<string, RowPlan>; spared: string[]}> {
  const rows = await planRows(planning)
  return {rows, spared: await tellApart(rows, planning, () => Promise.resolve(true))}
}

/** Adds runs to detect degenerate answers. @returns those that still pass */
async function tellApart(
  rows: Map<string, RowPlan>,
  {source, seed, sizes}: Planning,
  serves: Separation['serves'],
): Promise<string[]> {
  const planned = new Map([...rows].map(([id, {trials}]) => [id, trials]))
  const {more, spared} = await separate(planned, {source, seed, pinned: sizes === 'pinned', serves})
  for (const [id, trials] of more) {
    const plan = rows.get(id)
    if (plan) rows.set(id, {...plan, trials: [...plan.trials, ...trials]})
  }
  return spared
}

/** Other sizes if the reference supports them, and the families that every task has. */
export async function planRows({
  source,
  families,
  sizes,
  seed,
}: Pick<Planning, 'source' | 'families' | 'sizes' | 'seed'>): Promise<Map<string, RowPlan>> {
  const rows = new Map<string, RowPlan>()
  for (const row of source.rows) {
    const fresh = sizes === 'fresh' ? await source.fresh(row, seed) : undefined
    const kept = sizes === 'fresh' ? 'fixed' : 'pinned'
    // The row's own size with other values is also used, for every other family.
    const trials = families.map((family, index): Trial => ({family, row: (index % 2 === 0 && fresh) || row}))
    rows.set(caseId(row), {trials, sizes: fresh ? 'fresh' : kept})
  }
  return rows
}

/**
 * Judges a task's own answer before any candidate. It must be correct in every row, by both rules and in every common
 * family; other runs that it fails (other sizes, further families) are skipped for candidates. If the answer is the
 * reference, its calls came with values of one kind: any family that it does not run on is skipped, and disagreeing
 * runs are not the executor's fault.
 * @throws PipelineError `executor-failed` when the answer is not correct: then no verdict on a candidate can be trusted
 * @throws UnfitAnswer when a reference answer is not reproducible
 */
export async function askCanary(
  task: OperatorTask,
  open: OpenCases,
  {source: given, ...planning}: Planning,
): Promise<TaskPlan> {
  const source = await open(ownAnswer(task), given.rows, () => undefined)
  try {
    return await askAnswer(task, {...planning, source})
  } finally {
    await source.close?.()
  }
}

async function askAnswer(task: OperatorTask, planning: Planning): Promise<TaskPlan> {
  const {source} = planning
  const isReference = task.reference.kind === 'answer'
  const rows = await planRows(planning)
  const leftOut: LeftOut[] = []
  let spared: string[] = []
  const verdict = await withBuilds({operator: task.name, files: task.answer}, planning, async (groups) => {
    const sign = isReference ? findSign(task.answer, groups) : undefined
    if (sign) throw new UnfitAnswer('answer-looks-cheated', `${sign.rule}: ${sign.detail}`)
    const cases: CaseResult[] = []
    for (const {build, rows: served} of groups) {
      for (const row of served) {
        const plan: CasePlan = {...planning, build, row, trials: [], tolerant: false}
        const asked = await askRow(plan, rows.get(caseId(row)) ?? {trials: [], sizes: 'fixed'}, {
          further: furtherOf(source, row),
          leftOut,
          isReference,
        })
        if ('outcome' in asked) return {...asked, case: caseId(row), executor: planning.executor.identity}
        cases.push(asked.result)
        if (!asked.result.hardened || !asked.result.literal) break
        rows.set(caseId(row), asked.plan)
      }
    }
    const order = source.rows.map(caseId)
    cases.sort((a, b) => order.indexOf(a.case) - order.indexOf(b.case))
    const correct = cases.every(({literal, hardened}) => literal && hardened)
    if (correct) spared = await tellApart(rows, planning, served(groups, planning))
    return {outcome: correct ? 'correct' : 'mismatched', cases, executor: planning.executor.identity}
  })
  if (lacksPart(verdict)) {
    const unasked = await planUnasked(planning)
    const why = 'the executor does not cover its own answer'
    return {rows: unasked.rows, canary: {state: 'none', why, ...told(unasked.spared)}}
  }
  if (verdict.outcome !== 'correct')
    throw isReference && wasBuilt(verdict)
      ? new UnfitAnswer('answer-not-green', whyNot(verdict))
      : notGreen(task, verdict)
  return {rows, verdict, canary: {state: 'green', leftOut, ...told(spared)}}
}

/** The row grown to this many bytes, if the task's own answer, when judged, is correct there too. */
export async function beyondPlan(
  {row, bytes, answer}: {row: TaskCase; bytes: number; answer: OperatorTask | undefined},
  planning: Planning,
  open: OpenCases,
): Promise<Trial | undefined> {
  const grownBy = async ({grown}: CaseSource): Promise<Trial | undefined> => {
    const larger = await grown?.(row, bytes)
    return larger && {family: 'repeated', row: larger}
  }
  if (!answer) return grownBy(planning.source)
  const source = await open(ownAnswer(answer), [row], () => undefined)
  try {
    const trial = await grownBy(source)
    let serves = false
    if (!trial) return undefined
    await withBuilds({operator: answer.name, files: answer.answer}, {...planning, source}, async (groups) => {
      serves = await served(groups, {...planning, source})(row, trial)
      return {outcome: 'compiled', executor: planning.executor.identity}
    })
    return serves ? trial : undefined
  } finally {
    await source.close?.()
  }
}

export const told = (spared: readonly string[]) => (spared.length > 0 ? {spared: [...spared]} : {})

/** Whether the answer, as it was built, passes a trial of a row. */
function served(groups: readonly BuiltGroup[], planning: Planning): Separation['serves'] {
  return async (row, trial) => {
    const group = groups.find(({rows}) => rows.includes(row))
    if (!group) return false
    const run = await runHardened({...planning, build: group.build, row, trials: [], tolerant: false}, trial, 0)
    return !('outcome' in run) && run.findings.every(({ok}) => ok)
  }
}

type LeftOut = Extract<Canary, {state: 'green'}>['leftOut'][number]

/** A row's share of the further families, so that each is used. Integers have neither infinities nor NaN. */
function furtherOf({rows, dtypes}: CaseSource, row: TaskCase): InputFamily[] {
  const turn = Math.min(rows.length, furtherFamilies.length)
  const own = furtherFamilies.filter((_, index) => index % turn === rows.indexOf(row) % turn)
  return Object.values(dtypes(row)).every(isInteger) ? own.filter((family) => family === 'wide') : own
}

interface Asked {
  plan: RowPlan
  result: CaseResult
}

/** Runs one row as its candidates will. A run that fails is retried at the row's own size. */
async function askRow(
  plan: CasePlan,
  {trials: planned, sizes}: RowPlan,
  {further, leftOut, isReference}: {further: readonly InputFamily[]; leftOut: LeftOut[]; isReference: boolean},
): Promise<Asked | Stopped> {
  const {row} = plan
  const first = await runLiteral(plan)
  if ('outcome' in first) return first
  const findings = [first.hardened]
  const trials: Trial[] = []
  const attempt = async (trial: Trial): Promise<string | Stopped> => {
    const run = await runHardened(plan, trial, trials.length)
    if ('outcome' in run) return run
    const failed = run.findings.find(({ok}) => !ok)
    if (failed) return failed.reason
    trials.push(trial)
    findings.push(...run.findings)
    return ''
  }
  const spare = (family: InputFamily, problem: string | Stopped) =>
    leftOut.push({case: caseId(row), family, reason: typeof problem === 'string' ? problem : describeStop(problem)})
  let served = sizes
  for (const trial of planned) {
    let problem = await attempt(trial)
    if (problem !== '' && trial.row !== row) {
      served = 'unserved'
      spare(trial.family, problem)
      problem = await attempt({...trial, row})
    }
    if (problem === '') continue
    if (typeof problem !== 'string') {
      // Only its runs show which values the operator accepts.
      if (!isReference) return problem
      spare(trial.family, problem)
      continue
    }
    findings.push({ok: false, output: '', reason: problem, worstAbsolute: null, worstRelative: null})
  }
  for (const family of further) {
    const problem = await attempt({family, row}).catch(undefinedResult)
    if (problem !== '') spare(family, problem)
  }
  const result = {...caseResult(row, first.literal, findings), sizes: served}
  return {plan: {trials, sizes: served}, result}
}

/** A reference may have no result for some values: that is the task's decision, not a failure. */
function undefinedResult(error: unknown): string {
  if (error instanceof PipelineError && error.code === 'input-invalid') return error.message
  throw error
}

/** An answer that is the reference was built before: if it fails now, the executor is at fault. */
function wasBuilt({outcome}: Verdict): boolean {
  return outcome !== 'compile-failed' && outcome !== 'link-failed'
}

function lacksPart(verdict: Verdict): boolean {
  return (
    verdict.outcome === 'not-covered' || (verdict.outcome === 'violated' && verdict.violation.rule === 'not-covered')
  )
}

function notGreen({name}: OperatorTask, verdict: Verdict): PipelineError {
  return new PipelineError('executor-failed', `${name}: its own answer is ${verdict.outcome} (${whyNot(verdict)}).`, {
    fix: [
      'Run `ascend-cot doctor` and resume; no candidate of this task is labelled.',
      "If the executor works, fix the task's answer or its reference, or skip the task.",
    ].join(' '),
    evidence: {task: name, outcome: verdict.outcome, executor: verdict.executor.fingerprint},
  })
}

const shown = 300

function whyNot(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'compile-failed':
    case 'link-failed':
      return verdict.log.trim().slice(0, shown)
    case 'mismatched':
      return `case ${verdict.cases.find(({reason}) => reason !== '')?.reason ?? ''}`.slice(0, shown)
    case 'launch-failed':
    case 'violated':
    case 'crashed':
    case 'timed-out':
      return `case ${verdict.case}: ${describeStop(verdict)}`.slice(0, shown)
    default:
      return verdict.outcome
  }
}
