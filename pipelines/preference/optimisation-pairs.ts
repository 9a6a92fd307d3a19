import {Optimisation, OptimisationPair} from '../../datasets/schema/optimisation.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** The pairs among the steps of optimisation. Samples are dropped as `is-a-sample`: they are exported with others. */
export default function optimisationPairs(): Stage<Optimisation, OptimisationPair> {
  return {
    name: 'optimisation-pairs',
    version: 1,
    input: Optimisation,
    output: OptimisationPair,
    run: each((record, context) => (record.kind === 'pair' ? [record] : context.drop(record, 'is-a-sample'))),
  }
}
