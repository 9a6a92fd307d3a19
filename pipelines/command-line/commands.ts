import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {sourceKinds} from '../../sources/kinds.ts'
import {agreementCommand} from './agreement-command.ts'
import {declared, type Declared} from './declared.ts'
import {craftCommands} from './craft-commands.ts'
import {effectCommand} from './effect-command.ts'
import {configOf, outOf, trialOf} from './given.ts'
import {
  alone,
  count,
  flag,
  folders,
  licenceName,
  named,
  positive,
  required,
  seconds,
  text,
  visible,
  type Option,
} from './option.ts'
import {trainCommands} from './train-commands.ts'
import {executor, host, json, out, outAndJson, portOr, python, shared, startAnyway, torch} from './usual-options.ts'
import {workerCommand} from './worker-command.ts'

// Nothing that runs a command is imported here: --help, --version and a mistyped flag respond at once.

const tasks = folders('training tasks to use instead of the bundled ones; repeatable')

/** Set by flags whose names are only known at run time. */
const sourceFolders: Readonly<Record<never, Option<string[]>>> = Object.fromEntries(
  sourceKinds.map(({flag, help}) => [flag, folders(help)]),
)

/** Each is a folder; what they share is in others. */
const benchFolder = new URL('../../eval/bench/', import.meta.url)
const benchmarks: readonly string[] = readdirSync(benchFolder, {withFileTypes: true})
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => readdirSync(new URL(name, benchFolder)).some((file) => /^benchmark\.[jt]s$/.test(file)))

/** In the order of `--help`. */
export const commands: readonly Declared[] = [
  declared({
    name: 'start',
    help: 'make a data set offline from a part of the bundled corpus, or from all of it with --all',
    examples: ['start', 'start --all --out all'],
    options: {...shared, all: flag('use the whole corpus'), startAnyway},
    async run(_, {all, startAnyway, ...options}, world) {
      const [{run}, {mainJob, mainSettings}] = await Promise.all([
        import('../commands/run-recipes.ts'),
        import('../commands/main-job.ts'),
      ])
      const asked = await configOf({...options, set: {...mainSettings(all), ...options.set}}, world)
      const {recipes, seconds, said} = await mainJob(all, asked)
      world.terminal.say(said)
      return run(recipes, asked, world, {json: options.json, startAnyway, seconds})
    },
  }),
  declared({
    name: 'run',
    operands: ['<recipe...>'],
    help: 'run recipes in the order given; work that is already done is not repeated',
    examples: ['run kernels release-sft card', 'run api-index worked --docs ~/asc-devkit/docs --limit 20'],
    options: {
      ...shared,
      ...sourceFolders,
      tasks,
      heldOut: folders('evaluation tasks to keep out of the data; repeatable'),
      benchmark: folders('benchmark checkout to keep out of the data; repeatable'),
      limit: count('<count>', 'process only this many records, evenly from all folders of a source'),
      executor,
      workers: named(
        '<where>',
        'who works on costly stages: slurm:<tasks>, kubernetes:<tasks>, folder or redis://<host>',
      ),
      partition: named('<name>', 'Slurm partition of the workers'),
      startAnyway,
      dryRun: alone(count('[requests]', 'send nothing: forecast the requests, and show this many of them')),
      try: alone(
        count('[records]', 'process this many records with the teachers (default: 10), show the results, and stop'),
      ),
    },
    async run([recipes], options, world) {
      const {run} = await import('../commands/run-recipes.ts')
      const {json, startAnyway} = options
      return run(recipes, await configOf(options, world), world, {json, startAnyway, trial: trialOf(options)})
    },
  }),
  declared({
    name: 'resume',
    help: 'continue the runs of an output folder with the configuration they were started with',
    examples: ['resume', 'resume --out all'],
    options: {out, json, startAnyway},
    async run(_, {json, startAnyway, ...options}, world) {
      const {resume} = await import('../commands/resume.ts')
      return resume(outOf(options, world), world, {json, startAnyway})
    },
  }),
  workerCommand,
  declared({
    name: 'crawl',
    operands: ['<url>'],
    help: 'download the pages of one site into a folder that `--docs` reads',
    inOrder: true,
    examples: [
      'crawl https://host/docs/zh/ --out ~/pages --licence Apache-2.0',
      'crawl https://host/docs/ --out ~/pages --pages 200',
    ],
    options: {
      out: required(named('<folder>', 'folder for the pages; reuse it to continue a crawl or to fetch changes')),
      below: named('<path>', 'fetch pages below this path (default: that of the start page)'),
      delay: seconds('<seconds>', "seconds between requests; the site's own Crawl-delay applies if longer", 1),
      pages: count('<count>', 'fetch at most this many pages', 20_000),
      toc: named('<url>', 'fetch the pages that this JSON file lists, instead of following links'),
      images: flag('also fetch the images on kept pages'),
      licence: licenceName(
        '<id>',
        'SPDX identifier or LicenseRef-… of the pages (default: NOASSERTION, which releases refuse)',
      ),
      contact: visible('<text>', 'contact address for the User-Agent'),
      json,
    },
    async run([url], {out, ...options}, world) {
      const {crawl} = await import('../commands/crawl.ts')
      return crawl({url, folder: out, ...options}, world)
    },
  }),
  declared({
    name: 'status',
    help: 'show every run of the output folder, stage by stage, and who works on its records',
    examples: ['status', 'status --out all --json'],
    options: {...shared, metrics: flag('print it in the text format of Prometheus')},
    async run(_, options, world) {
      const {status} = await import('../commands/status.ts')
      return status({...outAndJson(options, world), metrics: options.metrics}, world)
    },
  }),
  declared({
    name: 'failed',
    help: 'list the records that failed for outside reasons; `resume` retries them',
    examples: ['failed', 'failed --json'],
    options: shared,
    async run(_, options, world) {
      const {failed} = await import('../commands/failed.ts')
      return failed(outAndJson(options, world), world)
    },
  }),
  declared({
    name: 'inspect',
    operands: ['[record-id]'],
    help:
      'show what each stage did with one record (the first digits of its id are enough); ' +
      'without an id, list some records of each run',
    examples: ['inspect', 'inspect 3f9c2a --json'],
    options: shared,
    async run([id], options, world) {
      const {inspect} = await import('../commands/inspect.ts')
      return inspect({id, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'asked',
    operands: ['<run>', '[record-id]'],
    help: 'show the requests that a run sent to its teachers, and their replies',
    examples: ['asked documentation', 'asked documentation 3f9c2a'],
    options: shared,
    async run([run, id], options, world) {
      const {asked} = await import('../commands/exchanges.ts')
      return asked({run, id, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'try',
    operands: ['<stage-file>'],
    help: 'run one stage on the records of a file and show each result',
    examples: [
      'try my-stage.ts --in one.jsonl',
      'try my-stage.ts --in one.jsonl --record test/fixtures/stages/mine/short',
    ],
    options: {
      ...shared,
      in: required(text('<file>', 'the input records, one JSON document per line')),
      options: text('<json>', "the stage's options", '{}'),
      record: text('<folder>', 'also save input, replies, output and drops to this folder, as a test fixture'),
    },
    async run([file], {in: input, options, record, ...given}, world) {
      const {tryStage} = await import('../commands/try.ts')
      return tryStage({file, input, options, record, json: given.json}, await configOf(given, world), world)
    },
  }),
  declared({
    name: 'timeline',
    operands: ['<task>'],
    help: 'draw when the pipes of a kernel work and wait, by the cost model; a task, or the id of a record',
    examples: ['timeline Axpby --project before --project after', 'timeline 3f9c2a --svg step.svg'],
    options: {
      ...shared,
      tasks,
      project: folders("folder with op_host/ and op_kernel/ to draw instead of the task's answer; repeatable"),
      core: count('<number>', 'core to draw, from 1 (default: the slowest)'),
      svg: named('<file>', 'the picture', 'timeline.svg'),
      width: count('<pixels>', 'width of the picture, for Markdown (default: that of its page)'),
    },
    async run([of], {project: projects, core, svg, width, ...options}, world) {
      const {timeline} = await import('../commands/timeline.ts')
      return timeline({of, projects, core, svg, width, json: options.json}, await configOf(options, world), world)
    },
  }),
  declared({
    name: 'api',
    operands: ['<name>'],
    help: 'show what the documentation says about an API; needs `run api-index`',
    examples: ['api DataCopyPad', 'api Add --json'],
    options: shared,
    async run([name], options, world) {
      const {api} = await import('../commands/api.ts')
      return api({name, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'verify',
    operands: ['[folder]'],
    help: 'check a data set, row by row, against its manifest and card',
    examples: ['verify', 'verify ~/downloads/Ascend-CoT'],
    options: {
      out: named('<folder>', 'output folder whose data set to verify if no folder is given (default: runs)'),
      json,
    },
    async run([folder], {json, ...options}, world) {
      const {verify} = await import('../commands/verify.ts')
      return verify({folder: folder ?? join(outOf(options, world), 'dataset'), json}, world)
    },
  }),
  declared({
    name: 'report',
    help: 'write the HTML report of an output folder',
    examples: ['report', 'report --out all --timelines'],
    options: {...shared, tasks, timelines: flag('also draw the pipes of its kernels, modelled: their code is run')},
    async run(_, {timelines, ...options}, world) {
      const {report} = await import('../commands/report.ts')
      return report({json: options.json, timelines}, await configOf(options, world), world)
    },
  }),
  declared({
    name: 'view',
    operands: ['[folder]'],
    help: 'show runs, a data set or a score in a browser on this machine: rows, diffs, drops, verdicts; mark rows',
    about: {
      '[folder]': 'output folder of runs, folder of a data set, or folder of a score (default: runs)',
    },
    examples: ['view', 'view ~/downloads/Ascend-CoT --port 4100'],
    options: {...shared, tasks, port: portOr(0)},
    async run([folder], {port, ...options}, world) {
      const {view} = await import('../commands/view.ts')
      const config = await configOf(options, world)
      return view({folder: folder ?? config.out, port, json: options.json}, config, world)
    },
  }),
  declared({
    name: 'publish',
    operands: ['<owner/name>'],
    help: 'publish the data set, or a model, on the Hugging Face Hub; without --yes, only show the changes',
    inOrder: true,
    examples: ['publish me/Ascend-CoT', 'publish me/KernelGen-LM --model job:kernelgen-smol-dpo --yes'],
    options: {
      out,
      yes: flag('publish in one commit, with the token in HF_TOKEN or of `hf auth login`'),
      dryRun: flag('only show the changes: the default, and stronger than --yes'),
      model: named('<job>', 'publish the model of training job job:<id>, with its card, instead of the data set'),
      public: flag('make a new repository public (default: private)'),
      json,
    },
    async run([name], {yes, dryRun, model, public: isPublic, ...options}, world) {
      const {publishDataset} = await import('../commands/publish.ts')
      return publishDataset({name, yes: yes && !dryRun, model, isPublic, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'doctor',
    help:
      'check this machine (compilers, sandbox, Python, endpoints, disk, trainers, schedulers); ' +
      'show what each gap costs and how to fix it',
    examples: ['doctor', 'doctor --python venv/bin/python'],
    options: {...shared, python: python('<command>', 'Python interpreter of the environment with the trainers')},
    async run(_, {python, ...options}, world) {
      const {doctor} = await import('../commands/doctor.ts')
      return doctor(await configOf(options, world), world, {json: options.json, python})
    },
  }),
  declared({
    name: 'eval',
    operands: ['<benchmark>'],
    help: `judge and score answers to a benchmark's tasks against its own references (${benchmarks.join(', ')})`,
    examples: [
      `eval ${benchmarks.at(-1)} --root ~/checkout`,
      `eval ${benchmarks.at(-1)} --root ~/checkout --candidates model`,
    ],
    options: {
      ...shared,
      root: named('<folder>', 'checkout of the benchmark (required)'),
      candidates: text(
        '<source>',
        'what to judge: "answers" (the benchmark\'s own), "model", a teacher profile, job:<id> of a training job, ' +
          'or a file of replies; of whole models: "solutions" (our own programs), "direct-solutions" (as direct ' +
          'launches) or a file',
        'answers',
      ),
      samples: count('<count>', 'samples per task from a model', 1),
      mode: text(
        '<mode>',
        "what the model writes: one of the benchmark's modes (default: its first, e.g. kernel-only)",
      ),
      shape: text('<shape>', 'static: each case is its own task; dynamic: one candidate serves all cases', 'static'),
      tasks: text('<glob>', 'only tasks whose path or name matches, e.g. level1/Math/*', '*'),
      cases: count('<count>', 'only this many cases of each task (default: all; 1 for a model with --shape static)'),
      tiers: named('<names>', 'for whole models: sizes, comma-separated: head, scaled, v0, odd (default: all)'),
      maxInputMib: positive('<size>', 'skip cases with more input than this (default: 16 MiB; for whole models: 64)'),
      allCases: flag('do not skip any case for its size'),
      python: torch,
      executor,
      startAnyway,
    },
    fault([benchmark], {root}) {
      // The benchmark is checked first, because the message about its checkout names it.
      if (!benchmarks.includes(benchmark)) return `there is no benchmark ${benchmark}; use ${benchmarks.join(' or ')}`
      return root === undefined ? `give the checkout of ${benchmark} with --root <folder>` : undefined
    },
    async run([benchmark], {config, out, seed, set, executor: judge, root = '', ...asked}, world) {
      const {evaluate} = await import('../commands/eval.ts')
      const given = {config, out, seed, set, ...(judge !== undefined && {executor: judge})}
      return evaluate({...asked, root, benchmark}, await configOf(given, world), world)
    },
  }),
  agreementCommand,
  effectCommand,
  ...craftCommands,
  declared({
    name: 'serve-judge',
    help: 'serve verdicts and rewards over HTTP to trainers and agents; GET /openapi.json describes the API',
    examples: ['serve-judge', 'serve-judge --port 0 --tasks ~/checkout/tasks'],
    options: {
      ...shared,
      tasks,
      host: host('address to listen on; anything but loopback requires a token'),
      port: portOr(8077),
      logSources: flag('also log the code of candidates to judge/events.jsonl'),
    },
    async run(_, {host, port, logSources, ...options}, world) {
      const {serve} = await import('../commands/serve-judge.ts')
      return serve({host, port, logSources}, await configOf(options, world), world)
    },
  }),
  declared({
    name: 'serve',
    operands: ['<checkpoint>'],
    help: "serve a model to OpenAI clients: job:<id>, a trainer's folder, or owner/name on the Hub",
    examples: ['serve job:starter-sft --server transformers', 'serve Qwen/Qwen3-8B --tensor 8 --dry-run'],
    options: {
      server: named('<name>', 'vllm, vllm-ascend, or transformers for small models on one device', 'vllm'),
      python: python('<path>', "Python interpreter of the server's environment"),
      host: host('address to listen on'),
      port: portOr(8000),
      tensor: count('<count>', 'number of devices to spread the model over', 1),
      maxLength: count('<tokens>', "longest prompt and reply together (default: the model's own limit)"),
      name: named('<text>', "model name for clients (default: last part of the checkpoint's path)"),
      out,
      dryRun: flag('print the command and start nothing'),
      json,
    },
    async run([checkpoint], options, world) {
      const {serveCheckpoint} = await import('../commands/serve-checkpoint.ts')
      return serveCheckpoint({...options, checkpoint, out: outOf(options, world)}, world)
    },
  }),
  ...trainCommands,
]
