import {readdirSync} from 'node:fs'
import {Command, CommanderError, Help, InvalidArgumentError, Option} from 'commander'
import {ownVersion} from '../engine/own-package.ts'
import {sourceKinds} from '../sources/kinds.ts'

// Nothing else is imported here: --help, --version and a mistyped flag are answered at once.

/** Does what a command line asks for, and returns the process's exit code. */
export type Perform = (command: string, operands: string[], options: Record<string, unknown>) => Promise<number>
type Performed = (...asked: Parameters<Perform>) => Promise<void>

interface Output {
  print(text: string): void
  say(text: string): void
}

/** Exit code for a command line that cannot be read. */
const unreadable = 2

/**
 * Reads one command line and has it performed; reports what is wrong with it.
 * @returns the process's exit code
 */
export async function readCommandLine(args: readonly string[], perform: Perform, output: Output): Promise<number> {
  let code = 0
  const program = commandLine(output, async (...asked) => {
    code = await perform(...asked)
  })
  try {
    await program.parseAsync(args, {from: 'user'})
    return code
  } catch (error) {
    // Commander has already printed its own errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : unreadable
    throw error
  }
}

function commandLine({print, say}: Output, perform: Performed): Command {
  const program = new Command('ascend-cot')
    .description(
      'Regenerates Ascend-CoT: chain-of-thought training data for Ascend C kernels, ' +
        'every code sample compiled and run.',
    )
    .configureOutput({writeOut: (text) => print(text.trimEnd()), writeErr: (text) => say(text.trimEnd())})
    .version(ownVersion(), '-V, --version')
    .configureHelp({optionDescription: withoutEmptyDefault})
    // An option behind `train status` is one of `status`, though `train` has it too.
    .enablePositionalOptions()
    .exitOverride()
  const bare = (usage: string, description: string) => performed(program, usage, description, perform)
  const command = (usage: string, description: string) => shared(bare(usage, description))

  mainFlags(command('start', 'make a data set of a part of the bundled corpus, offline, or with --all of the whole'))
  runFlags(command('run <recipe...>', 'run recipes in the order given; work that is already done is not repeated'))
  bare('resume', 'continue the runs of an output folder with the configuration they were started with')
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option('--json', 'print results as JSON', false)
    .option('--start-anyway', 'start even if the forecast exceeds the budget', false)
  crawlFlags(bare('crawl <url>', 'mirror the pages of one site into a folder that `run documentation --docs` reads'))
  command('status', 'show every run of the output folder, stage by stage')
  command('failed', 'list the records that failed for outside reasons; `resume` tries them again')
  command('inspect <record-id>', 'show what each stage did with one record (the first digits of its id are enough)')
  command('asked <run> [record-id]', 'show what a teacher was asked about records of a run, and what it answered')
  command('try <stage-file>', 'run one stage on the records of a file and show the result for each')
    .requiredOption('--in <file>', 'the input records, one JSON document per line')
    .option('--options <json>', "the stage's options", '{}')
    .option('--record <folder>', 'also save input, replies, output and drops there, as a test fixture')
  command('api <name>', 'show what the documentation says of an interface; `run api-index` makes the index')
  bare('verify [folder]', 'compare a data set with its manifest and card, and read every row of it')
    .option('--out <folder>', 'output folder whose data set to verify where no folder is named (default: runs)', named)
    .option('--json', 'print results as JSON', false)
  command('report', 'write the HTML report of an output folder')
  bare('publish <owner/name>', 'show what publishing the data set on the Hugging Face Hub would change; --yes does it')
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option('--yes', 'publish, in one commit, with the token of HF_TOKEN or of `hf auth login`', false)
    .option('--public', 'a data set that is not there yet is made public (default: private)', false)
    .option('--json', 'print results as JSON', false)
  command(
    'doctor',
    'check this machine (compilers, sandbox, Python, endpoints, disk, trainers, schedulers); ' +
      'say what each gap costs and how to fix it',
  ).option('--python <command>', 'the Python interpreter that trainers are installed in', named, 'python3')
  evalFlags(
    command(
      'eval <benchmark>',
      `judge and score answers to a benchmark's tasks, by its own references (${benchmarks().join(', ')})`,
    ),
  )
  craftFlags(
    command('craft', "let a model write operators for MultiKernelBench's tasks in the tile language, with feedback"),
  )
  command('serve-judge', 'serve verdicts and rewards over HTTP, to trainers and agents; GET /openapi.json describes it')
    .addOption(folders('--tasks', 'training tasks to use instead of the bundled ones; repeatable'))
    .option('--host <address>', 'where to listen; other than loopback only with a token', named, '127.0.0.1')
    .option('--port <number>', '0 takes a free one', portNumber, 8077)
    .option('--log-sources', 'also write the code of candidates to judge/events.jsonl', false)
  serveFlags(
    bare(
      'serve <checkpoint>',
      'serve a model to OpenAI clients: job:<id>, a folder of a trainer, or owner/name on the Hub',
    ),
  )
  bare('sweep <table>', "start the jobs of a table, and fill the paper's tables and figures with what was scored")
    .option('--config <file>', 'YAML configuration (default: ascend-cot.yaml, if it exists)', named)
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option(
      '--set <key=value>',
      'set any key of every specification that no row sets, e.g. environment.checkout=…; repeatable',
      keyValue,
      {},
    )
    .option('--dry-run', 'plan and check every job of it, tell what it costs; start nothing', false)
    .option('--json', 'print results as JSON', false)
  trainCommands(bare('train', 'train a model: plan, check, start and watch a job of an existing trainer'), perform)
  return program
}

/** A command whose name is that of its parents and its own. */
function performed(parent: Command, usage: string, description: string, perform: Performed, before = ''): Command {
  const name = `${before}${usage.split(' ')[0] ?? ''}`
  return parent
    .command(usage)
    .description(description)
    .action((...given: unknown[]) =>
      perform(name, given.slice(0, -2).flat() as string[], given.at(-2) as Record<string, unknown>),
    )
}

/** `train <spec>`, and what is done with jobs that were started. */
function trainCommands(train: Command, perform: Performed): void {
  startFlags(train)
    .argument('<spec>', 'name of a shipped specification, or a YAML file (see trainers/specs)')
    .enablePositionalOptions()
    .addHelpText('after', '\nExit code 2: the check found an error, and nothing was started.')
  const below = (usage: string, description: string) =>
    performed(train, usage, description, perform, 'train ')
      .option('--out <folder>', 'output folder (default: runs)', named)
      .option('--json', 'print results as JSON', false)
  below('status [job]', 'how all jobs are, or one: its curve, its attempts, what it was made from')
  below('logs <job>', 'what a job wrote')
    .option('--follow', 'go on until the job ends', false)
    .option('--attempt <number>', 'of this attempt (default: the last)', wholeNumber)
  below('cancel <job>', 'end a job and all that it started; its checkpoints are kept')
  startFlags(performed(train, 'resume <job>', 'go on from the last checkpoint, in a new attempt', perform, 'train '))
}

function serveFlags(command: Command): Command {
  return command
    .option('--server <name>', 'vllm, vllm-ascend or, for small models on one device, transformers', named, 'vllm')
    .option('--python <path>', 'interpreter of the environment that the server is installed in', named, 'python3')
    .option('--host <address>', 'where to listen', named, '127.0.0.1')
    .option('--port <number>', '0 takes a free one', portNumber, 8000)
    .option('--tensor <count>', 'devices that the model is spread over', wholeNumber, 1)
    .option('--max-length <tokens>', "prompt and reply together (default: the model's own)", wholeNumber)
    .option('--name <text>', "what clients ask for (default: the checkpoint's last part)", named)
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option('--dry-run', 'print the command and start nothing', false)
    .option('--json', 'print results as JSON', false)
}

function startFlags(command: Command): Command {
  return command
    .option('--config <file>', 'YAML configuration (default: ascend-cot.yaml, if it exists)', named)
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option(
      '--set <key=value>',
      'set any key of the specification, e.g. environment.python=…; repeatable',
      keyValue,
      {},
    )
    .option('--dry-run', 'show what would be run and check it; start nothing', false)
    .option('--detach', 'start it and return; it goes on', false)
    .option('--json', 'print results as JSON', false)
}

/** Commander would add `(default: [])` and `(default: false)`, which tell a reader nothing. */
function withoutEmptyDefault(option: Option): string {
  const empty = ['false', '[]', '{}', '"{}"'].includes(JSON.stringify(option.defaultValue))
  const shown = empty ? Object.assign(Object.create(option), {defaultValue: undefined}) : option
  return new Help().optionDescription(shown)
}

function shared(command: Command): Command {
  return command
    .option('--config <file>', 'YAML configuration (default: ascend-cot.yaml, if it exists)', named)
    .option('--out <folder>', 'output folder (default: runs)', named)
    .option('--seed <text>', 'seed of all random choices', named)
    .option('--set <key=value>', 'set any configuration key, e.g. budget.tokens=200000; repeatable', keyValue, {})
    .option('--json', 'print results as JSON', false)
}

function mainFlags(command: Command): Command {
  return command
    .option('--all', 'everything that the corpus gives', false)
    .option('--start-anyway', 'start even if the forecast exceeds the budget', false)
}

function runFlags(command: Command): Command {
  for (const {flag, help} of sourceKinds) command.addOption(folders(`--${flag}`, help))
  return command
    .addOption(folders('--tasks', 'training tasks to use instead of the bundled ones; repeatable'))
    .addOption(folders('--held-out', 'evaluation tasks to keep out of the data; repeatable'))
    .addOption(folders('--benchmark', 'benchmark checkout to keep out of the data; repeatable'))
    .option('--limit <count>', 'take only this many records from each source', wholeNumber)
    .option('--start-anyway', 'start even if the forecast exceeds the budget', false)
    .option('--dry-run [requests]', 'send nothing: say what would be asked, and show so many requests', wholeNumber)
    .option('--try [records]', 'ask about so many records (default: 10), show what came of them, and stop', wholeNumber)
}

function crawlFlags(command: Command): Command {
  const delay = "seconds between requests; the site's own Crawl-delay counts where it is longer"
  const toc = 'take the pages that this JSON names, instead of following links'
  const licence = 'SPDX identifier or LicenseRef-… of the pages (default: NOASSERTION, which no release takes)'
  return command
    .requiredOption(
      '--out <folder>',
      'where the pages are kept; the same folder again goes on or looks for changes',
      named,
    )
    .option('--below <path>', 'take the pages below this path (default: that of the start)', named)
    .option('--delay <seconds>', delay, notNegative, 1)
    .option('--pages <count>', 'ask for this many pages at most', wholeNumber, 20_000)
    .option('--toc <url>', toc, named)
    .option('--images', 'also fetch the images that kept pages show', false)
    .option('--licence <id>', licence, licenceName)
    .option('--contact <text>', 'an address for the User-Agent, so that the site can reach you', visible)
    .option('--json', 'print results as JSON', false)
}

function evalFlags(command: Command): Command {
  const source =
    'what to judge: "answers" (the benchmark\'s own), "model", a teacher profile, job:<id> of a training job, ' +
    'or a file of replies; of multikernelbench: "solutions" (our own programs), "direct-solutions" (as direct ' +
    'launches) or a file'
  const shape = 'static: each case is its own task; dynamic: one candidate serves all cases'
  const cases = 'only this many cases of each task (default: all; 1 for a model with --shape static)'
  return command
    .option('--root <folder>', 'checkout of the benchmark, which has to be named', named)
    .hook('preAction', (asked) => {
      const [benchmark = ''] = asked.args
      // Which benchmark comes first: its checkout is asked for by its name.
      if (!benchmarks().includes(benchmark))
        asked.error(`error: there is no benchmark ${benchmark}; use ${benchmarks().join(' or ')}`)
      if (asked.opts().root === undefined)
        asked.error(`error: say where the checkout of ${benchmark} is, with --root <folder>`)
    })
    .option('--candidates <source>', source, 'answers')
    .option('--samples <count>', "a model's attempts at each task", wholeNumber, 1)
    .option('--mode <mode>', "what a model writes: one of the benchmark's modes (default: its first, e.g. kernel-only)")
    .option('--shape <shape>', shape, 'static')
    .option('--tasks <glob>', 'only tasks whose path or name matches, e.g. level1/Math/*', '*')
    .option('--cases <count>', cases, wholeNumber)
    .option('--tiers <names>', "multikernelbench's sizes: head, scaled, v0, odd, by commas (default: all)", named)
    .option(
      '--max-input-mib <size>',
      'skip cases with more input than this (default: 16; multikernelbench: 64)',
      positive,
    )
    .option('--all-cases', 'do not skip any case for its size', false)
    .option('--python <command>', 'the Python interpreter that has torch', named, 'python3')
    .option('--start-anyway', 'start even if the forecast exceeds the budget', false)
}

function craftFlags(command: Command): Command {
  const without = 'what is left out, by commas, for ablations: dsl, examples, passes, feedback, alignment'
  return command
    .requiredOption('--root <folder>', 'checkout of MultiKernelBench', named)
    .option('--tasks <glob>', 'only tasks whose path or name matches, e.g. activation/*', '*')
    .option('--rounds <count>', 'replies that a step may take', wholeNumber, 3)
    .option('--lowering <by>', 'who writes Ascend C from the program: compiler or model', named, 'compiler')
    .option('--without <parts>', without, named)
    .option('--python <command>', 'the Python interpreter that has torch', named, 'python3')
    .option('--start-anyway', 'start even if the forecast exceeds the budget', false)
}

/** Each is a folder. */
function benchmarks(): string[] {
  const folders = readdirSync(new URL('../eval/bench', import.meta.url), {withFileTypes: true})
  return folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function folders(flag: string, description: string): Option {
  return new Option(`${flag} <folder>`, description)
    .default([])
    .argParser((text, before: string[]) => [...before, named(text)])
}

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a name, got an empty text.')
  return text
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above 0.')
  return Number(text)
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('Expected a port, 0 to 65535.')
  return Number(text)
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number above 0.')
  return value
}

function notNegative(text: string): number {
  const value = Number(text)
  if (!(value >= 0) || text.trim() === '' || value > 86_400)
    throw new InvalidArgumentError('Expected seconds, 0 or more.')
  return value
}

function licenceName(text: string): string {
  if (!/^[A-Za-z0-9][\w.+-]*$/.test(text)) throw new InvalidArgumentError('Expected a name such as Apache-2.0.')
  return text
}

function visible(text: string): string {
  if (!/^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(text)) throw new InvalidArgumentError('Expected one line of ASCII.')
  return text
}

function keyValue(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('Expected key=value, e.g. budget.tokens=200000.')
  return {...before, [text.slice(0, at)]: text.slice(at + 1)}
}
