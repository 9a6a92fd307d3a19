import {z} from 'zod'

/** One message of a compiler or linker. `line` and `column` are 1-based positions in `file`. */
export const Diagnostic = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  file: z.string(),
  line: z.int().nonnegative(),
  column: z.int().nonnegative(),
  message: z.string(),
})
export type Diagnostic = z.infer<typeof Diagnostic>

/**
 * Which message of its rule it is, in kebab-case, and its values by name: lengths, places and addresses in bytes unless
 * the message counts elements, blocks or flags; texts are names as in the message.
 */
const Seen = z.strictObject({
  situation: z.string(),
  values: z.record(z.string(), z.union([z.number(), z.string()])),
})
export type Seen = z.infer<typeof Seen>

/** A hardware or programming rule that a run broke. */
export const Violation = z.strictObject({
  /** Kebab-case rule, e.g. `unaligned-address`, `read-unwritten`, `queue-state`. */
  rule: z.string(),
  block: z.int(),
  /** The API call in which it was noticed. */
  api: z.string(),
  tensor: z.string(),
  message: z.string(),
  /** How to fix the kernel. */
  fix: z.string(),
  /** Absent if the message's values are not needed, and in older records. */
  seen: Seen.optional(),
  /** It broke at a size that is not in `test_cases.csv`. */
  otherSize: z.literal(true).optional(),
})
export type Violation = z.infer<typeof Violation>

/**
 * The sizes that a case was judged with besides its own: `fresh`, sizes not in `test_cases.csv`; or why there were
 * none. `pinned`: the task only asks for these sizes. `fixed`: they do not follow from the row, or its reference
 * accepts no others. `unserved`: the task's own answer does not support others.
 */
export const Sizes = z.enum(['fresh', 'pinned', 'fixed', 'unserved'])
export type Sizes = z.infer<typeof Sizes>

/** The reason for a failed case, as values. */
const CaseFault = z.discriminatedUnion('kind', [
  /** The worst element, by its flat row-major index. NaN and infinities are text. */
  z.strictObject({
    kind: z.literal('element'),
    output: z.string(),
    index: z.int(),
    seen: z.union([z.number(), z.string()]),
    expected: z.union([z.number(), z.string()]),
    /** At a size that is not in `test_cases.csv`. */
    otherSize: z.literal(true).optional(),
  }),
  /** The rule that a run of the case broke. */
  z.strictObject({kind: z.literal('rule'), rule: z.string()}),
])
export type CaseFault = z.infer<typeof CaseFault>

/** How long a case takes on a board: of several launches at addresses of their own, checked again afterwards. */
export const CaseTime = z.strictObject({
  /** Median and distance between the quartiles of a launch on the device, in microseconds. */
  microseconds: z.number().positive(),
  spread: z.number().nonnegative(),
  repeats: z.int().positive(),
  /** Median of the task's own answer, in microseconds; absent where it has none, or where it is what was judged. */
  answer: z.number().positive().optional(),
})
export type CaseTime = z.infer<typeof CaseTime>

/** How one case of a task went. Errors are the worst over all outputs and elements. */
export const CaseResult = z.strictObject({
  case: z.string(),
  /** The benchmark's own rule. */
  literal: z.boolean(),
  /** Our rule: several input families and seeds, poisoned outputs, NaN and Inf compared, inputs unchanged. */
  hardened: z.boolean(),
  worstAbsolute: z.number().nullable(),
  worstRelative: z.number().nullable(),
  /** Why the case failed, with the worst element; '' when it passed. */
  reason: z.string(),
  /** Absent for other reasons, and in older records. */
  fault: CaseFault.optional(),
  /** Absent in older records. */
  sizes: Sizes.optional(),
  /** Of a correct candidate, by an executor that measures. */
  time: CaseTime.optional(),
})
export type CaseResult = z.infer<typeof CaseResult>

/** The exact executor behind a verdict: name, and a fingerprint over compiler, flags, twin version and SoC. */
export const ExecutorIdentity = z.strictObject({
  /** `twin`, or another executor. */
  name: z.string(),
  /** A hash of all that shapes its verdicts. */
  fingerprint: z.string(),
  /** Compiler and version. */
  compiler: z.string(),
  /** The chip that it judges for. */
  soc: z.string(),
})
export type ExecutorIdentity = z.infer<typeof ExecutorIdentity>

const judged = {executor: ExecutorIdentity}
/**
 * Present when the literal run of every case finished: the benchmark's own verdict on a candidate that our rules
 * refuse.
 */
const literally = {cases: z.array(CaseResult).optional()}

/**
 * What an executor found. A candidate that does not compile is data, so this is a value and never an exception.
 * `not-covered`: the executor lacks names that the code uses, so it cannot judge; never a failure of the candidate.
 * `compiled`: only compilation was asked for, and it succeeded.
 */
export const Verdict = z.discriminatedUnion('outcome', [
  z.strictObject({outcome: z.literal('not-covered'), missing: z.array(z.string()), ...judged}),
  z.strictObject({outcome: z.literal('compile-failed'), diagnostics: z.array(Diagnostic), log: z.string(), ...judged}),
  z.strictObject({outcome: z.literal('link-failed'), log: z.string(), ...judged}),
  z.strictObject({outcome: z.literal('compiled'), ...judged}),
  z.strictObject({
    outcome: z.literal('launch-failed'),
    case: z.string(),
    message: z.string(),
    ...literally,
    ...judged,
  }),
  z.strictObject({
    outcome: z.literal('crashed'),
    case: z.string(),
    cause: z.string(),
    log: z.string(),
    ...literally,
    ...judged,
  }),
  z.strictObject({
    outcome: z.literal('timed-out'),
    case: z.string(),
    limitSeconds: z.number(),
    /** It had not used up its CPU time: it waits forever, or another process had the machine. */
    byClock: z.literal(true).optional(),
    ...literally,
    ...judged,
  }),
  z.strictObject({outcome: z.literal('violated'), case: z.string(), violation: Violation, ...literally, ...judged}),
  z.strictObject({outcome: z.literal('mismatched'), cases: z.array(CaseResult), ...judged}),
  z.strictObject({
    outcome: z.literal('cheated'),
    /** Kebab-case, e.g. `forbidden-include`; `not-computed` when the runs showed it rather than the sources. */
    rule: z.string(),
    /** What was seen: a line of the sources, or a property of all outputs. */
    detail: z.string(),
    /** Whether the benchmark's own rule accepts every case; false when nothing was run. */
    literal: z.boolean(),
    ...judged,
  }),
  z.strictObject({outcome: z.literal('correct'), cases: z.array(CaseResult), ...judged}),
])
export type Verdict = z.infer<typeof Verdict>

/** Both verdicts of a candidate that the first of two executors found correct, so that the second was asked. */
export const Confirmation = z.strictObject({first: Verdict, second: Verdict})
export type Confirmation = z.infer<typeof Confirmation>
