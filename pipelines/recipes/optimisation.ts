import {OperatorTask} from '../../datasets/schema/task.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {confirmedBy} from '../../eval/confirm.ts'
import judge from '../../eval/judge.ts'
import modelledCost from '../../eval/modelled-cost.ts'
import folderTasks from '../../eval/tasks/folder-tasks.ts'
import operatorTasks from '../../eval/tasks/operator-tasks.ts'
import rewoundCandidates from '../preference/rewound-candidates.ts'
import rewoundPairs from '../preference/rewound-pairs.ts'
import {recipe, trainingTasks} from '../workspace/workspace.ts'

/** Tasks → answers made slower step by step → judged → modelled times → pairs and samples of optimisation. */
export default recipe({also: ['tasks']}, async ({config, along, executor, confirming}) => {
  const {concurrency, recheck} = config.executor
  const judging = {executor: await executor('traces'), concurrency}
  const folders = await trainingTasks(config)
  const tasks =
    along.length > 0
      ? Pipeline.from('optimisation', along, fromRun(OperatorTask)).via(folderTasks({folders}))
      : Pipeline.from('optimisation', folders, operatorTasks())
  return tasks
    .via(rewoundCandidates())
    .via(judge({...judging, recheck}))
    .through(confirmedBy(await confirming(), {concurrency, recheck}))
    .via(modelledCost(judging))
    .via(rewoundPairs({maxPairsPerTask: config.samples.maxPairsPerTask}))
})
