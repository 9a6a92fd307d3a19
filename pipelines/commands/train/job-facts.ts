import {existsSync, readdirSync} from 'node:fs'
import {readdir, statfs} from 'node:fs/promises'
import {dirname} from 'node:path'
import {parse} from 'yaml'
import {z} from 'zod'
import {runCommand} from '../../../engine/subprocess.ts'
import {engineByName} from '../../../trainers/engines/by-name.ts'
import type {Rendering} from '../../../trainers/engines/engine.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import type {JobFacts} from '../../../trainers/preflight/checked-job.ts'
import type {JobSpec} from '../../../trainers/spec.ts'

const Answer = z.object({versions: z.record(z.string(), z.string()), keys: z.array(z.string()).nullable()})

/** Importing a trainer takes long on a cold disk. */
const mostSeconds = 180

/** What the trainer's environment says of itself; null where nobody can ask it from here. */
export async function askTrainer(spec: JobSpec): Promise<JobFacts['probe']> {
  // What is inside an image is not on this machine.
  if (spec.backend.kind === 'kubernetes') return null
  const [program = '', ...args] = engineByName(spec.engine).probe(spec.environment.python, {spec})
  const answer = await runCommand(program, args, {timeoutSeconds: mostSeconds}).catch(() => undefined)
  if (answer?.code !== 0) return null
  const last = answer.stdout.trim().split('\n').at(-1) ?? ''
  try {
    return Answer.parse(JSON.parse(last))
  } catch {
    return null
  }
}

interface Known {
  probe: JobFacts['probe']
  rendering: Rendering
  before: JobFacts['before'] | undefined
}

/** What was found on this machine for a job that is to run. */
export async function factsOf(plan: JobPlan, {probe, rendering, before}: Known): Promise<JobFacts> {
  const {accelerator} = plan.spec.hardware
  const elsewhere = plan.spec.backend.kind !== 'local' || accelerator === 'cpu'
  return {
    probe,
    keys: keysIn(rendering, plan),
    devices: elsewhere ? null : await countDevices(accelerator),
    freeBytes: await freeBytes(plan.output),
    checkpoints: await checkpointsIn(plan.output),
    before: before ?? null,
  }
}

/** Of the file that the trainer's own parser reads; where it takes flags, there is none. */
function keysIn({files}: Rendering, {spec}: JobPlan): string[] {
  const file = files.find(({path}) => path === `${spec.method}.yaml`)
  return file === undefined ? [] : Object.keys((parse(file.text) ?? {}) as Record<string, unknown>)
}

/** null where the vendor's own tool is not there to ask. */
async function countDevices(accelerator: 'ascend' | 'nvidia'): Promise<number | null> {
  if (accelerator === 'ascend') {
    const nodes = existsSync('/dev') ? readdirSync('/dev').filter((name) => /^davinci\d+$/.test(name)) : []
    return nodes.length > 0 || existsSync('/dev/davinci_manager') ? nodes.length : null
  }
  const answer = await runCommand('nvidia-smi', ['--list-gpus'], {timeoutSeconds: 30}).catch(() => undefined)
  return answer?.code === 0 ? answer.stdout.trim().split('\n').filter(Boolean).length : null
}

async function freeBytes(path: string): Promise<number | null> {
  if (!existsSync(path)) return dirname(path) === path ? null : freeBytes(dirname(path))
  const {bavail, bsize} = await statfs(path)
  return Number(bavail) * Number(bsize)
}

async function checkpointsIn(output: string): Promise<string[]> {
  if (!existsSync(output)) return []
  return (await readdir(output)).filter((name) => /^(checkpoint-\d+|iter_\d{7})$/.test(name)).sort()
}
