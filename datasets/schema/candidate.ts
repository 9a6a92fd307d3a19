import {z} from 'zod'
import {SourceFile} from './operator.ts'
import {Label} from './label.ts'
import {OperatorTask} from './task.ts'
import {Verdict} from './verdict.ts'

/** Who wrote a candidate. Labels never depend on it: they come from what the executor observed. */
export const Sampler = z.discriminatedUnion('kind', [
  /** The task's own verified answer. */
  z.strictObject({kind: z.literal('answer')}),
  /** A fault planted in the answer; `mutation` names the operator, `detail` the place. */
  z.strictObject({kind: z.literal('mutation'), mutation: z.string(), detail: z.string()}),
  z.strictObject({
    kind: z.literal('model'),
    model: z.string(),
    sample: z.int().nonnegative(),
    temperature: z.number().optional(),
  }),
])
export type Sampler = z.infer<typeof Sampler>

/** One attempt at a task. */
export const Candidate = z.strictObject({
  task: OperatorTask,
  sampler: Sampler,
  /** What the sampler was asked, to the letter. */
  prompt: z.string().min(1),
  reasoning: z.string(),
  /** The whole operator: templates with the sampler's files laid over them. */
  files: z.array(SourceFile).min(1),
  /** The files that the sampler wrote; the answer of a training sample. */
  written: z.array(z.string()).min(1),
  /** Why the reply held no code that could be read; the files then only say so to the compiler. */
  unreadable: z.string().optional(),
})
export type Candidate = z.infer<typeof Candidate>

export const JudgedCandidate = Candidate.extend({verdict: Verdict})
export type JudgedCandidate = z.infer<typeof JudgedCandidate>

export const LabelledCandidate = JudgedCandidate.extend({label: Label})
export type LabelledCandidate = z.infer<typeof LabelledCandidate>
