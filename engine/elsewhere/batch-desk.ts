import type {Queue} from 'bullmq'
import {contentId, textId, type Envelope} from '../ids.ts'
import {realSleep} from '../llm/clock.ts'
import {fingerprintId} from './fingerprint.ts'
import {receivedResult, type Result, type Wanted} from './hands.ts'
import {Delivery, patiently, type Batch, type QueueLink} from './queue-link.ts'
import type {WorkOrder} from './work-order.ts'
import type {Workforce} from './worker-seen.ts'
import {present} from './workforce.ts'

export interface Queued {
  wanted: Wanted
  order: WorkOrder
  /** Of the run, for people; with the fingerprint, it names the queue. */
  run: string
  open(): Promise<QueueLink>
  recordsPerBatch: number
  /** Stages with a higher one are worked on first. */
  priority: number
  /** Batches given out ahead of the workers. Default: two for each worker, and some. */
  ahead?: number
  /** Between two looks at the queue. Default 250 ms. */
  poll?: number
}

/** How often a batch is refused, and how often a failed one is given out in halves, before its records fail. */
const mostRefusals = 5
const mostHalvings = 8
const leastAhead = 8
/** Of records that are given out: the run holds them until their results are there. */
const mostBytes = 256 << 20
/** Between two looks at who works, and at what the queue has lost. */
const beat = 2000
const patience = 30_000

interface Tries {
  refusals: number
  halvings: number
}

interface Out extends Tries {
  records: readonly Envelope[]
  bytes: number
  /** Whether the queue had it once. */
  isPut: boolean
}

/** What a run has given out to a queue. */
export class BatchDesk {
  readonly #queued: Queued
  readonly #link: QueueLink
  readonly #name: string
  readonly #fingerprint: string
  readonly #queue: Queue<Batch, Delivery>
  readonly #out = new Map<string, Out>()
  /** All batches that were ever given out here: results of others are not taken. */
  readonly #known = new Set<string>()
  readonly #away = new Set<string>()
  readonly #told = new Set<string>()
  #bytes = 0
  #room: number
  #looked = 0
  #fitSince = performance.now()
  #end: {error?: unknown} | undefined
  isStopped = false

  static async open(queued: Queued): Promise<BatchDesk> {
    const desk = new BatchDesk(queued, await queued.open())
    try {
      await desk.#takeOver()
      // Gives out again what a worker took and did not finish.
      await desk.#link.taker(desk.#name).startStalledCheckTimer()
      await desk.#ask(() => desk.#look())
    } catch (error) {
      await desk.close()
      throw error
    }
    return desk
  }

  private constructor(queued: Queued, link: QueueLink) {
    const {order, run, ahead} = queued
    this.#queued = queued
    this.#link = link
    this.#fingerprint = fingerprintId(order.fingerprint)
    this.#name = contentId([run, order.index, this.#fingerprint])
    this.#queue = link.queue(this.#name)
    this.#room = ahead ?? leastAhead
  }

  isAway(id: string): boolean {
    return this.#away.has(id)
  }

  stop(): void {
    this.isStopped = true
  }

  /** No more records come. */
  fed(end: {error?: unknown} = {}): void {
    this.#end = end
  }

  /** @throws what the records' source threw */
  isDone(): boolean {
    if (this.#end && 'error' in this.#end) throw this.#end.error
    return this.#end !== undefined && this.#out.size === 0
  }

  /** Waits until workers need more. */
  async room(): Promise<void> {
    const isFull = () => this.#out.size >= this.#room || this.#bytes > mostBytes
    while (!this.isStopped && isFull()) await realSleep(20, this.#queued.wanted.signal)
  }

  async give(records: readonly Envelope[], tries: Tries = {refusals: 0, halvings: 0}): Promise<void> {
    const ids = records.map(({id}) => id)
    const job = nameOfBatch(this.#fingerprint, ids)
    this.#note(job, records, tries)
    await this.#put(job)
    const out = this.#out.get(job)
    if (out) out.isPut = true
  }

  /** @returns whether a batch had arrived */
  async *collect(): AsyncGenerator<Result, boolean> {
    if (performance.now() - this.#looked > beat) await this.#ask(() => this.#look())
    yield* this.#late()
    const jobs = await this.#ask(() => this.#queue.getJobs(['completed', 'failed'], 0, 15))
    let some = false
    for (const job of jobs) {
      // One that was removed meanwhile.
      if (job?.id === undefined) continue
      some = true
      yield* this.#arrived(job.id, job.failedReason, job.returnvalue)
    }
    return some
  }

  async withdraw(): Promise<void> {
    await this.#ask(() => this.#tellRefusals())
    await this.#ask(() => this.#link.withdraw(this.#name))
    await this.#ask(() => this.#queue.obliterate({force: true}))
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, this.#queued.wanted)
  }

  #note(job: string, records: readonly Envelope[], tries: Tries, isPut = false): void {
    const bytes = records.reduce((sum, {json}) => sum + json.length, 0)
    this.#out.set(job, {records, bytes, isPut, ...tries})
    this.#known.add(job)
    this.#bytes += bytes
    for (const {id} of records) this.#away.add(id)
  }

  #forget(job: string): void {
    const {records, bytes} = this.#out.get(job)!
    this.#out.delete(job)
    this.#bytes -= bytes
    for (const {id} of records) this.#away.delete(id)
  }

  async #put(job: string): Promise<void> {
    const records = this.#out.get(job)?.records.map(({json}) => json)
    if (records) await this.#ask(() => this.#queue.add('records', {records}, {jobId: job}))
  }

  /** Jobs of an earlier run that was stopped: their records are on their way already. */
  async #takeOver(): Promise<void> {
    const states = ['waiting', 'active', 'completed', 'failed'] as const
    for (const job of await this.#ask(() => this.#queue.getJobs([...states]))) {
      const records = job?.data.records.map((json) => ({id: textId(json), json}))
      if (job?.id !== undefined && records) this.#note(job.id, records, {refusals: 0, halvings: 0}, true)
    }
  }

  async #look(): Promise<void> {
    const {wanted, run, priority, order, ahead} = this.#queued
    const name = this.#name
    this.#looked = performance.now()
    await this.#link.post({name, run, priority, order})
    await this.#giveLost()
    await this.#tellRefusals()
    const {waiting = 0, active: working = 0} = await this.#queue.getJobCounts('waiting', 'active')
    const workers = (await this.#link.workers()).filter(({fit}) => fit.includes(name))
    const workforce: Workforce = {unit: 'batch', waiting, working, workers}
    wanted.seen(workforce)
    const fit = present(workforce).length
    this.#room = ahead ?? Math.max(leastAhead, 2 * fit + 4)
    if (fit > 0 || this.#out.size === 0) this.#fitSince = performance.now()
    if (performance.now() - this.#fitSince < patience) return
    this.#fitSince = performance.now()
    wanted.log.warn('no worker takes the records of this stage; start one with `ascend-cot worker`', {run})
  }

  async #tellRefusals(): Promise<void> {
    for (const {by, why} of await this.#link.refusals(this.#name)) {
      if (this.#told.has(by)) continue
      this.#told.add(by)
      this.#queued.wanted.log.warn(`${by} does not work on this stage: ${why}`)
    }
  }

  /** Redis without persistence forgets all when it is restarted. */
  async #giveLost(): Promise<void> {
    const jobs = [...this.#out].filter(([, {isPut}]) => isPut).map(([job]) => job)
    const missing = await this.#link.missing(jobs.map((job) => this.#queue.toKey(job)))
    const lost = jobs.filter((job) => missing.has(this.#queue.toKey(job)))
    for (const job of lost) await this.#put(job)
    if (lost.length > 0)
      this.#queued.wanted.log.warn('the queue lost batches; they were given out again', {batches: lost.length})
  }

  async *#arrived(job: string, why: string | undefined, sent: unknown): AsyncIterable<Result> {
    const one = this.#out.get(job)
    const remove = () => this.#ask(() => this.#queue.remove(job))
    if (!one) {
      await remove()
      return
    }
    const ids = one.records.map(({id}) => id)
    const results = why ? undefined : await this.#checked(sent, job, ids)
    if (results) {
      // The ledger has them when the next one is asked for.
      yield* results
      this.#forget(job)
      await remove()
      return
    }
    if (why) this.#queued.wanted.log.warn(`a batch of ${ids.length} failed: ${why.slice(0, 400)}`)
    await remove()
    this.#forget(job)
    yield* await this.#again(one, why)
  }

  async #again({records, refusals, halvings}: Out, why: string | undefined): Promise<Result[]> {
    if (why === undefined && refusals < mostRefusals) {
      await this.give(records, {refusals: refusals + 1, halvings})
      return []
    }
    const isHopeless = why === undefined || halvings >= mostHalvings || (records.length === 1 && halvings > 0)
    if (isHopeless) return records.map((input) => failed(input, why ?? 'every result was refused'))
    const middle = Math.ceil(records.length / 2)
    const halves = [records.slice(0, middle), records.slice(middle)].filter((half) => half.length > 0)
    for (const half of halves) await this.give(half, {refusals, halvings: halvings + 1})
    return []
  }

  /** Of workers that lost their batch to another one, and went on. */
  async *#late(): AsyncIterable<Result> {
    for (const text of await this.#ask(() => this.#link.takeLate(this.#name))) {
      const {data} = Delivery.safeParse(JSON.parse(text))
      if (!data || !this.#known.has(data.batch)) continue
      const ids = data.results.map((result) => (JSON.parse(result) as {id: string}).id)
      if (nameOfBatch(this.#fingerprint, ids) === data.batch) yield* (await this.#checked(data, data.batch, ids)) ?? []
      else await this.#refuse(data, 'it is for other records than those of its batch')
    }
  }

  /** @returns undefined when they were refused */
  async #checked(sent: unknown, job: string, ids: readonly string[]): Promise<Result[] | undefined> {
    const {stage} = this.#queued.wanted
    const read = Delivery.safeParse(sent)
    const {worker, by} = read.data ?? {worker: '', by: 'unknown'}
    try {
      const {batch, fingerprint, results: texts} = Delivery.parse(sent)
      if (batch !== job) throw new Error(`it is for batch ${batch}, not ${job}`)
      if (fingerprint !== this.#fingerprint)
        throw new Error(`its fingerprint is ${fingerprint}, not ${this.#fingerprint}`)
      const expected = new Set(ids)
      const results = texts.map((text) => {
        const result = receivedResult(text, stage, expected)
        expected.delete(result.input.id)
        return {...result, by}
      })
      if (expected.size > 0) throw new Error(`${expected.size} of its records have no result`)
      return results
    } catch (error) {
      await this.#refuse({worker, by}, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  async #refuse({worker, by}: Pick<Delivery, 'worker' | 'by'>, why: string): Promise<void> {
    const fix = 'Start it again with the package, compiler and Python of the run.'
    this.#queued.wanted.log.warn(`results of ${by} were refused: ${why}`)
    await this.#ask(() => this.#link.refuse(this.#name, 'barred', worker, {by, why, fix}))
  }
}

const nameOfBatch = (fingerprint: string, ids: readonly string[]) => `b${contentId([fingerprint, ...ids])}`

function failed(input: Envelope, why: string): Result {
  const failure = {
    code: 'executor-failed',
    message: `No worker finished it: ${why}`,
    fix: 'Read what the workers printed, then run `ascend-cot resume`.',
  }
  return {input, outcome: {outputs: [], drops: [], failure}}
}
