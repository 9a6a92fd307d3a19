// Documentation samples whose answers stay short: one stage of your own behind a finished run.
//
//   ascend-cot run api-index worked ./examples/short-answers.ts
import {fromRun} from 'ascend-cot/from-run'
import {Pipeline} from 'ascend-cot/pipeline'
import {recipe} from 'ascend-cot/recipe'
import {CotSample} from 'ascend-cot/schema/sample'
import {each, type Stage} from 'ascend-cot/stage'

function shortOnes({maxCharacters = 1100} = {}): Stage<CotSample, CotSample> {
  return {
    name: 'short-ones',
    version: 1,
    options: {maxCharacters},
    input: CotSample,
    output: CotSample,
    run: each((sample, {drop}) => (sample.answer.length > maxCharacters ? drop(sample, 'answer-too-long') : [sample])),
  }
}

export default recipe({reads: ['worked']}, ({runs}) =>
  Pipeline.from('short-answers', runs, fromRun(CotSample)).via(shortOnes()),
)
