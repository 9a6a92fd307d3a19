import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import candidateFacts from '../facts/candidate-facts.ts'
import explain from '../preference/explain.ts'
import pair from '../preference/pair.ts'
import {reasonOf, reasonVersion} from '../workspace/reasons.ts'
import {unrefutedIn} from '../workspace/candidate-runs.ts'
import {recipe} from '../workspace/workspace.ts'

/** Labelled candidates → with reasoning about their code → pairs of a better and a worse one within a task. */
export default recipe({reads: ['candidates']}, async ({config, runs}) => {
  const {maxPairsPerTask, maxPairsPerChosen, pairDistance, pairStrategies} = config.samples
  return Pipeline.from('preference', runs, fromRun(LabelledCandidate))
    .through(await unrefutedIn(runs))
    .via(candidateFacts())
    .via(explain({reason: reasonOf, reasonVersion}))
    .via(pair({maxPairsPerTask, maxPairsPerChosen, strategies: pairStrategies, near: pairDistance === 'near'}))
})
