import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import errorEntries from '../correction/error-entries.ts'
import {api} from '../workspace/held-out.ts'
import {unrefutedIn} from '../workspace/candidate-runs.ts'
import {recipe} from '../workspace/workspace.ts'

/** Labelled candidates → how each failure failed. */
export default recipe({reads: ['candidates']}, async ({runs}) =>
  Pipeline.from('errors', runs, fromRun(LabelledCandidate))
    .through(await unrefutedIn(runs))
    .via(errorEntries({names: api, classify: classifyCandidate})),
)
