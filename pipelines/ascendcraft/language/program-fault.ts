/** Something that a program may not do. */
export interface Fault {
  /** Counted from 1. */
  line: number
  column: number
  /** Kebab-case name of the rule, e.g. `ub-overflow`. */
  rule: string
  /** What stands there against what the rule wants, in one sentence. */
  message: string
  /** What to write instead. */
  mend: string
}
