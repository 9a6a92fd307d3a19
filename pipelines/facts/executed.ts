import type {Build, ExecuteOptions, Execution, Executor} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'

/**
 * The result of a run of a case. A time-out on a busy machine says nothing about the program.
 * @throws PipelineError `executor-failed` of the record where the clock ran out before the run had used its CPU time
 */
export async function executed(
  executor: Executor,
  build: Build,
  given: OperatorCase,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<Execution> {
  const found = await executor.execute(build, given, options, signal)
  if (found.outcome !== 'timed-out' || !found.byClock) return found
  throw new PipelineError('executor-failed', `The run got no CPU time within ${found.limitSeconds} s.`, {
    fix: 'Run `ascend-cot resume` when the machine is free: the record is tried again.',
  })
}
