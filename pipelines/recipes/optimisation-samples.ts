import {Optimisation} from '../../datasets/schema/optimisation.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import optimisationSamples from '../preference/optimisation-samples.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Steps of optimisation → samples, to be released with others. */
export default async ({finished}: Workspace) =>
  Pipeline.from('optimisation-samples', [await finished('optimisation')], fromRun(Optimisation)).via(
    optimisationSamples(),
  )
