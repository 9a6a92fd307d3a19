import type {Worker} from 'node:worker_threads'

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
