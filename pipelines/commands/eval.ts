import {counted} from '../../engine/counted.ts'
import {join, resolve} from 'node:path'
import {Score} from '../../datasets/schema/score.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {OperatorBenchmark} from '../../eval/bench/benchmark.ts'
import {readKnownFaults} from '../../eval/bench/known-faults.ts'
import {judgesModels, loadBenchmark} from '../../eval/bench/load-benchmark.ts'
import {openReplies} from '../../eval/candidates/reply-file.ts'
import {namesOf} from '../../eval/candidates/replies.ts'
import pytorch, {type PytorchReferences} from '../../eval/reference/pytorch.ts'
import {scoreHtml, scoreMarkdown, type ScorePage} from '../../eval/scores/page.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import type {TaskFolder} from '../../datasets/schema/source-folder.ts'
import {taskMatcher} from '../../eval/tasks/select-tasks.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {openRun, type RunRecord} from '../../engine/run.ts'
import judging from '../recipes/evaluation/judging.ts'
import type {Sampling} from '../recipes/evaluation/sampling.ts'
import scoring from '../recipes/evaluation/scoring.ts'
import {watchMemory} from './evaluation/memory.ts'
import {taskOutcomes} from './evaluation/outcomes.ts'
import {costLine, printSummary, type Cost} from './evaluation/print.ts'
import {labelOf, samplingOf, saveRequest, type EvalRequest} from './evaluation/request.ts'
import {withServedJob} from './evaluation/served-job.ts'
import {collectResults, type Collected} from './evaluation/results.ts'
import {placesOf, writeScores} from './evaluation/score-files.ts'
import {exceptionRows, notesOf, type Summary} from './evaluation/summary.ts'
import {evaluateModels} from './eval-models.ts'
import {checkOutputs} from './drafts.ts'
import {executorOnce, type ExecutorOnce} from './executor.ts'
import {emittedBy} from '../workspace/runs.ts'
import {openWorkspace, runDirectory, type Workspace} from '../workspace/workspace.ts'
import {describeSpending} from './stage-line.ts'
import {reasons} from './status.ts'
import {checkTeachers, connectTeachers} from './teachers.ts'
import {namesJob} from './train/job-checkpoint.ts'
import {watchedRun} from './watched-run.ts'
import {workspaceWorld, type World} from './world.ts'

interface Asked {
  request: EvalRequest
  benchmark: OperatorBenchmark
  /** The configuration as given; the session's copy has only the teacher in use. */
  given: Config
  world: World
}

interface Session extends Asked {
  config: Config
  workspace: Workspace
  executor: ExecutorOnce
  teachers: Teachers
  sampling: Sampling
  /** Names of the runs, e.g. `evaluate-<benchmark>`. */
  runs: {judge: string; score: string}
  folder: TaskFolder
}

/** Without a requested limit on inputs, the benchmark's own applies. */
type EvalAsked = Omit<EvalRequest, 'maxInputMib'> & Partial<Pick<EvalRequest, 'maxInputMib'>>

/**
 * `ascend-cot eval <benchmark>`: candidates judged against the benchmark's own references, and scored. Exit code 1 when
 * a candidate could not be judged for an outside reason, or none was judged at all.
 */
export async function evaluate(asked: EvalAsked, given: Config, world: World): Promise<number> {
  const benchmark = await loadBenchmark(asked.benchmark)
  const request = {...asked, maxInputMib: asked.maxInputMib ?? benchmark.largestInputMib ?? 16}
  if (judgesModels(benchmark)) return evaluateModels(request, benchmark, given, world)
  const {candidates} = request
  if (!namesJob(candidates)) return evaluateBy({request, benchmark, given, world})
  return withServedJob(candidates, {config: given, world}, (config, served) =>
    evaluateBy({request: {...request, candidates: served}, benchmark, given: config, world}),
  )
}

async function evaluateBy(asked: Asked): Promise<number> {
  const {request, benchmark, world} = asked
  const [started, memory] = [world.now(), watchMemory()]
  const session = await openSession(asked)
  const {config, folder, runs} = session
  try {
    await saveRequest(runDirectory(config, runs.judge), request)
    const tasks = (await benchmark.load(folder, () => [])).filter(taskMatcher(request.tasks))
    if (tasks.length === 0) throw noTask(request)
    const record = await judgeAll(session, tasks)
    const collected = await collect(session)
    const scores = await scoreAll(session, collected.mostAttempts)
    const summary = await summarize(session, {tasks, record, collected, scores})
    await tell(summary, session, {seconds: (world.now() - started) / 1000, peakBytes: memory.stop()})
    if (collected.coverage.judged > 0) return record.counts.some(({failed}) => failed > 0) ? 1 : 0
    world.terminal.say(`error: ${nothingJudged(collected)}`)
    return 1
  } finally {
    memory.stop()
    session.teachers.close()
  }
}

async function openSession({request, benchmark, given, world}: Asked): Promise<Session> {
  const sampling = samplingOf(request, benchmark, given)
  const asked = Object.entries(given.teachers).filter(
    ([profile]) => sampling.kind === 'model' && profile === sampling.profile,
  )
  const config = {...given, teachers: Object.fromEntries(asked)}
  await checkTeachers(Object.keys(config.teachers), config, world)
  checkOutputs(config)
  const executor = executorOnce(config, world)
  const label = `${request.benchmark}${labelOf(sampling)}`
  return {
    request,
    benchmark,
    given,
    config,
    world,
    workspace: openWorkspace(config, executor.plan, workspaceWorld(world)),
    executor,
    sampling,
    runs: {judge: `evaluate-${label}`, score: `score-${label}`},
    folder: {root: request.root, ...(await describeCheckout(request.root))},
    teachers: connectTeachers(config, world),
  }
}

function noTask({root, tasks}: EvalRequest): PipelineError {
  return new PipelineError('input-invalid', `No task below ${root} matches ${tasks}.`, {
    fix: 'Give --tasks a glob over paths or names, e.g. `level1/Math/*` or `Sqrt`.',
  })
}

function nothingJudged({coverage: {candidates, skipped}, results}: Collected): string {
  const cases = Object.entries(skipped)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
  const why = cases || results[0]?.why || 'there was no candidate'
  return `Of ${counted(candidates, 'candidate')} none was judged (${why}), so there is nothing to score.`
}

async function judgeAll(session: Session, tasks: readonly OperatorTask[]): Promise<RunRecord> {
  const {request, workspace, benchmark, sampling, runs, folder} = session
  const references = await openReferences(session, tasks)
  try {
    const asked = {
      name: runs.judge,
      benchmark,
      folder,
      sampling,
      references,
      faulty: await faultyAnswers(benchmark, tasks),
    }
    return await go(session, await judging(workspace, {...asked, tasks: request.tasks, cases: request.cases}))
  } finally {
    references?.close()
  }
}

/** Tasks whose own answers are known to be incorrect here, or are damaged in this checkout, with the reason. */
async function faultyAnswers(
  benchmark: OperatorBenchmark,
  tasks: readonly OperatorTask[],
): Promise<Record<string, string>> {
  const damaged = (benchmark.damagedAnswers?.(tasks) ?? []).map(({task, what}) => [
    task,
    `its answer is damaged: ${what}`,
  ])
  const known = benchmark.knownFaults ? await readKnownFaults(benchmark.knownFaults) : []
  const listed = known.map(({task, verdict}) => [task, `its answer is known to be ${verdict}`])
  return Object.fromEntries([...damaged, ...listed])
}

/** Tasks with a TypeScript reference need no Python. */
async function openReferences(
  {request: {python, allCases, maxInputMib}, config: {out}, benchmark, workspace, world}: Session,
  tasks: readonly OperatorTask[],
): Promise<PytorchReferences | undefined> {
  // Checked in order of cost: a compiler first, then Python's packages, then the twin is compiled.
  await workspace.executor()
  if (tasks.every(({reference}) => reference.kind !== 'pytorch')) return undefined
  const references = await pytorch({
    python,
    workDirectory: join(resolve(out), 'work'),
    maxInputBytes: allCases ? Infinity : maxInputMib * 2 ** 20,
    adaptations: benchmark.adaptations ?? {},
  })
  for (const [module, names] of Object.entries(await references.lacking(tasks)))
    world.terminal.say(lackingWords(python, module, names))
  return references
}

/** Reported before anything is judged: in the tables, these tasks do not stand out from other unjudged ones. */
function lackingWords(python: string, module: string, names: readonly string[]): string {
  const [first = ''] = names
  const who = `${counted(names.length, 'task')} (${first}${names.length > 1 ? ', …' : ''})`
  const what = `${python} lacks ${module}, which the references of ${who} import; those tasks will not be judged.`
  return `warning: ${what}\n  → ${python} -m pip install ${module}, or pass another Python with --python.`
}

async function collect({request, config, folder, sampling, runs}: Session): Promise<Collected> {
  const limit = sampling.kind === 'answers' ? request.cases : undefined
  const run = await openRun(runDirectory(config, runs.judge))
  if (!run) throw new TypeError(`${runs.judge} has just ended but does not exist`)
  try {
    return collectResults(taskOutcomes(run, {folder, tasks: request.tasks, sampling}), limit)
  } finally {
    run.close()
  }
}

async function scoreAll(session: Session, mostAttempts: number): Promise<Score[]> {
  const {config, runs, workspace} = session
  const ks = [...new Set([1, 10, 100, mostAttempts])].filter((k) => k > 0 && k <= mostAttempts).sort((a, b) => a - b)
  await go(session, await scoring(workspace, {name: runs.score, judged: runs.judge, ks}))
  const scores: Score[] = []
  for await (const score of emittedBy(config.out, runs.score, Score)) scores.push(score)
  return scores
}

function go(
  {request: {startAnyway}, given, config, world, executor, teachers}: Session,
  pipeline: Pipeline<unknown>,
): Promise<RunRecord> {
  return watchedRun(pipeline, {config, given, world, teachers, startAnyway, prepare: executor.open})
}

interface Found {
  tasks: readonly OperatorTask[]
  record: RunRecord
  collected: Collected
  scores: readonly Score[]
}

async function summarize(
  {request, benchmark, sampling, folder}: Session,
  {tasks, record, collected, scores}: Found,
): Promise<Summary> {
  const own = sampling.kind === 'answers'
  const [loaded] = record.counts
  const left =
    loaded && Object.keys(loaded.reasons).length > 0
      ? [`Tasks and rows that could not be read: ${reasons(loaded)}.`]
      : []
  if (sampling.kind === 'file') left.push(...(await repliesToNothing(sampling.path, {benchmark, folder})))
  const damaged = own ? (benchmark.damagedAnswers?.(tasks) ?? []) : []
  const faults = own && benchmark.knownFaults ? await readKnownFaults(benchmark.knownFaults) : []
  const {root, candidates, tasks: pattern, allCases, maxInputMib} = request
  return {
    request: {root, candidates, tasks: pattern, allCases, maxInputMib},
    benchmark,
    sampling,
    revision: folder.revision ?? 'unversioned',
    results: collected.results,
    coverage: collected.coverage,
    scores,
    exceptions: own ? exceptionRows(collected.results, faults, damaged) : undefined,
    damaged,
    left,
  }
}

const linesShown = 5

async function repliesToNothing(
  path: string,
  {benchmark, folder}: Pick<Session, 'benchmark' | 'folder'>,
): Promise<string[]> {
  const known = new Set((await benchmark.load(folder, () => [])).flatMap(namesOf))
  const {tasks, bad} = openReplies(path)
  const unknown = [...tasks].filter((task) => !known.has(task))
  const lines = bad.slice(0, linesShown).map(({line, problem}) => `line ${line}: ${problem}`)
  if (bad.length > linesShown) lines.push('…')
  return [
    ...(unknown.length > 0 ? [`Replies to tasks that the benchmark does not have: ${unknown.join(', ')}.`] : []),
    ...(bad.length > 0 ? [`Lines that are not a reply: ${bad.length} (${lines.join('; ')}).`] : []),
  ]
}

/** Writes the scores in three formats into their run directory, and prints one of them. */
async function tell(summary: Summary, session: Session, cost: Cost): Promise<void> {
  const {terminal} = session.world
  const {request, config, benchmark, teachers, runs} = session
  const {taskTypes: types = []} = benchmark
  const page: ScorePage = {
    title: `${benchmark.title}: ${samplerName(session)}`,
    notes: notesOf(summary),
    scores: summary.scores,
    types,
    ...(summary.exceptions ? {exceptions: summary.exceptions} : {}),
  }
  const {sampling: author, benchmark: _, ...found} = summary
  const json = {benchmark: request.benchmark, author, ...found, ...scoreTables(summary.scores, types)}
  const files = await writeScores(runDirectory(config, runs.score), json, {
    markdown: scoreMarkdown(page),
    html: scoreHtml(page),
  })
  if (request.json) {
    terminal.print(JSON.stringify({...json, files, spending: teachers.spending(), ...cost}))
    return
  }
  printSummary(summary, terminal)
  for (const line of placesOf(files)) terminal.print(line)
  const spent = describeSpending(teachers.spending())
  terminal.print(`${costLine(cost)}${spent === '' ? '' : `; ${spent}`}`)
}

function samplerName({sampling, config}: Session): string {
  switch (sampling.kind) {
    case 'answers':
      return 'its own answers'
    case 'model':
      return config.teachers[sampling.profile]?.model ?? sampling.profile
    case 'file':
      return sampling.path
  }
}
