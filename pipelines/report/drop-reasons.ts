import {z} from 'zod'
import {type Explanations, explanations} from '../../engine/explanations.ts'

const Reason = z.strictObject({means: z.string(), do: z.string()})

/** Every drop reason of the stages, by topic and by name: what it means, and what a user can do about it. */
export const dropReasons: Explanations<z.infer<typeof Reason>> = explanations(
  new URL('drop-reasons.yaml', import.meta.url),
  Reason,
)
