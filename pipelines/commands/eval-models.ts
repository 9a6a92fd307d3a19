import {existsSync} from 'node:fs'
import {basename, join, resolve} from 'node:path'
import type {CannExecutor} from '../../eval/executors/cann/cann.ts'
import type {ModelBenchmark} from '../../eval/bench/benchmark.ts'
import {foldersOf, isCheckout} from '../../eval/bench/load-benchmark.ts'
import type {FoundPython, ModelsAsked, ModelTask, ReplySource} from '../../eval/bench/whole-model.ts'
import {openReplies} from '../../eval/candidates/reply-file.ts'
import {tablesHtml, tablesMarkdown} from '../../eval/scores/page.ts'
import type {ScoreTable} from '../../eval/scores/table.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import {PipelineError} from '../../engine/errors.ts'
import {connectTeachers} from './teachers.ts'
import type {Config} from '../workspace/config.ts'
import {craftSolutions, isCraftForm} from '../workspace/craft-solutions.ts'
import {emittedBy} from '../workspace/runs.ts'
import {runDirectory} from '../workspace/workspace.ts'
import {watchMemory} from './evaluation/memory.ts'
import {costLine} from './evaluation/print.ts'
import {invalid, saveRequest, type EvalRequest} from './evaluation/request.ts'
import {placesOf, writeScores} from './evaluation/score-files.ts'
import {makeConfirming, makeTwin} from './executor.ts'
import {table} from './text-table.ts'
import {watchedRun} from './watched-run.ts'
import type {World} from './world.ts'

/**
 * `ascend-cot eval` of a benchmark of models: replies judged by the models of its own tasks. Exit code 1 when a reply
 * could not be judged for an outside reason, or none was judged at all.
 */
export async function evaluateModels(
  request: EvalRequest,
  benchmark: ModelBenchmark,
  config: Config,
  world: World,
): Promise<number> {
  const [started, memory] = [world.now(), watchMemory()]
  const tiers = tiersOf(request.tiers, benchmark.tiers)
  const source = await sourceOf(request, benchmark, config)
  const tasks = await tasksOf(request, benchmark)
  const python = await benchmark.findPython(request.python)
  const name = `evaluate-${request.benchmark}-${source.name.replace(/[^\w.-]+/g, '-')}`
  await saveRequest(runDirectory(config, name), request)
  const asked = Object.entries(config.teachers).filter(([profile]) => profile === source.asks?.profile)
  const teachers = connectTeachers({...config, teachers: Object.fromEntries(asked)}, world)
  try {
    const trials = request.cases ?? benchmark.trials
    const judge = await judgeOf(request, python, config, world)
    const pipeline = await benchmark.judging({...judge, name, source, tiers, trials})
    const record = await watchedRun(pipeline, {config, world, teachers, startAnyway: request.startAnyway})
    const judged: unknown[] = []
    for await (const one of emittedBy(config.out, name, benchmark.verdicts)) judged.push(one)
    const {confirming} = judge
    const extent = {
      tiers,
      trials,
      tasks: tasks.length,
      judged: judged.length,
      second: confirming && secondNote(confirming),
    }
    const notes = await notesOf(request, benchmark, extent)
    const page = {title: `${benchmark.title}: ${source.name}`, notes, tables: benchmark.tables(tasks, judged)}
    await tell(page, judged, {config, world, name, request})
    if (!request.json)
      world.terminal.print(costLine({seconds: (world.now() - started) / 1000, peakBytes: memory.stop()}))
    return judged.length === 0 || record.counts.some(({failed}) => failed > 0) ? 1 : 0
  } finally {
    memory.stop()
    teachers.close()
  }
}

type Judge = Omit<ModelsAsked, 'name' | 'source' | 'tiers' | 'trials'>

async function judgeOf(request: EvalRequest, python: FoundPython, config: Config, world: World): Promise<Judge> {
  return {
    ...(await makeTwin(config, world)),
    confirming: await makeConfirming(config, world),
    folder: {root: resolve(request.root), ...(await describeCheckout(request.root))},
    pattern: request.tasks,
    python,
    cacheDirectory: join(resolve(config.cache), 'bindings'),
    largestInput: request.allCases ? Number.MAX_SAFE_INTEGER : request.maxInputMib * 2 ** 20,
    concurrency: config.executor.concurrency,
  }
}

/** @returns the requested names, in the benchmark's order */
export function tiersOf(text: string | undefined, known: readonly string[]): string[] {
  if (text === undefined) return [...known]
  const names = text.split(',').map((one) => one.trim())
  const unknown = names.find((one) => !known.includes(one))
  if (unknown === undefined) return known.filter((one) => names.includes(one))
  throw invalid(`--tiers ${text}: ${unknown || 'an empty name'} is not known.`, `Use names of ${known.join(', ')}.`)
}

async function sourceOf(
  {candidates, samples, mode}: EvalRequest,
  {title, requests}: ModelBenchmark,
  {teachers}: Config,
): Promise<ReplySource> {
  const profile = candidates === 'model' ? 'candidates' : candidates
  const [first] = requests ?? []
  if (first !== undefined && teachers[profile]) {
    const asks = {profile, samples, mode: mode ?? first}
    if (!requests?.includes(asks.mode)) throw invalid(`Unknown mode: ${mode}.`, `Use ${requests?.join(' or ')}.`)
    return {id: profile, name: profile, asks, repliesTo: () => Promise.resolve([])}
  }
  if (isCraftForm(candidates)) return craftSolutions(candidates)
  if (!existsSync(candidates)) {
    if (candidates === 'model' && first !== undefined)
      throw invalid(
        'No model is configured: there is no teacher profile "candidates".',
        'Set teachers.candidates: {model: …, baseUrl: …}, or give a file of replies.',
      )
    const what = candidates === 'answers' ? `${title} has no answers of its own` : `${candidates} does not exist`
    throw invalid(
      `${what}.`,
      'Use --candidates solutions or direct-solutions, or a file of replies: lines of JSON with task and reply.',
    )
  }
  const file = openReplies(candidates)
  const name = basename(candidates).replace(/\.jsonl?$/, '')
  return {id: file.id, name, repliesTo: (names) => file.rowsOf(names)}
}

async function tasksOf({root, tasks: pattern}: EvalRequest, benchmark: ModelBenchmark): Promise<ModelTask[]> {
  if (!isCheckout(root, benchmark))
    throw new PipelineError('input-missing', `${root} is not a checkout of ${benchmark.title}.`, {
      fix: `Give --root a folder with ${foldersOf(benchmark)}, as in its repository.`,
    })
  const tasks = await benchmark.tasks(root, pattern)
  if (tasks.length > 0 || ((await benchmark.besides?.(pattern)) ?? []).length > 0) return tasks
  throw new PipelineError('input-invalid', `No task of ${benchmark.part} below ${root} matches ${pattern}.`, {
    fix: 'Give --tasks a glob over paths or names, e.g. `activation/*` or `softmax`.',
  })
}

interface Extent {
  tiers: readonly string[]
  trials: number
  tasks: number
  judged: number
  second: string | undefined
}

/** The conditions, a sentence each. */
async function notesOf(
  request: EvalRequest,
  {title, notes = []}: ModelBenchmark,
  {tiers, trials, tasks, judged, second}: Extent,
): Promise<string[]> {
  const {revision} = await describeCheckout(request.root)
  const place = revision === 'unversioned' ? 'a folder without version control' : `commit ${revision}`
  const matching = request.tasks === '*' ? '' : ` that match ${request.tasks}`
  const limit = request.allCases ? 'no limit on inputs' : `at most ${request.maxInputMib} MiB of input a call`
  return [
    `${title} at ${place}; tasks${matching}: ${tasks}, replies judged: ${judged}.`,
    `Sizes: ${tiers.join(', ')}; calls per size, each with its own inputs: ${trials}; ${limit}.`,
    ...notes,
    ...(second === undefined ? [] : [second]),
    'The CPU twin is an emulation: its verdicts are not those of an NPU.',
  ]
}

function secondNote({identity: {name}, python}: CannExecutor): string {
  return python
    ? `${name} ran again, with torch and torch_npu ${python.version}, what the twin found correct of six strings.`
    : `${name} compiled again what the twin compiled; nothing ran on it.`
}

interface Page {
  title: string
  notes: readonly string[]
  tables: readonly ScoreTable[]
}

interface Telling {
  config: Config
  world: World
  name: string
  request: EvalRequest
}

async function tell(page: Page, judged: readonly unknown[], {config, world, name, request}: Telling): Promise<void> {
  const {benchmark, root, candidates, tasks, cases, tiers, allCases, maxInputMib, json} = request
  const asked = {root, candidates, tasks, cases, tiers, allCases, maxInputMib}
  const {revision} = await describeCheckout(root)
  const files = await writeScores(
    runDirectory(config, name),
    {...page, benchmark, request: asked, revision, judged},
    {markdown: tablesMarkdown(page), html: tablesHtml(page)},
  )
  const {terminal} = world
  if (json) {
    terminal.print(JSON.stringify({...page, files}))
    return
  }
  for (const {title, note, columns, rows} of page.tables)
    terminal.print(`\n${title}\n${table(columns, rows, terminal.width)}\n${note}`)
  terminal.print('')
  for (const note of page.notes) terminal.print(note)
  for (const line of placesOf(files)) terminal.print(line)
}
