import {availableParallelism} from 'node:os'
import {Candidate, JudgedCandidate} from '../datasets/schema/candidate.ts'
import type {Executor} from '../datasets/schema/executor.ts'
import {labelOf} from '../datasets/schema/label.ts'
import {modulePath, type OperatorTask, type TaskCase} from '../datasets/schema/task.ts'
import type {CaseResult, ExecutorIdentity, Verdict} from '../datasets/schema/verdict.ts'
import {byCodeUnit} from '../engine/code-unit-order.ts'
import {canonicalJson, contentId} from '../engine/ids.ts'
import {each, type Stage} from '../engine/stage.ts'
import {findSign, withBuilds, type BuiltGroup} from './builds.ts'
import {
  askCanary,
  beyondPlan,
  furtherFamilies,
  planRows,
  planUnasked,
  told,
  type Planning,
  type TaskPlan,
} from './canary.ts'
import type {CaseSource, OpenCases} from './cases.ts'
import {findDegenerate} from './integrity.ts'
import {answerCases, UnfitAnswer} from './reference/answer-cases.ts'
import type {InputFamily} from './reference/inputs.ts'
import {byteLengths} from './reference/known.ts'
import {openTypescriptCases} from './reference/typescript-cases.ts'
import {caseId} from './reference/typescript.ts'
import {
  caseResult,
  runCase,
  runHardened,
  stoppedResult,
  type CaseFinding,
  type Stopped,
  type Trial,
} from './run-case.ts'
import {timeAnswer, withTimes, type AnswerTime} from './timed-cases.ts'
import {settled, type Flaky, type Recheck} from './second-run.ts'
import {sharedWork} from './shared-work.ts'

export interface JudgeOptions {
  executor: Executor
  /**
   * Opens tasks whose reference is a PyTorch module; without it they are dropped. `identity` identifies the
   * computation.
   */
  pytorch?: {identity: string; open: OpenCases}
  /** Seeds the inputs; default the run's seed. All candidates of a task get the same inputs. */
  seed?: string
  /** Input families of the hardened runs, besides the benchmark's own. Default uniform and boundary. */
  families?: readonly InputFamily[]
  /** `pinned`: candidates only have to support the rows of `test_cases.csv`. Default `fresh`. */
  sizes?: 'fresh' | 'pinned'
  /** Tasks whose own answers are not judged before their candidates, and why; `*` for all of them. */
  exempt?: Readonly<Record<string, string>>
  /** At most this many rows of `test_cases.csv`, from the first. Default all. */
  cases?: number
  /**
   * The literal run continues after broken rules that the device tolerates, so that the benchmark's own verdict is
   * known for every candidate. The outcome stays `violated`. Default false: a candidate is done at the first broken
   * rule.
   */
  tolerant?: boolean
  /** Which candidates are judged twice; those whose two runs do not end alike are dropped. Default none. */
  recheck?: Recheck
  /** Candidates in progress at once; default one per core. */
  concurrency?: number
}

/**
 * Candidate → the same with its verdict. A failed candidate is data; a missing reference, a broken executor or a task
 * whose own answer is incorrect is not. Candidates of a task with the same files are judged once.
 */
export default function judge(options: JudgeOptions): Stage<Candidate, JudgedCandidate> {
  const {executor, pytorch, seed, cases, tolerant = false, concurrency = availableParallelism()} = options
  const {families = ['uniform', 'boundary'], sizes = 'fresh', exempt = {}, recheck = 'none'} = options
  const openers: Record<Candidate['task']['reference']['kind'], OpenCases | undefined> = {
    typescript: openTypescriptCases,
    pytorch: pytorch?.open,
    answer: answerCases(executor),
  }
  const planOnce = sharedWork<TaskPlan | UnfitAnswer>()
  const growOnce = sharedWork<Trial | undefined>()
  const timeOnce = sharedWork<number | undefined>()
  const judgeOnce = sharedWork<Verdict | Flaky | UnfitAnswer>()
  return {
    name: 'judge',
    version: 7,
    options: {
      executor: executor.identity,
      seed,
      families: [...families, ...furtherFamilies],
      cases,
      ...(sizes === 'pinned' && {sizes}),
      ...(Object.keys(exempt).length > 0 && {exempt: {...exempt}}),
      ...(tolerant && {tolerant}),
      ...(recheck !== 'none' && {recheck}),
      pytorch: pytorch?.identity,
    },
    tally: ({verdict}) => labelOf(verdict) ?? verdict.outcome,
    input: Candidate,
    output: JudgedCandidate,
    run: each(
      async (candidate, context) => {
        const {name, reference, cases: rows} = candidate.task
        const open = openers[reference.kind]
        if (!open) {
          return context.drop(
            candidate,
            'reference-needs-python',
            `${modulePath(candidate.task)} is a PyTorch module; ` +
              'this judge computes references in TypeScript (validation/reference.ts).',
          )
        }
        const source = await open(candidate, rows.slice(0, cases), (row, reason, detail) =>
          context.drop({task: name, case: caseId(row)}, reason, detail),
        )
        if (source.rows.length === 0)
          return context.drop(candidate, 'no-usable-case', `${name} has no row that can be judged here`)
        const seeds = [seed ?? context.seed, name]
        const planning = {executor, source, families, sizes, seed: seeds, signal: context.signal}
        const asking = {open, planning, exempt: exempt[name] ?? exempt['*'], answersOnly: '*' in exempt}
        const key = contentId([candidate.task, seeds])
        try {
          const {value: task} = await planOnce(key, () => planTask(candidate.task, asking))
          if (task instanceof UnfitAnswer) return context.drop(candidate, task.reason, `${name}: ${task.message}`)
          const answer = task.canary.state === 'green' ? candidate.task : undefined
          // If an answer exists but cannot serve as a reference, the operator's sizes are unknown.
          const grows = answer !== undefined || candidate.task.answer.length === 0
          const beyond = (row: TaskCase) => beyondPlan({row, bytes: bytesBeyond, answer}, planning, open)
          const grow = async (row: TaskCase) =>
            grows ? (await growOnce(contentId([key, row]), () => beyond(row))).value : undefined
          const timeOfAnswer = async (row: TaskCase) => {
            if (!answer || sameFiles(candidate)) return undefined
            const timed = () => timeAnswer(answer, row, {...planning, seed: seeds}, open)
            return (await timeOnce(contentId([key, 'time', row]), timed)).value
          }
          const {value, shared} = await judgeOnce(contentId([key, byPath(candidate.files)]), () =>
            verdictOf(candidate, {...planning, tolerant, recheck, task, grow, timeOfAnswer}),
          )
          if (shared) context.log.info('judged once with another of the same files', {task: name})
          if (value instanceof UnfitAnswer) return context.drop(candidate, value.reason, `${name}: ${value.message}`)
          if ('flaky' in value) return context.drop(candidate, 'flaky-verdict', value.flaky)
          return [{...candidate, verdict: value, canary: task.canary}]
        } finally {
          await source.close?.()
        }
      },
      {concurrency},
    ),
  }
}

const byPath = (files: Candidate['files']) => [...files].sort((a, b) => byCodeUnit(a.path, b.path))

interface Asking {
  open: OpenCases
  planning: Planning
  /** Why the task's own answer is not judged. */
  exempt: string | undefined
  /** The answers are the candidates: references for all others, which only have to support the table. */
  answersOnly: boolean
}

/** The result for an unfit answer is kept: another attempt might end differently. */
async function planTask(
  task: OperatorTask,
  {open, planning, exempt, answersOnly}: Asking,
): Promise<TaskPlan | UnfitAnswer> {
  const why = task.answer.length === 0 ? 'the task has no answer of its own' : exempt
  if (planning.executor.reach === 'compiles')
    return {rows: new Map(), canary: {state: 'none', why: 'nothing is run: the executor compiles only'}}
  if (why === undefined) return askCanary(task, open, planning).catch(unfit)
  if (answersOnly) return {rows: await planRows(planning), canary: {state: 'none', why}}
  const {rows, spared} = await planUnasked(planning)
  return {rows, canary: {state: 'none', why, ...told(spared)}}
}

function unfit(error: unknown): UnfitAnswer {
  if (error instanceof UnfitAnswer) return error
  throw error
}

/** What was observed of a candidate, or why its task has no reference. */
function verdictOf(candidate: Candidate, plan: Plan): Promise<Verdict | Flaky | UnfitAnswer> {
  const known = sameFiles(candidate) && !plan.executor.measure ? plan.task.verdict : undefined
  return known ? Promise.resolve(known) : settled(() => judgeCandidate(candidate, plan), plan.recheck).catch(unfit)
}

const sameFiles = ({files, task: {answer}}: Candidate) => canonicalJson(files) === canonicalJson(answer)

interface Plan {
  timeOfAnswer: AnswerTime
  sizes: 'fresh' | 'pinned'
  /** A row grown to `bytesBeyond`, as a trial of it. */
  grow(row: TaskCase): Promise<Trial | undefined>
  executor: Executor
  source: CaseSource
  task: TaskPlan
  tolerant: boolean
  recheck: Recheck
  seed: readonly (string | number)[]
  signal: AbortSignal
}

/** Compiles, then inspects, then runs. */
function judgeCandidate(candidate: Candidate, plan: Plan): Promise<Verdict> {
  const operator = candidate.task.name
  return withBuilds({operator, files: candidate.files}, plan, async (groups) => {
    const sign = findSign(candidate.files, groups)
    const {identity, reach} = plan.executor
    if (sign) return {outcome: 'cheated', ...sign, literal: false, executor: identity}
    if (reach === 'compiles') return {outcome: 'compiled', executor: identity}
    return withTimes(await runGroups(groups, plan), groups, plan, plan.timeOfAnswer)
  })
}

/**
 * The first failing run decides; after a wrong value, the other cases are still listed; after a time-out, without
 * running them: each might take as long.
 */
async function runGroups(groups: readonly BuiltGroup[], plan: Plan): Promise<Verdict> {
  const {identity} = plan.executor
  const findings: CaseFinding[] = []
  let late: CaseResult | undefined
  for (const {build, rows} of groups) {
    for (const row of rows) {
      if (late) {
        const reason = `not run: case ${late.case} was ${late.reason}`
        findings.push({result: {...late, case: caseId(row), reason}, evidence: []})
        continue
      }
      const {trials, sizes} = plan.task.rows.get(caseId(row)) ?? {trials: [], sizes: undefined}
      const found = await runCase({...plan, build, row, trials})
      const finding = 'result' in found && sizes ? {...found, result: {...found.result, sizes}} : found
      if ('result' in finding) findings.push(finding)
      else if (findings.every(passed)) return stopVerdict(finding, caseId(row), identity)
      else {
        const result = stoppedResult(caseId(row), finding)
        if (finding.outcome === 'timed-out') late = result
        findings.push({result, evidence: []})
      }
    }
  }
  if (plan.sizes === 'fresh' && findings.length > 0 && findings.every(passed)) {
    const further = await runBeyond(groups, plan, findings)
    if (further && 'outcome' in further.found) return stopVerdict(further.found, caseId(further.row), identity)
    if (further && 'result' in further.found) {
      const at = findings.findIndex(({result}) => result.case === caseId(further.row))
      const {sizes} = findings[at]?.result ?? {}
      findings[at] = {...further.found, result: {...further.found.result, ...(sizes && {sizes})}}
    }
  }
  const position = new Map(plan.source.rows.map((row, index) => [caseId(row), index]))
  findings.sort((a, b) => (position.get(a.result.case) ?? 0) - (position.get(b.result.case) ?? 0))
  return concludeCases(findings, identity)
}

/**
 * Total inputs and outputs of the one largest run: programs that fail beyond some size are detected up to here, not
 * above. The UBs of 48 cores hold 9 MiB, so a host must give several tiles to each core, unless its tiles are that
 * large. On bundled operators it takes about 0.3 s.
 */
export const bytesBeyond = 2 ** 24

/**
 * Runs a candidate that is correct in all rows again at a size far from those that its host has planned for. A time-out
 * there does not count: the limit is ours.
 */
async function runBeyond(
  groups: readonly BuiltGroup[],
  plan: Plan,
  findings: readonly CaseFinding[],
): Promise<{row: TaskCase; found: CaseFinding | Stopped} | undefined> {
  const evidenceOf = new Map(findings.map(({result, evidence}) => [result.case, evidence]))
  const [largest] = groups
    .flatMap(({build, rows}) => rows.map((row) => ({build, row, bytes: movedBytes(evidenceOf.get(caseId(row)))})))
    .sort((a, b) => b.bytes - a.bytes)
  if (!largest || largest.bytes >= bytesBeyond) return undefined
  const {build, row} = largest
  const trial = await plan.grow(row)
  if (!trial) return undefined
  const run = await runHardened({...plan, build, row, trials: []}, trial, 0)
  if ('outcome' in run) return run.outcome === 'timed-out' ? undefined : {row, found: run}
  const {literal} = findings.find(({result}) => result.case === caseId(row))?.result ?? {literal: true}
  if (run.findings.every(({ok}) => ok)) return undefined
  const said = {ok: literal, output: '', reason: '', worstAbsolute: 0, worstRelative: 0}
  return {row, found: {result: caseResult(row, said, run.findings), evidence: [run.evidence]}}
}

function movedBytes(runs: CaseFinding['evidence'] = []): number {
  return Math.max(0, ...runs.map(({inputs, outputs}) => byteLengths([...inputs, ...outputs])))
}

function concludeCases(findings: readonly CaseFinding[], executor: ExecutorIdentity): Verdict {
  const cases = findings.map(({result}) => result)
  const refuted = findings.find((finding) => !passed(finding))
  if (!refuted) return {outcome: 'correct', cases, executor}
  if (refuted.stopped) return withCases(stopVerdict(refuted.stopped, refuted.result.case, executor), cases)
  // Passing every case by the benchmark's rule with an output that was never computed is not an arithmetic error.
  const detail = cases.every(({literal}) => literal) ? degenerateEverywhere(findings) : undefined
  return detail === undefined
    ? {outcome: 'mismatched', cases, executor}
    : {outcome: 'cheated', rule: 'not-computed', detail, literal: true, executor}
}

function stopVerdict(stopped: Stopped, id: string, executor: ExecutorIdentity): Verdict {
  // A part of the device that the executor lacks is only noticed when reached; that is not the candidate's fault.
  if (stopped.outcome === 'violated' && stopped.violation.rule === 'not-covered')
    return {outcome: 'not-covered', missing: [stopped.violation.message], executor}
  return {...stopped, case: id, executor}
}

function withCases(verdict: Verdict, cases: CaseResult[]): Verdict {
  return 'case' in verdict ? {...verdict, cases} : verdict
}

function passed({result}: CaseFinding): boolean {
  return result.literal && result.hardened
}

function degenerateEverywhere(findings: readonly CaseFinding[]): string | undefined {
  const refuted = findings.filter((finding) => !passed(finding))
  const signs = refuted.map(({evidence}) => findDegenerate(evidence))
  return signs.every((sign) => sign !== undefined) ? signs[0] : undefined
}
