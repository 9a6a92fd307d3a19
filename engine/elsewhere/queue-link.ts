import type {Queue, Worker} from 'bullmq'
import type {Redis} from 'ioredis'
import type {EventEmitter} from 'node:events'
import {readFile} from 'node:fs/promises'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../errors.ts'
import type {Log} from '../log.ts'
import {realSleep} from '../llm/clock.ts'
import {WorkOrder} from './work-order.ts'
import {WorkerState, type WorkerSeen} from './worker-seen.ts'

/** A stage of a run that hands out its records; its name is that of its queue. */
export const Posted = z.strictObject({
  name: z.string(),
  /** Shown to people. */
  run: z.string(),
  /** Higher ones are worked on first. */
  priority: z.int(),
  order: WorkOrder,
})
export type Posted = z.infer<typeof Posted>

/** Why a worker does not take records of a stage, or may not. */
const Refused = z.strictObject({by: z.string(), why: z.string(), fix: z.string()})
type Refused = z.infer<typeof Refused>

/** What a job holds. */
export interface Batch {
  /** Canonical JSON of each. */
  records: string[]
}

/** What a worker sends back. */
export const Delivery = z.strictObject({
  /** The id of the job. */
  batch: z.string(),
  fingerprint: z.string(),
  worker: z.string(),
  by: z.string(),
  /** As `sentResult` makes them, in the order of the batch. */
  results: z.array(z.string()),
})
export type Delivery = z.infer<typeof Delivery>

interface Address {
  /** `redis://host:6379/0`, or `rediss://` for TLS. */
  url: string
  password?: string | undefined
  /** File with the authorities (PEM) of a `rediss://` server, in place of those that Node.js trusts. */
  authorityFile?: string | undefined
}

const prefix = 'ascend-cot'
const ordersKey = `${prefix}:orders`
const workersKey = `${prefix}:workers`
/** By its expiry, the server's own clock tells how long ago a worker was seen. */
const beatKey = (worker: string) => `${prefix}:beat:${worker}`
const refusedKey = (order: string) => `${prefix}:refused:${order}`
const lateKey = (order: string) => `${prefix}:late:${order}`
const forgottenAfter = 3_600_000

/** How long the first connection is waited for. */
const patience = 15_000

export type QueueLink = Awaited<ReturnType<typeof openQueueLink>>

/**
 * A connection to Redis that heals itself. BullMQ is loaded here and nowhere else.
 * @param lease how long a worker may be silent before its records are given to another, in milliseconds
 * @throws PipelineError `toolchain-missing` without BullMQ, `endpoint-unreachable`, `key-missing`, `input-missing`
 */
export async function openQueueLink({url, password, authorityFile}: Address, lease = 30_000) {
  const {bullmq, ioredis} = await libraries()
  const silence = Math.max(lease / 2, 2000)
  const connection = await connected(
    new ioredis.Redis(url, {
      ...(password !== undefined && {password}),
      ...(authorityFile !== undefined && url.startsWith('rediss:') && {tls: {ca: await authorities(authorityFile)}}),
      // BullMQ asks for it: commands wait until Redis is back.
      maxRetriesPerRequest: null,
      socketTimeout: silence,
      // A connection that is cut twice before it is ready loses commands, which would never end (ioredis 6.0.0).
      commandTimeout: silence,
      keepAlive: silence,
      lazyConnect: true,
    }),
    url,
  )
  let isClosing = false
  // One that is cut while it connects gives up for good (ioredis 6.0.0).
  connection.on('end', () => {
    if (!isClosing) setTimeout(() => isClosing || connection.connect().catch(() => undefined), 500)
  })
  const shared = {connection, prefix}
  const open: {close(): Promise<void>}[] = []
  // Errors of a connection are those of its commands; without a listener, Node ends the process.
  const quiet = <T extends EventEmitter & {close(): Promise<void>}>(one: T): T => {
    one.on('error', () => undefined)
    open.push(one)
    return one
  }
  const timing = {lockDuration: lease, stalledInterval: lease / 2, maxStalledCount: 8}
  return {
    lease,
    queue: (name: string): Queue<Batch, Delivery> => quiet(new bullmq.Queue(name, shared)),
    taker: (name: string): Worker<Batch, Delivery> =>
      // Batches are fetched by hand: its second connection, which waits for them, is not needed.
      quiet(
        new bullmq.Worker(name, undefined, {...shared, ...timing}, (...given) =>
          bullmq.createRedisBackend(given[0], given[1]),
        ),
      ),
    async post(posted: Posted): Promise<void> {
      await connection.hset(ordersKey, posted.name, JSON.stringify(posted))
    },
    async posted(): Promise<Posted[]> {
      const found = Object.values(await connection.hgetall(ordersKey)).map((text) => Posted.safeParse(JSON.parse(text)))
      return found.flatMap(({data}) => data ?? [])
    },
    async withdraw(name: string): Promise<void> {
      await connection.hdel(ordersKey, name)
      await connection.del(refusedKey(name), lateKey(name))
    },
    /** `unfit`: by the worker itself, for now; `barred`: by the run, for good. */
    async refuse(name: string, how: 'unfit' | 'barred', worker: string, refused: Refused): Promise<void> {
      await connection.hset(refusedKey(name), `${how} ${worker}`, JSON.stringify(refused))
    },
    isBarred: async (name: string, worker: string) =>
      (await connection.hexists(refusedKey(name), `barred ${worker}`)) === 1,
    async refusals(name: string): Promise<Refused[]> {
      return Object.values(await connection.hgetall(refusedKey(name))).map((text) => Refused.parse(JSON.parse(text)))
    },
    sendLate: (name: string, delivery: Delivery) => connection.rpush(lateKey(name), JSON.stringify(delivery)),
    takeLate: async (name: string) => (await connection.lpop(lateKey(name), 8)) ?? [],
    /** Those of these keys that are not there. */
    async missing(keys: readonly string[]): Promise<Set<string>> {
      const pipeline = connection.pipeline()
      for (const key of keys) pipeline.exists(key)
      const answers = (await pipeline.exec()) ?? []
      return new Set(keys.filter((_, at) => answers[at]?.[0] === null && answers[at][1] === 0))
    },
    ...presence(connection),
    async close(): Promise<void> {
      isClosing = true
      // One that has lost its connection waits for the next.
      await Promise.race([Promise.allSettled(open.map((one) => one.close())), realSleep(2000)])
      connection.disconnect()
    },
  }
}

/** Who is there. */
function presence(connection: Redis) {
  return {
    async beat(state: WorkerState): Promise<void> {
      await connection.hset(workersKey, state.id, JSON.stringify(state))
      await connection.set(beatKey(state.id), '', 'PX', forgottenAfter)
    },
    async leave(worker: string): Promise<void> {
      await connection.hdel(workersKey, worker)
      await connection.del(beatKey(worker))
    },
    async workers(): Promise<WorkerSeen[]> {
      const found = await connection.hgetall(workersKey)
      const seen: WorkerSeen[] = []
      for (const [id, text] of Object.entries(found)) {
        const left = await connection.pttl(beatKey(id))
        const state = WorkerState.safeParse(JSON.parse(text))
        if (left < 0 || !state.success) await connection.hdel(workersKey, id)
        else seen.push({...state.data, silentSeconds: Math.round((forgottenAfter - left) / 1000)})
      }
      return seen
    },
  }
}

async function libraries() {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return {bullmq, ioredis}
  } catch (cause) {
    if (!isSystemError(cause, 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new PipelineError('toolchain-missing', 'A queue needs the packages bullmq and ioredis, which are not here.', {
      fix: 'Install them beside ascend-cot: `npm install bullmq ioredis`.',
      cause,
    })
  }
}

async function connected(connection: Redis, url: string): Promise<Redis> {
  let last = `no answer in ${patience / 1000} s`
  const mistrusted = new Promise<Error>((resolve) => {
    connection.on('error', (error: Error & {code?: string}) => {
      last = error.message || last
      if (isOfCertificate.test(error.code ?? '')) resolve(error)
    })
  })
  connection.connect().catch(() => undefined)
  const answer = await Promise.race([connection.ping().catch((error: Error) => error), mistrusted, realSleep(patience)])
  if (answer === 'PONG') return connection
  connection.disconnect()
  const why = answer instanceof Error ? answer.message : last
  if (/NOAUTH|WRONGPASS|password/i.test(`${why} ${last}`))
    throw new PipelineError('key-missing', `Redis at ${url}: ${why}`, {
      fix: 'Put the password into the variable that workers.passwordVariable names (QUEUE_PASSWORD).',
    })
  const {code = ''} = answer instanceof Error ? (answer as Error & {code?: string}) : {}
  throw new PipelineError('endpoint-unreachable', `Redis at ${url}: ${why}`, {
    fix: certificateFixes.find(([codes]) => codes.test(code))?.[1] ?? addressFix(url),
  })
}

/** Codes of OpenSSL and of Node's check of the host name: asking again would not change them. */
const isOfCertificate = /CERT|ISSUER|LEAF_SIGNATURE/

const certificateFixes: readonly [codes: RegExp, fix: string][] = [
  [/ALERT_CERT/, 'Start Redis with `tls-auth-clients no`: it asks for certificates of clients.'],
  [/EXPIRED|NOT_YET_VALID/, 'Renew its certificate, or set the clock of this machine.'],
  [
    isOfCertificate,
    'Name the file with the authority of its certificate as workers.authorityFile, and use a host that it names.',
  ],
]

const addressFix = (url: string) =>
  url.startsWith('rediss:')
    ? 'Start it, or correct the address: a port without TLS does not answer to rediss://, only to redis://.'
    : 'Start it, or correct the address: a port with TLS answers only to rediss://.'

async function authorities(file: string): Promise<string> {
  const problem = (what: string, cause?: unknown) =>
    new PipelineError('input-missing', `workers.authorityFile is ${file}, ${what}.`, {
      fix: 'Name a file with the certificate of the authority (PEM) that signed the one of Redis.',
      ...(cause !== undefined && {cause}),
    })
  const text = await readFile(file, 'utf8').catch((cause: unknown) =>
    Promise.reject(problem('which cannot be read', cause)),
  )
  if (!text.includes('BEGIN CERTIFICATE')) throw problem('which holds no certificate')
  return text
}

/**
 * Redis may be restarting, loading or full: whoever needs it asks again until it answers.
 * @throws the signal's reason on abort, also while the connection is down
 */
export async function patiently<T>(
  work: () => Promise<T>,
  {signal, log}: {signal: AbortSignal; log: Pick<Log, 'warn'>},
) {
  // Not with the option `signal`: Node's own listener for it is gone after a collection of garbage, and ours stays.
  let stop = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
  })
  stopped.catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    for (let told = ''; ; ) {
      if (signal.aborted) throw signal.reason
      try {
        return await Promise.race([work(), stopped])
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        if (!signal.aborted && why !== told) log.warn(`the queue does not answer, and is asked again: ${why}`)
        told = why
        await realSleep(1000, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
