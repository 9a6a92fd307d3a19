import {z} from 'zod'
import {PipelineError} from '../errors.ts'
import {textId} from '../ids.ts'
import {Session} from '../session.ts'
import type {AnyStage} from '../pipeline.ts'
import type {Context} from '../stage.ts'
import {fingerprintId} from './fingerprint.ts'
import {sentResult} from './hands.ts'
import {ownHands} from './own-hands.ts'
import type {Workplace} from './queue-worker.ts'
import {ensureSame, WorkOrder} from './work-order.ts'

// A worker of a queue works in a child process: a stage that keeps its process busy would otherwise lose the queue's
// lock. Each message is a line of JSON.

/** First message to the child: what to make, and the configuration of this machine. */
const Asked = z.strictObject({order: WorkOrder, own: z.unknown()})
/** Its answer. */
const Opened = z.union([
  z.strictObject({fingerprint: z.string()}),
  z.strictObject({code: z.literal('unfit'), message: z.string(), fix: z.string()}),
])
const Records = z.array(z.string())

/** The first start on a machine compiles the twin. */
const openingSeconds = 900
/** For one record: stages have shorter limits themselves. */
const recordSeconds = 900

interface Start {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/** @throws PipelineError when this machine would not give the run's results */
export async function openWorkChild(start: Start, order: WorkOrder, own: unknown): Promise<Workplace> {
  const failure = (fault: string) =>
    new PipelineError('executor-failed', `The process that works: ${fault}`, {fix: 'Read what it printed, above.'})
  const session = new Session({...start, failure})
  try {
    const opened = Opened.parse(JSON.parse(await session.ask(JSON.stringify({order, own}), openingSeconds)))
    if ('code' in opened) throw new PipelineError('config-invalid', opened.message, {fix: opened.fix})
    return {
      fingerprint: opened.fingerprint,
      async work(records) {
        if (records.length === 0) return []
        const results = [await session.ask(JSON.stringify(records), recordSeconds)]
        while (results.length < records.length) results.push(await session.hear(recordSeconds))
        return results
      },
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

interface Child {
  lines: AsyncIterable<string>
  print(line: string): void
  open(asked: {order: WorkOrder; own: unknown}): Promise<{stage: AnyStage | undefined; ready(): Promise<void>}>
  context(order: WorkOrder, stage: AnyStage): Context
}

/** The child's side: ends with its input. */
export async function workAsChild({lines, print, open, context}: Child): Promise<void> {
  const input = lines[Symbol.asyncIterator]()
  const asked = Asked.parse(JSON.parse(((await input.next()) as {value: string}).value))
  const {order} = asked
  let stage: AnyStage
  try {
    const made = await open(asked)
    await ensureSame(order, made.stage)
    await made.ready()
    stage = made.stage as AnyStage
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    return print(JSON.stringify({code: 'unfit', message: error.message, fix: error.fix}))
  }
  print(JSON.stringify({fingerprint: fingerprintId(order.fingerprint)}))
  const hands = ownHands(stage, context(order, stage))
  for await (const line of {[Symbol.asyncIterator]: () => input}) {
    const records = Records.parse(JSON.parse(line))
    for await (const result of hands.work(envelopes(records))) print(sentResult(result))
  }
}

async function* envelopes(records: readonly string[]) {
  for (const json of records) yield {id: textId(json), json}
}
