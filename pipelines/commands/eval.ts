import {join, resolve} from 'node:path'
import {Score} from '../../datasets/schema/score.ts'
import type {KernelTask} from '../../datasets/schema/task.ts'
import {damagedAnswers} from '../../eval/bench/damaged-answers.ts'
import {readKnownFaults} from '../../eval/bench/known-faults.ts'
import {loadTasks, type TaskFolder} from '../../eval/bench/npukernelbench.ts'
import {taskMatcher} from '../../eval/bench/select-tasks.ts'
import pytorch, {type PytorchReferences} from '../../eval/reference/pytorch.ts'
import {scoreHtml, scoreMarkdown, type ScorePage} from '../../eval/scores/page.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {openReplies} from '../preference/reply-file.ts'
import {namesOf} from '../preference/replies.ts'
import {watchMemory} from './evaluation/memory.ts'
import {taskOutcomes} from './evaluation/outcomes.ts'
import {judging, scoring} from './evaluation/pipelines.ts'
import {costLine, printSummary, type Cost} from './evaluation/print.ts'
import {authorOf, labelOf, saveRequest, type Author, type EvalRequest} from './evaluation/request.ts'
import {collectResults, type Collected} from './evaluation/results.ts'
import {exceptionRows, notesOf, type Summary} from './evaluation/summary.ts'
import {makeExecutor} from './executor.ts'
import {emittedBy} from '../workspace/runs.ts'
import {describeSpending} from './stage-line.ts'
import {reasons} from './status.ts'
import {checkTeachers, connectTeachers} from './teachers.ts'
import {watchedRun} from './watched-run.ts'
import type {World} from './world.ts'

interface Session {
  request: EvalRequest
  /** As it was given; `config` has no teacher but the one that is asked. */
  given: Config
  config: Config
  world: World
  teachers: Teachers
  author: Author
  /** Names of the runs, e.g. `evaluate-npukernelbench`. */
  recipes: {judge: string; score: string}
  folder: TaskFolder
}

/**
 * `ascend-cot eval npukernelbench`: candidates judged by the benchmark's own references, and scored. Exit code 1 when a candidate
 * could not be judged for a reason that is not its own, or none was judged at all.
 */
export async function evaluate(request: EvalRequest, given: Config, world: World): Promise<number> {
  const author = authorOf(request, given)
  // The stage asks the profile `candidates`, whichever was named.
  const config =
    author.kind === 'model'
      ? {
          ...given,
          teachers: {candidates: given.teachers[author.profile] as NonNullable<(typeof given.teachers)[string]>},
        }
      : {...given, teachers: {}}
  const [started, memory] = [world.now(), watchMemory()]
  if (author.kind === 'model') await checkTeachers(['candidates'], config, world)
  const teachers = connectTeachers(config, world)
  const label = `npukernelbench${labelOf(author)}`
  const session: Session = {
    request,
    given,
    config,
    world,
    teachers,
    author,
    recipes: {judge: `evaluate-${label}`, score: `score-${label}`},
    folder: {root: request.root, ...(await describeCheckout(request.root))},
  }
  try {
    await saveRequest(join(resolve(config.out), session.recipes.judge), request)
    const tasks = (await loadTasks(session.folder, () => [])).filter(taskMatcher(request.tasks))
    if (tasks.length === 0)
      throw new PipelineError('input-invalid', `No task below ${request.root} matches ${request.tasks}.`, {
        fix: 'Give --tasks a glob over paths or names, e.g. `level1/Math/*` or `Sqrt`.',
        scope: 'run',
      })
    const record = await judgeAll(session, tasks)
    const limit = author.kind === 'answers' ? request.cases : undefined
    const collected = collectResults(
      taskOutcomes(join(resolve(config.out), session.recipes.judge), record, {
        folder: session.folder,
        tasks: request.tasks,
      }),
      limit,
    )
    const scores = await scoreAll(session, record, collected.mostAttempts)
    const summary = await summarize(session, {tasks, record, collected, scores})
    await tell(summary, session, {seconds: (world.now() - started) / 1000, peakBytes: memory.stop()})
    if (collected.coverage.judged > 0) return record.counts.some(({failed}) => failed > 0) ? 1 : 0
    world.terminal.say(`error: ${nothingJudged(collected)}`)
    return 1
  } finally {
    memory.stop()
    teachers.close()
  }
}

function nothingJudged({coverage: {candidates, skipped}, results}: Collected): string {
  const counted = Object.entries(skipped)
    .map(([reason, cases]) => `${reason} ${cases}`)
    .join(', ')
  const why = counted || results[0]?.why || 'there was no candidate'
  return `None of ${candidates} candidates was judged (${why}): there is nothing to score.`
}

async function judgeAll(session: Session, tasks: readonly KernelTask[]): Promise<RunRecord> {
  const {request, config, world, author, recipes, folder} = session
  const executor = await makeExecutor(config, world.terminal)
  const references = await openReferences(tasks, request, config)
  try {
    return await go(
      session,
      judging({
        recipe: recipes.judge,
        folder,
        tasks: request.tasks,
        author,
        cases: request.cases,
        executor,
        references,
        concurrency: config.executor.concurrency,
      }),
    )
  } finally {
    references?.close()
  }
}

/** Tasks that are referenced in TypeScript need no Python. */
async function openReferences(
  tasks: readonly KernelTask[],
  {python, allCases, maxInputMib}: EvalRequest,
  {out}: Config,
): Promise<PytorchReferences | undefined> {
  if (tasks.every(({reference}) => reference.kind === 'typescript')) return undefined
  return pytorch({
    python,
    workDirectory: join(resolve(out), 'work'),
    maxInputBytes: allCases ? Infinity : maxInputMib * 2 ** 20,
  })
}

async function scoreAll(session: Session, {endedAt}: RunRecord, mostAttempts: number): Promise<Score[]> {
  const {config, recipes} = session
  const ks = [...new Set([1, 10, 100, mostAttempts])].filter((k) => k > 0 && k <= mostAttempts).sort((a, b) => a - b)
  await go(
    session,
    scoring(
      recipes.score,
      {directory: join(resolve(config.out), recipes.judge), ...(endedAt === undefined ? {} : {ended: endedAt})},
      ks,
    ),
  )
  const scores: Score[] = []
  for await (const score of emittedBy(config.out, recipes.score, Score)) scores.push(score)
  return scores
}

function go(
  {request: {startAnyway}, given, config, world, teachers}: Session,
  pipeline: Pipeline<unknown>,
): Promise<RunRecord> {
  return watchedRun(pipeline, {config, given, world, teachers, startAnyway})
}

interface Found {
  tasks: readonly KernelTask[]
  record: RunRecord
  collected: Collected
  scores: readonly Score[]
}

async function summarize(
  {request, author, folder}: Session,
  {tasks, record, collected, scores}: Found,
): Promise<Summary> {
  const own = author.kind === 'answers'
  const [loaded] = record.counts
  const left =
    loaded && Object.keys(loaded.reasons).length > 0
      ? [`Tasks and rows that could not be read: ${reasons(loaded)}.`]
      : []
  if (author.kind === 'file') left.push(...(await repliesToNothing(author.path, folder)))
  const damaged = own ? damagedAnswers(tasks) : []
  const {root, candidates, tasks: pattern, allCases, maxInputMib} = request
  return {
    request: {root, candidates, tasks: pattern, allCases, maxInputMib},
    author,
    revision: folder.revision ?? 'unversioned',
    results: collected.results,
    coverage: collected.coverage,
    scores,
    exceptions: own ? exceptionRows(collected.results, await readKnownFaults(), damaged) : undefined,
    damaged,
    left,
  }
}

const linesShown = 5

async function repliesToNothing(path: string, folder: TaskFolder): Promise<string[]> {
  const known = new Set((await loadTasks(folder, () => [])).flatMap(namesOf))
  const {tasks, bad} = openReplies(path)
  const unknown = [...tasks].filter((task) => !known.has(task))
  const lines = bad.slice(0, linesShown).map(({line, problem}) => `line ${line}: ${problem}`)
  return [
    ...(unknown.length > 0 ? [`Replies to tasks that the benchmark does not have: ${unknown.join(', ')}.`] : []),
    ...(bad.length > 0
      ? [`Lines that are no reply: ${bad.length} (${lines.join('; ')}${bad.length > linesShown ? '; …' : ''}).`]
      : []),
  ]
}

/** Writes the three forms into the run directory of the scores, and prints one of them. */
async function tell(
  summary: Summary,
  {request, config, world: {terminal}, author, recipes, teachers}: Session,
  cost: Cost,
): Promise<void> {
  const directory = join(resolve(config.out), recipes.score)
  const page: ScorePage = {
    title:
      author.kind === 'answers'
        ? 'NPUKernelBench: its own answers'
        : `NPUKernelBench: ${author.kind === 'model' ? config.teachers['candidates']?.model : request.candidates}`,
    notes: notesOf(summary),
    scores: summary.scores,
    ...(summary.exceptions ? {exceptions: summary.exceptions} : {}),
  }
  const {tables, shares, executors} = scoreTables(summary.scores)
  const files = {
    json: join(directory, 'score.json'),
    markdown: join(directory, 'score.md'),
    html: join(directory, 'score.html'),
  }
  const {author: _, ...found} = summary
  const json = {benchmark: request.benchmark, author, ...found, tables, shares, executors}
  await writeWhole(files.json, `${JSON.stringify(json, null, 2)}\n`)
  await writeWhole(files.markdown, scoreMarkdown(page))
  await writeWhole(files.html, scoreHtml(page))
  if (request.json) terminal.print(JSON.stringify({...json, files, spending: teachers.spending(), ...cost}))
  else {
    printSummary(summary, terminal)
    terminal.print(`scores in ${files.json}, score.md and score.html beside it`)
    const spent = describeSpending(teachers.spending())
    terminal.print(`${costLine(cost)}${spent === '' ? '' : `; ${spent}`}`)
  }
}
