// Candidates that are green on one chip, judged again on another: do they still hold with 20 cores in place of 24?
//
//   ascend-cot run candidates
//   ascend-cot run ./examples/other-chip.ts --set executor.soc=Ascend910B4
import judge from 'ascend-cot/eval/judge'
import {fromRun} from 'ascend-cot/from-run'
import {Pipeline} from 'ascend-cot/pipeline'
import label from 'ascend-cot/preference/label'
import {recipe} from 'ascend-cot/recipe'
import {Candidate, LabelledCandidate} from 'ascend-cot/schema/candidate'
import {each, type Stage} from 'ascend-cot/stage'

/** The candidate as it was before it was judged. */
function greenOnes(): Stage<LabelledCandidate, Candidate> {
  return {
    name: 'green-ones',
    version: 1,
    input: LabelledCandidate,
    output: Candidate,
    run: each((judged, {drop}) => {
      const {verdict: _, label: colour, canary: __, ...candidate} = judged
      return colour === 'green' ? [candidate] : drop(judged, 'not-green')
    }),
  }
}

export default recipe({reads: ['candidates']}, async ({runs, executor}) =>
  Pipeline.from('other-chip', runs, fromRun(LabelledCandidate))
    .via(greenOnes())
    .via(judge({executor: await executor()}))
    .via(label()),
)
