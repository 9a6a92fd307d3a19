import type {Expression, KernelStatement} from '../ast.ts'
import type {StageKind} from '../primitives.ts'
import type {ScalarType} from '../checked.ts'
import {type ElementType, isFloat} from '../dtypes.ts'
import {gmAddressOf} from '../gm-address.ts'
import {type PrimitiveName, primitives} from '../primitives.ts'
import type {Findings} from './findings.ts'
import type {Bound} from './launch.ts'
import {counterpartOf} from './check-operands.ts'
import {ScalarWalk} from './scalar-walk.ts'
import {spell} from './spell.ts'
import {namesWithin, type Statement, visitKernel} from './walk.ts'

/** Types of the kernel's scalars and of every scalar expression in it. */
interface KernelScalars {
  scalars: Record<string, ScalarType>
  typeOf: (expression: Expression) => ScalarType | undefined
}

/** Checks names, types and conditions of the kernel's scalars, each assigned before it is used on every way. */
export function checkKernelScalars(
  body: readonly KernelStatement[],
  {bound, buffers, places}: {bound: Bound; buffers: ReadonlyMap<string, ElementType>; places: readonly NamedPlace[]},
  findings: Findings,
): KernelScalars {
  const walk = new KernelWalk(bound, buffers, findings)
  walk.parameters(places)
  walk.body(body, undefined)
  return {scalars: walk.scalars, typeOf: (expression) => walk.types.get(expression)}
}

interface NamedPlace {
  line: number
  column: number
  name: string
}

/** Arguments that are words, whose checks know them. */
const takesWords: ReadonlySet<string> = new Set(['mode', 'round', 'atomic'])

class KernelWalk extends ScalarWalk {
  private readonly bound: Bound
  private readonly buffers: ReadonlyMap<string, ElementType>
  private readonly pointers: ReadonlySet<string>
  private readonly looping: string[] = []
  private stage: StageKind | undefined

  constructor(bound: Bound, buffers: ReadonlyMap<string, ElementType>, findings: Findings) {
    super(findings, {
      side: 'kernel',
      tensorFault: (name) => `${name} has no shape in a kernel`,
      extractType: (call) => this.extractType(call),
    })
    this.bound = bound
    this.buffers = buffers
    this.pointers = new Set(bound.parameters.flatMap((one) => (one.kind === 'gm' ? one.name : [])))
  }

  parameters(places: readonly NamedPlace[]): void {
    for (const place of places) this.names.take(place, 'parameter')
    for (const one of this.bound.parameters) if (one.kind === 'scalar') this.define(one.name, one.type)
  }

  protected override whyNot(name: string): [string, string] {
    if (this.buffers.has(name)) return [`${name} is a buffer, not a number`, 'read an element with tl.extract']
    if (this.pointers.has(name)) return [`${name} points to GM and is no number`, 'load what it points to']
    if (name in this.scalars)
      return [`${name} is not assigned on every way to this line`, `assign ${name} before the \`if\` or loop`]
    return [`there is no ${name}`, 'assign it before, or pass it in the launch']
  }

  private extractType(call: Expression & {kind: 'call'}): ScalarType | undefined {
    const [buffer, index] = call.arguments
    this.int(index!, 'an index')
    if (this.stage !== 'compute') {
      const mend = 'write `value = tl.extract(buffer, i)` inside `with tl.compute():`, and use the value behind it'
      this.findings.refuse(call, 'stage', 'tl.extract stands outside of a compute stage', mend)
    }
    const name = buffer!.kind === 'name' || buffer!.kind === 'slice' ? namesWithin(buffer!)[0]! : ''
    const type = buffer!.kind === 'name' ? this.buffers.get(name) : undefined
    if (!type) {
      const mend = 'write tl.extract(buffer, i) with the name of a buffer'
      this.findings.refuse(call, 'operands', `\`${spell(buffer!)}\` is no buffer`, mend)
      return undefined
    }
    if (type === 'bfloat16') {
      this.findings.refuse(
        call,
        'element-type',
        `${name} holds bfloat16, which no scalar is`,
        'cast it to float32 first',
      )
      return undefined
    }
    return isFloat(type) ? 'float' : 'int'
  }

  body(statements: readonly KernelStatement[], stage: StageKind | undefined): void {
    this.stage = stage
    for (const statement of statements) {
      this.statement(statement, stage)
      this.stage = stage
    }
  }

  private statement(statement: KernelStatement, stage: StageKind | undefined): void {
    switch (statement.kind) {
      case 'assign':
        this.assign(statement)
        return
      case 'alloc':
        this.alloc(statement)
        return
      case 'for':
        this.loop(statement, stage)
        return
      case 'if':
        this.branches(statement.branches, (body) => this.body(body, stage))
        return
      case 'stage':
        this.body(statement.body, statement.stage)
        return
      case 'operation':
        this.operation(statement)
        return
      case 'sync_all':
        return
    }
  }

  private assign(statement: Statement<'assign'>): void {
    const {name, value} = statement
    const now = this.type(value)
    if (this.looping.includes(name)) {
      const mend = 'assign to another name; a loop has the bounds that it starts with'
      this.findings.refuse(statement, 'loop', `${name} steers the loop around this line`, mend)
      return
    }
    this.names.take(statement, 'scalar')
    if (this.names.meaningOf(name) !== 'scalar') return
    if (now) this.keep(statement, now)
    this.define(name, this.scalars[name] ?? now ?? 'int')
  }

  private alloc(statement: Statement<'alloc'>): void {
    this.names.take(statement, 'buffer')
    this.int(statement.size, 'the size of a buffer')
    const known = new Set(this.bound.parameters.flatMap((one) => (one.kind === 'scalar' ? one.name : [])))
    const other = namesWithin(statement.size).find((name) => !known.has(name) && name in this.scalars)
    if (other === undefined) return
    const mend = `compute ${other} in the host and pass it in the launch`
    this.findings.refuse(
      statement,
      'alloc',
      `the size of ${statement.name} depends on the scalar ${other} of the kernel`,
      mend,
    )
  }

  private loop(statement: Statement<'for'>, stage: StageKind | undefined): void {
    const {variable, start, stop, step, body} = statement
    for (const [what, bound] of Object.entries({start, stop, step})) this.int(bound, `the ${what} of the loop`)
    this.names.take({...statement, name: variable}, 'scalar')
    if (this.looping.includes(variable)) {
      this.findings.refuse(
        statement,
        'loop',
        `${variable} is the variable of a loop around this one`,
        'choose another name',
      )
    }
    this.keep({...statement, name: variable}, 'int')
    const before = this.defined
    this.defined = new Set(before)
    this.define(variable, 'int')
    const steering = [variable, ...[start, stop, step].flatMap(namesWithin)]
    this.looping.push(...steering)
    this.body(body, stage)
    this.looping.splice(this.looping.length - steering.length)
    this.defined = new Set([...before].filter((name) => name !== variable))
  }

  private operation({primitive, arguments: given, named}: Statement<'operation'>): void {
    for (const [at, operand] of primitives[primitive].operands.entries()) {
      const argument = given[at]!
      if (operand.kind === 'scalar') this.scalarOperand(primitive, argument)
      else if (operand.kind === 'index') this.int(argument, 'an index')
      else if (operand.kind === 'gm') {
        const offset = gmAddressOf(argument)?.offset
        if (offset) this.int(offset, 'an offset')
      } else if (argument.kind === 'slice') this.int(argument.offset, 'an offset')
    }
    for (const [name, argument] of Object.entries(named)) {
      if (name === 'pad') this.number(argument, name)
      else if (!takesWords.has(name)) this.int(argument, name)
    }
  }

  private number(expression: Expression, what: string): void {
    if (this.type(expression) !== 'bool') return
    const message = `${what} is the bool \`${spell(expression)}\``
    this.findings.refuse(expression, 'scalar-type', message, 'use a number, e.g. `1 if flag else 0`')
  }

  private scalarOperand(primitive: PrimitiveName, argument: Expression): void {
    const other = counterpartOf(primitive)
    if (argument.kind !== 'name' || !this.buffers.has(argument.name) || other === undefined) {
      this.number(argument, `the scalar of tl.${primitive}`)
      return
    }
    const mend = `write tl.${other}, which takes a buffer`
    this.findings.refuse(
      argument,
      'operands',
      `${argument.name} is a buffer, where tl.${primitive} takes a scalar`,
      mend,
    )
  }
}

/** Buffers that the kernel allocates, with their element types. */
export function buffersIn(body: readonly KernelStatement[]): Map<string, ElementType> {
  const found = new Map<string, ElementType>()
  visitKernel(body, (one) => {
    if (one.kind === 'alloc' && one.type.kind === 'type') found.set(one.name, one.type.type)
  })
  return found
}
