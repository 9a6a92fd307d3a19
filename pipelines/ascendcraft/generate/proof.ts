import type {CraftTask} from '../../../datasets/schema/crafted.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {CheckedModule} from '../language/checked.ts'

/**
 * How what a model writes is proven. Each answers with what is wrong, in words that the model is given, or with
 * undefined where all is well. An answer may depend on nothing but what is passed.
 */
export interface Proof {
  /** By what: a part of the key of every outcome. */
  identity: string
  /** Runs a program on the interpreter with the task's inputs, and compares with the task's reference. */
  interpret(task: CraftTask, checked: CheckedModule, signal: AbortSignal): Promise<string | undefined>
  /** Compiles an operator; it need not compute anything yet. */
  compile(task: CraftTask, files: readonly SourceFile[], signal: AbortSignal): Promise<string | undefined>
  /** Runs an operator with the task's inputs, and compares with the task's reference. */
  judge(task: CraftTask, files: readonly SourceFile[], signal: AbortSignal): Promise<string | undefined>
}
