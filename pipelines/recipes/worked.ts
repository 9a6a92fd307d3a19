import {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import workedCot from '../documentation/worked/worked-cot.ts'
import workedQuestions from '../documentation/worked/worked-questions.ts'
import workedRuns from '../documentation/worked/worked-runs.ts'
import {recipe} from '../workspace/workspace.ts'

/** Interfaces → questions with numbers → kernels that ran, right and wrong → question, derivation and kernel. */
export default recipe({reads: ['api-index']}, async ({config, runs, executor}) =>
  Pipeline.from('worked', runs, fromRun(ApiEntry))
    .via(workedQuestions({most: config.samples.workedQuestions}))
    .via(workedRuns({executor: await executor('runs')}))
    .via(workedCot()),
)
