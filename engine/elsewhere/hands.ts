import {z} from 'zod'
import type {Envelope} from '../ids.ts'
import {textId} from '../ids.ts'
import type {Outcome} from '../ledger-records.ts'
import type {Log} from '../log.ts'
import type {AnyStage} from '../pipeline.ts'
import type {Workforce} from './worker-seen.ts'

/** What became of a record: `input.json` may be '' for one that nothing of was dropped. */
export interface Result {
  input: Envelope
  outcome: Outcome
  /** The worker that sent it. */
  by?: string
}

/**
 * Who works on the records of a stage: this process, the tasks of an array, or the workers of a queue. Stages do not
 * know which.
 */
export interface Hands {
  /**
   * Takes records as fast as it can use them; gives a result for each, in any order, and possibly results of an earlier
   * run that were still on their way.
   */
  work(records: AsyncIterable<Envelope>): AsyncIterable<Result>
}

/** A stage of a run, for whoever may find hands for it. */
export interface Wanted {
  stage: AnyStage
  /** Its place in the pipeline, from 0. */
  index: number
  /** What its outcomes are stored under. */
  key: string
  /** A folder of its own for what has to be shared. */
  folder: string
  log: Log
  signal: AbortSignal
  /** Takes note of who works on its records. */
  seen(workforce: Workforce): void
}

/** Undefined: the records are worked on in this process. */
export type FindHands = (wanted: Wanted) => Hands | undefined

/** A result as it travels: ids are computed again by whoever receives it. */
const SentResult = z.strictObject({
  id: z.string(),
  /** The record; only where something of it was dropped, because the ledger keeps it then. */
  input: z.string().optional(),
  outputs: z.array(z.string()),
  drops: z.array(z.strictObject({reason: z.string(), detail: z.string()})),
  failure: z.strictObject({code: z.string(), message: z.string(), fix: z.string()}).optional(),
})

export function sentResult({input, outcome: {outputs, drops, failure}}: Result): string {
  const sent: z.infer<typeof SentResult> = {
    id: input.id,
    ...(drops.length > 0 && {input: input.json}),
    outputs: outputs.map(({json}) => json),
    drops,
    ...(failure && {failure}),
  }
  return JSON.stringify(sent)
}

/**
 * The result that a worker sent.
 * @param expected ids of the records that it was given
 * @throws Error that says what is wrong with it
 */
export function receivedResult(text: string, {output, name}: AnyStage, expected: ReadonlySet<string>): Result {
  const {id, input = '', outputs, drops, failure} = SentResult.parse(JSON.parse(text))
  if (!expected.has(id)) throw new Error(`record ${id} was not asked for`)
  if (input !== '' && textId(input) !== id) throw new Error(`the record sent with ${id} is another one`)
  if (outputs.length + drops.length === 0 && !failure) throw new Error(`record ${id} came back without an outcome`)
  for (const json of outputs) {
    const read = output.safeParse(JSON.parse(json))
    if (!read.success) throw new Error(`an output for ${id} does not fit the schema of ${name}`)
  }
  return {
    input: {id, json: input},
    outcome: {outputs: outputs.map((json) => ({id: textId(json), json})), drops, ...(failure && {failure})},
  }
}
