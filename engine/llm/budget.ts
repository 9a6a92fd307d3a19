import {PipelineError} from '../errors.ts'
import {ensureWanted} from './clock.ts'
import type {Usage} from './model.ts'
import type {Budget, Price} from './profile.ts'

/**
 * An upper bound on the cost of a request. The quick bound is free but loose; the tight one is computed only when
 * needed.
 */
export interface Bound {
  quick: Usage
  close(): Promise<Usage>
}

export interface Reservation {
  /** The reserved amount. */
  most: Usage
  /** Replaces the bound with the actual usage. Call it exactly once. */
  settle(usage: Usage): void
}

export interface Purse {
  /**
   * Reserves what a request may cost. Waits as long as only the reservations of requests in flight prevent it.
   * @throws PipelineError `budget-exceeded`, scope `run`, when the request could pass a limit even after they have
   *   settled
   */
  reserve(bound: Bound, price: Price | undefined, signal?: AbortSignal): Promise<Reservation>
}

interface Amount {
  tokens: number
  cost: number
}

/** Keeps a budget: spent + reserved never exceed it. `spent`: what earlier processes have already used. */
export function openPurse(budget: Budget, spent: Amount = {tokens: 0, cost: 0}): Purse {
  let reserved: Amount = {tokens: 0, cost: 0}
  let waiting: (() => void)[] = []
  const paid = {...spent}
  const within = (want: Amount, committed: Amount) =>
    (budget.tokens === undefined || committed.tokens + want.tokens <= budget.tokens) &&
    (budget.cost === undefined || committed.cost + want.cost <= budget.cost)

  function hold(most: Usage, price: Price | undefined): Reservation {
    const want = amountOf(most, price)
    reserved = {tokens: reserved.tokens + want.tokens, cost: reserved.cost + want.cost}
    return {
      most,
      settle(usage) {
        reserved = {tokens: reserved.tokens - want.tokens, cost: reserved.cost - want.cost}
        const came = amountOf(usage, price)
        paid.tokens += came.tokens
        paid.cost += came.cost
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      },
    }
  }

  return {
    async reserve(bound, price, signal) {
      const all = () => ({tokens: paid.tokens + reserved.tokens, cost: paid.cost + reserved.cost})
      const most = within(amountOf(bound.quick, price), all()) ? bound.quick : await bound.close()
      const want = amountOf(most, price)
      for (;;) {
        ensureWanted(signal)
        if (!within(want, paid)) throw exceeded(budget, paid, want, price)
        if (within(want, all())) return hold(most, price)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

/** Tokens and money of a usage; without a price the money is 0. */
export function amountOf({promptTokens, completionTokens}: Usage, price: Price | undefined): Amount {
  const cost = price ? (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6 : 0
  return {tokens: promptTokens + completionTokens, cost}
}

function exceeded(budget: Budget, paid: Amount, want: Amount, price: Price | undefined): PipelineError {
  const parts: string[] = []
  if (budget.tokens !== undefined && paid.tokens + want.tokens > budget.tokens) {
    parts.push(`${paid.tokens} of ${budget.tokens} tokens are spent, and the next request may take ${want.tokens}`)
  }
  if (budget.cost !== undefined && paid.cost + want.cost > budget.cost) {
    const currency = price?.currency ?? ''
    parts.push(
      `${paid.cost.toFixed(4)} of ${budget.cost} ${currency} are spent, ` +
        `and the next request may cost ${want.cost.toFixed(4)}`,
    )
  }
  const message = `The budget is used up: ${parts.join('; ')}. That request was not sent.`
  return new PipelineError('budget-exceeded', message, {
    fix:
      "Raise budget.tokens or budget.cost, or lower the teacher's maxTokens, then run `ascend-cot resume`; " +
      'answered requests are not sent again.',
    evidence: {budget, spent: {...paid}, next: want},
  })
}
