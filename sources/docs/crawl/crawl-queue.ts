import type {LeftOver} from './crawl-report.ts'
import type {Asked, Round} from './crawl-state.ts'
import type {Robots} from './robots.ts'

export interface Queue {
  /** The next address to fetch. */
  take(): Asked | undefined
  leftOver(): LeftOver
}

/** In the order in which addresses were found; earlier failures come last. */
export function openQueue(round: Round, robots: Robots, budget: number): Queue {
  const again: Asked[] = []
  const disallowed: string[] = []
  const overBudget: Asked[] = []
  let asked = round.queue.filter(({url, image}) => !image && round.answers.has(url)).length
  let at = 0
  function next(): Asked | undefined {
    for (; at < round.queue.length; at += 1) {
      const one = round.queue[at] as Asked
      const answer = round.answers.get(one.url)
      if (answer?.kind === 'failed') again.push(one)
      else if (!answer && !robots.allows(one.url)) disallowed.push(one.url)
      else if (!answer && !one.image && asked >= budget) overBudget.push(one)
      else if (!answer) return round.queue[at++]
    }
    return again.shift()
  }
  return {
    take() {
      const one = next()
      if (one && !one.image && !round.answers.has(one.url)) asked += 1
      return one
    },
    leftOver() {
      const never = new Set([...disallowed, ...overBudget.map(({url}) => url)])
      const waiting = round.queue.filter(({url}) => !round.answers.has(url) && !never.has(url))
      return {disallowed, overBudget, waiting}
    },
  }
}
