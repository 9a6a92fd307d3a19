import {spawn, type ChildProcess} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {createInterface} from 'node:readline'
import {parseArgs} from 'node:util'
import {embeddedIn} from '../helpers/embedded-answers.ts'

// `npm run smoke:circle -- --python <with TRL> --root <NPUKernelBench>`: the whole circle on a CPU, each step the command
// that a person would type: data set → SFT → DPO → GRPO against the judge → served → scored → one report. The model is
// tiny and random, so every score is 0: it shows that the parts fit, and that the report leads from a score back to
// the sources.

const {values: options} = parseArgs({
  options: {
    python: {type: 'string', default: process.env['SMOKE_PYTHON'] ?? 'python3'},
    root: {type: 'string'},
    tasks: {type: 'string', default: 'Sqrt'},
    out: {type: 'string'},
    cache: {type: 'string'},
  },
})
if (options.root === undefined) throw new Error('--root <checkout of NPUKernelBench> is needed')

const house = resolve(import.meta.dirname, '../..')
const out = options.out ?? mkdtempSync(join(tmpdir(), 'smoke-circle-'))
mkdirSync(out, {recursive: true})
const model = join(out, 'tiny-qwen3')
const shared = options.cache === undefined ? [] : ['--set', `cache=${options.cache}`]
const started = performance.now()

function start(command: string, args: readonly string[], quiet = false): ChildProcess {
  return spawn(command, args, {cwd: house, stdio: ['ignore', quiet ? 'pipe' : 'inherit', 'inherit']})
}

async function ended(child: ChildProcess, what: string): Promise<void> {
  const code = await new Promise((done) => child.once('close', done))
  if (code !== 0) throw new Error(`${what} ended with ${String(code)}`)
  console.log(`— ${what}: done after ${Math.round((performance.now() - started) / 1000)} s\n`)
}

const cli = (...args: string[]) => ['dist/pipelines/ascend-cot.js', ...args, '--out', out]

async function ascendCot(...args: string[]): Promise<void> {
  const words = args.slice(0, 2).join(' ')
  await ended(start(process.execPath, cli(...args)), `ascend-cot ${words}`)
}

const settings = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([key, value]) => ['--set', `${key}=${value}`])

/** A few steps, of weights that are all trained, in the environment that was named. */
const training = settings({
  'environment.python': options.python,
  'data.source': join(out, 'dataset'),
  'tuning.kind': 'full',
  'hyperparameters.gradientCheckpointing': 'false',
})

async function judge(): Promise<{url: string; stop(): Promise<void>}> {
  const child = start(process.execPath, [...cli('serve-judge', '--port', '0'), ...shared], true)
  const gone = new Promise((done) => child.once('close', done))
  for await (const line of createInterface({input: child.stdout ?? process.stdin})) {
    const [, url] = / at (http:[^\s;]+)/.exec(line) ?? []
    if (url === undefined) continue
    return {
      url,
      async stop() {
        child.kill('SIGTERM')
        await gone
      },
    }
  }
  throw new Error('the judge ended before it served')
}

const recipes = ['documentation', 'candidates', 'preference', 'release-sft', 'release-dpo', 'card']
await ascendCot('run', ...recipes, '--limit', '24', ...shared)
const rows = ['sft', 'dpo'].map((config) => join(out, 'dataset/data', config, 'train-00000-of-00001.parquet'))
await ended(start(options.python, ['test/smoke/tiny_qwen3.py', model, ...rows]), 'a tiny Qwen3')
await ascendCot('train', 'starter-sft', '--set', `model.name=${model}`, ...training)
await ascendCot('train', 'starter-dpo', ...training)
const rewards = await judge()
try {
  await ascendCot('train', 'starter-grpo', '--set', `grpo.judge=${rewards.url}`, ...training)
} finally {
  await rewards.stop()
}
const sampling = settings({
  'teachers.candidates': `{model: asked-by-job, baseUrl: "http://127.0.0.1:1/v1", maxTokens: 32, concurrency: 1}`,
  'serving.port': '0',
})
const scored = ['--candidates', 'job:starter-grpo', '--tasks', options.tasks, '--samples', '1']
await ascendCot('eval', 'npukernelbench', '--root', options.root, '--python', options.python, ...scored, ...sampling)
await ascendCot('report')
const report = JSON.stringify(embeddedIn(readFileSync(join(out, 'report.html'), 'utf8')))
for (const wanted of ['starter-sft-', 'starter-dpo-', 'starter-grpo-', 'scored in score-npukernelbench-job-'])
  if (!report.includes(wanted)) throw new Error(`the report does not tell of ${wanted}`)
console.log(
  `the circle is closed after ${Math.round((performance.now() - started) / 1000)} s: ${join(out, 'report.html')}`,
)
