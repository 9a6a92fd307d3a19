import {existsSync, readdirSync, statSync} from 'node:fs'
import {access, constants, readdir, statfs} from 'node:fs/promises'
import {dirname} from 'node:path'
import {parse} from 'yaml'
import {z} from 'zod'
import {isInstalled, runCommand} from '../../../engine/subprocess.ts'
import {engineByName} from '../../../trainers/engines/by-name.ts'
import type {Rendering} from '../../../trainers/engines/engine.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import type {JobFacts} from '../../../trainers/preflight/checked-job.ts'
import type {JobSpec} from '../../../trainers/spec.ts'

const Answer = z.object({versions: z.record(z.string(), z.string()), keys: z.array(z.string()).nullable()})

/** Importing a trainer takes long on a cold disk. */
const mostSeconds = 180

/** What the trainer's environment reports about itself; null if it cannot be queried from here. */
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
    unwritable: plan.spec.backend.kind === 'kubernetes' ? null : await unwritable(plan.output),
    missingCommand: await missingCommand(plan.spec.backend.kind),
    checkpoints: await checkpointsIn(plan.output),
    before: before ?? null,
  }
}

/** Faults in the file that the trainer's own parser reads; empty if it takes flags instead. */
function keysIn({files}: Rendering, {spec}: JobPlan): string[] {
  const file = files.find(({path}) => path === `${spec.method}.yaml`)
  return file === undefined ? [] : Object.keys((parse(file.text) ?? {}) as Record<string, unknown>)
}

/** Linux files through which a driver exposes its devices. */
const deviceFiles = {ascend: /^davinci\d+$/, nvidia: /^nvidia\d+$/}

/** null if unknown: not Linux, or a WSL that uses the devices of its Windows host. */
async function countDevices(accelerator: 'ascend' | 'nvidia'): Promise<number | null> {
  const files = existsSync('/dev/shm') ? readdirSync('/dev') : undefined
  const nodes = files?.filter((name) => deviceFiles[accelerator].test(name)).length ?? null
  if (accelerator === 'ascend') return nodes
  const answer = await runCommand('nvidia-smi', ['--list-gpus'], {timeoutSeconds: 30}).catch(() => undefined)
  if (answer?.code === 0) return answer.stdout.trim().split('\n').filter(Boolean).length
  return files?.includes('dxg') ? null : nodes
}

/** The scheduler's submit command; it must exist before a job is started. */
const commands: Readonly<Record<JobSpec['backend']['kind'], string | null>> = {
  local: null,
  slurm: 'sbatch',
  kubernetes: 'kubectl',
}

async function missingCommand(kind: JobSpec['backend']['kind']): Promise<string | null> {
  const command = commands[kind]
  if (command === null) return null
  if (!(await isInstalled(command))) return command
  return kind !== 'kubernetes' || (await clusterAnswers()) ? null : 'cluster that answers `kubectl version`'
}

async function clusterAnswers(): Promise<boolean> {
  const asked = runCommand('kubectl', ['version', '--request-timeout=10s'], {timeoutSeconds: 20})
  return asked.then(
    ({code}) => code === 0,
    () => false,
  )
}

/** The rest of the path must be creatable in the nearest existing folder. */
async function unwritable(path: string): Promise<string | null> {
  const above = dirname(path)
  if (!existsSync(path) && above !== path) return unwritable(above)
  if (!statSync(path).isDirectory()) return `${path} is a file`
  // The superuser may write anywhere but on a file system that is read-only.
  return access(path, constants.W_OK).then(
    () => null,
    ({code}: NodeJS.ErrnoException) =>
      code === 'EROFS' ? 'its file system is read-only' : `no permission for ${path}`,
  )
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
