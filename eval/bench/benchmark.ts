import type {z} from 'zod'
import type {Extracted} from '../../datasets/operator-reply.ts'
import type {RequestedTask} from '../../datasets/operator-request.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {ChatReply} from '../../engine/llm/model.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {Adaptations} from '../reference/call.ts'
import type {ScoreTable, TaskType} from '../scores/table.ts'
import type {LoadTasks} from '../tasks/operator-tasks.ts'
import type {CasesSetting, FoundPython, LoneModule, ModelCases, ModelsAsked, ModelTask} from './whole-model.ts'

/**
 * Everything specific to a benchmark. `eval/bench/<name>/benchmark.ts` default-exports one, and its folder's name is
 * its name in `ascend-cot eval` and run directories.
 */
export type Benchmark = OperatorBenchmark | ModelBenchmark

interface AnyBenchmark {
  /** As people write it, in titles and sentences. */
  title: string
  /** Folders that identify a checkout. Default: it has the layout of `loadTasks`. */
  checkout?: readonly string[]
  /** A case with more input than this, in MiB, is skipped unless requested. Default 16. */
  largestInputMib?: number
}

/** A benchmark of operators, judged by this project's judge. */
export interface OperatorBenchmark extends AnyBenchmark {
  /** Reads the tasks of a checkout, their own answers among them, in the order of the score tables. */
  load: LoadTasks
  /** What a model may be asked to write, by the value of `--mode`; the first is the default. */
  modes: Readonly<Record<string, Mode>>
  /** Kinds of tasks in the first score table, each with its levels. Default: every level is its own kind. */
  taskTypes?: readonly TaskType[]
  /** Operators whose bindings pass other arguments than their definitions declare. */
  adaptations?: Adaptations
  /** A JSON list of `KnownFault`: explains verdicts on the benchmark's own answers without changing them. */
  knownFaults?: URL
  /** Finds answers that are damaged in a checkout. */
  damagedAnswers?(tasks: readonly OperatorTask[]): Damage[]
  /** The sentence that ends a note on a damaged answer, e.g. where an intact one is. */
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
  /** The judged part of its tasks, in words. */
  part: string
  /** The tasks of a checkout that a glob matches, in the order of the tables. */
  tasks(root: string, pattern: string): Promise<Task[]>
  /** External tasks that are judged with them. */
  besides?(pattern: string): Promise<Task[]>
  /** What a model may be asked to write, by the value of `--mode`; the first is the default. Default: none is asked. */
  requests?: readonly string[]
  /** Names of its sizes, the values of `--tiers`, in order. */
  tiers: readonly string[]
  /** Calls per size with the benchmark's own inputs. */
  trials: number
  /** Conditions printed above every table, one sentence each. */
  notes?: readonly string[]
  /** @throws PipelineError `toolchain-missing` when this Python cannot run its modules */
  findPython(command: string): Promise<Python>
  /** Checkout → replies → verdicts. */
  judging(asked: ModelsAsked<Python>): Promise<Pipeline<Judged>>
  verdicts: z.ZodType<Judged>
  tables(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable[]
  /** Calls for testing operators while they are written, and what makes them, for keys. */
  cases: {
    identity: string
    of(task: Task, setting: CasesSetting<Python>): Promise<ModelCases>
    /** Opens a module in the benchmark's form that is not one of its tasks. Default: there is no such form. */
    alone?(path: string, setting: CasesSetting<Python>): Promise<LoneModule>
  }
}

/** Texts that must not come back in training data. */
export interface ReferenceText {
  name: string
  /** CamelCase operator type. */
  operator: string
  texts: string[]
}

/** What a model is asked to write, and how its reply is parsed. */
export interface Mode {
  /** The request, with placeholders `{{name}}`. */
  prompt: string
  /** The same in Chinese: used for training samples and read by `serve-judge`. Default: neither. */
  chinese?: string
  /** A task's values for them. */
  values(task: RequestedTask): Record<string, string>
  /** The files that a reply must contain. A reply without any is a failed attempt, attributed to the last of them. */
  paths(task: OperatorTask): string[]
  /** Parses a reply as the benchmark itself does, so that scores are comparable. */
  read(reply: Pick<ChatReply, 'reasoning' | 'text'>, paths: readonly string[]): Extracted
  /** Whether candidates only have to support the cases that they are shown. Default false. */
  servesCasesOnly?: boolean
  /** Conditions printed above every table of this mode, one sentence each. */
  notes?: readonly string[]
}

/** A mode in whose form training samples are written, in either language. */
export type TaughtMode = Mode & Required<Pick<Mode, 'chinese'>>

/** An answer that is damaged in a checkout. */
export interface Damage {
  task: string
  path: string
  line: number
  what: string
}
