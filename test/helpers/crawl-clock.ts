import {setImmediate as turn} from 'node:timers/promises'
import type {Alarm} from '../../engine/http.ts'
import type {Clock} from '../../engine/llm/clock.ts'

export interface CrawlClock extends Clock {
  alarm: Alarm
  slept: number[]
  /** Moves the time on, and rings what is due by then. */
  advance(milliseconds: number): void
  /** When so many more alarms have been set: the other side has then heard what was sent. */
  heard(alarms: number): Promise<void>
}

/** A clock that jumps: sleeping ends at once and moves the time on; alarms ring when it has come that far. */
export function crawlClock(start = Date.UTC(2026, 0, 31, 12)): CrawlClock {
  let time = start
  const slept: number[] = []
  let set = 0
  const waiting = new Set<{at: number; ring: () => void}>()
  const advance = (milliseconds: number) => {
    time += milliseconds
    for (const one of [...waiting]) {
      if (one.at > time || !waiting.delete(one)) continue
      one.ring()
    }
  }
  return {
    slept,
    advance,
    now: () => time,
    async sleep(milliseconds) {
      slept.push(milliseconds)
      advance(milliseconds)
      await turn()
    },
    async heard(alarms) {
      for (const before = set; set < before + alarms; ) await turn()
    },
    alarm(milliseconds, ring) {
      set += 1
      const one = {at: time + milliseconds, ring}
      waiting.add(one)
      return () => void waiting.delete(one)
    },
  }
}
