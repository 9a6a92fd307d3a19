import {Optimisation} from '../../datasets/schema/optimisation.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** Steps of optimisation → samples to train on. Pairs are dropped as `is-a-pair`: they have an export of their own. */
export default function optimisationSamples(): Stage<Optimisation, CotSample> {
  return {
    name: 'optimisation-samples',
    version: 1,
    input: Optimisation,
    output: CotSample,
    run: each((record, context): readonly CotSample[] => {
      if (record.kind === 'pair') return context.drop(record, 'is-a-pair')
      const {task: _, before, after, sizes, step, ...sample} = record
      const modelledMicroseconds = {before: before.microseconds, after: after.microseconds}
      return [{...sample, kind: 'optimisation', proof: 'ran', optimised: {step, sizes, modelledMicroseconds}}]
    }),
  }
}
