import type {World} from '../commands/world.ts'
import type {Options, Values} from './option.ts'

/** `<name>` is required, `[name]` is optional, `<name...>` is one or more. */
type Operand<A> = A extends `<${string}...>` ? string[] : A extends `[${string}]` ? string | undefined : string
type Operands<A extends readonly string[]> = {-readonly [I in keyof A]: Operand<A[I]>}

interface Said {
  /** `train status` is a command of `train`. */
  name: string
  help: string
  /** Two command lines without the leading `ascend-cot`; shown at the end of its help and in the reference. */
  examples: readonly [string, string]
  /** What its operands are, if their names do not say. */
  about?: Readonly<Record<string, string>>
  /** Shown below the options in its help. */
  more?: string
  /** Whether it finishes by itself after Ctrl-C. */
  inOrder?: true
}

/** A command: the one place that defines it. */
interface Command<A extends readonly string[], O extends Options> extends Said {
  operands?: A
  options: O
  /** A fault in the combination of arguments that are each valid. */
  fault?(operands: Operands<A>, options: Values<O>): string | undefined
  /** Loads only what it needs: a command that only reads starts at once. Returns the exit code. */
  run(operands: Operands<A>, options: Values<O>, world: World): Promise<number>
}

/** A command with its types erased. */
export interface Declared extends Said {
  operands: readonly string[]
  options: Options
  fault(operands: readonly unknown[], options: object): string | undefined
  run(operands: readonly unknown[], options: object, world: World): Promise<number>
}

/** The parser of the command line guarantees the types of the operands and options that `run` receives. */
export function declared<const A extends readonly string[] = readonly [], O extends Options = Options>(
  command: Command<A, O>,
): Declared {
  const {operands = [], fault, run} = command
  return {
    ...command,
    operands,
    fault: (given, options) => fault?.(given as Operands<A>, options as Values<O>),
    run: (given, options, world) => run(given as Operands<A>, options as Values<O>, world),
  }
}
