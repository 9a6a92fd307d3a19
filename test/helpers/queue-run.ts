import {fingerprintId, fingerprintOf} from '../../engine/elsewhere/fingerprint.ts'
import {sentResult, type FindHands} from '../../engine/elsewhere/hands.ts'
import {ownHands} from '../../engine/elsewhere/own-hands.ts'
import {queueHands} from '../../engine/elsewhere/queue-hands.ts'
import {openQueueLink, type QueueLink} from '../../engine/elsewhere/queue-link.ts'
import {serveQueue, type Workplace} from '../../engine/elsewhere/queue-worker.ts'
import {ensureSame, type WorkOrder} from '../../engine/elsewhere/work-order.ts'
import type {Workforce} from '../../engine/elsewhere/worker-seen.ts'
import {PipelineError} from '../../engine/errors.ts'
import {textId} from '../../engine/ids.ts'
import {silentLog, type Log} from '../../engine/log.ts'
import {Pipeline, type AnyStage} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {numbers, words} from './number-stages.ts'

interface Told {
  message: string
  fields: unknown
}

interface Asked {
  /** Undefined: in this process. */
  url?: string
  directory: string
  stage?: AnyStage
  total?: number
  recordsPerBatch?: number
  ahead?: number
  lease?: number
  password?: string
  stop?: AbortController
  told?: Told[]
  seen?: (workforce: Workforce) => void
}

/** A run whose second stage is worked on by a queue; what it kept, and what it told. */
export async function queuedRun(asked: Asked) {
  const {told, counts} = await workedByQueue(asked)
  const {read, written, accepted, dropped, failed, reasons, workforce} = counts[1]!
  const kept = {read, written, accepted, dropped, failed, reasons, ...(await keptIn(asked.directory))}
  return {told, workforce, kept}
}

export async function workedByQueue({url, directory, stage = words(), total = 100, told = [], ...asked}: Asked) {
  const {recordsPerBatch = 4, lease = 1000, ahead, password, stop = new AbortController()} = asked
  const log: Log = {...silentLog, warn: (message, fields) => void told.push({message, fields})}
  const hands: FindHands = (wanted) => ({
    async *work(records) {
      const fingerprint = await fingerprintOf(wanted.stage, wanted.key)
      const order: WorkOrder = {format: 1, recipe: 'x', config: {}, answers: {}, seed: 's', index: 1, fingerprint}
      const seen = (workforce: Workforce) => {
        wanted.seen(workforce)
        asked.seen?.(workforce)
      }
      const open = () => openQueueLink({url: url!, password}, lease)
      const queued = {wanted: {...wanted, seen}, order, run: directory, open, recordsPerBatch, priority: 0, poll: 20}
      yield* queueHands({...queued, ...(ahead !== undefined && {ahead})}).work(records)
    },
  })
  const {counts} = await runPipeline({
    pipeline: Pipeline.from('test', [total], numbers).via(stage),
    directory,
    model: () => undefined,
    seed: 's',
    ...(url !== undefined && {hands: (wanted) => (wanted.index === 1 ? hands(wanted) : undefined)}),
    now: () => 0,
    signal: stop.signal,
    log,
  })
  return {told, counts}
}

async function keptIn(directory: string) {
  const run = (await openRun(directory))!
  const emitted = [...run.emitted()].map(({id, json}) => `${id} ${json}`)
  const drops = [...run.stage('words')!.dropped()]
  run.close()
  return {emitted, drops: drops.map((one) => JSON.stringify(one)).sort()}
}

interface WorkerAsked {
  url: string
  /** As this machine makes it. */
  stage?: AnyStage
  lease?: number
  password?: string
  by?: string
  /** What becomes of a batch's results. */
  change?: (results: string[], fingerprint: string, records: readonly string[]) => string[] | Promise<string[]>
  fingerprint?: string
  /** Whether it keeps its lock while it works; a machine that is asleep does not. */
  renews?: boolean
  said?: string[]
}

/** A worker in this process. */
export async function startWorker({url, stage = words(), lease = 1000, password, ...asked}: WorkerAsked) {
  const {by = 'honest', change = (results) => results, said = []} = asked
  const stop = new AbortController()
  const link = await openQueueLink({url, password}, lease)
  if (asked.renews === false) forgetful(link)
  const open = async (order: WorkOrder): Promise<Workplace> => {
    await ensureSame(order, stage)
    const fingerprint = asked.fingerprint ?? fingerprintId(order.fingerprint)
    return {
      fingerprint,
      async work(records) {
        const results: string[] = []
        for await (const result of ownHands(stage, contextOf(stage)).work(envelopes(records)))
          results.push(sentResult(result))
        return change(results, fingerprint, records)
      },
      close: () => Promise.resolve(),
    }
  }
  const say = (text: string) => void said.push(text)
  const ended = serveQueue({link, by, capability: 'twin', open, signal: stop.signal, say})
  return {
    link,
    said,
    async end() {
      stop.abort(new PipelineError('interrupted', 'stopped', {fix: ''}))
      await ended
      await link.close()
    },
  }
}

function forgetful(link: QueueLink): void {
  const {taker} = link
  link.taker = (name) => {
    const made = taker(name)
    const next = made.getNextJob.bind(made)
    made.getNextJob = async (...given) => {
      const job = await next(...given)
      if (job) job.extendLock = () => Promise.resolve(0)
      return job
    }
    return made
  }
}

const contextOf = ({name, version}: AnyStage) => ({
  llm: undefined,
  drop: () => [],
  stages: {[name]: version},
  log: silentLog,
  seed: 's',
  now: () => 0,
  signal: new AbortController().signal,
  directory: '/nowhere',
})

async function* envelopes(records: readonly string[]) {
  for (const json of records) yield {id: textId(json), json}
}
