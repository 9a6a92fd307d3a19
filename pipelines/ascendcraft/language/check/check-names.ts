import type {Place} from '../ast.ts'
import type {Findings} from './findings.ts'

const builtIn = new Set(['tl', 'min', 'max', 'abs', 'float', 'int', 'bool', 'range', 'ascend_kernel'])

/** The meaning of a name in a function: each has only one. */
export class Names {
  private readonly meanings = new Map<string, string>()
  private readonly findings: Findings

  constructor(findings: Findings) {
    this.findings = findings
  }

  /** Takes a name for a meaning, e.g. `buffer`; refuses one that has another meaning already. */
  take(at: Place & {name: string}, meaning: string): void {
    const {name} = at
    const before = builtIn.has(name) ? 'word of the language' : this.meanings.get(name)
    if (before !== undefined && !(before === meaning && meaning === 'scalar')) {
      const message = `${name} is a ${before}, and cannot be ${before === meaning ? `one again` : `a ${meaning} too`}`
      this.findings.refuse(at, 'name-taken', message, 'choose another name')
      return
    }
    if (/^__|[^\w]/.test(name)) {
      this.findings.refuse(at, 'name-taken', `${name} is no name of C++`, 'use letters, digits and single underscores')
    }
    this.meanings.set(name, meaning)
  }

  meaningOf(name: string): string | undefined {
    return this.meanings.get(name)
  }
}
