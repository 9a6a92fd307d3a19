import {z} from 'zod'

/** What a worker of a queue says of itself. */
export const WorkerState = z.strictObject({
  id: z.string(),
  /** `user@host, process 7`. */
  by: z.string(),
  /** Which executor it has, and how many records it works on at once. */
  capability: z.string(),
  /** Finished by it, and how many a second while it worked on the last batch. */
  records: z.int(),
  rate: z.number(),
  /** What it works on: '' or `candidates judge, 64 records`. */
  holds: z.string(),
  /** Names of the orders that it takes. */
  fit: z.array(z.string()),
})
export type WorkerState = z.infer<typeof WorkerState>

export const WorkerSeen = WorkerState.extend({silentSeconds: z.number()})
export type WorkerSeen = z.infer<typeof WorkerSeen>

/** A queue with its workers, or an array with its machines, as the run saw them last. */
export const Workforce = z.strictObject({
  /** What waits, and is worked on. */
  unit: z.enum(['batch', 'share']).default('batch'),
  waiting: z.int(),
  working: z.int(),
  workers: z.array(WorkerSeen),
})
export type Workforce = z.infer<typeof Workforce>
