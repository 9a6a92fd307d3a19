import {Worker} from 'node:worker_threads'
import {interrupted} from './errors.ts'

type Answer<Out> = {ok: true; value: Out} | {ok: false; why: 'too-slow' | 'too-much-memory' | 'threw'; detail: string}

interface WorkerLimits {
  /** Of one call. */
  seconds: number
  heapMegabytes: number
  /** How long a returned thread stays alive for reuse. Starting one takes 0.5 s of CPU. */
  idleSeconds?: number
}

/** A function in a thread of its own, where it can be stopped. */
export interface Isolated<In, Out> {
  /** Calls run one after another, in order; those still open at `close` are rejected. */
  call(input: In): Promise<Answer<Out>>
  /** Returns the thread for reuse if `idleSeconds` is set and it is healthy; otherwise ends it. */
  close(): Promise<void>
}

/**
 * Runs the default export of a module in a worker. Code that never returns or uses all memory cannot be stopped in its
 * own thread; here it ends its worker, and the next call gets a new one. On a machine that is busy or was asleep, any
 * code looks slow: only code that is too slow twice counts as such.
 */
export function isolate<In, Out>(module: URL, limits: WorkerLimits, stopped: AbortSignal): Isolated<In, Out> {
  const {seconds, heapMegabytes, idleSeconds = 0} = limits
  const resting = idleThreads(`${heapMegabytes} ${module.href}`)
  const closing = new AbortController()
  // A thread that has been ended answers no one: without this, an open call would wait for its time limit.
  const signal = AbortSignal.any([stopped, closing.signal])
  let worker: Worker | undefined
  let open = 0
  let hasThrown = false
  let turn: Promise<unknown> = Promise.resolve()
  const stop = async () => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  async function attempt(input: In): Promise<Answer<Out>> {
    if (signal.aborted) throw interrupted()
    worker ??= resting.take() ?? (await start(module, heapMegabytes))
    if (signal.aborted) {
      await stop()
      throw interrupted()
    }
    const answer = await answerOf<Out>(worker, input, seconds, signal).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    if (!answer.ok && answer.why === 'threw') hasThrown = true
    else if (!answer.ok) await stop()
    return answer
  }

  async function twice(input: In): Promise<Answer<Out>> {
    const first = await attempt(input)
    return !first.ok && first.why === 'too-slow' ? attempt(input) : first
  }

  return {
    call(input) {
      open += 1
      const answer = turn.then(() => twice(input)).finally(() => (open -= 1))
      turn = answer.catch(() => undefined)
      return answer
    },
    async close() {
      closing.abort()
      // A module that threw may be broken permanently, as WebAssembly is after an abort.
      const isSound = worker !== undefined && open === 0 && !hasThrown
      if (!isSound || idleSeconds === 0) return stop()
      resting.give(worker!, idleSeconds)
      worker = undefined
    },
  }
}

async function start(module: URL, heapMegabytes: number): Promise<Worker> {
  const worker = new Worker(new URL('./worker-entry.mjs', import.meta.url), {
    workerData: module.href,
    resourceLimits: {maxOldGenerationSizeMb: heapMegabytes},
  })
  worker.unref()
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  // Errors that a worker reports while it is being stopped do not matter.
  worker.on('error', () => undefined)
  return worker
}

function answerOf<Out>(worker: Worker, input: unknown, seconds: number, signal: AbortSignal): Promise<Answer<Out>> {
  return new Promise((resolve, reject) => {
    const tooSlow = () => settle(() => resolve({ok: false, why: 'too-slow', detail: `more than ${seconds} s`}))
    const timer = setTimeout(tooSlow, seconds * 1000)
    const onMessage = (answer: Answer<Out>) => settle(() => resolve(answer))
    const onAbort = () => settle(() => reject(interrupted()))
    const onError = (error: NodeJS.ErrnoException) =>
      settle(() => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          resolve({ok: false, why: 'too-much-memory', detail: error.message})
        else reject(error)
      })
    const onExit = () => settle(() => reject(new Error('the thread ended without an answer')))
    function settle(then: () => void): void {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      then()
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, {once: true})
    worker.postMessage(input)
  })
}

interface IdleThreads {
  take(): Worker | undefined
  /** An idle thread ends after this many seconds unless it is taken. */
  give(worker: Worker, seconds: number): void
}

const all = new Map<string, Map<Worker, () => void>>()

/** Idle threads of this process; those under one key do the same work within the same limits. */
export function idleThreads(key: string): IdleThreads {
  const waiting = all.get(key) ?? new Map<Worker, () => void>()
  all.set(key, waiting)
  return {
    take() {
      const [first] = waiting
      first?.[1]()
      return first?.[0]
    },
    give(worker, seconds) {
      const end = () => {
        leave()
        void worker.terminate()
      }
      const timer = setTimeout(end, seconds * 1000).unref()
      const leave = () => {
        clearTimeout(timer)
        worker.off('exit', leave)
        waiting.delete(worker)
      }
      worker.once('exit', leave)
      waiting.set(worker, leave)
    },
  }
}
