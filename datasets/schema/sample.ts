import {z} from 'zod'
import {Decision} from './decision.ts'
import {CallOrigin, FormulaCheck} from './contract.ts'
import {Sampler} from './candidate.ts'
import {ErrorClass} from './error-class.ts'
import {Label} from './label.ts'
import {Proof, Role, Side, SourceFile} from './operator.ts'
import {Origin} from './origin.ts'
import {Confirmation, Verdict} from './verdict.ts'

/** Who wrote the words of a sample. `offline` is composed from computed facts and is never presented as a model's. */
export const Teacher = z.discriminatedUnion('kind', [
  z.strictObject({kind: z.literal('offline')}),
  z.strictObject({kind: z.literal('model'), model: z.string()}),
])
export type Teacher = z.infer<typeof Teacher>

/** Version of every stage that shaped the record, by stage name. */
export const StageVersions = z.record(z.string(), z.int())

/** How the code that a sample corrects failed, according to the executor. */
export const FailedAs = z.strictObject({
  outcome: z.string().min(1),
  /** The first error of the compiler, or the rule that was broken; '' if neither. */
  what: z.string(),
  class: ErrorClass,
  /** Signature of its cluster, shared by failures with the same cause. */
  signature: z.string(),
  /** Who wrote the failed code. */
  sampler: Sampler,
  /** Attempts that a model needed; 0 if the correct code already existed. */
  rounds: z.int().nonnegative(),
})

/** A step from a correct operator to a faster one. Times are modelled, never measured. */
export const OptimisedBy = z.strictObject({
  step: z.string().min(1),
  /** The call that both times refer to. */
  sizes: z.string(),
  modelledMicroseconds: z.strictObject({before: z.number().positive(), after: z.number().positive()}),
})

/** A row of the SFT split: question, reasoning, answer, and the proof of its code. */
export const CotSample = z.strictObject({
  /** `evaluated`: a kernel in the form that a benchmark asks for; `general`: external data, unproven. */
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
  /** For documentation (paper, appendix E.1): questions about a guide's knowledge, or about an interface's call. */
  qa: z.enum(['basic-knowledge', 'api-call']).optional(),
  /** For kernel-level samples: where the code runs, and the role of its file. */
  side: Side.optional(),
  role: Role.optional(),
  /** For kernel-level samples: a whole file, one function of it, or a change to it as a patch. */
  asks: z.enum(['file', 'function', 'change']).optional(),
  /** For code that ran with one call: the origin of that call. */
  contract: CallOrigin.shape.contract.optional(),
  /** For code that ran with one call: whether its outputs match the operator's formula. */
  formula: FormulaCheck.optional(),
  /** For code that ran with one call: its decisions, with the results of alternative programs on that call. */
  decisions: z.array(Decision).optional(),
  prompt: z.string().min(1),
  reasoning: z.string().min(1),
  /** The assistant's answer, code fences included. */
  answer: z.string().min(1),
  /** The code of the answer, one entry per file; empty if the answer is prose. */
  files: z.array(SourceFile),
  language: z.enum(['zh', 'en']),
  origin: Origin,
  /** Other sections and pages shown to the writer. Absent if there was only the origin. */
  evidence: z.array(Origin).optional(),
  teacher: Teacher,
  stages: StageVersions,
  /** Absent for prose and for code that was only parsed: other code is compiled before it is used for training. */
  verdict: Verdict.optional(),
  /** Where two executors judged. */
  confirmation: Confirmation.optional(),
  /** Absent for prose, and in older records. */
  proof: Proof.optional(),
  /** For corrections: how the question's code failed. */
  failed: FailedAs.optional(),
  /** For optimisations: what the answer has that the question's code lacks. */
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
  /** Where two executors judged. */
  confirmation: Confirmation.optional(),
})
export type PreferenceSide = z.infer<typeof PreferenceSide>

/**
 * How the sides of a pair differ (paper, table 4): correct over what runs and is wrong, correct over what does not
 * compile, and what runs and is wrong over what does not compile.
 */
export const PairStrategy = z.enum(['execution-fail', 'compile-fail', 'orange-over-purple'])
export type PairStrategy = z.infer<typeof PairStrategy>

/**
 * How far the code of two sides differs. A line ends with `;`, `{` or `}`; comments, layout and names that only one
 * side has do not count.
 */
export const CodeDistance = z.strictObject({
  /** Lines on either side that the other lacks. */
  lines: z.int().positive(),
  /** As a share of the lines of both sides. */
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
