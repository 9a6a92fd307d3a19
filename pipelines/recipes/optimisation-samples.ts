import {Optimisation} from '../../datasets/schema/optimisation.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import optimisationSamples from '../preference/optimisation-samples.ts'
import {recipe} from '../workspace/workspace.ts'

/** Steps of optimisation → samples, to be released with others. */
export default recipe({reads: ['optimisation']}, ({runs}) =>
  Pipeline.from('optimisation-samples', runs, fromRun(Optimisation)).via(optimisationSamples()),
)
