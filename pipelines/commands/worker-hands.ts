import {hostname} from 'node:os'
import {resolve} from 'node:path'
import {fingerprintOf} from '../../engine/elsewhere/fingerprint.ts'
import type {FindHands, Hands, Wanted} from '../../engine/elsewhere/hands.ts'
import {kubernetesJob} from '../../engine/elsewhere/kubernetes-job.ts'
import {queueHands} from '../../engine/elsewhere/queue-hands.ts'
import {openQueueLink} from '../../engine/elsewhere/queue-link.ts'
import {shareHands} from '../../engine/elsewhere/share-hands.ts'
import {slurmArray} from '../../engine/elsewhere/slurm-array.ts'
import {ownArray, type TaskArray} from '../../engine/elsewhere/task-array.ts'
import type {WorkOrder} from '../../engine/elsewhere/work-order.ts'
import {PipelineError} from '../../engine/errors.ts'
import {givenVariables} from '../../engine/subprocess.ts'
import {perRecord, type PerRecordRun} from '../../engine/stage.ts'
import type {Config} from '../workspace/config.ts'
import type {Answers} from '../workspace/noted-workspace.ts'
import type {World} from './world.ts'

interface Made {
  config: Config
  world: World
  /** Name or path of the recipe. */
  recipe: string
  answers: Answers
}

/** The hands of a recipe's costly stages, by the configuration of workers; undefined where this process does all. */
export function workerHands(made: Made): FindHands | undefined {
  const {on, stages} = made.config.workers
  if (on === undefined) return undefined
  return (wanted) => {
    const {costly} = (wanted.stage.run as PerRecordRun<unknown, unknown>)[perRecord]
    if (!(stages?.includes(wanted.stage.name) ?? costly)) return undefined
    return laterHands(() => handsOf(wanted, made, on))
  }
}

/** The fingerprint takes a moment, and is made when the first record comes. */
function laterHands(make: () => Promise<Hands>): Hands {
  return {
    async *work(records) {
      yield* (await make()).work(records)
    },
  }
}

async function handsOf(wanted: Wanted, made: Made, on: string): Promise<Hands> {
  const {config, world, recipe, answers} = made
  const order: WorkOrder = {
    format: 1,
    recipe,
    config,
    answers,
    seed: config.seed,
    index: wanted.index,
    fingerprint: await fingerprintOf(wanted.stage, wanted.key),
  }
  const {priority} = config.workers
  const {together} = (wanted.stage.run as PerRecordRun<unknown, unknown>)[perRecord]
  const recordsPerShare = Math.min(together, config.workers.recordsPerShare)
  const recordsPerBatch = Math.min(together, config.workers.recordsPerBatch)
  if (/^rediss?:/.test(on)) {
    const open = () => linkTo(on, config, world)
    return queueHands({wanted, order, run: runName(wanted.folder), open, recordsPerBatch, priority})
  }
  return shareHands({wanted, order, array: arrayOf(wanted, made, on), recordsPerShare, now: world.now})
}

/** To a queue, with the password and the authority of this machine. */
export function linkTo(url: string, {workers}: Config, {env}: Pick<World, 'env'>) {
  const {passwordVariable, authorityFile, silenceSeconds} = workers
  return openQueueLink({url, password: env[passwordVariable], authorityFile}, silenceSeconds * 1000)
}

/** Of a stage's run, on all machines: the queue may have runs of others with the same recipe. */
const runName = (folder: string) => `${hostname()}:${resolve(folder, '../..')}`

function arrayOf({folder, stage}: Wanted, {config, world}: Made, on: string): TaskArray {
  const {command = ownCommand(), partition, options, image, namespace, volumes} = config.workers
  const root = resolve(folder)
  const lineFor = (share: string) => `${command} worker --share ${quoted(root)} --index ${share}`
  const [kind, count] = on.split(':')
  const env = givenVariables(world.env)
  const shared = {
    folder: root,
    name: `ascend-cot-${stage.name}`,
    tasks: Number(count),
    line: `exec ${lineFor('"$INDEX"')}`,
    env,
  }
  if (kind === 'slurm') {
    const place = partition === undefined ? [] : [`--partition=${partition}`]
    return slurmArray({...shared, options: [...place, ...options]})
  }
  if (kind === 'kubernetes') {
    if (image === undefined) throw noImage()
    return kubernetesJob({...shared, name: shared.name.slice(0, 40), image, namespace, volumes})
  }
  return ownArray(world.terminal.say, lineFor)
}

function noImage(): PipelineError {
  return new PipelineError('config-invalid', 'workers.on is kubernetes, and workers.image names no image.', {
    fix: 'Build one with docs/guides/worker-image/Containerfile and name it as workers.image.',
  })
}

/** This installation, as a shell line. */
const ownCommand = () => [process.execPath, ...process.execArgv, process.argv[1] ?? ''].map(quoted).join(' ')

const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
