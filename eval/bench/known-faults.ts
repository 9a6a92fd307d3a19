import {readFile} from 'node:fs/promises'
import {z} from 'zod'
import {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'

const outcomes = Verdict.options.map(({shape}) => shape.outcome.value)

/** A fault of a benchmark that explains an unexpected verdict on its own answer, without changing it. */
export const KnownFault = z.strictObject({
  /** The task's name, e.g. `TopKV3`. */
  task: z.string().min(1),
  /**
   * The cases that it explains, by `case_id`; `all` also explains what does not depend on a case, such as code that
   * does not compile.
   */
  cases: z.union([z.literal('all'), z.array(z.string().min(1)).min(1)]),
  /** The outcome that it explains; `not-judged` if there is no verdict. */
  verdict: z.enum([...outcomes, 'not-judged']),
  fault: z.enum(['answer', 'reference', 'wiring']),
  /** What anyone can look up or run to verify it: files and lines, a document's sentence, figures. */
  proof: z.string().min(20),
})
export type KnownFault = z.infer<typeof KnownFault>

/**
 * Reads a list of known faults.
 * @throws PipelineError `input-invalid` when an entry does not match `KnownFault`
 */
export async function readKnownFaults(file: URL | string): Promise<KnownFault[]> {
  const parsed = z.array(KnownFault).safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new PipelineError('input-invalid', `${String(file)} is not a list of known faults: ${problems.join('; ')}`, {
    fix: [
      'Give each entry task, cases ("all" or a list of case ids), verdict,',
      'fault (answer, reference or wiring) and proof.',
    ].join(' '),
  })
}

/** The result of one task: its outcome, and the cases that decided it; none when the code alone decided it. */
export interface Exception {
  task: string
  outcome: KnownFault['verdict']
  cases: readonly string[]
}

/**
 * The entries that explain an exception: of its task, with its verdict, and together naming every case that failed.
 * Empty when a case remains unexplained.
 */
export function explain({task, outcome, cases}: Exception, faults: readonly KnownFault[]): KnownFault[] {
  const fitting = faults.filter((fault) => fault.task === task && fault.verdict === outcome)
  const whole = fitting.filter((fault) => fault.cases === 'all')
  if (whole.length > 0 || cases.length === 0) return whole
  const named = fitting.filter((fault) => cases.some((id) => fault.cases.includes(id)))
  return cases.every((id) => named.some((fault) => fault.cases.includes(id))) ? named : []
}
