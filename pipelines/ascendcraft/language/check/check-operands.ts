import {interfaces} from '../../../../cpp/interfaces.ts'
import type {Expression, KernelStatement} from '../ast.ts'
import type {KernelParameter, ScalarType} from '../checked.ts'
import {castRoundings, castRoute} from '../../../../cpp/interfaces/casts.ts'
import {type ElementType, isFloat} from '../dtypes.ts'
import {gmAddressOf} from '../gm-address.ts'
import {type OperandKind, type Primitive, type PrimitiveName, primitiveOf, primitives} from '../primitives.ts'
import type {Findings} from './findings.ts'
import {spell} from './spell.ts'
import {type Statement, visitKernel} from './walk.ts'

interface OperandFacts {
  buffers: ReadonlyMap<string, ElementType>
  parameters: readonly KernelParameter[]
  typeOf: (expression: Expression) => ScalarType | undefined
  findings: Findings
}

type Operation = Statement<'operation'>
interface Operand {
  name: string
  kind: OperandKind
  argument: Expression
  /** Element type of its buffer, or of the memory that it points to. */
  type: ElementType | undefined
}

/** Checks kinds and element types of operands, and the words that `mode`, `round` and `atomic` take. */
export function checkOperands(body: readonly KernelStatement[], facts: OperandFacts): void {
  visitKernel(body, (statement) => {
    if (statement.kind !== 'operation') return
    const operands = primitiveOf(statement.primitive).operands.map((one, at) =>
      resolve(one, statement.arguments[at]!, statement, facts),
    )
    checkWords(statement, facts)
    if (operands.some((one) => one.type === undefined && one.kind !== 'scalar' && one.kind !== 'index')) return
    if (statement.primitive === 'load' || statement.primitive === 'store') checkCopy(statement, operands, facts)
    else if (statement.primitive === 'cast') checkCast(statement, operands, facts)
    else checkTypes(statement, operands, facts)
    checkOverlap(statement, operands, facts)
  })
}

function resolve(
  {name, kind}: Primitive['operands'][number],
  argument: Expression,
  operation: Operation,
  facts: OperandFacts,
): Operand {
  if (kind === 'scalar' || kind === 'index') return {name, kind, argument, type: undefined}
  const type = kind === 'gm' ? pointerType(argument, operation, facts) : bufferType(argument, operation, facts)
  return {name, kind, argument, type}
}

function pointerType(argument: Expression, {primitive}: Operation, facts: OperandFacts): ElementType | undefined {
  const address = gmAddressOf(argument)
  const parameter = facts.parameters.find((one) => one.name === address?.pointer)
  if (parameter?.kind === 'gm') {
    if (primitive === 'store' && parameter.of === 'input') {
      const mend = 'store to an output, or to a workspace of the host'
      facts.findings.refuse(argument, 'store-to-input', `${parameter.name} is the input ${parameter.argument}`, mend)
    }
    return parameter.type
  }
  const order =
    primitive === 'load'
      ? 'tl.load(pointer + offset, buffer, count=...)'
      : 'tl.store(pointer + offset, buffer, count=...)'
  facts.findings.refuse(argument, 'operands', `\`${spell(argument)}\` points to no tensor in GM`, `write ${order}`)
  return undefined
}

/** The operation that takes a buffer where this takes a scalar, or the other way round: one is the other with an s. */
export function counterpartOf(primitive: PrimitiveName): string | undefined {
  return [`${primitive}s`, primitive.replace(/s$/, '')].find((one) => one !== primitive && one in primitives)
}

function bufferType(argument: Expression, {primitive}: Operation, facts: OperandFacts): ElementType | undefined {
  const name = argument.kind === 'name' ? argument.name : undefined
  const buffer = argument.kind === 'slice' ? argument.buffer : name
  const type = buffer === undefined ? undefined : facts.buffers.get(buffer)
  if (type) return type
  const isPointer = facts.parameters.some((one) => one.kind === 'gm' && one.name === gmAddressOf(argument)?.pointer)
  const isNumber =
    argument.kind === 'number' || facts.parameters.some((one) => one.kind === 'scalar' && one.name === name)
  const other = isNumber ? counterpartOf(primitive) : undefined
  let mend = 'allocate a buffer with tl.alloc_ub at the top of the kernel'
  if (other !== undefined) mend = `write tl.${other}, which takes a scalar`
  else if (isPointer)
    mend =
      primitive === 'load'
        ? 'the source comes first: tl.load(pointer, buffer, count=...)'
        : 'load it into a buffer first'
  facts.findings.refuse(argument, 'operands', `\`${spell(argument)}\` is no buffer`, mend)
  return undefined
}

const words = {
  mode: ['lt', 'le', 'gt', 'ge', 'eq', 'ne'],
  atomic: ['add'],
} as const

function checkWords({named}: Operation, {findings}: OperandFacts): void {
  for (const [name, allowed] of Object.entries(words)) {
    const value = named[name]
    if (!value || (value.kind === 'text' && (allowed as readonly string[]).includes(value.value))) continue
    const mend = `write ${name}= one of ${allowed.map((word) => `"${word}"`).join(', ')}`
    findings.refuse(value, 'arguments', `${name} is \`${spell(value)}\``, mend)
  }
}

/** A bool of GM is a byte in UB. */
const inUb = (type: ElementType) => (type === 'bool' ? 'uint8' : type)
const addable: readonly string[] = interfaces.get('SetAtomicAdd')!.types

function checkCopy({primitive, named}: Operation, operands: readonly Operand[], {findings}: OperandFacts): void {
  const gm = operands.find((one) => one.kind === 'gm')!
  const buffer = operands.find((one) => one.kind !== 'gm')!
  if (inUb(gm.type!) !== buffer.type) {
    const mend = `allocate the buffer as tl.${inUb(gm.type!)}, and tl.cast it`
    findings.refuse(
      buffer.argument,
      'element-type',
      `tl.${primitive} moves ${gm.type} of GM and ${buffer.type} of UB`,
      mend,
    )
  }
  if (named['atomic'] && !addable.includes(gm.type!)) {
    findings.refuse(
      named['atomic'],
      'element-type',
      `${gm.type} cannot be added to in GM`,
      `use one of ${addable.join(', ')}`,
    )
  }
}

function checkCast(operation: Operation, [dst, src]: readonly Operand[], {findings}: OperandFacts): void {
  const [from, to] = [src!.type!, dst!.type!]
  const allowed = castRoundings(from, to)
  if (!allowed) {
    const route = castRoute(from, to)
    const mend = route ? `cast by way of ${route.slice(1, -1).join(' and ')}` : 'compute in another type'
    findings.refuse(operation, 'cast', `there is no cast from ${from} to ${to}`, mend)
    return
  }
  const round = operation.named['round']
  if (!round || (round.kind === 'text' && (allowed as readonly string[]).includes(round.value))) return
  const mend = `write round= one of ${allowed.map((word) => `"${word}"`).join(', ')}, or leave it out`
  findings.refuse(round, 'cast', `a cast from ${from} to ${to} does not take \`${spell(round)}\``, mend)
}

function checkTypes(operation: Operation, operands: readonly Operand[], {findings, typeOf}: OperandFacts): void {
  const {primitive} = operation
  const {operands: declared, types} = primitiveOf(primitive)
  const shared = operands.find((one, at) => one.type && !declared[at]!.types)?.type
  if (shared && !types.includes(shared)) {
    const mend = `it takes ${types.join(', ')}; tl.cast before`
    findings.refuse(operation, 'element-type', `tl.${primitive} takes no ${shared}`, mend)
    return
  }
  for (const [at, {argument, name, type, kind}] of operands.entries()) {
    const wanted = declared[at]!.types ?? (shared ? [shared] : types)
    if (type && !wanted.includes(type)) {
      const message = `${name} of tl.${primitive} is ${type}, not ${wanted.join(' or ')}`
      findings.refuse(argument, 'element-type', message, `use a buffer of ${wanted.join(' or ')}; tl.cast before`)
    } else if (kind === 'scalar' && shared && !isFloat(shared) && typeOf(argument) === 'float') {
      const mend = `use an integer, or cast the buffer to float32`
      findings.refuse(argument, 'element-type', `\`${spell(argument)}\` is a float and the buffer ${shared}`, mend)
    }
  }
}

const isBuffer = ({kind}: Operand) => kind !== 'gm' && kind !== 'scalar' && kind !== 'index'

/** Functions of the library destroy sources that they share memory with; `tmp` never is another operand. */
function checkOverlap({primitive}: Operation, operands: readonly Operand[], {findings}: OperandFacts): void {
  const name = ({argument}: Operand) => (argument.kind === 'slice' ? argument.buffer : spell(argument))
  const buffers = operands.filter(isBuffer)
  const [dst, ...others] = buffers
  for (const other of others) {
    const rest = buffers.filter((one) => one !== other && name(one) === name(other))
    if (other.kind === 'tmp' && rest.length > 0) {
      const mend = 'allocate a buffer for tmp alone'
      findings.refuse(
        other.argument,
        'overlap',
        `tmp of tl.${primitive} is ${name(other)}, which is another operand`,
        mend,
      )
    } else if (primitiveOf(primitive).apart && name(other) === name(dst!)) {
      const mend = 'write to another buffer'
      findings.refuse(dst!.argument, 'overlap', `dst of tl.${primitive} is its source ${name(other)}`, mend)
    }
  }
}

interface BufferOperand {
  name: string
  kind: OperandKind
  argument: Expression
}

/** Buffers that an operation names, with what it does with each. */
export function bufferOperands(operation: Operation): BufferOperand[] {
  return primitiveOf(operation.primitive).operands.flatMap(({kind}, at): BufferOperand[] => {
    const argument = operation.arguments[at]!
    if (kind === 'gm' || kind === 'scalar' || kind === 'index') return []
    if (argument.kind === 'name') return [{name: argument.name, kind, argument}]
    return argument.kind === 'slice' ? [{name: argument.buffer, kind, argument}] : []
  })
}
