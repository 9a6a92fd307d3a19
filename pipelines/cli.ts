import {join, resolve} from 'node:path'
import {readCommandLine, type Perform} from './command-line.ts'
import type {TrainRooms} from './commands/train/train-rooms.ts'
import type {World} from './commands/world.ts'
import {endInOrder, interruptedCode, realWorld} from './commands/world.ts'
import {reportError} from './commands/terminal.ts'
import type {Trial} from './commands/run-recipes.ts'
import type {Config} from './workspace/config.ts'
import {asInterrupted} from '../engine/errors.ts'
import {asFileError} from '../engine/files.ts'
import {sourceKinds} from '../sources/kinds.ts'

interface SharedOptions {
  config?: string
  out?: string
  seed?: string
  set: Record<string, string>
  json: boolean
}

/** Besides these, the folders of every kind of source, under the name of its flag. */
interface RunOptions extends SharedOptions {
  dryRun?: number | true
  try?: number | true
  tasks: string[]
  heldOut: string[]
  benchmark: string[]
  limit?: number
  startAnyway: boolean
}

interface StartOptions extends SharedOptions {
  all: boolean
  startAnyway: boolean
}

interface EvalOptions extends SharedOptions {
  root: string
  candidates: string
  tasks: string
  cases?: number
  samples: number
  mode?: string
  shape: string
  maxInputMib?: number
  tiers?: string
  allCases: boolean
  python: string
  startAnyway: boolean
}

interface CraftOptions extends SharedOptions {
  root: string
  tasks: string
  rounds: number
  lowering: string
  without?: string
  python: string
  startAnyway: boolean
}

interface ServeOptions extends SharedOptions {
  tasks: string[]
  host: string
  port: number
  logSources: boolean
}

interface CrawlOptions {
  out: string
  below?: string
  delay: number
  pages: number
  toc?: string
  images: boolean
  licence?: string
  contact?: string
  json: boolean
}

interface PublishOptions extends SharedOptions {
  yes: boolean
  public: boolean
}

interface DoctorOptions extends SharedOptions {
  python: string
}

interface ServeModelOptions {
  server: string
  python: string
  host: string
  port: number
  tensor: number
  maxLength?: number
  name?: string
  out?: string
  dryRun: boolean
  json: boolean
}

interface SweepOptions {
  config?: string
  out?: string
  set: Record<string, string>
  dryRun: boolean
  json: boolean
}

interface TrainOptions {
  config?: string
  out?: string
  set: Record<string, string>
  dryRun: boolean
  detach: boolean
  json: boolean
}

interface JobOptions {
  out?: string
  json: boolean
  follow: boolean
  attempt?: number
}

interface TryOptions extends SharedOptions {
  in: string
  options: string
  record?: string
}

/** Runs one command line and returns the process's exit code. */
export async function main(args: readonly string[], world: World = realWorld()): Promise<number> {
  const performing = (...asked: Parameters<Perform>) => perform(...asked, world)
  return readCommandLine(args, performing, world.terminal)
}

/** Does what a command line asks for; its flags are those of command-line.ts. Returns the exit code. */
export async function perform(
  command: string,
  operands: readonly string[],
  options: Readonly<Record<string, unknown>>,
  world: World = realWorld(),
): Promise<number> {
  try {
    const action = actions[command]
    if (!action) throw new TypeError(`the command line declares ${command}, but nothing performs it`)
    const code = await action(operands, options as never, world)
    // What was given up on because of the signal may have been taken for a failure.
    return code !== 0 && world.signal.aborted ? interruptedCode(world.interrupted) : code
  } catch (error) {
    const told = asInterrupted(asFileError(error), world.signal)
    const code = reportError(told, world.terminal, {json: options['json'] === true})
    return code === 130 ? interruptedCode(world.interrupted) : code
  }
}

/** Each loads only what it needs: a command that only reads starts at once. */
const actions: Record<string, (operands: readonly string[], options: never, world: World) => Promise<number>> = {
  async run(recipes, options: RunOptions, world) {
    const {run} = await import('./commands/run-recipes.ts')
    const {json, startAnyway} = options
    return run(recipes, await configOf(options, world), world, {json, startAnyway, trial: trialOf(options)})
  },
  async start(_, {all, json, startAnyway, ...options}: StartOptions, world) {
    const [{run}, {mainJob}] = await Promise.all([
      import('./commands/run-recipes.ts'),
      import('./commands/main-job.ts'),
    ])
    const {recipes, settings, seconds, said} = await mainJob({all})
    world.terminal.say(said)
    const config = await configOf({...options, json, set: {...settings, ...options.set}}, world)
    return run(recipes, config, world, {json, startAnyway, seconds})
  },
  async resume(_, options: RunOptions, world) {
    const {resume} = await import('./commands/resume.ts')
    return resume(outOf(options, world), world, {json: options.json, startAnyway: options.startAnyway})
  },
  async crawl([url = ''], {out, ...options}: CrawlOptions, world) {
    const {crawl} = await import('./commands/crawl.ts')
    return crawl({url, folder: out, ...options}, endInOrder(world))
  },
  async status(_, options: SharedOptions, world) {
    const {status} = await import('./commands/status.ts')
    return status({out: outOf(options, world), json: options.json}, world)
  },
  async failed(_, options: SharedOptions, world) {
    const {failed} = await import('./commands/failed.ts')
    return failed({out: outOf(options, world), json: options.json}, world)
  },
  async inspect([id = ''], options: SharedOptions, world) {
    const {inspect} = await import('./commands/inspect.ts')
    return inspect({id, out: outOf(options, world), json: options.json}, world)
  },
  async asked([run = '', id], options: SharedOptions, world) {
    const {asked} = await import('./commands/exchanges.ts')
    return asked({run, id, out: outOf(options, world), json: options.json}, world)
  },
  async try([file = ''], options: TryOptions, world) {
    const {tryStage} = await import('./commands/try.ts')
    const request = {file, input: options.in, options: options.options, record: options.record, json: options.json}
    return tryStage(request, await configOf(options, world), world)
  },
  async api([name = ''], options: SharedOptions, world) {
    const {api} = await import('./commands/api.ts')
    return api({name, out: outOf(options, world), json: options.json}, world)
  },
  async verify([folder], options: SharedOptions, world) {
    const {verify} = await import('./commands/verify.ts')
    return verify({folder: folder ?? join(outOf(options, world), 'dataset'), json: options.json}, world)
  },
  async report(_, options: SharedOptions, world) {
    const {report} = await import('./commands/report.ts')
    return report({out: outOf(options, world), json: options.json}, world)
  },
  async publish([name = ''], options: PublishOptions, world) {
    const {publishDataset} = await import('./commands/publish.ts')
    const {yes, json, public: isPublic} = options
    return publishDataset({name, out: outOf(options, world), yes, isPublic, json}, endInOrder(world))
  },
  async doctor(_, {python, ...options}: DoctorOptions, world) {
    const {doctor} = await import('./commands/doctor.ts')
    return doctor(await configOf(options, world), world, {json: options.json, python})
  },
  async 'serve-judge'(_, {host, port, logSources, ...options}: ServeOptions, world) {
    const {serve} = await import('./commands/serve-judge.ts')
    return serve({host, port, logSources}, await configOf(options, world), world)
  },
  async serve([checkpoint = ''], options: ServeModelOptions, world) {
    const {serveCheckpoint} = await import('./commands/serve-checkpoint.ts')
    return serveCheckpoint({...options, checkpoint, out: outOf(options, world)}, world)
  },
  async sweep([table = ''], options: SweepOptions, world) {
    const {sweepTable} = await import('./commands/sweep/sweep-table.ts')
    const {set, dryRun, json} = options
    return sweepTable(
      {table, out: outOf(options, world), set, dryRun, json},
      await trainRooms(options, world),
      endInOrder(world),
    )
  },
  async train([spec = ''], options: TrainOptions, world) {
    const {startJob} = await import('./commands/train/start-job.ts')
    return startJob({spec, ...options}, await trainRooms(options, world), endInOrder(world))
  },
  async 'train status'([id = ''], options: JobOptions, world) {
    const {jobStatus} = await import('./commands/train/look-at-jobs.ts')
    return jobStatus({id, out: outOf(options, world), json: options.json}, await trainRooms(options, world), world)
  },
  async 'train logs'([id = ''], options: JobOptions, world) {
    const {jobLogs} = await import('./commands/train/look-at-jobs.ts')
    const {follow, attempt, json} = options
    return jobLogs({id, out: outOf(options, world), follow, attempt, json}, await trainRooms(options, world), world)
  },
  async 'train cancel'([id = ''], options: JobOptions, world) {
    const {cancelJob} = await import('./commands/train/change-job.ts')
    return cancelJob({id, out: outOf(options, world)}, await trainRooms(options, world), endInOrder(world))
  },
  async 'train resume'([id = ''], options: TrainOptions, world) {
    const {resumeJob} = await import('./commands/train/change-job.ts')
    return resumeJob({id, ...options, out: outOf(options, world)}, await trainRooms(options, world), endInOrder(world))
  },
  async craft(_, {root, tasks, rounds, lowering, without, python, ...options}: CraftOptions, world) {
    const {craftTasks} = await import('./commands/craft-tasks.ts')
    const {json, startAnyway} = options
    const request = {root, tasks, rounds, lowering, without, python, json, startAnyway}
    return craftTasks(request, await configOf({...options, tasks: []}, world), world)
  },
  async eval([benchmark = ''], options: EvalOptions, world) {
    const [{evaluate}, {largestInputOf}] = await Promise.all([
      import('./commands/eval.ts'),
      import('./commands/evaluation/request.ts'),
    ])
    const {config: _config, out: _out, seed: _seed, set: _set, ...asked} = options
    const request = {...asked, benchmark, maxInputMib: asked.maxInputMib ?? largestInputOf(benchmark)}
    return evaluate(request, await configOf({...options, tasks: []}, world), world)
  },
}

/** Nothing is sent where both are asked for. */
function trialOf({dryRun, try: ask}: RunOptions): Trial | undefined {
  if (dryRun !== undefined) return {show: dryRun === true ? 0 : dryRun}
  return ask === undefined ? undefined : {ask: ask === true ? 10 : ask}
}

/** Keys of `sources` and the flags that set them, besides those of the kinds. */
const taskFlags = {tasks: 'tasks', heldOut: 'heldOut'}

async function configOf(options: SharedOptions & Partial<RunOptions>, {env}: World): Promise<Config> {
  const flags: Record<string, string> = {...options.set}
  if (options.out !== undefined) flags['out'] = JSON.stringify(options.out)
  if (options.seed !== undefined) flags['seed'] = JSON.stringify(options.seed)
  if (options.limit !== undefined) flags['limit'] = String(options.limit)
  const given: ReadonlyMap<string, string[] | undefined> = new Map(Object.entries(options))
  const flagOf = {...Object.fromEntries(sourceKinds.map(({name, flag}) => [name, flag])), ...taskFlags}
  for (const [key, flag] of Object.entries(flagOf)) {
    const roots = given.get(flag) ?? []
    if (roots.length > 0) flags[`sources.${key}`] = JSON.stringify(roots.map((root) => ({root})))
  }
  if (options.benchmark && options.benchmark.length > 0) flags['sources.benchmarks'] = JSON.stringify(options.benchmark)
  const {readConfig} = await import('./workspace/config.ts')
  return readConfig({file: options.config, env, flags})
}

/** Only what plans a job may fetch data, and only that needs to know where it is kept. */
async function trainRooms(options: {config?: string; out?: string; set?: object}, world: World): Promise<TrainRooms> {
  const [{ownRooms}, {readConfig}] = await Promise.all([
    import('./commands/train/own-rooms.ts'),
    import('./workspace/config.ts'),
  ])
  const cache = options.set ? (await readConfig({file: options.config, env: world.env})).cache : ''
  return ownRooms({out: outOf(options, world), cache: resolve(cache)}, world)
}

/** Commands that only read need no valid configuration. */
function outOf(options: {out?: string}, {env}: World): string {
  return options.out ?? env['ASCEND_COT_OUT'] ?? 'runs'
}
