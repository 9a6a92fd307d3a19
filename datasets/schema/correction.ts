import type {z} from 'zod'
import {LabelledCandidate} from './candidate.ts'

/** A failed candidate, with a correct one for the same request: what it should have been. */
export const Failure = LabelledCandidate.extend({
  /** The correct candidate that differs from it in the fewest lines. */
  reference: LabelledCandidate.omit({task: true, prompt: true, canary: true}),
})
export type Failure = z.infer<typeof Failure>
