import {availableParallelism} from 'node:os'
import {Candidate, JudgedCandidate} from '../datasets/schema/candidate.ts'
import type {Build, Executor} from '../datasets/schema/executor.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {Dtype} from '../datasets/schema/tensor.ts'
import type {CaseResult, ExecutorIdentity, Verdict} from '../datasets/schema/verdict.ts'
import {canonicalJson} from '../engine/ids.ts'
import {each, type Context, type Stage} from '../engine/stage.ts'
import type {CaseSource, OpenCases} from './cases.ts'
import {findDegenerate, inspectSources} from './integrity.ts'
import type {InputFamily} from './reference/inputs.ts'
import {openTypescriptCases} from './reference/typescript-cases.ts'
import {caseId} from './reference/typescript.ts'
import {runCase, stoppedResult, type CaseFinding, type Stopped} from './run-case.ts'

export interface JudgeOptions {
  executor: Executor
  /** Opens tasks whose reference is a PyTorch module; without it they are dropped. `identity` says what computes. */
  pytorch?: {identity: string; open: OpenCases}
  /** Seeds the inputs; default the run's seed. All candidates of a task meet the same inputs. */
  seed?: string
  /** Input families of the hardened runs, beside the benchmark's own. Default uniform and boundary. */
  families?: readonly InputFamily[]
  /** At most this many rows of `test_cases.csv`, from the first. Default all. */
  cases?: number
  /**
   * The literal run goes past rules after whose breach the device would go on, so that the benchmark's own verdict is
   * known of every candidate. The outcome stays `violated`. Default false: a candidate is done at the first broken
   * rule.
   */
  tolerant?: boolean
  /** Candidates in progress at once; default one per core. */
  concurrency?: number
}

/**
 * Candidate → the same with its verdict. A candidate that fails is data; only a missing reference or a broken executor
 * is not.
 */
export default function judge(options: JudgeOptions): Stage<Candidate, JudgedCandidate> {
  const {
    executor,
    pytorch,
    seed,
    families = ['uniform', 'boundary'],
    cases,
    tolerant = false,
    concurrency = availableParallelism(),
  } = options
  const openers: Record<Candidate['task']['reference']['kind'], OpenCases | undefined> = {
    typescript: openTypescriptCases,
    pytorch: pytorch?.open,
  }
  return {
    name: 'judge',
    version: 2,
    options: {
      executor: executor.identity,
      seed,
      families: [...families],
      cases,
      ...(tolerant && {tolerant}),
      pytorch: pytorch?.identity,
    },
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
            `${reference.path} is a PyTorch module; ` +
              'this judge computes references in TypeScript (validation/reference.ts).',
          )
        }
        const source = await open(candidate, rows.slice(0, cases), (row, reason, detail) =>
          context.drop({task: name, case: caseId(row)}, reason, detail),
        )
        if (source.rows.length === 0)
          return context.drop(candidate, 'no-usable-case', `${name} has no row that can be judged here`)
        const verdict = await judgeCandidate(candidate, {
          executor,
          source,
          families,
          tolerant,
          seed: seed ?? context.seed,
          context,
        })
        return [{...candidate, verdict}]
      },
      {concurrency},
    ),
  }
}

interface Plan {
  executor: Executor
  source: CaseSource
  families: readonly InputFamily[]
  tolerant: boolean
  seed: string
  context: Pick<Context, 'signal'>
}

/**
 * Compiles for every combination of dtypes that the cases need, then inspects, then runs: what does not compile is
 * never run.
 */
async function judgeCandidate(candidate: Candidate, plan: Plan): Promise<Verdict> {
  const groups: BuiltGroup[] = []
  try {
    for (const group of groupByDtypes(plan.source)) {
      const attempt = await plan.executor.build(
        {operator: candidate.task.name, files: candidate.files, dtypes: group.dtypes},
        plan.context.signal,
      )
      if (!attempt.ok) return attempt.verdict
      groups.push({build: attempt.build, rows: group.rows})
    }
    const [sign] = inspectSources(candidate.files)
    if (sign)
      return {
        outcome: 'cheated',
        rule: sign.rule,
        detail: `${sign.path} line ${sign.line}: ${sign.seen}`,
        literal: false,
        executor: plan.executor.identity,
      }
    return await runGroups(candidate.task.name, groups, plan)
  } finally {
    for (const {build} of groups) await build.dispose()
  }
}

interface BuiltGroup {
  build: Build
  rows: readonly TaskCase[]
}

/** The first run that ends badly decides; after a wrong number, the other cases are still listed. */
async function runGroups(task: string, groups: readonly BuiltGroup[], plan: Plan): Promise<Verdict> {
  const {identity} = plan.executor
  const findings: CaseFinding[] = []
  for (const {build, rows} of groups) {
    for (const row of rows) {
      const finding = await runCase({...plan, build, row, seed: [plan.seed, task], signal: plan.context.signal})
      if ('result' in finding) findings.push(finding)
      else if (findings.every(passed)) return stopVerdict(finding, caseId(row), identity)
      else findings.push({result: stoppedResult(caseId(row), finding), evidence: []})
    }
  }
  const position = new Map(plan.source.rows.map((row, index) => [caseId(row), index]))
  findings.sort((a, b) => (position.get(a.result.case) ?? 0) - (position.get(b.result.case) ?? 0))
  return concludeCases(findings, identity)
}

/** Rows that agree on every dtype share one build; groups and rows keep the file's order. */
function groupByDtypes({rows, dtypes: dtypesOf}: CaseSource): {dtypes: Record<string, Dtype>; rows: TaskCase[]}[] {
  const groups = new Map<string, {dtypes: Record<string, Dtype>; rows: TaskCase[]}>()
  for (const row of rows) {
    const dtypes = dtypesOf(row)
    const key = canonicalJson(dtypes)
    const group = groups.get(key) ?? {dtypes, rows: []}
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function concludeCases(findings: readonly CaseFinding[], executor: ExecutorIdentity): Verdict {
  const cases = findings.map(({result}) => result)
  const refuted = findings.find((finding) => !passed(finding))
  if (!refuted) return {outcome: 'correct', cases, executor}
  if (refuted.stopped) return withCases(stopVerdict(refuted.stopped, refuted.result.case, executor), cases)
  // Passing every case by the benchmark's rule with an output that was never computed is no error of arithmetic.
  const detail = cases.every(({literal}) => literal) ? degenerateEverywhere(findings) : undefined
  return detail === undefined
    ? {outcome: 'mismatched', cases, executor}
    : {outcome: 'cheated', rule: 'not-computed', detail, literal: true, executor}
}

function stopVerdict(stopped: Stopped, id: string, executor: ExecutorIdentity): Verdict {
  // A part of the device that the executor lacks is found only when it is reached; that is no fault of the candidate.
  if (stopped.outcome === 'violated' && stopped.violation.rule === 'not-covered')
    return {outcome: 'not-covered', missing: [stopped.violation.message], executor}
  return {...stopped, case: id, executor}
}

function withCases(verdict: Verdict, cases: CaseResult[]): Verdict {
  return verdict.outcome === 'violated' || verdict.outcome === 'crashed' || verdict.outcome === 'timed-out'
    ? {...verdict, cases}
    : verdict
}

function passed({result}: CaseFinding): boolean {
  return result.literal && result.hardened
}

function degenerateEverywhere(findings: readonly CaseFinding[]): string | undefined {
  const refuted = findings.filter((finding) => !passed(finding))
  const signs = refuted.map(({evidence}) => findDegenerate(evidence))
  return signs.every((sign) => sign !== undefined) ? signs[0] : undefined
}
