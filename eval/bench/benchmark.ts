import type {z} from 'zod'
import type {Extracted} from '../../datasets/operator-reply.ts'
import type {RequestedTask} from '../../datasets/operator-request.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {ChatReply} from '../../engine/llm/model.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {Adaptations} from '../reference/call.ts'
import type {ScoreTable, TaskType} from '../scores/table.ts'
import type {LoadTasks} from '../tasks/operator-tasks.ts'
import type {CasesSetting, FoundPython, ModelCases, ModelsAsked, ModelTask} from './whole-model.ts'

/**
 * Everything that is a benchmark's own. `eval/bench/<name>/benchmark.ts` default-exports one, and its folder's name is
 * how `ascend-cot eval` and the run directories call it: nothing else knows it.
 */
export type Benchmark = OperatorBenchmark | ModelBenchmark

interface AnyBenchmark {
  /** As people write it, in titles and sentences. */
  title: string
  /** Folders by which a checkout is known. Default: it has the layout of `loadTasks`. */
  checkout?: readonly string[]
  /** A case with more input than this is left out unless more is asked for, in MiB. Default 16. */
  largestInputMib?: number
}

/** A benchmark of operators, which the judge of this project judges. */
export interface OperatorBenchmark extends AnyBenchmark {
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

/** A benchmark of whole models, which it judges itself: at several sizes, by its own modules and comparison. */
export interface ModelBenchmark<
  Task extends ModelTask = ModelTask,
  Python extends FoundPython = FoundPython,
  Judged = unknown,
> extends AnyBenchmark {
  checkout: readonly string[]
  /** What must not come back in training data: its tasks, and the examples that its requests show. */
  texts(root: string): Promise<ReferenceText[]>
  /** The part of its tasks that is judged, in words. */
  part: string
  /** The tasks of a checkout that a glob matches, in the order of the tables. */
  tasks(root: string, pattern: string): Promise<Task[]>
  /** Tasks that are judged with them and are none of its own. */
  besides?(pattern: string): Promise<Task[]>
  /** Names of its sizes, the values of `--tiers`, in order. */
  tiers: readonly string[]
  /** Calls with its own inputs at each size. */
  trials: number
  /** Conditions that stand above every table, a sentence each. */
  notes?: readonly string[]
  /** @throws PipelineError `toolchain-missing` when this Python cannot run its modules */
  findPython(command: string): Promise<Python>
  /** Checkout → replies → verdicts. */
  judging(asked: ModelsAsked<Python>): Promise<Pipeline<Judged>>
  verdicts: z.ZodType<Judged>
  tables(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable[]
  /** Calls in which operators are tried while they are written, and by what these are made, for keys. */
  cases: {identity: string; of(task: Task, setting: CasesSetting<Python>): Promise<ModelCases>}
}

/** Texts that must not come back in training data. */
export interface ReferenceText {
  name: string
  /** CamelCase operator type. */
  operator: string
  texts: string[]
}

/** What a model is asked to write, and how its reply is read. */
export interface Mode {
  /** The request, with placeholders `{{name}}`. */
  prompt: string
  /** The same in Chinese: training samples are written in this form, and `serve-judge` reads it. Default: neither. */
  chinese?: string
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

/** A mode in whose form training samples are written, in either language. */
export type TaughtMode = Mode & Required<Pick<Mode, 'chinese'>>

/** An answer that is not whole in a checkout. */
export interface Damage {
  task: string
  path: string
  line: number
  what: string
}
