import type {Expression, HostFunction, HostParameter, HostStatement} from '../ast.ts'
import type {ScalarType} from '../checked.ts'
import type {ElementType} from '../dtypes.ts'
import type {Findings} from './findings.ts'
import {anything, exactly, type Range, rangeOf, unionOf} from './ranges.ts'
import {ScalarWalk} from './scalar-walk.ts'

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

class HostWalk extends ScalarWalk {
  readonly tensors = new Map<string, GmTensor>()
  readonly launches: Launch[] = []
  readonly values = new Map<string, Expression[]>()

  constructor(findings: Findings) {
    super(findings, {
      side: 'host',
      tensorFault: (name) => (this.isTensor(name) ? undefined : `${name} is no tensor of the parameters`),
      extractType: () => undefined,
    })
  }

  private isTensor(name: string): boolean {
    const found = this.tensors.get(name)
    return found !== undefined && found.of !== 'workspace'
  }

  protected override whyNot(name: string): [string, string] {
    if (this.tensors.has(name))
      return [
        `${name} is a tensor, not a number`,
        'tensors stand in the launch, and in x.shape[i], x.numel() and x.dim()',
      ]
    const isLater = name in this.scalars
    return [
      isLater ? `${name} is not assigned on every way to this line` : `there is no ${name}`,
      'assign it before, outside of `if`',
    ]
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
        this.branches(statement.branches, (body) => this.body(body, true))
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
    this.keep(statement, type)
    this.define(name, this.scalars[name] ?? type)
  }

  private workspace(statement: Extract<HostStatement, {kind: 'workspace'}>, isInner: boolean): void {
    const {name, type, size} = statement
    this.names.take(statement, 'workspace')
    this.int(size, 'the size of a workspace')
    if (isInner) this.findings.refuse(statement, 'workspace', `${name} stands under \`if\``, 'write it outside of `if`')
    this.tensors.set(name, {type: type.kind === 'type' ? type.type : 'float32', of: 'workspace'})
  }
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
