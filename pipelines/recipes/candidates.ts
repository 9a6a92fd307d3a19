import folderTasks from '../../eval/tasks/folder-tasks.ts'
import operatorTasks from '../../eval/tasks/operator-tasks.ts'
import {confirmedBy} from '../../eval/confirm.ts'
import judge from '../../eval/judge.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import candidates from '../preference/candidates.ts'
import label from '../preference/label.ts'
import {recipe, trainingTasks} from '../workspace/workspace.ts'

/**
 * Tasks, from folders and from a run of `tasks` if there is one → candidates → verdicts, which another executor
 * confirms where that is asked for → labels.
 */
export default recipe({also: ['tasks']}, async ({config, along, executor, confirming}) => {
  const {candidatesPerTask: count, faultsThatRun, severalFaults} = config.samples
  const {concurrency, recheck} = config.executor
  const folders = await trainingTasks(config)
  const tasks =
    along.length > 0
      ? Pipeline.from('candidates', along, fromRun(OperatorTask)).via(folderTasks({folders}))
      : Pipeline.from('candidates', folders, operatorTasks())
  return tasks
    .via(candidates({count, faultsThatRun, severalFaults}))
    .via(judge({executor: await executor('runs'), concurrency, recheck}))
    .through(confirmedBy(await confirming(), {concurrency, recheck}))
    .via(label())
})
