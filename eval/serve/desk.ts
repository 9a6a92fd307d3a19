import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import type {Store} from './store.ts'
import type {Finding, Judging} from './verdicts.ts'
import {waitingLine, type Priority} from './waiting-line.ts'

interface Asked {
  candidate: Candidate
  seed: string
  priority: Priority
  /** Judge it again although a finding exists. */
  anew: boolean
  /** Signal of the waiting client: when the last one is gone, pending work is dropped, and running work is stopped. */
  signal?: AbortSignal
}

/** `cached`: the finding came from there; `shared`: another request with the same sources was being judged. */
export interface Told {
  finding: Finding
  cached: 'no' | 'shared' | 'stored'
}

interface DeskOptions {
  judging: Judging
  store: Store
  /** Candidates judged at once. */
  workers: number
  /** Longest queue of candidates. */
  places: number
  now(): number
  /** Seconds of waiting and of judging a candidate. */
  judged(seconds: {waited: number; judging: number}): void
}

export interface Desk {
  /**
   * The finding on a candidate. The same sources for the same task and seed are judged once for all requests. The
   * caller has reserved a place.
   * @throws PipelineError when a tool failed, or the signal's reason
   */
  ask(asked: Asked): Promise<Told>
  /** Candidates waiting, candidates being judged, and free places. */
  load(): {waiting: number; running: number; places: number}
  /** Estimated seconds until a place is free. */
  patience(): number
  /** Whether `drain` was called. */
  isDraining(): boolean
  /** Accepts no more work; resolves when everything is judged, or after this many seconds. */
  drain(seconds: number): Promise<void>
  /**
   * Starts no more work; running work is stopped, and all waiting clients are notified. Named requests are restarted on
   * the next start.
   */
  close(): void
}

interface Work {
  key: string
  asked: Asked
  since: number
  controller: AbortController
  waiters: number
  done: Promise<Finding>
  begin(): Promise<void>
  giveUp(reason: unknown): void
}

export function openDesk(options: DeskOptions): Desk {
  const {judging, store, workers, places} = options
  const open = new Map<string, Work>()
  const taskKey = taskKeys()
  const line = waitingLine<Work>()
  let running = 0
  let usualSeconds = 1
  let closed = false
  let draining = false
  let idle = () => {}

  function next(): void {
    while (!closed && running < workers) {
      const work = line.next()
      if (!work) return
      running += 1
      void work.begin().finally(() => {
        running -= 1
        next()
        if (running === 0) idle()
      })
    }
  }

  function enqueue(key: string, asked: Asked): Work {
    const work = workOn(options, key, asked, {
      took: (seconds) => {
        usualSeconds += (seconds - usualSeconds) / 20
      },
      left: (one) => {
        line.remove(asked.priority, one)
        if (open.get(key) === one) open.delete(key)
      },
    })
    open.set(key, work)
    line.add(asked.priority, work)
    next()
    return work
  }

  return {
    async ask(asked) {
      if (closed) throw closing()
      const {candidate, seed, anew, signal} = asked
      signal?.throwIfAborted()
      const key = contentId([judging.key, taskKey(candidate.task), candidate.files, seed])
      const stored = anew ? undefined : store.finding(key)
      if (stored) return {finding: stored, cached: 'stored'}
      const known = open.get(key)
      const work = known ?? enqueue(key, asked)
      return {finding: await waitFor(work, signal), cached: known ? 'shared' : 'no'}
    },
    load: () => ({waiting: line.size(), running, places: Math.max(0, places - line.size())}),
    isDraining: () => draining,
    async drain(seconds) {
      draining = true
      if (running === 0) return
      await new Promise<void>((done) => {
        idle = done
        setTimeout(done, seconds * 1000).unref()
      })
    },
    patience: () => Math.max(1, Math.ceil((line.size() * usualSeconds) / workers / 2)),
    close() {
      closed = true
      for (const work of [...open.values()]) work.giveUp(closing())
    },
  }
}

/** What a desk does when work ends. */
interface Ending {
  took(seconds: number): void
  left(work: Work): void
}

/** Work that has not begun. */
function workOn(options: DeskOptions, key: string, asked: Asked, {took, left}: Ending): Work {
  let [resolve, reject] = [(_: Finding) => {}, (_: unknown) => {}]
  const done = new Promise<Finding>((yes, no) => ([resolve, reject] = [yes, no]))
  // Waiting clients receive it; a failure without a waiting client is ignored.
  done.catch(() => {})
  const work: Work = {
    key,
    asked,
    since: options.now(),
    controller: new AbortController(),
    waiters: 0,
    done,
    async begin() {
      try {
        const {finding, seconds} = await judgeNow(options, work)
        took(seconds)
        resolve(finding)
      } catch (error) {
        reject(error)
      } finally {
        left(work)
      }
    },
    giveUp(reason) {
      left(work)
      work.controller.abort(reason)
      reject(reason)
    },
  }
  return work
}

async function judgeNow({judging, store, now, judged}: DeskOptions, {key, asked, since, controller}: Work) {
  const began = now()
  const finding = await judging.judge(asked.candidate, asked, controller.signal)
  if (finding.state === 'judged') store.keep(key, finding)
  const seconds = {waited: (began - since) / 1000, judging: (now() - began) / 1000}
  judged(seconds)
  return {finding, seconds: seconds.judging}
}

/** Tasks live as long as the service, so the texts of one are hashed once, not for every request. */
function taskKeys(): (task: OperatorTask) => string {
  const known = new WeakMap<OperatorTask, string>()
  return (task) => {
    const key = known.get(task) ?? contentId(task)
    known.set(task, key)
    return key
  }
}

async function waitFor(work: Work, signal: AbortSignal | undefined): Promise<Finding> {
  work.waiters += 1
  try {
    if (!signal) return await work.done
    return await new Promise<Finding>((resolve, reject) => {
      const leave = () => {
        const reason: unknown = signal.reason
        reject(reason)
      }
      signal.addEventListener('abort', leave, {once: true})
      void work.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  } finally {
    work.waiters -= 1
    if (signal?.aborted && work.waiters === 0) work.giveUp(signal.reason)
  }
}

function closing(): PipelineError {
  return new PipelineError('interrupted', 'The service is shutting down.', {
    fix: 'Send it again when the service is back; named requests are then judged automatically.',
    scope: 'record',
  })
}
