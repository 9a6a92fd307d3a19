import {setImmediate as turn} from 'node:timers/promises'
import type {Clock} from '../../engine/llm/clock.ts'

/** A clock that jumps: every sleep ends at once and moves the time on. For requests one after another. */
export function jumpingClock(start = 0): Clock & {slept: number[]} {
  let time = start
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    async sleep(milliseconds) {
      slept.push(milliseconds)
      time += milliseconds
      await turn()
    },
  }
}

/** A clock that stands still until it is moved; sleepers wake in the order in which they are due. */
export function standingClock(start = 0): Clock & {advance(milliseconds: number): Promise<void>; sleepers(): number} {
  let time = start
  let waiting: {at: number; wake: () => void}[] = []
  return {
    now: () => time,
    sleepers: () => waiting.length,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const leave = () => {
          waiting = waiting.filter((other) => other !== sleeper)
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        const sleeper = {at: time + milliseconds, wake: leave}
        waiting.push(sleeper)
        signal?.addEventListener('abort', leave)
      }),
    async advance(milliseconds) {
      const end = time + milliseconds
      await turn()
      for (;;) {
        waiting.sort((a, b) => a.at - b.at)
        const next = waiting[0]
        if (!next || next.at > end) break
        time = next.at
        next.wake()
        await turn()
      }
      time = end
    },
  }
}
