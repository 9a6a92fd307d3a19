import {execFile, spawn, type ChildProcess} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {createInterface} from 'node:readline'
import {parseArgs, promisify} from 'node:util'
import type {Progress} from '../../datasets/schema/job.ts'
import type {RenderedFile} from '../../trainers/engines/engine.ts'
import {trl} from '../../trainers/engines/trl.ts'
import type {JobPlan} from '../../trainers/plan.ts'
import {JobSpec} from '../../trainers/spec.ts'

// `npm run smoke:train`: real TRL on a CPU, without a download, driven by what is rendered. A tiny Qwen3 of random
// weights is trained by SFT (full and LoRA), DPO and GRPO on rows of this project; the judge rewards over HTTP. It
// shows that the parts fit and that numbers are what the specification says, never that a model learns.

const {values: options} = parseArgs({
  options: {
    python: {type: 'string', default: process.env['SMOKE_PYTHON'] ?? 'python3'},
    dataset: {type: 'string'},
    cache: {type: 'string'},
  },
})
const run = promisify(execFile)
const house = resolve(import.meta.dirname, '../..')
const python = options.python
const folder = mkdtempSync(join(tmpdir(), 'smoke-train-'))
const said = join(folder, 'said.txt')
const children = new Set<ChildProcess>()
const faults: string[] = []

function check(what: string, holds: boolean, seen: unknown): void {
  console.log(`${holds ? 'holds ' : 'FAILS '} ${what}${holds ? '' : `; seen ${JSON.stringify(seen)}`}`)
  if (!holds) faults.push(what)
}

const script = (name: string) => join(import.meta.dirname, name)
const cli = (...args: string[]) => [join(house, 'dist/pipelines/ascend-cot.js'), ...args]
const shared = options.cache === undefined ? [] : ['--set', `cache=${options.cache}`]

/** The newest of the shares of a data set that this project exported, or one that is made here. */
async function dataset(): Promise<string> {
  if (options.dataset !== undefined) return options.dataset
  const out = join(folder, 'runs')
  const recipes = ['documentation', 'candidates', 'preference', 'release-sft', 'release-dpo', 'card']
  await run(process.execPath, cli('run', ...recipes, '--limit', '24', '--out', out, ...shared), {maxBuffer: 2 ** 26})
  return join(out, 'dataset')
}

interface Judge {
  url: string
  stop(): void
}

async function judge(): Promise<Judge> {
  const served = start(process.execPath, cli('serve-judge', '--port', '0', '--out', join(folder, 'judged'), ...shared))
  for await (const line of createInterface({input: served.stdout!})) {
    const [, url] = / at (http:\S+)/.exec(line) ?? []
    if (url !== undefined) return {url: url.replace(/;$/, ''), stop: () => served.kill('SIGTERM')}
  }
  throw new Error('the judge ended before it served')
}

function start(command: string, args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, {
    env: {...process.env, ...environment},
    // What trainers say beside their reports would hide what holds and what fails.
    stdio: ['ignore', 'pipe', openSync(said, 'a')],
    detached: true,
  })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

/** With all that it started: `accelerate launch` has a child of its own. */
function kill({pid}: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

const clientFolder = join(house, 'eval/serve/python/ascend_cot_judge')
const judgeClient: RenderedFile[] = readdirSync(clientFolder)
  .filter((name) => name.endsWith('.py'))
  .map((name) => ({path: `ascend_cot_judge/${name}`, text: readFileSync(join(clientFolder, name), 'utf8')}))

interface Asked {
  name: string
  method: 'sft' | 'dpo' | 'grpo'
  rows: string
  steps: number
  tuning?: 'full' | 'lora'
  judge?: string
  resume?: string
  adapter?: string
}

const LEARNING_RATE = 1e-3
const WARM_UP = 2

function planOf({name, method, rows, steps, tuning = 'full', judge: url, resume, adapter}: Asked): JobPlan {
  const at = join(folder, name)
  const batch = method === 'grpo' ? 4 : 2
  const spec = JobSpec.parse({
    name,
    method,
    engine: 'trl',
    model: {name: join(folder, 'model')},
    data: {source: rows, config: method},
    tuning: {kind: tuning},
    hyperparameters: {
      learningRate: LEARNING_RATE,
      schedule: 'cosine',
      minLearningRate: LEARNING_RATE / 10,
      warmupRatio: WARM_UP / steps,
      microBatch: batch === 4 ? 4 : 1,
      globalBatch: batch,
      steps,
      weightDecay: 0.1,
      gradientClip: 1,
      maxLength: 32_768,
      precision: 'fp32',
      gradientCheckpointing: false,
    },
    ...(method === 'dpo' ? {dpo: {beta: 0.1}} : {}),
    ...(method === 'grpo' ? {grpo: {judge: url, generations: 4, maxCompletionLength: 16}} : {}),
    hardware: {accelerator: 'cpu'},
    environment: {python},
    checkpoints: {every: 3},
  })
  return {
    id: `${name}-00000000`,
    spec,
    folder: at,
    output: join(at, 'output'),
    model: {path: join(folder, 'model'), adapter: adapter ?? null, shape: null},
    data: {files: [rows], rows: 0, sha256: '', manifest: null},
    arithmetic: {
      world: 1,
      dataParallel: 1,
      accumulation: batch === 4 ? 1 : batch,
      steps,
      warmupSteps: WARM_UP,
      epochs: 1,
    },
    versions: {},
    resume: resume ?? null,
  }
}

/** Runs what is rendered; ends it with SIGKILL once the step `until` is reported. */
async function train(plan: JobPlan, until = Number.POSITIVE_INFINITY): Promise<Progress[]> {
  const {files, steps} = trl.render(plan, {judgeClient})
  for (const {path, text} of files) {
    const file = join(plan.folder, 'rendered', path)
    mkdirSync(dirname(file), {recursive: true})
    writeFileSync(file, text)
  }
  const reports: Progress[] = []
  for (const step of steps) {
    const [command = '', ...args] = words(step.argv)
    const child = start(command, args, Object.fromEntries(Object.entries(step.environment).map(word)))
    const ended = new Promise<number | null>((done) => child.on('exit', done))
    for await (const line of createInterface({input: child.stdout!})) {
      const report = trl.progressOf(line)
      if (report) reports.push(report)
      if (report && report.step >= until) kill(child)
    }
    const code = await ended
    if (code !== 0 && until === Number.POSITIVE_INFINITY) throw failure(plan, code)
  }
  return reports
}

function failure({spec}: JobPlan, code: number | null): Error {
  const last = readFileSync(said, 'utf8').trim().split('\n').slice(-20).join('\n')
  return new Error(`${spec.name} ended with ${code}:\n${last}`)
}

const words = (argv: readonly unknown[]) => argv.map((one) => (typeof one === 'string' ? one : '0'))
const word = ([name, value]: [string, unknown]): [string, string] => [name, typeof value === 'string' ? value : '0']

/** Of the step before: what a trainer logs is the rate that the step was made with. */
function scheduled(step: number, total: number): number {
  const done = step - 1
  if (done < WARM_UP) return (LEARNING_RATE * done) / WARM_UP
  const share = (done - WARM_UP) / (total - WARM_UP)
  const least = 0.1
  return LEARNING_RATE * (least + (1 - least) * 0.5 * (1 + Math.cos(Math.PI * share)))
}

const near = (a: number | null | undefined, b: number, within: number) =>
  typeof a === 'number' && Math.abs(a - b) <= within

function checkRun(name: string, reports: readonly Progress[], steps: number): void {
  const seen = reports.map(({step}) => step)
  check(`${name}: every step is reported`, seen.join() === Array.from({length: steps}, (_, at) => at + 1).join(), seen)
  check(
    `${name}: the loss is a number`,
    reports.every(({loss}) => loss !== null),
    reports,
  )
  const rates = reports.map(({learningRate}) => learningRate)
  const right = reports.every(({step, learningRate}) => near(learningRate, scheduled(step, steps), 1e-9))
  check(`${name}: the learning rate follows the schedule`, right, rates)
}

async function smoke(): Promise<void> {
  const exported = join(await dataset(), 'data')
  const service = await judge()
  const sft = await rowsOf('sft', trainingFile(exported, 'sft'), 12)
  const dpo = await rowsOf('dpo', trainingFile(exported, 'dpo'), 2)
  const client = {JUDGE_URL: service.url, PYTHONPATH: join(house, 'eval/serve/python')}
  const grpo = await rowsOf('grpo', '-', 4, client)
  await run(python, [script('tiny_qwen3.py'), join(folder, 'model'), sft, dpo, grpo])
  await smokeSft(sft)
  await smokeDpo(dpo)
  await smokeGrpo(grpo, service.url)
  service.stop()
}

function trainingFile(exported: string, config: string): string {
  const files = readdirSync(join(exported, config)).filter((file) => file.startsWith('train-'))
  return join(exported, config, files[0] ?? '')
}

async function rowsOf(name: string, source: string, count: number, environment = {}): Promise<string> {
  const target = join(folder, `${name}.parquet`)
  const {stdout} = await run(python, [script('small_rows.py'), source, target, String(count)], {
    env: {...process.env, ...environment},
  })
  console.log(`${name}: ${stdout.trim()}`)
  return target
}

async function smokeSft(rows: string): Promise<void> {
  const whole = await train(planOf({name: 'sft', method: 'sft', rows, steps: 6}))
  checkRun('SFT', whole, 6)
  check(
    'SFT: the loss falls',
    (whole[5]?.loss ?? 1) < (whole[0]?.loss ?? 0),
    whole.map(({loss}) => loss),
  )

  const killed = planOf({name: 'sft-killed', method: 'sft', rows, steps: 6})
  await train(killed, 5)
  const left = readdirSync(killed.output, {recursive: true}).map((path) => ({path: String(path)}))
  const last = trl.lastCheckpoint(left)
  check('SFT, killed after step 5: goes on from step 3', last === 'checkpoint-3', last)
  const resumed = await train({...killed, resume: join(killed.output, last ?? '')})
  const expected = whole.slice(3)
  const same = expected.every(
    ({step, loss}, at) => resumed[at]?.step === step && near(resumed[at]?.loss, loss ?? 0, 1e-6),
  )
  check('SFT, resumed: the losses of an uninterrupted run', same && resumed.length === 3, {expected, resumed})

  checkRun('SFT, LoRA', await train(planOf({name: 'sft-lora', method: 'sft', rows, steps: 4, tuning: 'lora'})), 4)
  check('SFT, LoRA: an adapter is left', existsSync(join(folder, 'sft-lora/output/adapter_config.json')), null)
}

async function smokeDpo(rows: string): Promise<void> {
  const adapter = join(folder, 'sft-lora/output')
  const reports = await train(planOf({name: 'dpo', method: 'dpo', rows, steps: 4, adapter}))
  check('DPO: starts from the adapter, merged', existsSync(join(folder, 'dpo/merged/model.safetensors')), null)
  checkRun('DPO', reports, 4)
  check('DPO: the first loss is ln 2', near(reports[0]?.loss, Math.LN2, 1e-3), reports[0])
  const margins = reports.map(({metrics}) => metrics['rewards/margins'])
  check(
    'DPO: margins are reported',
    margins.every((margin) => margin !== undefined),
    margins,
  )
}

async function smokeGrpo(rows: string, url: string): Promise<void> {
  const reports = await train(planOf({name: 'grpo', method: 'grpo', rows, steps: 3, judge: url}))
  checkRun('GRPO', reports, 3)
  const rewards = reports.map(({metrics}) => metrics['rewards/judge_reward/mean'])
  check(
    "GRPO: the judge's rewards arrive",
    rewards.every((reward) => reward !== undefined),
    rewards,
  )
}

const started = performance.now()
const missing = await run(python, ['-c', 'import trl, peft, accelerate']).then(
  () => null,
  (error: Error) => error.message.trim().split('\n').at(-1),
)
try {
  if (missing !== null) {
    console.log(`skipped, as ${python} has no TRL: ${missing}. Name one that has: SMOKE_PYTHON=/path/to/bin/python`)
  } else {
    await smoke()
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${faults.length === 0 ? 'all holds' : `${faults.length} fail`}, in ${seconds} s`)
  }
} finally {
  for (const child of children) kill(child)
  rmSync(folder, {recursive: true, force: true})
}
process.exitCode = faults.length === 0 ? 0 : 1
