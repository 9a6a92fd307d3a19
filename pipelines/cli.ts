import {readFileSync} from 'node:fs'
import {Command, CommanderError, InvalidArgumentError, Option} from 'commander'
import {readConfig, type Config} from './core/config.ts'
import {reportError} from './commands/terminal.ts'
import {realWorld, type World} from './commands/world.ts'

interface SharedOptions {
  config?: string
  out?: string
  seed?: string
  set: Record<string, string>
  json: boolean
}

interface RunOptions extends SharedOptions {
  docs: string[]
  kernels: string[]
  tasks: string[]
  heldOut: string[]
  benchmark: string[]
  limit?: string
  startAnyway: boolean
}

interface EvalOptions extends SharedOptions {
  root: string
  candidates: string
  tasks: string
  cases?: string
  samples: string
  mode: string
  shape: string
  maxInputMib: string
  allCases: boolean
  python: string
  startAnyway: boolean
}

const wrongNumber = 'ascend-cot.number'

/** Runs one command line and answers with the process's exit code. */
export async function main(args: readonly string[], world: World = realWorld()): Promise<number> {
  let code = 0
  const program = commandLine(world, (result) => { code = result })
  const json = args.includes('--json')
  try {
    await program.parseAsync(args, {from: 'user'})
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said its own errors already.
      if (error.code === wrongNumber) world.terminal.say(`error: ${error.message}`)
      return error.exitCode
    }
    return reportError(error, world.terminal, {json})
  }
}

function commandLine(world: World, finish: (code: number) => void): Command {
  const program = new Command('ascend-cot')
    .description('Regenerates Ascend-CoT: chain-of-thought training data for Ascend C kernels, every code sample compiled and run.')
    .configureOutput({writeOut: (text) => world.terminal.print(text.trimEnd()), writeErr: (text) => world.terminal.say(text.trimEnd())})
    .version(version(), '-V, --version')
    .exitOverride()
  const command = (usage: string, description: string) => shared(program.command(usage).description(description))

  runFlags(command('run <recipe...>', 'run recipes in the order given; what an output folder already holds is not done again'))
    .action(async (recipes: string[], options: RunOptions) => {
      const {run} = await import('./commands/run.ts')
      finish(await run(recipes, await configOf(options, world), world, {json: options.json, startAnyway: options.startAnyway}))
    })
  program.command('resume').description('go on with the runs of an output folder, under the configuration they were started with')
    .option('--out <folder>', 'output folder (default: runs)')
    .option('--json', 'results as JSON', false)
    .option('--start-anyway', 'start although the forecast passes the budget', false)
    .action(async (options: RunOptions) => {
      const {resume} = await import('./commands/resume.ts')
      finish(await resume(outOf(options, world), world, {json: options.json, startAnyway: options.startAnyway}))
    })
  command('status', 'every run of the output folder, stage by stage')
    .action(async (options: SharedOptions) => {
      const {status} = await import('./commands/status.ts')
      finish(await status({out: outOf(options, world), json: options.json}, world))
    })
  command('failed', 'the records that the outside world failed, which `resume` will try again')
    .action(async (options: SharedOptions) => {
      const {failed} = await import('./commands/failed.ts')
      finish(await failed({out: outOf(options, world), json: options.json}, world))
    })
  command('inspect <record-id>', 'the way of one record through every stage (the first digits of its id will do)')
    .action(async (id: string, options: SharedOptions) => {
      const {inspect} = await import('./commands/inspect.ts')
      finish(await inspect({id, out: outOf(options, world), json: options.json}, world))
    })
  command('try <stage-file>', 'run one stage on the records of a file and show what it makes of each')
    .requiredOption('--in <file>', 'JSON lines: the records that go in')
    .option('--options <json>', 'the options of the stage', '{}')
    .option('--record <folder>', 'keep in, replies, out and drops there as a fixture case')
    .action(async (file: string, options: SharedOptions & {in: string; options: string; record?: string}) => {
      const {tryStage} = await import('./commands/try.ts')
      finish(await tryStage({file, input: options.in, options: options.options, record: options.record, json: options.json}, await configOf(options, world), world))
    })
  command('report', 'write the HTML report of an output folder')
    .action(async (options: SharedOptions) => {
      const {report} = await import('./commands/report.ts')
      finish(await report({out: outOf(options, world), json: options.json}, world))
    })
  command('doctor', 'what this machine has: compilers, sandbox, Python, endpoints, disk; what each absence costs and how to mend it')
    .action(async (options: SharedOptions) => {
      const {doctor} = await import('./commands/doctor.ts')
      finish(await doctor(await configOf(options, world), world, {json: options.json}))
    })
  command('eval <benchmark>', 'judge and score answers to a benchmark\'s tasks by its own references: npukernelbench')
    .requiredOption('--root <folder>', 'checkout of the benchmark')
    .addOption(new Option('--candidates <whose>', '"answers": the benchmark\'s own; "model" or a teacher profile; a file of replies').default('answers'))
    .option('--samples <count>', 'attempts of a model at each task', '1')
    .option('--mode <mode>', 'what a model writes: kernel-only or full', 'kernel-only')
    .option('--shape <shape>', 'static: each case is a task of its own; dynamic: one candidate serves all cases', 'static')
    .option('--tasks <glob>', 'only tasks whose path or name matches, e.g. level1/Math/*', '*')
    .option('--cases <count>', 'only the first cases of each task (default: all; for a model and a static shape, 1)')
    .option('--max-input-mib <size>', 'skip cases with more input', '16')
    .option('--all-cases', 'skip no case for its size', false)
    .option('--python <command>', 'the Python that has torch', 'python3')
    .option('--start-anyway', 'start although the forecast passes the budget', false)
    .action(async (benchmark: string, options: EvalOptions) => {
      const {evaluate} = await import('./commands/eval.ts')
      const request = {
        benchmark, root: options.root, candidates: options.candidates, tasks: options.tasks, mode: options.mode, shape: options.shape, python: options.python,
        allCases: options.allCases, json: options.json, startAnyway: options.startAnyway, maxInputMib: positive('--max-input-mib', options.maxInputMib),
        samples: wholeNumber('--samples', options.samples), ...(options.cases === undefined ? {} : {cases: wholeNumber('--cases', options.cases)}),
      }
      finish(await evaluate(request, await configOf({...options, tasks: []}, world), world))
    })
  return program
}

function positive(flag: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new CommanderError(2, wrongNumber, `${flag} wants a number above 0, got ${text}`)
  return value
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommanderError(2, wrongNumber, `${flag} wants a whole number above 0, got ${text}`)
  return Number(text)
}

function version(): string {
  const {version: number} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {version: string}
  return number
}

function shared(command: Command): Command {
  return command
    .option('--config <file>', 'YAML configuration (default: ascend-cot.yaml, if it is there)')
    .option('--out <folder>', 'output folder (default: runs)')
    .option('--seed <text>', 'seed of every random choice')
    .option('--set <key=value>', 'any configuration key, e.g. budget.tokens=200000; repeatable', keyValue, {})
    .option('--json', 'results as JSON', false)
}

function runFlags(command: Command): Command {
  const list = (value: string, before: string[]) => [...before, value]
  return command
    .addOption(new Option('--docs <folder>', 'documentation to read instead of the bundled pages; repeatable').argParser(list).default([]))
    .addOption(new Option('--kernels <folder>', 'operator code to read instead of the bundled operators; repeatable').argParser(list).default([]))
    .addOption(new Option('--tasks <folder>', 'training tasks instead of the bundled ones; repeatable').argParser(list).default([]))
    .addOption(new Option('--held-out <folder>', 'evaluation tasks to keep out of the data; repeatable').argParser(list).default([]))
    .addOption(new Option('--benchmark <folder>', 'benchmark checkout to keep out of the data; repeatable').argParser(list).default([]))
    .option('--limit <count>', 'take only the first records of each source')
    .option('--start-anyway', 'start although the forecast passes the budget', false)
}

function keyValue(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('It wants key=value, e.g. budget.tokens=200000.')
  return {...before, [text.slice(0, at)]: text.slice(at + 1)}
}

async function configOf(options: SharedOptions & Partial<RunOptions>, {env}: World): Promise<Config> {
  const flags: Record<string, string> = {...options.set}
  if (options.out !== undefined) flags['out'] = JSON.stringify(options.out)
  if (options.seed !== undefined) flags['seed'] = JSON.stringify(options.seed)
  if (options.limit !== undefined) flags['limit'] = options.limit
  const folders = {documentation: options.docs, kernels: options.kernels, tasks: options.tasks, heldOut: options.heldOut}
  for (const [key, roots] of Object.entries(folders)) {
    if (roots && roots.length > 0) flags[`sources.${key}`] = JSON.stringify(roots.map((root) => ({root})))
  }
  if (options.benchmark && options.benchmark.length > 0) flags['sources.benchmarks'] = JSON.stringify(options.benchmark)
  return readConfig({file: options.config, env, flags})
}

/** Commands that only look need no valid configuration. */
function outOf(options: SharedOptions, {env}: World): string {
  return options.out ?? env['ASCEND_COT_OUT'] ?? 'runs'
}
