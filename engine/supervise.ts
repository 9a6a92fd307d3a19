import {replyNoted, withoutPictures, type AskedFile} from './asked-file.ts'
import {interrupted, PipelineError} from './errors.ts'
import {mapConcurrently, mapInOrder} from './concurrently.ts'
import {workedElsewhere} from './elsewhere/worked-elsewhere.ts'
import type {Hands} from './elsewhere/hands.ts'
import {envelopeOf} from './ids.ts'
import type {StageLedger} from './ledger.ts'
import type {Outcome} from './ledger-records.ts'
import type {LanguageModel} from './llm/model.ts'
import type {AnyStage} from './pipeline.ts'
import type {Progress} from './progress.ts'
import {perRecord, type Context, type PerRecordRun} from './stage.ts'
import {asOutput, checked, handsOn, workOn, type Item} from './work-record.ts'

interface Supervision {
  stage: AnyStage
  context: Context
  ledger: Pick<StageLedger, 'find' | 'kept' | 'put'>
  progress: Progress
  /** Stores the requests made for a record, for later inspection. */
  asked: AskedFile
  /** Whether inputs were checked by the neighbour's output schema, which is the same object. */
  trusted: boolean
  /** Whether records enter the run here: then each is stored with its content, since no earlier stage has it. */
  source: boolean
  /** Who works on its records, where that is not this process. */
  hands?: Hands | undefined
  /** Stops the whole run: requests and compilers in progress see their signal. */
  abort(reason: unknown): void
}

/** Runs one stage over a stream: validates, counts, keeps outcomes. Output order is input order. */
export async function* supervise(items: AsyncIterable<Item>, supervision: Supervision): AsyncIterable<Item> {
  const {run} = supervision.stage
  try {
    yield* perRecord in run
      ? superviseEach(items, supervision, run as PerRecordRun<unknown, unknown>)
      : superviseWhole(items, supervision)
    supervision.progress.end()
  } catch (error) {
    supervision.abort(error)
    throw error
  }
}

async function* superviseEach(
  items: AsyncIterable<Item>,
  supervision: Supervision,
  run: PerRecordRun<unknown, unknown>,
): AsyncIterable<Item> {
  const {fn} = run[perRecord]
  const {hands} = supervision
  if (hands) {
    for await (const outputs of workedElsewhere(items, supervision, hands)) yield* told(supervision, outputs)
    return
  }
  const concurrency = Math.max(run[perRecord].concurrency, supervision.context.llm?.concurrency ?? 1)
  const work = (item: Item) => outcomeOf(item, supervision, fn)
  const finished = concurrency === 1 ? mapInOrder(items, work) : mapConcurrently(items, work, concurrency)
  for await (const outputs of finished) yield* outputs
}

async function outcomeOf(
  item: Item,
  supervision: Supervision,
  fn: (value: unknown, context: Context) => unknown,
): Promise<Item[]> {
  const {stage, context, ledger, progress, trusted} = supervision
  if (context.signal.aborted) throw interrupted()
  progress.input()
  const known = ledger.find(item.id)
  if (known && !known.failure) {
    progress.outcome(known, {reused: true})
    const outputs = known.outputs.map((envelope) => {
      if (envelope.id === item.id && handsOn(supervision)) return item
      return {...envelope, value: checked(stage, 'output', JSON.parse(envelope.json))}
    })
    return told(supervision, outputs)
  }
  const llm = context.llm && overheard(context.llm, item.id, supervision)
  try {
    const {outcome, outputs} = await workOn(item, {stage, trusted, context: {...context, llm}}, fn)
    return keep(supervision, item, outcome, outputs)
  } catch (error) {
    supervision.abort(error)
    throw error
  }
}

function overheard(llm: LanguageModel, input: string, {stage, asked}: Supervision): LanguageModel {
  const {profile: teacher, model} = llm
  return {
    ...llm,
    async complete(request, signal) {
      const about = {stage: stage.name, input, teacher, model, messages: withoutPictures(request.messages)}
      try {
        const reply = await llm.complete(request, signal)
        asked.note({...about, reply: replyNoted(reply)})
        return reply
      } catch (error) {
        if (error instanceof PipelineError && error.code !== 'interrupted')
          asked.note({...about, failure: error.message})
        throw error
      }
    },
  }
}

function keep(supervision: Supervision, item: Item, outcome: Outcome, outputs: Item[]): Item[] {
  const {ledger, progress} = supervision
  ledger.put({id: item.id, json: item.json}, outcome)
  progress.outcome(outcome, {reused: false})
  return told(supervision, outputs)
}

/** Same, counted by the stage's own names. */
function told({stage, progress}: Pick<Supervision, 'stage' | 'progress'>, outputs: Item[]): Item[] {
  for (const {value} of outputs) {
    const name = stage.tally?.(value)
    if (name !== undefined) progress.tally(name)
  }
  return outputs
}

async function* superviseWhole(
  items: AsyncIterable<Item>,
  {stage, context, ledger, progress, trusted, source}: Supervision,
): AsyncIterable<Item> {
  async function* counted() {
    for await (const item of items) {
      progress.input()
      yield trusted ? item.value : checked(stage, 'input', item.value)
    }
  }
  const recording: Context = {
    ...context,
    drop(record, reason, detail = '') {
      const drops = [{reason, detail}]
      ledger.put(envelopeOf(record), {outputs: [], drops})
      progress.drop(reason)
      return []
    },
  }
  for await (const output of stage.run(counted(), recording)) {
    progress.output()
    const item = asOutput(stage, output)
    told({stage, progress}, [item])
    if (source) ledger.put(item, {outputs: [{id: item.id, json: item.json}], drops: []})
    yield item
  }
}
