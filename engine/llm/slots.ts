import pLimit from 'p-limit'

/** Requests of one teacher in flight. */
export interface Slots {
  run<T>(work: () => Promise<T>): Promise<T>
  /** The endpoint answered 429: allow fewer at once. A burst counts once. */
  shrink(): void
  /** A reply arrived: after as many replies as there are slots, allow one more, up to the configured number. */
  grow(): void
  count(): number
}

const shrinkFactor = 0.7
const onceInMilliseconds = 1000

/** Additive increase, multiplicative decrease: the number settles just below what the endpoint can take. */
export function adaptiveSlots(most: number, now: () => number): Slots {
  const limit = pLimit(most)
  let replies = 0
  let shrunkAt = -Infinity
  return {
    run: (work) => limit(work),
    shrink() {
      if (now() - shrunkAt < onceInMilliseconds) return
      shrunkAt = now()
      replies = 0
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency * shrinkFactor))
    },
    grow() {
      if (limit.concurrency === most) return
      replies += 1
      if (replies < limit.concurrency) return
      replies = 0
      limit.concurrency += 1
    },
    count: () => limit.concurrency,
  }
}
