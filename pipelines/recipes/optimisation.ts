import {OperatorTask} from '../../datasets/schema/task.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import judge from '../../eval/judge.ts'
import modelledCost from '../../eval/modelled-cost.ts'
import folderTasks from '../../eval/tasks/folder-tasks.ts'
import operatorTasks from '../../eval/tasks/operator-tasks.ts'
import rewoundCandidates from '../preference/rewound-candidates.ts'
import rewoundPairs from '../preference/rewound-pairs.ts'
import {trainingTasks, type Workspace} from '../workspace/workspace.ts'

/** Tasks → answers made slower step by step → judged → modelled times → pairs and samples of optimisation. */
export default async ({config, found, executor}: Workspace) => {
  const judging = {executor: await executor(), concurrency: config.executor.concurrency}
  const [folders, runs] = [await trainingTasks(config), await found(['tasks'])]
  const tasks =
    runs.length > 0
      ? Pipeline.from('optimisation', runs, fromRun(OperatorTask)).via(folderTasks({folders}))
      : Pipeline.from('optimisation', folders, operatorTasks())
  return tasks
    .via(rewoundCandidates())
    .via(judge({...judging, recheck: config.executor.recheck}))
    .via(modelledCost(judging))
    .via(rewoundPairs({maxPairsPerTask: config.samples.maxPairsPerTask}))
}
