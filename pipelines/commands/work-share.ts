import {rmSync} from 'node:fs'
import {mkdtemp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {z} from 'zod'
import {runShare} from '../../engine/elsewhere/share-task.ts'
import type {WorkOrder} from '../../engine/elsewhere/work-order.ts'
import {PipelineError} from '../../engine/errors.ts'
import {removeFolder} from '../../engine/files.ts'
import {silentLog} from '../../engine/log.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import type {Context} from '../../engine/stage.ts'
import {Config} from '../workspace/config.ts'
import {answering} from '../workspace/noted-workspace.ts'
import {openWorkspace} from '../workspace/workspace.ts'
import {executorOnce} from './executor.ts'
import {loadRecipes} from './recipe-file.ts'
import {workspaceWorld, type World} from './world.ts'

interface Asked {
  /** Folder of shares. */
  share: string
  index: number | undefined
}

/** Variables in which schedulers give the index of a task. */
const indexVariables = ['JOB_COMPLETION_INDEX', 'SLURM_ARRAY_TASK_ID']

/** `ascend-cot worker --share <folder>`: one share, then the end. @param own the configuration of this machine */
export function worker({share, index}: Asked, own: Config, world: World): Promise<number> {
  return withScratch(async (scratch) => {
    await runShare({
      root: share,
      share: index ?? indexOf(world),
      open: (order) => openStage(order, {own, scratch, world}),
      context: (order, stage) => contextOf(order, stage, {scratch, world}),
      now: world.now,
      say: world.terminal.say,
    })
    return 0
  })
}

/** A folder for the work of a worker; it is gone afterwards, also where the process ends because nobody reads it. */
export async function withScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'ascend-cot-worker-'))
  const remove = () => rmSync(scratch, {recursive: true, force: true})
  process.once('exit', remove)
  try {
    return await work(scratch)
  } finally {
    await removeFolder(scratch)
    process.off('exit', remove)
  }
}

function indexOf({env}: World): number {
  const given = indexVariables.map((name) => env[name]).find((value) => value !== undefined)
  if (given !== undefined && /^\d+$/.test(given)) return Number(given)
  throw new PipelineError('config-invalid', `No index was given; none of ${indexVariables.join(', ')} is set.`, {
    fix: 'Pass --index <number>, or start it as a task of an array.',
  })
}

interface Here {
  own: Config
  scratch: string
  world: World
}

/** The stage of a run, made again on this machine. */
export async function openStage(order: WorkOrder, {own, scratch, world}: Here) {
  const config = configHere(order, own, scratch)
  const [recipe] = await loadRecipes([order.recipe], scratch)
  const executor = executorOnce(config, world)
  const workspace = answering(openWorkspace(config, executor.plan, workspaceWorld(world)), order.answers)
  const pipeline = await recipe?.make(workspace)
  const stage = pipeline?.stages[order.index] as AnyStage | undefined
  return {stage, capability: capabilityOf(config), ready: executor.open}
}

/** What a worker has, and how much of it. */
export const capabilityOf = ({executor: {kind, concurrency}}: Config) => `${kind}, ${concurrency} at once`

/** What names places of a machine is this machine's own; all else is the run's. */
function configHere({config: sent}: WorkOrder, own: Config, scratch: string): Config {
  const read = Config.safeParse(sent)
  if (!read.success) throw otherConfig(read.error)
  const {executor} = read.data
  const {compiler = executor.compiler, concurrency} = own.executor
  return {
    ...read.data,
    out: scratch,
    cache: own.cache,
    executor: {...executor, concurrency, ...(compiler !== undefined && {compiler})},
  }
}

function otherConfig(error: z.ZodError): PipelineError {
  return new PipelineError('config-invalid', `The configuration of the run cannot be read: ${z.prettifyError(error)}`, {
    fix: 'Install the same version of ascend-cot as on the machine of the run.',
  })
}

export function contextOf({seed}: WorkOrder, stage: AnyStage, {scratch, world}: Omit<Here, 'own'>): Context {
  const {say} = world.terminal
  return {
    llm: undefined,
    drop() {
      throw new TypeError('drop was called outside a record')
    },
    stages: {[stage.name]: stage.version},
    log: {...silentLog, warn: say},
    seed,
    now: world.now,
    signal: world.signal,
    directory: join(scratch, stage.name),
  }
}
