import type {Config, RecordOf} from '../schema/export.ts'
import type {CotSample} from '../schema/sample.ts'

/**
 * In the order in which one is preferred: what comes first counts first. Of what is equal in all, the one that is
 * longer by a tenth or so: who edits a page lengthens it by a word, and copies are more alike to it than to each other.
 */
const order: readonly ((sample: CotSample) => number)[] = [
  // Code that ran says more than code that compiled, and that more than code that was parsed.
  ({proof}) => ['parsed', 'compiled', 'ran'].indexOf(proof ?? '') + 1,
  ({verdict}) => ['compiled', 'correct'].indexOf(verdict?.outcome ?? '') + 1,
  // The offline writer has one style only.
  ({teacher}) => (teacher.kind === 'model' ? 1 : 0),
]

/** Values of one question of the order. */
const steps = 4
const lengths = 2 ** 10

/** The higher, the better. Only samples differ in worth: of other records the first is kept. */
export function rankOf<C extends Config>(config: C, record: RecordOf[C]): number {
  if (config !== 'sft') return 0
  const sample = record as CotSample
  const worth = order.reduce((sum, ask) => sum * steps + ask(sample), 0)
  const length = sample.reasoning.length + sample.answer.length
  return worth * lengths + Math.floor(Math.log(1 + length) / Math.log(1.1))
}
