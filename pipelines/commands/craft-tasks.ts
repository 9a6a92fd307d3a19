import {counted} from '../../engine/counted.ts'
import {readFile} from 'node:fs/promises'
import {existsSync} from 'node:fs'
import {basename, dirname, join, parse} from 'node:path'
import type {ModelBenchmark} from '../../eval/bench/benchmark.ts'
import {foldersOf, isCheckout, judgesModels, loadBenchmarks} from '../../eval/bench/load-benchmark.ts'
import type {CasesSetting, ModelCases, ModelTask} from '../../eval/bench/whole-model.ts'
import {Ablation, Crafted, CraftSetting, type CraftTask} from '../../datasets/schema/crafted.ts'
import {PipelineError} from '../../engine/errors.ts'
import {removeFolder, writeWhole} from '../../engine/files.ts'
import {contentId} from '../../engine/ids.ts'
import {sharedWork} from '../../eval/shared-work.ts'
import {ablationRows, ablationTable} from '../ascendcraft/generate/ablation-table.ts'
import {noModel} from '../ascendcraft/generate/craft.ts'
import {readExamples} from '../ascendcraft/generate/examples.ts'
import {operatorType} from '../ascendcraft/lower/six-strings.ts'
import crafting from '../recipes/evaluation/crafting.ts'
import type {Config} from '../workspace/config.ts'
import {proofBy} from '../workspace/craft-proof.ts'
import {craftedReply} from '../workspace/crafted-reply.ts'
import {emittedBy} from '../workspace/runs.ts'
import {programFiles, writeModuleFolder} from '../workspace/program-folder.ts'
import {runDirectory} from '../workspace/workspace.ts'
import {makeTwin} from './executor.ts'
import {benchmarkOfModules, checkModule, isModule, pythonFlag, type ModulesBenchmark} from './open-module.ts'
import {describeSpending} from './stage-line.ts'
import {checkTeachers, connectTeachers} from './teachers.ts'
import {watchedRun} from './watched-run.ts'
import type {World} from './world.ts'

interface CraftRequest {
  /** A checkout, or a module. */
  root: string
  /** Glob over `<category>/<name>` and names. */
  tasks: string
  rounds: number
  lowering: string
  without?: string | undefined
  python: string
  json: boolean
  startAnyway: boolean
}

/** Teacher profile that the stage uses. */
const profile = 'craft'

/** Programs that may appear in prompts. */
const examples = new URL('../ascendcraft/library/examples/', import.meta.url)

/**
 * `ascend-cot craft --root`: a model writes operators for the tasks of a benchmark of models, or for one module, with
 * feedback from checker, interpreter, twin and references. Correct operators are written as replies for
 * `eval <benchmark> --candidates`, or as a folder for `craft <folder>`.
 */
export async function craftTasks(request: CraftRequest, given: Config, world: World): Promise<number> {
  const setting = settingOf(request)
  const found = await tasksOf(request)
  const {benchmark, tasks} = found
  if (!given.teachers[profile]) throw noModel()
  const python = await benchmark.findPython(request.python)
  const config = {
    ...given,
    teachers: Object.fromEntries(Object.entries(given.teachers).filter(([one]) => one === profile)),
  }
  await checkTeachers([profile], config, world)
  const {executor, tools} = await makeTwin(config, world)
  const {sandbox, workDirectory} = tools
  const casesOnce = sharedWork<ModelCases>()
  const casesOf = async (task: ModelTask) =>
    (await casesOnce(task.path, () => found.casesOf(task, {python, sandbox, workDirectory}))).value
  const known = new Map(tasks.map((task) => [task.name, task]))
  const modelOf = ({name: one}: CraftTask) => casesOf(known.get(one) as ModelTask)
  const asked: CraftTask[] = []
  for (const task of tasks) asked.push(await craftTask(task, await casesOf(task)))
  const teachers = connectTeachers(config, world)
  const name = nameOf(setting)
  try {
    const pipeline = crafting({
      name,
      tasks: asked,
      craft: {
        setting,
        examples: readExamples(examples),
        proof: proofBy(executor, {
          identity: `${benchmark.cases.identity} torch ${python.torch}`,
          of: async (task) => (await modelOf(task)).cases,
        }),
      },
    })
    const record = await watchedRun(pipeline, {config, given, world, teachers, startAnyway: request.startAnyway})
    const crafted: Crafted[] = []
    for await (const one of emittedBy(config.out, name, Crafted)) crafted.push(one)
    await tell(crafted, {modelOf, directory: runDirectory(config, name), found, world, ...request})
    const spent = describeSpending(teachers.spending())
    if (!request.json && spent !== '') world.terminal.print(spent)
    return crafted.length === 0 || record.counts.some(({failed}) => failed > 0) ? 1 : 0
  } finally {
    teachers.close()
  }
}

/** The part of a run's name that keeps settings apart. */
function nameOf({lowering, without, rounds}: CraftSetting): string {
  return ['craft', lowering, String(rounds), ...without.map((one) => `no-${one}`)].join('-')
}

function settingOf({rounds, lowering, without = ''}: CraftRequest): CraftSetting {
  const parts = without.split(',').map((one) => one.trim())
  const setting = CraftSetting.safeParse({rounds, lowering, without: parts.filter((one) => one !== '')})
  if (setting.success) return setting.data
  throw new PipelineError('config-invalid', `--lowering ${lowering} --without ${without}: unknown value.`, {
    fix: `Use --lowering compiler or model, and --without with any of ${Ablation.options.join(', ')}.`,
  })
}

interface Found {
  benchmark: ModelBenchmark
  tasks: ModelTask[]
  casesOf: (task: ModelTask, setting: CasesSetting) => Promise<ModelCases>
  /** Its name for `eval`; none of a module by itself. */
  judgedBy?: string
}

async function tasksOf({root, tasks: pattern}: CraftRequest): Promise<Found> {
  const known = [...(await loadBenchmarks())].flatMap(([judgedBy, benchmark]) =>
    judgesModels(benchmark) ? [{judgedBy, benchmark}] : [],
  )
  if (isModule(root)) return loneTask(root, await benchmarkOfModules())
  const found = known.find(({benchmark}) => isCheckout(root, benchmark))
  const tasks = found ? await found.benchmark.tasks(root, pattern) : []
  if (found && tasks.length > 0) return {...found, tasks, casesOf: found.benchmark.cases.of}
  const any = (words: (benchmark: ModelBenchmark) => string) =>
    known.map(({benchmark}) => words(benchmark)).join(', or ')
  const what = any(({title}) => title)
  throw new PipelineError('input-invalid', `${root} has no task of ${what} that matches ${pattern}.`, {
    fix: `Give --root a checkout with ${any(foldersOf)}, and --tasks a glob such as \`activation/*\`.`,
  })
}

function loneTask(path: string, {benchmark, alone}: ModulesBenchmark): Found {
  checkModule(path)
  const task = {name: parse(path).name, category: 'module', root: dirname(path), path: basename(path)}
  const casesOf = async (_: ModelTask, setting: CasesSetting) => {
    const opened = await alone(path, setting)
    try {
      return await opened.calls()
    } finally {
      await opened.close()
    }
  }
  return {benchmark, tasks: [task], casesOf}
}

async function craftTask(task: ModelTask, {shapes}: ModelCases): Promise<CraftTask> {
  const {name, category, root, path} = task
  const reference = await readFile(join(root, path), 'utf8')
  return {name, operator: operatorType(name), category, reference, shapes}
}

interface Telling {
  modelOf(task: CraftTask): Promise<ModelCases>
  directory: string
  found: Found
  world: World
  json: boolean
  /** As the command line names it. */
  python: string
}

async function tell(
  crafted: readonly Crafted[],
  {modelOf, directory, found, world, json, python}: Telling,
): Promise<void> {
  const lines: string[] = []
  const folders: string[] = []
  for (const one of crafted) {
    const model = await modelOf(one.task)
    const reply = craftedReply(one, model)
    if (reply === undefined) continue
    lines.push(JSON.stringify({task: one.task.name, reply, model: one.model}))
    folders.push(...(await folderOf(one, model, directory)))
  }
  const files = {replies: join(directory, 'replies.jsonl'), table: join(directory, 'table.md')}
  const rows = ablationRows(crafted)
  const table = ablationTable(rows, 'Correct on odd sizes on the CPU twin; `eval` judges all sizes.')
  await writeWhole(files.replies, lines.map((line) => `${line}\n`).join(''))
  await writeWhole(files.table, table)
  if (json) {
    world.terminal.print(JSON.stringify({rows, files, ...(folders.length > 0 && {folders})}))
    return
  }
  world.terminal.print(`\n${table}`)
  for (const {task, state, rounds} of crafted)
    world.terminal.print(`${task.category}/${task.name}: ${state}, replies: ${rounds.length}`)
  const said = `${counted(lines.length, 'reply', 'replies')} in ${files.replies}`
  if (found.judgedBy !== undefined) {
    world.terminal.print(`${said}; judge with eval ${found.judgedBy} --candidates`)
    return
  }
  world.terminal.print(said)
  for (const folder of folders)
    world.terminal.print(`judge and go on with: ascend-cot craft ${folder}${pythonFlag(python)} --watch`)
}

/** A correct program for a module by itself, as a folder to go on with; another program has another folder. */
async function folderOf({task, program}: Crafted, model: ModelCases, directory: string): Promise<string[]> {
  const {rows} = model
  if (program === undefined || !rows) return []
  const folder = join(directory, 'programs', contentId([task, program]).slice(0, 8), task.operator)
  // Its rows are written last.
  const isWhole = existsSync(join(folder, programFiles.cases))
  if (!isWhole) await removeFolder(folder)
  if (!isWhole) await writeModuleFolder(folder, {module: task.reference, rows, shapes: task.shapes, program})
  return [folder]
}
