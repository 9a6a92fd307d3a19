import type {Place} from '../language/ast.ts'
import type {Fault} from '../language/program-fault.ts'

/** A program did what it may not do. Caught where the interpreter is entered; nothing else throws it. */
export class Trouble extends Error {
  readonly fault: Fault

  constructor({line, column}: Place, rule: string, message: string, mend: string) {
    super(message)
    this.fault = {line, column, rule, message, mend}
  }
}
