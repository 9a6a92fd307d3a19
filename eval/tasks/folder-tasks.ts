import type {TaskFolder} from '../../datasets/schema/source-folder.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import type {Stage} from '../../engine/stage.ts'
import {loadTasks} from './operator-tasks.ts'

/** Adds the tasks of a run after those of folders. */
export default function folderTasks({folders}: {folders: readonly TaskFolder[]}): Stage<OperatorTask, OperatorTask> {
  return {
    name: 'folder-tasks',
    version: 1,
    options: {folders: folders.map((folder) => ({...folder}))},
    input: OperatorTask,
    output: OperatorTask,
    async *run(tasks, context) {
      for (const folder of folders) yield* await loadTasks(folder, (...refused) => context.drop(...refused))
      yield* tasks
    },
  }
}
