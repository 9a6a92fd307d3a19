import {Optimisation} from '../../datasets/schema/optimisation.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import optimisationSamples from '../preference/optimisation-samples.ts'
import {recipe} from '../workspace/workspace.ts'

/** Optimisation steps → samples, released with the others. */
export default recipe({reads: ['optimisation', 'speedups']}, ({runs}) =>
  Pipeline.from('optimisation-samples', runs, fromRun(Optimisation)).via(optimisationSamples()),
)
