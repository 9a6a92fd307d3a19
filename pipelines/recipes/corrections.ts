import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import correct from '../correction/correct.ts'
import clusterErrors from '../correction/cluster-errors.ts'
import references from '../correction/references.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import {api} from '../workspace/held-out.ts'
import candidateFacts from '../facts/candidate-facts.ts'
import editFacts from '../facts/edit-facts.ts'
import explain from '../preference/explain.ts'
import {reasonOf, reasonVersion} from '../workspace/reasons.ts'
import {checkBy} from '../workspace/check-by.ts'
import {apisOf} from '../workspace/runs.ts'
import {unrefutedIn} from '../workspace/candidate-runs.ts'
import {recipe} from '../workspace/workspace.ts'

/**
 * Labelled candidates → failures with a correct counterpart → some of each cause → question, analysis, corrected code.
 */
export default recipe({reads: ['candidates'], also: ['api-index']}, async ({config, runs, executor, confirming}) =>
  Pipeline.from('corrections', runs, fromRun(LabelledCandidate))
    .through(await unrefutedIn(runs))
    .via(candidateFacts())
    .via(explain({reason: reasonOf, reasonVersion}))
    .via(references())
    .via(clusterErrors({names: api, classify: classifyCandidate}))
    .via(editFacts())
    .via(
      correct({
        apis: await apisOf(config.out),
        check: checkBy(await executor('runs'), await confirming()),
      }),
    ),
)
