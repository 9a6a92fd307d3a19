import type {Job, Queue, Worker} from 'bullmq'
import {randomBytes} from 'node:crypto'
import {PipelineError} from '../errors.ts'
import {silentLog} from '../log.ts'
import {realSleep} from '../llm/clock.ts'
import {patiently, type Batch, type Delivery, type Posted, type QueueLink} from './queue-link.ts'
import type {WorkOrder} from './work-order.ts'
import type {WorkerState} from './worker-seen.ts'

/** Where the stage of an order is ready on this machine. */
export interface Workplace {
  /** Of the stage as it was made here. */
  fingerprint: string
  /** Gives the results in the order of the records, as `sentResult` makes them. @throws Error when it is broken */
  work(records: readonly string[]): Promise<string[]>
  close(): Promise<void>
}

interface Serving {
  link: QueueLink
  by: string
  capability: string
  /** @throws PipelineError when this machine would not give the run's results */
  open(order: WorkOrder): Promise<Workplace>
  /** Fired to end in order: the batch in progress is finished. */
  signal: AbortSignal
  say(text: string): void
}

interface Place {
  queue: Queue<Batch, Delivery>
  taker: Worker<Batch, Delivery>
  /** Undefined while nothing is to do, or while this machine is unfit. */
  ready?: Workplace
  unfitSince?: number
  usedAt: number
}

interface Taken {
  job: Job<Batch, Delivery>
  token: string
  place: Place
  posted: Posted
}

/** How long a worker without work waits, and how old its list of orders may be. */
const idle = 500
const beat = 5000
/** A machine that was unfit is tried again, and one without records given up, after this time. */
const later = 60_000

/** Works on batches of whoever posts orders, the most important first, until the signal. */
export async function serveQueue(serving: Serving): Promise<void> {
  const worker = new QueueWorker(serving)
  await worker.serve()
}

class QueueWorker {
  readonly #serving: Serving
  readonly #state: WorkerState
  readonly #places = new Map<string, Place>()
  #posted: Posted[] = []
  #listedAt = -Infinity
  #taken = 0

  constructor(serving: Serving) {
    const {by, capability} = serving
    this.#serving = serving
    this.#state = {id: randomBytes(8).toString('hex'), by, capability, records: 0, rate: 0, holds: '', fit: []}
  }

  async serve(): Promise<void> {
    const {link, signal} = this.#serving
    const beating = setInterval(() => void this.#beat(), beat)
    try {
      await this.#beat()
      while (!signal.aborted) {
        const taken = await this.#ask(() => this.#next()).catch(this.#unlessStopped)
        if (taken) await this.#workOn(taken)
        else await realSleep(idle, signal)
      }
    } finally {
      clearInterval(beating)
      await Promise.all([...this.#places.values()].map((place) => place.ready?.close()))
      await Promise.race([link.leave(this.#state.id).catch(() => undefined), realSleep(1000)])
    }
  }

  readonly #unlessStopped = (error: unknown) => {
    if (!this.#serving.signal.aborted) throw error
    return undefined
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    const {signal, say} = this.#serving
    return patiently(work, {signal, log: {warn: say}})
  }

  #beat(): Promise<unknown> {
    const ready = [...this.#places].filter(([, place]) => place.ready)
    this.#state.fit = ready.map(([name]) => name)
    return this.#serving.link.beat(this.#state).catch(() => undefined)
  }

  async #next(): Promise<Taken | undefined> {
    const {link, signal} = this.#serving
    if (performance.now() - this.#listedAt > idle) {
      this.#posted = (await link.posted()).sort(byImportance)
      this.#listedAt = performance.now()
      await this.#giveUp()
    }
    for (const posted of this.#posted) {
      const place = await this.#placeFor(posted)
      if (!place?.ready || signal.aborted) continue
      this.#taken += 1
      const token = `${this.#state.id}:${this.#taken}`
      const job = await place.taker.getNextJob(token, {block: false})
      if (job) return {job, token, place, posted}
    }
    return undefined
  }

  /** What nobody asked for lately, and what its run has withdrawn. */
  async #giveUp(): Promise<void> {
    const names = new Set(this.#posted.map(({name}) => name))
    for (const [name, place] of this.#places) {
      if (names.has(name) && performance.now() - place.usedAt < later) continue
      await place.ready?.close()
      delete place.ready
      if (names.has(name)) continue
      this.#places.delete(name)
      await Promise.all([place.taker.close(), place.queue.close()])
    }
  }

  async #placeFor({name, order}: Posted): Promise<Place | undefined> {
    const {link, open, by, say} = this.#serving
    const place = this.#places.get(name) ?? {queue: link.queue(name), taker: link.taker(name), usedAt: -Infinity}
    this.#places.set(name, place)
    if (place.ready) return (await link.isBarred(name, this.#state.id)) ? undefined : place
    if (place.unfitSince !== undefined && performance.now() - place.unfitSince < later) return undefined
    if ((await place.queue.getWaitingCount()) === 0) return undefined
    try {
      place.ready = await open(order)
      place.usedAt = performance.now()
      await this.#beat()
      return place
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error
      const {message: why, fix} = error
      place.unfitSince = performance.now()
      say(`not fit for ${order.recipe}, ${order.fingerprint.stage}: ${why}`)
      await link.refuse(name, 'unfit', this.#state.id, {by, why, fix})
      return undefined
    }
  }

  async #workOn({job, token, place, posted: {name, order}}: Taken): Promise<void> {
    const {link, by} = this.#serving
    const {records} = job.data
    const ready = place.ready!
    const began = performance.now()
    this.#state.holds = `${order.recipe} ${order.fingerprint.stage}, ${records.length} records`
    await this.#beat()
    const renewing = setInterval(() => void job.extendLock(token, link.lease).catch(() => undefined), link.lease / 3)
    try {
      const results = await ready.work(records)
      const delivery = {batch: job.id!, fingerprint: ready.fingerprint, worker: this.#state.id, by, results}
      await this.#deliver(job, token, name, delivery)
      this.#state.records += records.length
      this.#state.rate = Math.round((records.length / (performance.now() - began)) * 1e5) / 100
    } catch (error) {
      delete place.ready
      await ready.close()
      const why = error instanceof Error ? error.message : String(error)
      this.#serving.say(`a batch failed: ${why}`)
      // Unless the queue is gone: then its lock runs out.
      await this.#finally(() => job.moveToFailed(new Error(`${by}: ${why}`), token)).catch(() => undefined)
    } finally {
      clearInterval(renewing)
      this.#state.holds = ''
      place.usedAt = performance.now()
    }
  }

  /** Results are sent also where another worker has the batch by now: the run compares them. */
  async #deliver(job: Job<Batch, Delivery>, token: string, name: string, delivery: Delivery): Promise<void> {
    const send = async () => {
      try {
        await job.moveToCompleted(delivery, token, false)
      } catch (error) {
        if (!isLost(error)) throw error
        await this.#serving.link.sendLate(name, delivery)
      }
    }
    await this.#finally(send)
  }

  /** Also after the signal: what is finished is not thrown away. */
  #finally(work: () => Promise<unknown>): Promise<unknown> {
    return patiently(work, {signal: AbortSignal.timeout(later), log: silentLog})
  }
}

/** BullMQ's codes where the lock ran out, or Redis lost the job. A command that was sent twice looks the same. */
const lostCodes: readonly unknown[] = [-1, -2, -3, -6]
const isLost = (error: unknown) => error instanceof Error && 'code' in error && lostCodes.includes(error.code)

/** Then the later stages of a run, so that what was begun is finished. */
const byImportance = (one: Posted, other: Posted) =>
  other.priority - one.priority || other.order.index - one.order.index || (one.name < other.name ? -1 : 1)
