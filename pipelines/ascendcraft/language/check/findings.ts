import type {Place} from '../ast.ts'
import type {Fault} from '../program-fault.ts'

/** Faults found so far, one for each place and rule. */
export class Findings {
  readonly faults: Fault[] = []

  refuse(at: Place, rule: string, message: string, mend: string): void {
    const {line, column} = at
    const known = this.faults.some((one) => one.line === line && one.column === column && one.rule === rule)
    if (!known) this.faults.push({line, column, rule, message, mend})
  }
}
