import pLimit from 'p-limit'
import {replyNoted, withoutPictures, type AskedFile} from './asked-file.ts'
import {interrupted, PipelineError} from './errors.ts'
import {canonicalJson, envelopeOf, type Envelope} from './ids.ts'
import type {StageLedger} from './ledger.ts'
import type {Drop, Outcome} from './ledger-records.ts'
import type {LanguageModel} from './llm/model.ts'
import type {AnyStage} from './pipeline.ts'
import type {Progress} from './progress.ts'
import {perRecord, type Context, type PerRecordRun} from './stage.ts'

/** A record between two stages: its value, and the envelope that identifies it. */
export interface Item extends Envelope {
  value: unknown
}

interface Supervision {
  stage: AnyStage
  context: Context
  ledger: Pick<StageLedger, 'find' | 'put'>
  progress: Progress
  /** Stores the requests made for a record, for later inspection. */
  asked: AskedFile
  /** Whether inputs were checked by the neighbour's output schema, which is the same object. */
  trusted: boolean
  /** Whether records enter the run here: then each is stored with its content, since no earlier stage has it. */
  source: boolean
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
  const concurrency = Math.max(run[perRecord].concurrency, supervision.context.llm?.concurrency ?? 1)
  const work = (item: Item) => outcomeOf(item, supervision, fn)
  const finished = concurrency === 1 ? mapInOrder(items, work) : mapConcurrently(items, work, concurrency)
  for await (const outputs of finished) yield* outputs
}

async function* mapInOrder<In, Out>(items: AsyncIterable<In>, work: (item: In) => Promise<Out>): AsyncIterable<Out> {
  for await (const item of items) yield await work(item)
}

/** Records read ahead of the oldest unfinished one, per unit of concurrency: keeps slots busy behind a slow record. */
const readAhead = 4

async function* mapConcurrently<In, Out>(
  items: AsyncIterable<In>,
  work: (item: In) => Promise<Out>,
  concurrency: number,
): AsyncIterable<Out> {
  const limit = pLimit(concurrency)
  const iterator = items[Symbol.asyncIterator]()
  const queue: Promise<Out>[] = []
  const running = new Set<Promise<Out>>()
  const start = (item: In) => {
    const task = work(item)
    running.add(task)
    const forget = () => running.delete(task)
    task.then(forget, forget)
    return task
  }
  let arriving: Promise<IteratorResult<In>> | undefined
  let ended = false
  try {
    while (!ended || queue.length > 0) {
      if (!ended && queue.length < concurrency * readAhead) arriving ??= iterator.next()
      const head = queue[0]
      const first = await Promise.race([
        ...(arriving ? [arriving.then((result) => ({result}))] : []),
        ...(head ? [head.then((done) => ({done}))] : []),
      ])
      if ('done' in first) {
        queue.shift()
        yield first.done
      } else {
        arriving = undefined
        if (first.result.done) ended = true
        else {
          const {value} = first.result
          const started = limit(() => start(value))
          started.catch(() => undefined) // Reported when its turn comes; until then it must not count as unhandled.
          queue.push(started)
        }
      }
    }
  } finally {
    // Stopped early: running records must still store their outcomes, waiting ones must not start.
    limit.clearQueue()
    arriving?.catch(() => undefined)
    await Promise.allSettled(running)
    if (!ended) await iterator.return?.()
  }
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
  const drops: Drop[] = []
  const recording: Context = {
    ...context,
    llm: context.llm && overheard(context.llm, item.id, supervision),
    drop(_item, reason, detail = '') {
      drops.push({reason, detail})
      return []
    },
  }
  try {
    const value = trusted ? item.value : checked(stage, 'input', item.value)
    const values = (await fn(value, recording)) as readonly unknown[]
    if (values.length === 0 && drops.length === 0)
      throw new TypeError(`stage ${stage.name} yielded nothing for a record and dropped it without a reason`)
    const outputs = values.map((output) => (isSame(output, item, supervision) ? item : asOutput(stage, output)))
    return keep(supervision, item, {outputs, drops}, outputs)
  } catch (error) {
    if (!(error instanceof PipelineError) || error.scope === 'run') {
      supervision.abort(error)
      throw error
    }
    return keep(
      supervision,
      item,
      {outputs: [], drops, failure: {code: error.code, message: error.message, fix: error.fix}},
      [],
    )
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

/** Whether a record that fits the neighbour's schema also fits this stage's output. */
const handsOn = ({stage, trusted}: Supervision) => trusted && stage.output === stage.input

/** Whether an output is the input, unchanged: then it was checked and hashed before. */
const isSame = (output: unknown, item: Item, supervision: Supervision) =>
  output === item.value && handsOn(supervision) && canonicalJson(output) === item.json

const asOutput = (stage: AnyStage, output: unknown) => asItem(checked(stage, 'output', output))

function keep(supervision: Supervision, item: Item, outcome: Outcome, outputs: Item[]): Item[] {
  const {ledger, progress} = supervision
  ledger.put({id: item.id, json: item.json}, {...outcome, outputs: outputs.map(({id, json}) => ({id, json}))})
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

export function asItem(value: unknown): Item {
  return {value, ...envelopeOf(value)}
}

function checked(stage: AnyStage, side: 'input' | 'output', value: unknown): unknown {
  const result = stage[side].safeParse(value)
  if (result.success) return result.data
  const problem = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new PipelineError(
    'record-invalid',
    `The ${side} of stage ${stage.name} (version ${stage.version}) does not fit its schema: ${problem}`,
    {
      fix: `Fix the stage, or raise the version of "${stage.name}" if its schema changed on purpose.`,
      scope: 'run',
      evidence: {stage: stage.name, side, problem},
    },
  )
}
