import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/kernel.ts'
import type {KernelTask} from '../../datasets/schema/task.ts'
import type {ChatReply} from '../../engine/llm/model.ts'
import {readBenchmarkReply, type Mode} from './benchmark-reply.ts'

export interface Evaluation {
  mode: Mode
  /** `static`: each row of `test_cases.csv` is a task of its own. `dynamic`: one candidate serves all rows. */
  shape: 'static' | 'dynamic'
  /** At most this many rows, from the first. Default 1 for a static shape, as in the benchmark, and all for a dynamic one. */
  cases?: number
}

/** A task as it is put to the author of candidates: once with all rows, or once with each. */
export function evaluatedTasks(task: KernelTask, {shape, cases}: Evaluation): KernelTask[] {
  if (shape === 'dynamic') return [{...task, cases: task.cases.slice(0, cases)}]
  return task.cases.slice(0, cases ?? 1).map((row) => ({...task, cases: [row]}))
}

/** The files that a reply is asked for, in the order of the prompt. */
export function askedPaths({hostTemplate, kernelTemplate}: KernelTask, mode: Mode): string[] {
  if (mode === 'kernel-only') return [kernelTemplate.path]
  return [hostTemplate.path.replace(/\.cpp$/, '_tiling.h'), hostTemplate.path, kernelTemplate.path]
}

/**
 * A reply as a candidate, read as the benchmark reads it. A reply without code is a failed attempt in every rate, so it
 * becomes code that says so to the compiler.
 */
export function scoredFiles(
  task: KernelTask,
  reply: Pick<ChatReply, 'reasoning' | 'text'>,
  mode: Mode,
): Pick<Candidate, 'files' | 'written' | 'unreadable'> {
  const paths = askedPaths(task, mode)
  const read = readBenchmarkReply(reply, mode, paths)
  if (read.ok) return wholeOperator(task, read.files)
  const files = paths.slice(-1).map((path) => ({path, text: `#error "no readable answer: ${read.problem}"\n`}))
  return {...wholeOperator(task, files), unreadable: read.problem}
}

/** The templates, with the author's files in place of those they replace. */
export function wholeOperator(
  {hostTemplate, kernelTemplate}: KernelTask,
  written: readonly SourceFile[],
): Pick<Candidate, 'files' | 'written'> {
  const paths = written.map(({path}) => path)
  return {
    files: [...[hostTemplate, kernelTemplate].filter(({path}) => !paths.includes(path)), ...written],
    written: paths,
  }
}
