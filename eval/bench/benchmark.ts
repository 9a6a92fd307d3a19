import type {Extracted} from '../../datasets/operator-reply.ts'
import type {RequestedTask} from '../../datasets/operator-request.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {ChatReply} from '../../engine/llm/model.ts'
import type {Adaptations} from '../reference/call.ts'
import type {TaskType} from '../scores/table.ts'
import type {LoadTasks} from '../tasks/operator-tasks.ts'

/**
 * Everything that is a benchmark's own. `eval/bench/<name>/benchmark.ts` default-exports one, and its folder's name is
 * how `ascend-cot eval` and the run directories call it: nothing else knows it.
 */
export interface Benchmark {
  /** As people write it, in titles and sentences. */
  title: string
  /** Reads the tasks of a checkout, their own answers among them, in the order of the score tables. */
  load: LoadTasks
  /** What a model may be asked for, by the value of `--mode`; the first is the default. */
  modes: Readonly<Record<string, Mode>>
  /** Kinds of tasks in the first score table, each with its levels. Default: every level is a kind of its own. */
  taskTypes?: readonly TaskType[]
  /** Operators whose bindings pass other arguments than their definitions declare. */
  adaptations?: Adaptations
  /** A JSON list of `KnownFault`: what explains verdicts on the benchmark's own answers, and changes none. */
  knownFaults?: URL
  /** Finds answers that a checkout does not have whole. */
  damagedAnswers?(tasks: readonly OperatorTask[]): Damage[]
  /** The sentence that ends a note on a damaged answer, e.g. where it is whole. */
  undamaged?: string
}

/** What a model is asked to write, and how its reply is read. */
export interface Mode {
  /** The request, with placeholders `{{name}}`. */
  prompt: string
  /** What a task puts into them. */
  values(task: RequestedTask): Record<string, string>
  /** The files that a reply is to bring. A reply that brings none is a failed attempt, in the last of them. */
  paths(task: OperatorTask): string[]
  /** Reads a reply as the benchmark itself does, so that scores compare with its own. */
  read(reply: Pick<ChatReply, 'reasoning' | 'text'>, paths: readonly string[]): Extracted
  /** Whether candidates are asked to serve the cases that they are shown and no others. Default false. */
  servesCasesOnly?: boolean
  /** Conditions that stand above every table of this mode, a sentence each. */
  notes?: readonly string[]
}

/** An answer that is not whole in a checkout. */
export interface Damage {
  task: string
  path: string
  line: number
  what: string
}
