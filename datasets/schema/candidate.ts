import {z} from 'zod'
import {SourceFile} from './operator.ts'
import {Label} from './label.ts'
import {OperatorTask} from './task.ts'
import {Confirmation, Verdict} from './verdict.ts'

/** Who wrote a candidate. Labels never depend on it: they come from what the executor observed. */
export const Sampler = z.discriminatedUnion('kind', [
  /** The task's own verified answer. */
  z.strictObject({kind: z.literal('answer')}),
  /** The answer rewritten to do the same; `rewrites` lists the changes in order. */
  z.strictObject({kind: z.literal('variant'), rewrites: z.array(z.string()).min(1)}),
  /** The answer made slower or plainer, meant to compute the same; `steps` lists what was removed from it, in order. */
  z.strictObject({kind: z.literal('rewound'), steps: z.array(z.string()).min(1)}),
  /** One of the programs that a search for faster ones found correct; `steps` lists what each step to it changed. */
  z.strictObject({kind: z.literal('searched'), steps: z.array(z.string())}),
  /**
   * A fault planted in the answer; `mutation` names the operator, `detail` the place. `more`: further faults after it.
   * `rewrites`: the variant of the answer that they were planted in; `place`: the first one's line in the files as they
   * are now.
   */
  z.strictObject({
    kind: z.literal('mutation'),
    mutation: z.string(),
    detail: z.string(),
    more: z.array(z.strictObject({mutation: z.string(), detail: z.string()})).optional(),
    rewrites: z.array(z.string()).optional(),
    place: z.strictObject({path: z.string(), line: z.int().positive()}).optional(),
  }),
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
  /** The exact request to the sampler. */
  prompt: z.string().min(1),
  reasoning: z.string(),
  /** The whole operator: templates with the sampler's files laid over them. */
  files: z.array(SourceFile).min(1),
  /** The files that the sampler wrote; the answer of a training sample. */
  written: z.array(z.string()).min(1),
  /** Why no code could be read from the reply; the files then only state this for the compiler. */
  unreadable: z.string().optional(),
})
export type Candidate = z.infer<typeof Candidate>

/** Trivial answers that no run can distinguish from the correct one, because they are correct; absent if none. */
const Spared = z.array(z.string()).optional()

/**
 * The result of judging the task's own answer before a candidate. `green`: it is correct, except for the hardened runs
 * in `leftOut`, which candidates skip too. `none`: it could not be judged, and why; candidates then only get the input
 * families that every task has.
 */
export const Canary = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('green'),
    leftOut: z.array(z.strictObject({case: z.string(), family: z.string(), reason: z.string()})),
    spared: Spared,
  }),
  z.strictObject({state: z.literal('none'), why: z.string().min(1), spared: Spared}),
])
export type Canary = z.infer<typeof Canary>

/**
 * `canary` is absent in older records. `confirmation` is there where a second executor judged too: `verdict` is then
 * that one's, except where it only compiles and refuted nothing.
 */
export const JudgedCandidate = Candidate.extend({
  verdict: Verdict,
  canary: Canary.optional(),
  confirmation: Confirmation.optional(),
})
export type JudgedCandidate = z.infer<typeof JudgedCandidate>

/** What was observed of it, for a record that is made of it. */
export function verdictsOf({verdict, confirmation}: Pick<JudgedCandidate, 'verdict' | 'confirmation'>) {
  return {verdict, ...(confirmation && {confirmation})}
}

export const LabelledCandidate = JudgedCandidate.extend({label: Label})
export type LabelledCandidate = z.infer<typeof LabelledCandidate>
