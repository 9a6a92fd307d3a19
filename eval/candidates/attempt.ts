import {wholeOperator} from '../../datasets/operator-request.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {ChatReply} from '../../engine/llm/model.ts'
import type {Mode} from '../bench/benchmark.ts'

/** How a model is given the tasks of a benchmark. */
export interface Evaluation {
  /** Name of one of the benchmark's modes. */
  mode: string
  /** `static`: each case is a separate task. `dynamic`: one candidate supports all cases. */
  shape: 'static' | 'dynamic'
  /** At most this many cases, from the first. Default 1 for a static shape, and all for a dynamic one. */
  cases?: number
}

/** A task as given to a sampler: once with all cases, or once with each. */
export function evaluatedTasks(task: OperatorTask, {shape, cases}: Evaluation): OperatorTask[] {
  if (shape === 'dynamic') return [{...task, cases: task.cases.slice(0, cases)}]
  return task.cases.slice(0, cases ?? 1).map((row) => ({...task, cases: [row]}))
}

/**
 * A reply as a candidate, read as the benchmark reads it. A reply without code is a failed attempt in every rate, so it
 * becomes code with an `#error`.
 */
export function scoredFiles(
  task: OperatorTask,
  reply: Pick<ChatReply, 'reasoning' | 'text'>,
  mode: Mode,
): Pick<Candidate, 'files' | 'written' | 'unreadable'> {
  const paths = mode.paths(task)
  const read = mode.read(reply, paths)
  if (read.ok) return wholeOperator(task, read.files)
  const files = paths.slice(-1).map((path) => ({path, text: `#error "no readable answer: ${read.problem}"\n`}))
  return {...wholeOperator(task, files), unreadable: read.problem}
}
