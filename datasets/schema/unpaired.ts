import {z} from 'zod'
import {Origin} from './origin.ts'
import {PreferenceSide, StageVersions} from './sample.ts'

/** One judged reply to a task, desirable or not, without a counterpart. */
export const UnpairedReply = PreferenceSide.extend({
  task: z.string().min(1),
  prompt: z.string().min(1),
  origin: Origin,
  stages: StageVersions,
})
export type UnpairedReply = z.infer<typeof UnpairedReply>
