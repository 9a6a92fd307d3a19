import {Optimisation} from '../../datasets/schema/optimisation.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import optimisationPairs from '../preference/optimisation-pairs.ts'
import {release} from '../workspace/release.ts'

/** Pairs of a faster and a slower operator → `optimisation`. */
export default release('optimisation', {
  reads: ['optimisation', 'speedups'],
  records: (name, runs) => Pipeline.from(name, runs, fromRun(Optimisation)).via(optimisationPairs()),
})
