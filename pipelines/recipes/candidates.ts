import operatorTasks from '../../eval/tasks/operator-tasks.ts'
import judge from '../../eval/judge.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import candidates from '../preference/candidates.ts'
import label from '../preference/label.ts'
import {trainingTasks, type Workspace} from '../workspace/workspace.ts'

/** Tasks → candidates → what the executor observed → their labels. */
export default async ({config, executor}: Workspace) =>
  Pipeline.from('candidates', await trainingTasks(config), operatorTasks())
    .via(candidates({count: config.samples.candidatesPerTask}))
    .via(judge({executor: await executor(), concurrency: config.executor.concurrency}))
    .via(label())
