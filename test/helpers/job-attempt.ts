import {mkdirSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {lastStep, type Attempt, type Backend} from '../../trainers/backends/backend.ts'
import type {Rendering, Step} from '../../trainers/engines/engine.ts'
import type {JobPlan} from '../../trainers/plan.ts'
import {JobSpec} from '../../trainers/spec.ts'
import {writeWhole} from '../../engine/files.ts'

const trainer = resolve('test/helpers/stand-in-trainer.mjs')

interface Wanted {
  spec?: Record<string, unknown>
  steps?: number
  milliseconds?: number
  every?: number
  resume?: string | null
  number?: number
  fault?: string
}

export function specOf(changes: Record<string, unknown> = {}): JobSpec {
  return JobSpec.parse({
    name: 'tiny',
    method: 'sft',
    engine: 'trl',
    model: {name: '/models/tiny'},
    data: {source: 'runs/dataset', config: 'sft'},
    tuning: {kind: 'full'},
    hyperparameters: {
      learningRate: 1e-5,
      schedule: 'cosine',
      warmupRatio: 0.01,
      microBatch: 1,
      globalBatch: 1,
      steps: 10,
      weightDecay: 0.1,
      gradientClip: 1,
      maxLength: 128,
    },
    hardware: {accelerator: 'cpu'},
    ...changes,
  })
}

export function planOf(folder: string, {spec, steps = 10, resume = null}: Wanted = {}): JobPlan {
  return {
    id: 'tiny-0123abcd',
    spec: specOf(spec),
    folder,
    output: join(folder, 'output'),
    model: {path: '/models/tiny', adapter: null, shape: null},
    data: {files: [], rows: 10, sha256: 'a'.repeat(64), manifest: null},
    arithmetic: {world: 1, dataParallel: 1, accumulation: 1, steps, warmupSteps: 1, epochs: 1},
    versions: {},
    resume,
  }
}

/** How the stand-in is started for a plan. */
export function renderingOf(
  {arithmetic, output, resume}: JobPlan,
  {milliseconds = 10, every = 2, fault = ''}: Pick<Wanted, 'milliseconds' | 'every' | 'fault'> = {},
): Rendering {
  const numbers = [arithmetic.steps, milliseconds, every].map(String)
  return {files: [], steps: [stepOf([process.execPath, trainer, ...numbers, output, resume ?? '', fault])]}
}

/** An attempt whose trainer is the stand-in. */
export function attemptOf(folder: string, wanted: Wanted = {}): Attempt {
  const {number = 1} = wanted
  const plan = planOf(folder, wanted)
  const again = renderingOf({...plan, resume: join(plan.output, `checkpoint-${lastStep}`)}, wanted)
  const restart =
    plan.spec.backend.kind === 'local' ? null : {...again, files: [{path: 'a note.txt', text: `from ${lastStep}`}]}
  return {plan, rendering: renderingOf(plan, wanted), restart, number, folder: join(folder, 'attempts', String(number))}
}

export function stepOf(argv: Step['argv'], more: Partial<Step> = {}): Step {
  return {name: 'train', argv, environment: {}, everyNode: true, directory: '/', ...more}
}

/** Writes what a backend needs, as a launch does, and submits it. */
export async function submitted(backend: Backend, attempt: Attempt): Promise<string> {
  mkdirSync(attempt.plan.output, {recursive: true})
  for (const {path, text} of backend.render(attempt)) await writeWhole(join(attempt.folder, path), text)
  return backend.submit(attempt)
}

export async function wholeLog(backend: Backend, handle: string, {folder}: Attempt): Promise<string[]> {
  const lines: string[] = []
  for (let from = 0; ; ) {
    const more = await backend.log(handle, folder, from)
    if (more.length === 0) return lines
    lines.push(...more.map(({text}) => text))
    from = more.at(-1)?.end ?? from
  }
}
