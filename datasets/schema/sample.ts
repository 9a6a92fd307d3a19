import {z} from 'zod'
import {Decision} from './decision.ts'
import {CallOrigin, FormulaCheck} from './contract.ts'
import {Sampler} from './candidate.ts'
import {ErrorClass} from './error-class.ts'
import {Label} from './label.ts'
import {Proof, Role, Side, SourceFile} from './operator.ts'
import {Origin} from './origin.ts'
import {Verdict} from './verdict.ts'

/** Who wrote the words of a sample. `offline` is composed from computed facts and is never passed off as a model. */
export const Teacher = z.discriminatedUnion('kind', [
  z.strictObject({kind: z.literal('offline')}),
  z.strictObject({kind: z.literal('model'), model: z.string()}),
])
export type Teacher = z.infer<typeof Teacher>

/** Version of every stage that shaped the record, by stage name. */
export const StageVersions = z.record(z.string(), z.int())

/** How code failed that a sample corrects, as the executor found it. */
export const FailedAs = z.strictObject({
  outcome: z.string().min(1),
  /** The first error of the compiler, or the rule that was broken; '' where there is neither. */
  what: z.string(),
  class: ErrorClass,
  /** Of its cluster: failures of one cause share it. */
  signature: z.string(),
  /** Who wrote the failed code. */
  sampler: Sampler,
  /** Attempts that a model needed; 0 where the correct code was there before. */
  rounds: z.int().nonnegative(),
})

/** A step from a correct operator to a faster one. Times are modelled, never measured. */
export const OptimisedBy = z.strictObject({
  step: z.string().min(1),
  /** The call that both times are of. */
  sizes: z.string(),
  modelledMicroseconds: z.strictObject({before: z.number().positive(), after: z.number().positive()}),
})

/** A row of the SFT split: question, reasoning, answer, and the proof of its code. */
export const CotSample = z.strictObject({
  /** `evaluated`: a kernel in the form in which a benchmark asks for it; `general`: of others' data, unproven. */
  kind: z.enum([
    'documentation',
    'kernel',
    'project',
    'evaluated',
    'api-correction',
    'kernel-correction',
    'optimisation',
    'general',
  ]),
  /** Of documentation (paper, appendix E.1): a guide is asked for what one should know, an interface for its call. */
  qa: z.enum(['basic-knowledge', 'api-call']).optional(),
  /** Of kernel-level samples: where the code runs, and what its file is for. */
  side: Side.optional(),
  role: Role.optional(),
  /** Of kernel-level samples: a whole file, one function of it, or a change to it as a patch. */
  asks: z.enum(['file', 'function', 'change']).optional(),
  /** Of code that ran with one call: where that call comes from. */
  contract: CallOrigin.shape.contract.optional(),
  /** Of code that ran with one call: whether its outputs are what the operator's formula gives. */
  formula: FormulaCheck.optional(),
  /** Of code that ran with one call: why it is as it is, with what other programs did on that call. */
  decisions: z.array(Decision).optional(),
  prompt: z.string().min(1),
  reasoning: z.string().min(1),
  /** What the assistant says, code fences included. */
  answer: z.string().min(1),
  /** The code of the answer, one entry per file; empty when the answer is prose. */
  files: z.array(SourceFile),
  language: z.enum(['zh', 'en']),
  origin: Origin,
  /** Where else the writer was shown something: other sections and pages. Absent where there was only the origin. */
  evidence: z.array(Origin).optional(),
  teacher: Teacher,
  stages: StageVersions,
  /** Absent for prose and for code that was only parsed: other code is compiled before it is taught. */
  verdict: Verdict.optional(),
  /** Absent for prose, and in records of before it was known. */
  proof: Proof.optional(),
  /** Of corrections: how the code of the question failed. */
  failed: FailedAs.optional(),
  /** Of optimisations: what the answer has over the code of the question. */
  optimised: OptimisedBy.optional(),
})
export type CotSample = z.infer<typeof CotSample>

/** One side of a preference. */
export const PreferenceSide = z.strictObject({
  reasoning: z.string(),
  answer: z.string().min(1),
  files: z.array(SourceFile).min(1),
  label: Label,
  sampler: Sampler,
  verdict: Verdict,
})
export type PreferenceSide = z.infer<typeof PreferenceSide>

/**
 * What sets the sides of a pair apart (paper, table 4): correct over what runs and is wrong, correct over what does not
 * compile, and what runs and is wrong over what does not compile.
 */
export const PairStrategy = z.enum(['execution-fail', 'compile-fail', 'orange-over-purple'])
export type PairStrategy = z.infer<typeof PairStrategy>

/**
 * How far the code of two sides is apart. A line ends with `;`, `{` or `}`; comments, layout and names that only one
 * side has do not count.
 */
export const CodeDistance = z.strictObject({
  /** Lines of either side that the other lacks. */
  lines: z.int().positive(),
  /** Of the lines of both sides. */
  share: z.number().positive().max(1),
})
export type CodeDistance = z.infer<typeof CodeDistance>

/** A row of the DPO split: within one task, a better and a worse candidate by observed label. */
export const PreferencePair = z.strictObject({
  task: z.string().min(1),
  prompt: z.string().min(1),
  strategy: PairStrategy,
  changed: CodeDistance,
  chosen: PreferenceSide,
  rejected: PreferenceSide,
  origin: Origin,
  stages: StageVersions,
})
export type PreferencePair = z.infer<typeof PreferencePair>

/** A file that an exporter wrote. */
export const Artifact = z.strictObject({
  kind: z.enum(['parquet', 'view', 'card', 'picture', 'report', 'licence', 'manifest']),
  /** Relative to the data set's root, `/`-separated. */
  path: z.string().min(1),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string().length(64),
  /** The configuration (`sft`, `dpo`, `apis`) and split of a Parquet file. */
  config: z.string().optional(),
  split: z.string().optional(),
})
export type Artifact = z.infer<typeof Artifact>
