import type {Expression, Place} from '../ast.ts'
import type {ScalarType} from '../checked.ts'
import {Names} from './check-names.ts'
import type {Findings} from './findings.ts'
import {type Scope, scalarType} from './scalar-types.ts'
import {spell} from './spell.ts'

/** The scalars of a function, each assigned before it is used on every way; the host and the kernel extend it. */
export abstract class ScalarWalk {
  readonly scalars: Record<string, ScalarType> = {}
  readonly types = new Map<Expression, ScalarType>()
  protected readonly names: Names
  protected readonly findings: Findings
  protected defined = new Set<string>()
  private readonly scope: Scope

  constructor(findings: Findings, scope: Pick<Scope, 'side' | 'tensorFault' | 'extractType'>) {
    this.findings = findings
    this.names = new Names(findings)
    this.scope = {...scope, findings, nameType: (expression) => this.nameType(expression)}
  }

  /** What is wrong with a name that has no value here, and what helps. */
  protected abstract whyNot(name: string): [message: string, mend: string]

  private nameType(expression: Expression & {kind: 'name'}): ScalarType | undefined {
    const {name} = expression
    if (this.defined.has(name)) return this.scalars[name]
    this.findings.refuse(expression, 'name', ...this.whyNot(name))
    return undefined
  }

  protected define(name: string, type: ScalarType): void {
    this.scalars[name] = type
    this.defined.add(name)
  }

  protected type(expression: Expression): ScalarType | undefined {
    const type = scalarType(expression, this.scope)
    if (type) this.types.set(expression, type)
    return type
  }

  protected int(expression: Expression, what: string): void {
    const type = this.type(expression)
    if (type === undefined || type === 'int') return
    const message = `${what} is the ${type} \`${spell(expression)}\``
    this.findings.refuse(expression, 'scalar-type', message, 'use an integer; `//`, tl.cdiv and int(...) give one')
  }

  protected condition(condition: Expression): void {
    const type = this.type(condition)
    if (type === undefined || type === 'bool') return
    const message = `the condition \`${spell(condition)}\` is ${type}, not a comparison`
    this.findings.refuse(condition, 'scalar-type', message, 'compare it: write `n != 0`')
  }

  /** A scalar keeps the type of its first assignment. */
  protected keep(at: Place & {name: string}, now: ScalarType): void {
    const before = this.scalars[at.name]
    if (before === undefined || before === now) return
    const number = before === 'int' ? `start ${at.name} as a float, e.g. 0.0` : 'convert it with float(...)'
    const mend = before === 'bool' || now === 'bool' ? 'choose another name' : number
    this.findings.refuse(at, 'type-change', `${at.name} is ${before} above and ${now} here`, mend)
  }

  /** After an `if` that is defined which each of its branches defines. */
  protected branches<Body>(
    branches: readonly {condition: Expression | undefined; body: Body}[],
    inside: (body: Body) => void,
  ): void {
    const before = this.defined
    const ends: Set<string>[] = branches.at(-1)!.condition ? [before] : []
    for (const {condition, body} of branches) {
      this.defined = new Set(before)
      if (condition) this.condition(condition)
      inside(body)
      ends.push(this.defined)
    }
    this.defined = new Set([...ends[0]!].filter((name) => ends.every((end) => end.has(name))))
  }
}
