import {serveQueue} from '../../engine/elsewhere/queue-worker.ts'
import {named} from '../../engine/elsewhere/share-folder.ts'
import {author} from '../../engine/elsewhere/share-task.ts'
import {openWorkChild, workAsChild} from '../../engine/elsewhere/work-child.ts'
import type {WorkOrder} from '../../engine/elsewhere/work-order.ts'
import {interrupted, PipelineError} from '../../engine/errors.ts'
import {linesOf} from '../../engine/lines.ts'
import {givenVariables} from '../../engine/subprocess.ts'
import {Config} from '../workspace/config.ts'
import {capabilityOf, contextOf, openStage, withScratch} from './work-share.ts'
import {linkTo} from './worker-hands.ts'
import {endInOrder, endOfService, type World} from './world.ts'

/** `ascend-cot worker --queue <url>`: batches of whoever hands them out, until it is stopped. */
export async function queueWorker(url: string, own: Config, world: World): Promise<number> {
  endInOrder(world)
  const {say} = world.terminal
  const link = await linkTo(url, own, world)
  const start = {
    program: process.execPath,
    args: [...process.execArgv, process.argv[1] ?? '', 'worker', '--stdin'],
    cwd: process.cwd(),
    env: givenVariables(world.env),
  }
  const open = (order: WorkOrder) => {
    ensureCapable(order, own)
    return openWorkChild(start, order, own)
  }
  const by = named(author())
  say(`waiting for records at ${url} as ${by}`)
  try {
    await serveQueue({link, by, capability: capabilityOf(own), open, signal: world.signal, say})
  } finally {
    await link.close()
  }
  return endOfService(world)
}

/** @throws PipelineError before anything is made for a run that needs another executor */
function ensureCapable({config}: WorkOrder, own: Config): void {
  const wanted = Config.safeParse(config).data?.executor.kind
  const {kind} = own.executor
  if (wanted === undefined || wanted === kind) return
  throw new PipelineError('config-invalid', `The run judges with ${wanted}, and this worker has ${kind}.`, {
    fix: `Start workers with \`--set executor.kind=${wanted}\` where it is installed.`,
  })
}

/** `ascend-cot worker --stdin`: the process in which a worker of a queue works. */
export async function childWorker(given: World): Promise<number> {
  endInOrder(given)
  const parent = process.ppid
  const orphaned = new AbortController()
  // A signal is the parent's matter: it lets the batch in progress finish. Without a parent, nobody takes the results.
  const watch = setInterval(() => process.ppid !== parent && orphaned.abort(interrupted()), 1000)
  const world = {...given, signal: orphaned.signal}
  return withScratch(async (scratch) => {
    await workAsChild({
      lines: linesOf(process.stdin),
      print: world.terminal.print,
      open: ({order, own}) => openStage(order, {own: Config.parse(own), scratch, world}),
      context: (order, stage) => contextOf(order, stage, {scratch, world}),
    })
    return 0
  }).finally(() => clearInterval(watch))
}
