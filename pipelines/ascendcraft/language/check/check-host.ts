import type {Expression, HostFunction, HostParameter, HostStatement} from '../ast.ts'
import type {ScalarType} from '../checked.ts'
import type {ElementType} from '../dtypes.ts'
import type {Findings} from './findings.ts'
import {Names} from './check-names.ts'
import {anything, exactly, type Range, rangeOf, unionOf} from './ranges.ts'
import {type Scope, scalarType} from './scalar-types.ts'
import {spell} from './spell.ts'

export type Launch = Extract<HostStatement, {kind: 'launch'}>

interface GmTensor {
  type: ElementType
  of: 'input' | 'output' | 'workspace'
}

/** What the host function says: its scalars, its memory in GM, its launch. */
export interface HostFacts {
  scalars: Record<string, ScalarType>
  tensors: Map<string, GmTensor>
  launch: Launch | undefined
  typeOf: (expression: Expression) => ScalarType | undefined
  range: (expression: Expression) => Range
}

/** Checks the host function: parameters, scalars, workspaces and its one launch. */
export function checkHost(host: HostFunction, findings: Findings): HostFacts {
  const walk = new HostWalk(findings)
  walk.parameters(host.parameters)
  walk.body(host.body, false)
  checkLaunches(host, walk.launches, findings)
  const range = (expression: Expression) => hostRange(expression, walk.values)
  const {scalars, tensors, types} = walk
  return {scalars, tensors, launch: walk.launches[0], typeOf: (expression) => types.get(expression), range}
}

class HostWalk {
  readonly scalars: Record<string, ScalarType> = {}
  readonly tensors = new Map<string, GmTensor>()
  readonly launches: Launch[] = []
  readonly values = new Map<string, Expression[]>()
  readonly types = new Map<Expression, ScalarType>()
  private readonly names: Names
  private readonly findings: Findings
  private readonly scope: Scope
  private defined = new Set<string>()

  constructor(findings: Findings) {
    this.findings = findings
    this.names = new Names(findings)
    this.scope = {
      side: 'host',
      findings,
      nameType: (expression) => this.nameType(expression),
      tensorFault: (name) => (this.isTensor(name) ? undefined : `${name} is no tensor of the parameters`),
      extractType: () => undefined,
    }
  }

  private isTensor(name: string): boolean {
    const found = this.tensors.get(name)
    return found !== undefined && found.of !== 'workspace'
  }

  private nameType(expression: Expression & {kind: 'name'}): ScalarType | undefined {
    const {name} = expression
    if (this.defined.has(name)) return this.scalars[name]
    const isTensor = this.tensors.has(name)
    const later = name in this.scalars ? `${name} is not assigned on every way to this line` : `there is no ${name}`
    const mend = isTensor
      ? 'tensors stand in the launch, and in x.shape[i], x.numel() and x.dim()'
      : 'assign it before, outside of `if`'
    this.findings.refuse(expression, 'name', isTensor ? `${name} is a tensor, not a number` : later, mend)
    return undefined
  }

  parameters(parameters: readonly HostParameter[]): void {
    const order = ['tensor', 'output', 'attribute']
    let reached = 0
    for (const [at, parameter] of parameters.entries()) {
      const {name, kind} = parameter
      this.names.take(parameter, kind === 'attribute' ? 'scalar' : 'tensor')
      if (parameters.findIndex((one) => one.name === name) < at) {
        this.findings.refuse(parameter, 'name-taken', `two parameters are called ${name}`, 'give each its own name')
      }
      if (order.indexOf(kind) < reached) {
        const mend = 'write tensors first, then outputs, then attributes'
        this.findings.refuse(parameter, 'parameters', `${name} stands behind parameters of another kind`, mend)
      }
      reached = Math.max(reached, order.indexOf(kind))
      if (parameter.kind === 'attribute') this.define(name, parameter.type)
      else this.tensor(parameter)
    }
    // Shapes of outputs may be made of attributes, which come after them.
    for (const one of parameters)
      if (one.kind === 'output') for (const axis of one.shape) this.int(axis, 'an axis of an output')
    if (parameters.every((one) => one.kind !== 'output')) {
      const at = parameters[0] ?? {line: 1, column: 1}
      this.findings.refuse(at, 'parameters', 'the host function has no output', 'add `y: tl.output(T, shape=[...])`')
    }
  }

  private tensor(parameter: Extract<HostParameter, {kind: 'tensor' | 'output'}>): void {
    const type = parameter.type.kind === 'type' ? parameter.type.type : 'float32'
    this.tensors.set(parameter.name, {type, of: parameter.kind === 'output' ? 'output' : 'input'})
  }

  private define(name: string, type: ScalarType): void {
    this.scalars[name] = type
    this.defined.add(name)
  }

  private type(expression: Expression): ScalarType | undefined {
    const type = scalarType(expression, this.scope)
    if (type) this.types.set(expression, type)
    return type
  }

  private int(expression: Expression, what: string): void {
    const type = this.type(expression)
    if (type === undefined || type === 'int') return
    const message = `${what} is the ${type} \`${spell(expression)}\``
    this.findings.refuse(expression, 'scalar-type', message, 'use an integer; `//`, tl.cdiv and int(...) give one')
  }

  body(statements: readonly HostStatement[], isInner: boolean): void {
    for (const statement of statements) this.statement(statement, isInner)
  }

  private statement(statement: HostStatement, isInner: boolean): void {
    switch (statement.kind) {
      case 'assign':
        this.assign(statement)
        return
      case 'workspace':
        this.workspace(statement, isInner)
        return
      case 'assert':
        this.condition(statement.condition)
        return
      case 'if':
        this.branches(statement.branches)
        return
      case 'launch':
        this.launches.push(statement)
        if (!isInner) this.arguments(statement)
        return
    }
  }

  private arguments(launch: Launch): void {
    this.int(launch.cores, 'the number of cores')
    for (const argument of launch.arguments) {
      if (!(argument.kind === 'name' && this.tensors.has(argument.name))) this.type(argument)
    }
  }

  private assign(statement: Extract<HostStatement, {kind: 'assign'}>): void {
    const {name, value} = statement
    this.names.take(statement, 'scalar')
    const type = this.type(value)
    this.values.set(name, [...(this.values.get(name) ?? []), value])
    if (!type) {
      this.define(name, this.scalars[name] ?? 'int')
      return
    }
    checkKept(statement, this.scalars[name], type, this.findings)
    this.define(name, this.scalars[name] ?? type)
  }

  private workspace(statement: Extract<HostStatement, {kind: 'workspace'}>, isInner: boolean): void {
    const {name, type, size} = statement
    this.names.take(statement, 'workspace')
    this.int(size, 'the size of a workspace')
    if (isInner) this.findings.refuse(statement, 'workspace', `${name} stands under \`if\``, 'write it outside of `if`')
    this.tensors.set(name, {type: type.kind === 'type' ? type.type : 'float32', of: 'workspace'})
  }

  private condition(condition: Expression): void {
    const type = this.type(condition)
    if (type === undefined || type === 'bool') return
    const mend = 'compare it: write `n != 0`'
    this.findings.refuse(
      condition,
      'scalar-type',
      `the condition \`${spell(condition)}\` is ${type}, not a comparison`,
      mend,
    )
  }

  private branches(branches: readonly {condition: Expression | undefined; body: HostStatement[]}[]): void {
    const before = this.defined
    const ends: Set<string>[] = branches.at(-1)!.condition ? [before] : []
    for (const {condition, body} of branches) {
      this.defined = new Set(before)
      if (condition) this.condition(condition)
      this.body(body, true)
      ends.push(this.defined)
    }
    this.defined = new Set([...ends[0]!].filter((name) => ends.every((end) => end.has(name))))
  }
}

/** A scalar keeps the type of its first assignment. */
export function checkKept(
  at: {line: number; column: number; name: string},
  before: ScalarType | undefined,
  now: ScalarType,
  findings: Findings,
): void {
  if (before === undefined || before === now) return
  const number = before === 'int' ? `start ${at.name} as a float, e.g. 0.0` : 'convert it with float(...)'
  const mend = before === 'bool' || now === 'bool' ? 'choose another name' : number
  findings.refuse(at, 'type-change', `${at.name} is ${before} above and ${now} here`, mend)
}

function hostRange(expression: Expression, values: ReadonlyMap<string, readonly Expression[]>): Range {
  const open = new Set<string>()
  const of = (leaf: Expression): Range => {
    if (leaf.kind === 'shape' || leaf.kind === 'count') return {low: 0, high: Number.POSITIVE_INFINITY}
    if (leaf.kind === 'boolean') return exactly(leaf.value ? 1 : 0)
    const assigned = leaf.kind === 'name' ? values.get(leaf.name) : undefined
    if (leaf.kind !== 'name' || !assigned || open.has(leaf.name)) return anything
    open.add(leaf.name)
    const range = unionOf(assigned.map((value) => rangeOf(value, of)))
    open.delete(leaf.name)
    return range
  }
  return rangeOf(expression, of)
}

function checkLaunches(host: HostFunction, launches: readonly Launch[], findings: Findings): void {
  const last = host.body.at(-1)
  if (launches.length === 0) {
    const mend = 'end it with `kernel[n_cores](arguments)`'
    findings.refuse(last ?? host, 'launch', 'the host function launches nothing', mend)
  }
  for (const extra of launches.slice(1)) {
    findings.refuse(extra, 'launch', 'the kernel is launched a second time', 'launch once: loop inside the kernel')
  }
  const [launch] = launches
  if (launch && !host.body.includes(launch)) {
    findings.refuse(launch, 'launch', 'the launch stands under `if`', 'launch unconditionally, at the end')
  } else if (launch && launches.length === 1 && launch !== last) {
    findings.refuse(launch, 'launch', 'statements follow the launch', 'put the launch at the end')
  }
}
