import {OperatorTask} from '../../datasets/schema/task.ts'
import type {Stage} from '../../engine/stage.ts'

/**
 * Passes the tasks whose path below `tasks/` matches a glob, e.g. `level1/Math/*` or `*Foreach*`. Other tasks are not
 * drops: they were not requested.
 */
export default function selectTasks({pattern}: {pattern: string}): Stage<OperatorTask, OperatorTask> {
  const matches = taskMatcher(pattern)
  return {
    name: 'select-tasks',
    version: 1,
    options: {pattern},
    input: OperatorTask,
    output: OperatorTask,
    async *run(tasks) {
      for await (const task of tasks) if (matches(task)) yield task
    },
  }
}

/** Whether a task's path below `tasks/` or its name matches a glob. */
export function taskMatcher(pattern: string): (task: Pick<OperatorTask, 'name' | 'origin'>) => boolean {
  const matches = patternTest(pattern)
  return ({name, origin}) => matches(origin.path.replace(/^tasks\//, '')) || matches(name)
}

/** Whether a whole text matches a glob. */
export function patternTest(pattern: string): (text: string) => boolean {
  const expression = globExpression(pattern)
  return (text) => expression.test(text)
}

/**
 * `*` any run of characters, `?` one, `{a,b}` either; everything else is literal. The whole path or name must match.
 */
function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replace(/\{([^{}]*)\}/g, (_, choices: string) => `(?:${choices.split(',').join('|')})`)
  return new RegExp(`^(?:${source})$`)
}
