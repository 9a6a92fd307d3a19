/** Something that a program may not do. */
export interface Fault {
  /** Counted from 1. */
  line: number
  column: number
  /** Kebab-case name of the rule, e.g. `ub-overflow`. */
  rule: string
  /** What was found against what the rule requires, in one sentence. */
  message: string
  /** What to write instead. */
  mend: string
}
