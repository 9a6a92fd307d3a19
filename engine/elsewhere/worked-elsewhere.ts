import {interrupted} from '../errors.ts'
import {canonicalJson} from '../ids.ts'
import type {StageLedger} from '../ledger.ts'
import type {Outcome} from '../ledger-records.ts'
import type {Progress} from '../progress.ts'
import {checked, type AtWork, type Item} from '../work-record.ts'
import type {Hands, Result} from './hands.ts'

interface Elsewhere extends AtWork {
  ledger: Pick<StageLedger, 'kept' | 'put'>
  progress: Progress
}

/** A record in the order of the input; `again`: one that came before. */
type Place = string | {again: string}

/**
 * Hands out what the ledger does not know and keeps the results as they come; outputs follow in the order of the input.
 * Of a record that waits, only its id is in memory: about 100 bytes.
 */
export async function* workedElsewhere(
  items: AsyncIterable<Item>,
  {stage, context, ledger, progress}: Elsewhere,
  hands: Hands,
): AsyncIterable<Item[]> {
  const order = inOrder<Place>()
  const away = new Set<string>()
  const failed = new Set<string>()

  async function* unknown() {
    for await (const {id, json} of items) {
      if (context.signal.aborted) throw interrupted()
      progress.input()
      const isAgain = away.has(id) || failed.has(id)
      order.add(isAgain ? {again: id} : id)
      if (isAgain) continue
      const known = ledger.kept(id)
      if (known && !known.failure) progress.outcome(known, {reused: true})
      else {
        away.add(id)
        yield {id, json}
      }
    }
  }

  function keep(result: Result): void {
    const {input, outcome} = result
    if (!away.delete(input.id)) {
      keepLate(result)
      return
    }
    ledger.put(input, outcome)
    if (outcome.failure) failed.add(input.id)
    progress.outcome(outcome, {reused: false})
  }

  /** One that nobody waits for: of an earlier run, or a second one, whose bytes have to be the same. */
  function keepLate({input, outcome, by}: Result): void {
    const known = ledger.kept(input.id)
    if (!known || known.failure) {
      if (!outcome.failure) ledger.put(input, outcome)
    } else if (!outcome.failure && canonicalJson(known) !== canonicalJson(outcome)) {
      const whose = by === undefined ? 'a second result' : `a second result, of ${by},`
      context.log.warn(`${whose} for a record is not the first one; the first one is kept`, {record: input.id})
    }
  }

  function* settled(): Iterable<Item[]> {
    for (const place of order.while((one) => typeof one !== 'string' || !away.has(one))) {
      const id = typeof place === 'string' ? place : place.again
      const outcome = ledger.kept(id) as Outcome
      if (typeof place !== 'string') progress.outcome(outcome, {reused: true})
      yield outcome.outputs.map((output) => ({...output, value: checked(stage, 'output', JSON.parse(output.json))}))
    }
  }

  for await (const result of hands.work(unknown())) {
    keep(result)
    yield* settled()
  }
  yield* settled()
}

/** A queue that is taken from in pieces: shifting an array of a million is slow. */
function inOrder<T>() {
  let waiting: T[] = []
  let head = 0
  return {
    add: (one: T) => void waiting.push(one),
    *while(isDue: (one: T) => boolean): Iterable<T> {
      for (; head < waiting.length && isDue(waiting[head]!); ) {
        head += 1
        yield waiting[head - 1]!
      }
      if (head * 2 < waiting.length && head < waiting.length) return
      waiting = waiting.slice(head)
      head = 0
    },
  }
}
