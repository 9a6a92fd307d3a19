import type {World} from '../commands/world.ts'
import type {Options, Values} from './option.ts'

/** `<name>` has to be given, `[name]` may be, `<name...>` is one or more. */
type Operand<A> = A extends `<${string}...>` ? string[] : A extends `[${string}]` ? string | undefined : string
type Operands<A extends readonly string[]> = {-readonly [I in keyof A]: Operand<A[I]>}

interface Said {
  /** `train status` is a command of `train`. */
  name: string
  help: string
  /** Two command lines without `ascend-cot` before them; they end its help, and stand in the reference. */
  examples: readonly [string, string]
  /** What its operands are, where their names do not say it. */
  about?: Readonly<Record<string, string>>
  /** Stands below the options in its help. */
  more?: string
  /** Whether a Ctrl-C lets it come to an end of its own. */
  inOrder?: true
}

/** A command: all that is known of it stands here, once. */
interface Command<A extends readonly string[], O extends Options> extends Said {
  operands?: A
  options: O
  /** What is wrong with what was given, where no part of it alone is. */
  fault?(operands: Operands<A>, options: Values<O>): string | undefined
  /** Loads what it needs and no more: a command that only reads starts at once. Returns the exit code. */
  run(operands: Operands<A>, options: Values<O>, world: World): Promise<number>
}

/** A command whose types are no longer told. */
export interface Declared extends Said {
  operands: readonly string[]
  options: Options
  fault(operands: readonly unknown[], options: object): string | undefined
  run(operands: readonly unknown[], options: object, world: World): Promise<number>
}

/** What `run` is handed has the types of the operands and options: whoever reads the command line keeps to them. */
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
