import {PipelineError} from './errors.ts'
import type {z} from 'zod'
import type {Json} from './json.ts'
import type {LanguageModel} from './llm/model.ts'
import type {Log} from './log.ts'

/**
 * One step of a pipeline: records stream in, records stream out.
 * Sources, teachers, filters, labellers and exporters are all stages.
 */
export interface Stage<In, Out> {
  /** Kebab-case; also the name of the stage in a run, in reports and in fixtures. */
  readonly name: string
  /** Raise it when the meaning of the output changes: outcomes of older versions are then ignored. */
  readonly version: number
  /** Everything else that shapes the output: options, prompt texts, the executor's fingerprint. */
  readonly options?: Json
  /** The teacher profile whose model arrives as `context.llm`; without one, the stage works offline. */
  readonly teacher?: string
  /** Requests that one record costs when a teacher is configured; used for the forecast. Default 1. */
  readonly requestsPerRecord?: number
  /** Whether it reads finished runs (`fromRun`): what it yields was made and noted in those. */
  readonly readsRuns?: true
  /** The name under which an output is counted while the stage works; undefined: not counted by name. */
  tally?(output: Out): string | undefined
  /** Schema of what it takes. */
  readonly input: z.ZodType<In>
  /** Schema of what it gives: every output is checked by it, and what a run kept when it is read again. */
  readonly output: z.ZodType<Out>
  /** Reads every item and gives outputs as they are made; `each` makes one of a function over a record. */
  run(items: AsyncIterable<In>, context: Context): AsyncIterable<Out>
}

/** Checked by its properties: a user's file may import from another installation. Its schemas may still be missing. */
export function isStage(value: unknown): value is Stage<unknown, unknown> {
  return typeof value === 'object' && value !== null && 'run' in value && 'input' in value && 'output' in value
}

/** All of the world that a stage can see. */
export interface Context {
  /** The model of the stage's teacher profile; undefined when none is configured: then work offline. */
  readonly llm: LanguageModel | undefined
  /**
   * Refuses a record: counted, recorded with its reason, and gone.
   * @param reason kebab-case, a literal: reports group by it
   * @param detail free text for a person who asks why, e.g. the missing names
   */
  drop(item: unknown, reason: string, detail?: string): readonly never[]
  /** The stage's own name and version, for records with a column `stages`: it records who wrote them. */
  readonly stages: Readonly<Record<string, number>>
  /** Goes to the run's event file, and on to the terminal. */
  readonly log: Log
  /** Announces how many more outputs will follow, if the source knows; used only for the remaining time. */
  readonly expect?: (outputs: number) => void
  /** Seeds every random choice; combine it with the record's id, never use it alone. */
  readonly seed: string
  /** Milliseconds since the epoch. The only clock; never let it reach a record. */
  now(): number
  /** Aborted by Ctrl-C and SIGTERM; what waits hands it on. */
  readonly signal: AbortSignal
  /** A directory of this stage's own inside the run directory; created on first use by the stage. */
  readonly directory: string
}

/** One record → its outputs, in order: none, one or several. */
export type RecordFunction<In, Out> = (item: In, context: Context) => Promise<readonly Out[]> | readonly Out[]

/** How `each` works through records. */
export interface EachOptions {
  /**
   * Records in progress at once. Default 1; give it for stages that wait (requests, compilers): those are also what a
   * run hands out to other machines.
   */
  concurrency?: number
  /** Records that one task or batch takes at most, where one is the work of minutes. Default: as configured. */
  together?: number
}

/** How the runner finds the function that `each` lifts, so that outcomes can be kept one by one. */
export const perRecord = Symbol('per-record')

/** What `each` gives: a `run`, and in it the function over a record. */
export interface PerRecordRun<In, Out> {
  (items: AsyncIterable<In>, context: Context): AsyncIterable<Out>
  [perRecord]: {fn: RecordFunction<In, Out>; concurrency: number; costly: boolean; together: number}
}

/**
 * Lifts a function over one record into `Stage.run`. Inside a run it brings concurrency, per-record resume and
 * per-record failure; called bare, as in a test, it is a plain sequential map. Output order is input order.
 * @param fn throws a `PipelineError` of scope `record` for what the outside world did to this record: the record fails,
 *   and `resume` tries it again; one of scope `run` stops the run, and any other error is a bug and ends it
 * @example
 * ```ts
 * // word-count.ts
 * import {each, type Stage} from 'ascend-cot/stage'
 * import {z} from 'zod'
 *
 * const Line = z.strictObject({text: z.string()})
 * const Count = z.strictObject({text: z.string(), words: z.int()})
 *
 * // {text: 'a b'} becomes {text: 'a b', words: 2}; a blank text is dropped with the reason `blank`.
 * export default function wordCount(): Stage<z.infer<typeof Line>, z.infer<typeof Count>> {
 *   return {
 *     name: 'word-count',
 *     version: 1,
 *     input: Line,
 *     output: Count,
 *     run: each((line, {drop}) => {
 *       const words = line.text.split(/\s+/).filter((word) => word !== '').length
 *       return words === 0 ? drop(line, 'blank') : [{...line, words}]
 *     }),
 *   }
 * }
 * ```
 */
export function each<In, Out>(
  asked: RecordFunction<In, NoInfer<Out>>,
  {concurrency: given, together = Number.POSITIVE_INFINITY}: EachOptions = {},
): PerRecordRun<In, Out> {
  const concurrency = given ?? 1
  const fn: RecordFunction<In, Out> = async (item, context) => listed(await asked(item, context))
  async function* run(items: AsyncIterable<In>, context: Context): AsyncIterable<Out> {
    for await (const item of items) {
      const outputs: readonly Out[] = await fn(item, context)
      yield* outputs
    }
  }
  return Object.assign(run, {[perRecord]: {fn, concurrency, costly: given !== undefined, together}})
}

/** Stages of users are loaded without a type check: one record instead of a list is the usual mistake. */
function listed<Out>(outputs: readonly Out[]): readonly Out[] {
  if (Array.isArray(outputs)) return outputs
  const seen = outputs === undefined ? 'nothing' : `a value of type ${typeof outputs}`
  throw new PipelineError('record-invalid', `The stage returned ${seen} for a record; a list of records is needed.`, {
    fix: 'Return a list, such as `[record]`, or the result of `drop(record, reason)`.',
  })
}
