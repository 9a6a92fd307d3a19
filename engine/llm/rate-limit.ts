import {ensureWanted, type Clock} from './clock.ts'

/** The request queue of one account. First come, first served: small requests do not overtake a large one forever. */
export interface RateLimit {
  /** Resolves when a request of about this many tokens may be sent. */
  admit(tokens: number, signal?: AbortSignal): Promise<void>
  /** Corrects the token count when a request cost more (positive) or less than it was admitted with. */
  correct(tokens: number): void
  /** Admits no request for this long: the endpoint answered 429 to the whole account. */
  coolDown(milliseconds: number): void
}

export interface Limits {
  requestsPerMinute?: number | undefined
  tokensPerMinute?: number | undefined
}

interface Waiter {
  tokens: number
  admit: () => void
}

/** Token buckets for requests and tokens per minute. No window of 60 seconds admits more requests than the limit. */
export function rateLimit({requestsPerMinute, tokensPerMinute}: Limits, clock: Clock): RateLimit {
  const requests = requestsPerMinute === undefined ? undefined : bucket(requestsPerMinute, clock)
  const tokens = tokensPerMinute === undefined ? undefined : bucket(tokensPerMinute, clock)
  let queue: Waiter[] = []
  let closedUntil = -Infinity
  let pumping: AbortController | undefined

  const waitFor = (head: Waiter) =>
    Math.max(closedUntil - clock.now(), requests?.waitFor(1) ?? 0, tokens?.waitFor(head.tokens) ?? 0)

  async function pump(): Promise<void> {
    const stop = (pumping = new AbortController())
    for (let head = queue[0]; head; head = queue[0]) {
      const wait = waitFor(head)
      if (wait > 0) await clock.sleep(Math.ceil(wait), stop.signal)
      else {
        queue.shift()
        requests?.take(1)
        tokens?.take(head.tokens)
        head.admit()
      }
      if (pumping !== stop) return
    }
    pumping = undefined
  }

  return {
    async admit(amount, signal) {
      ensureWanted(signal)
      let leave = () => {}
      await new Promise<void>((resolve) => {
        const waiter = {tokens: amount, admit: resolve}
        queue.push(waiter)
        leave = () => {
          queue = queue.filter((other) => other !== waiter)
          if (queue.length === 0) {
            pumping?.abort()
            pumping = undefined
          }
          resolve()
        }
        signal?.addEventListener('abort', leave, {once: true})
        if (!pumping) void pump()
      })
      signal?.removeEventListener('abort', leave)
      ensureWanted(signal)
    },
    correct: (amount) => tokens?.take(amount),
    coolDown(milliseconds) {
      closedUntil = Math.max(closedUntil, clock.now() + milliseconds)
    },
  }
}

/**
 * A bucket that holds a tenth of a second's worth, at least 1. The refill rate is reduced by what it can hold beyond 1,
 * so that a full bucket and a minute's refill together stay within the limit. More than it holds may be taken once it
 * is full; it then owes, and the next one waits longer.
 */
function bucket(perMinute: number, clock: Clock): {waitFor(amount: number): number; take(amount: number): void} {
  const capacity = Math.max(1, perMinute / 600)
  const perMs = (perMinute - (capacity - 1)) / 60_000
  let level = capacity
  let at = clock.now()
  const refill = () => {
    level = Math.min(capacity, level + (clock.now() - at) * perMs)
    at = clock.now()
  }
  return {
    waitFor(amount) {
      refill()
      return Math.max(0, (Math.min(amount, capacity) - level) / perMs)
    },
    take(amount) {
      refill()
      level = Math.min(capacity, level - amount)
    },
  }
}
