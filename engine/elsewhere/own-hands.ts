import {mapConcurrently, mapInOrder} from '../concurrently.ts'
import {interrupted} from '../errors.ts'
import {textId, type Envelope} from '../ids.ts'
import type {AnyStage} from '../pipeline.ts'
import {perRecord, type Context, type PerRecordRun} from '../stage.ts'
import {workOn} from '../work-record.ts'
import type {Hands, Result} from './hands.ts'

/** Those of this process: what a task or a worker has at the other end. */
export function ownHands(stage: AnyStage, context: Context): Hands {
  const {fn, concurrency} = (stage.run as PerRecordRun<unknown, unknown>)[perRecord]
  const work = async ({json}: Envelope): Promise<Result> => {
    if (context.signal.aborted) throw interrupted()
    const item = {id: textId(json), json, value: JSON.parse(json) as unknown}
    const {outcome} = await workOn(item, {stage, context, trusted: false}, fn)
    return {input: item, outcome}
  }
  return {
    work: (records) => (concurrency === 1 ? mapInOrder(records, work) : mapConcurrently(records, work, concurrency)),
  }
}
