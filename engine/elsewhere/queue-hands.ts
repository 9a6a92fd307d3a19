import type {Envelope} from '../ids.ts'
import {realSleep} from '../llm/clock.ts'
import {BatchDesk, type Queued} from './batch-desk.ts'
import type {Hands} from './hands.ts'

/**
 * The workers of a queue. What Redis loses is given out again; what an earlier run left in it is taken over. A batch is
 * named by its content, so that giving it out twice changes nothing.
 */
export function queueHands(queued: Queued): Hands {
  const {poll = 250, wanted, recordsPerBatch} = queued
  return {
    async *work(records) {
      const desk = await BatchDesk.open(queued)
      const feeding = feed(records, desk, recordsPerBatch)
      try {
        while (!desk.isDone()) {
          if (wanted.signal.aborted) throw wanted.signal.reason
          if (!(yield* desk.collect())) await realSleep(poll, wanted.signal)
        }
        await desk.withdraw()
      } finally {
        desk.stop()
        await feeding
        await desk.close()
      }
    },
  }
}

/** Runs beside the collection of results, because the records may come from a stage that is slow itself. */
async function feed(records: AsyncIterable<Envelope>, desk: BatchDesk, size: number): Promise<void> {
  try {
    let waiting: Envelope[] = []
    for await (const record of records) {
      if (desk.isStopped) return
      if (desk.isAway(record.id)) continue
      waiting.push(record)
      if (waiting.length < size) continue
      await desk.room()
      await desk.give(waiting)
      waiting = []
    }
    if (waiting.length > 0) await desk.give(waiting)
    desk.fed()
  } catch (error) {
    desk.fed({error})
  }
}
