import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {caseDtypes, describeCase, loadReference, prepareCase} from '../../eval/reference/typescript.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {modulePath, type OperatorTask, type TaskCase} from '../../datasets/schema/task.ts'
import {elementCount} from '../../datasets/schema/tensor.ts'
import type {ObservedRun} from '../code/observed-run.ts'
import type {Config} from './config.ts'
import {trainingTasks} from './workspace.ts'

/** What a source's operator did when it was run, or undefined when nobody knows how to run it. */
type TraceOf = (source: OperatorSource, signal: AbortSignal) => Promise<ObservedRun | undefined>

/**
 * Observations for those sources that are part of a training task's answer, to the letter: built once per operator, run
 * on the task's largest case. Sources of other repositories have no task and stay unobserved.
 */
export function traces(config: Config, executor: Executor): TraceOf {
  let tasks: Promise<ReadonlyMap<string, OperatorTask>> | undefined
  const observed = new Map<string, Promise<ObservedRun | undefined>>()
  return async (source, signal) => {
    const task = (await (tasks ??= tasksByOperator(config))).get(source.operator)
    if (!task?.answer.some(({path, text}) => source.target.path.endsWith(path) && text === source.target.text))
      return undefined
    const known = observed.get(task.name) ?? observe(task, executor, config.seed, signal)
    observed.set(task.name, known)
    return known
  }
}

async function tasksByOperator(config: Config): Promise<ReadonlyMap<string, OperatorTask>> {
  const tasks = new Map<string, OperatorTask>()
  for (const folder of await trainingTasks(config)) {
    for (const task of await loadTasks(folder, () => []))
      if (task.reference.kind === 'typescript') tasks.set(task.name, task)
  }
  return tasks
}

async function observe(
  task: OperatorTask,
  executor: Executor,
  seed: string,
  signal: AbortSignal,
): Promise<ObservedRun | undefined> {
  const reference = await loadReference(modulePath(task))
  const elements = (row: TaskCase) =>
    describeCase(reference, row).inputs.reduce((sum, {shape}) => sum + elementCount(shape), 0)
  const [row] = [...task.cases].sort((a, b) => elements(b) - elements(a))
  if (!row) return undefined
  const described = describeCase(reference, row)
  const attempt = await executor.build({operator: task.name, files: task.answer, dtypes: caseDtypes(described)}, signal)
  if (!attempt.ok) return undefined
  try {
    const execution = await executor.execute(
      attempt.build,
      prepareCase(reference, row, 'normal', [seed, task.name]),
      {},
      signal,
    )
    return execution.outcome === 'ran' ? {inputs: described.inputs, trace: execution.trace} : undefined
  } finally {
    await attempt.build.dispose()
  }
}
