import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import candidateFacts from '../facts/candidate-facts.ts'
import explain from '../preference/explain.ts'
import unpaired from '../preference/unpaired.ts'
import {reasonOf, reasonVersion} from '../workspace/reasons.ts'
import {unrefutedIn} from '../workspace/candidate-runs.ts'
import {recipe} from '../workspace/workspace.ts'

/** Labelled candidates → with reasoning about their code → single replies, desirable or not. */
export default recipe({reads: ['candidates']}, async ({config, runs}) =>
  Pipeline.from('unpaired', runs, fromRun(LabelledCandidate))
    .through(await unrefutedIn(runs))
    .via(candidateFacts())
    .via(explain({reason: reasonOf, reasonVersion}))
    .via(unpaired({maxPerTask: config.samples.maxUnpairedPerTask})),
)
