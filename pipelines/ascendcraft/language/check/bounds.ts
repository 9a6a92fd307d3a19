import type {Expression, KernelStatement} from '../ast.ts'
import type {Buffer} from '../checked.ts'
import {blockBytes, type ElementType, elementBytes, roundUp} from '../dtypes.ts'
import {type Primitive, primitiveOf} from '../primitives.ts'
import type {Findings} from './findings.ts'
import {constantOf, exactly, type Range} from './ranges.ts'
import {spell} from './spell.ts'
import {expressionsOf, type Statement, visitKernel, within} from './walk.ts'

interface BoundFacts {
  buffers: readonly Buffer[]
  range: (expression: Expression) => Range
  findings: Findings
}

type Operation = Statement<'operation'>

/** A repeat of the vector unit, in bytes: comparisons work on whole ones. */
const repeatBytes = 256
const mostRows = 4095
const reducedElements = 8

/** Checks counts, offsets and sizes, as far as they can be seen: what is refused here is wrong for every input. */
export function checkBounds(body: readonly KernelStatement[], facts: BoundFacts): void {
  visitKernel(body, (statement) => {
    if (statement.kind === 'for') checkStep(statement, facts)
    if (statement.kind === 'operation') checkOperation(statement, facts)
    for (const part of expressionsOf(statement).flatMap((one) => [...within(one)])) {
      if (part.kind === 'call' && part.callee === 'extract') checkIndex(part.arguments[0]!, part.arguments[1]!, facts)
    }
  })
}

function checkStep({step}: Statement<'for'>, {range, findings}: BoundFacts): void {
  if (range(step).high >= 1) return
  findings.refuse(
    step,
    'loop',
    `the step \`${spell(step)}\` is not above 0`,
    'count upwards, and compute the index from the end',
  )
}

function checkOperation(operation: Operation, facts: BoundFacts): void {
  const {named, primitive} = operation
  const {range, findings} = facts
  if (primitive === 'set') {
    checkIndex(operation.arguments[0]!, operation.arguments[1]!, facts)
    return
  }
  const count = named['count']!
  const counted = range(count)
  if (counted.high < 1) {
    const mend = 'give at least 1, and leave the operation out where nothing is left'
    findings.refuse(count, 'count', `\`${spell(count)}\` is never above 0`, mend)
    return
  }
  if (named['rows'] || named['stride'] || named['pitch']) checkRows(operation, facts)
  for (const [at, operand] of primitiveOf(primitive).operands.entries()) {
    const argument = operation.arguments[at]!
    const found = bufferOf(argument, facts)
    if (operand.kind === 'gm' || operand.kind === 'scalar' || !found) continue
    checkOffset(argument, found, facts)
    const need = needOf(operation, operand.kind, facts, found.buffer)
    if (need) checkRoom(argument, found, {operand, need, primitive}, facts)
  }
}

interface Found {
  buffer: Buffer
  offset: Range
}

function bufferOf(argument: Expression, {buffers, range}: BoundFacts): Found | undefined {
  const slice = argument.kind === 'slice' ? argument : undefined
  const name = argument.kind === 'name' ? argument.name : slice?.buffer
  const buffer = buffers.find((one) => one.name === name)
  return buffer && {buffer, offset: slice ? range(slice.offset) : exactly(0)}
}

function checkOffset(argument: Expression, {buffer, offset}: Found, {findings}: BoundFacts): void {
  if (offset.high < 0)
    findings.refuse(argument, 'bounds', `\`${spell(argument)}\` starts before the buffer`, 'start at 0 or above')
  const constant = constantOf(offset)
  const unit = blockBytes / elementBytes[buffer.type]
  if (constant === undefined || constant % unit === 0) return
  const mend = `start at a multiple of ${unit} elements, or tl.copy the part to a buffer of its own`
  findings.refuse(argument, 'alignment', `\`${spell(argument)}\` does not start at a multiple of 32 bytes`, mend)
}

/** Elements that an operand takes at least, with the rule's wording. */
interface Need {
  elements: number
  because: string
}

function needOf(operation: Operation, kind: string, facts: BoundFacts, buffer: Buffer): Need | undefined {
  const {primitive, named} = operation
  const {scratch} = primitiveOf(primitive)
  const count = Math.max(1, finite(facts.range(named['count']!).low))
  const plain = {elements: count, because: `count is ${count}`}
  if (primitive === 'load' || primitive === 'store') return rowsNeed(operation, count, buffer.type, facts)
  if (primitive.startsWith('reduce_'))
    return kind === 'out' ? {elements: reducedElements, because: 'a result takes 8'} : plain
  if (kind === 'tmp' && scratch) return scratchNeed(scratch, operation, facts)
  if (!/^(?:compare|select)s?$/.test(primitive))
    return primitive === 'gather' && buffer.name === nameOf(operation, 1) ? undefined : plain
  const type = dataType(operation, facts)
  const padded = roundUp(count, repeatBytes / elementBytes[type])
  const because = `count ${count} is rounded up to ${padded}, whole repeats of 256 bytes`
  if (kind === 'mask-in' || kind === 'mask-out') return {elements: padded / 8, because: `${because}, a bit each`}
  return {elements: padded, because}
}

function nameOf({arguments: given}: Operation, at: number): string | undefined {
  const argument = given[at]!
  if (argument.kind === 'slice') return argument.buffer
  return argument.kind === 'name' ? argument.name : undefined
}

/** The type of what is compared or selected. */
function dataType(operation: Operation, {buffers}: BoundFacts): ElementType {
  const declared = primitiveOf(operation.primitive).operands
  const at = declared.findIndex(({kind}) => kind === 'in')
  return buffers.find(({name}) => name === nameOf(operation, at))?.type ?? 'float32'
}

function scratchNeed(factors: NonNullable<Primitive['scratch']>, operation: Operation, facts: BoundFacts): Need {
  const type = dataType(operation, facts)
  const factor = factors[type] ?? 1
  return {elements: factor * repeatBytes, because: `it takes ${factor} x 256 bytes for ${type}`}
}

function rowsNeed({named}: Operation, count: number, type: ElementType, {range}: BoundFacts): Need {
  const rows = named['rows'] ? Math.max(1, finite(range(named['rows']).low)) : 1
  const unit = blockBytes / elementBytes[type]
  const pitch = named['pitch'] ? Math.max(0, finite(range(named['pitch']).low)) : roundUp(count, unit)
  const elements = (rows - 1) * pitch + count
  return {
    elements,
    because: rows === 1 ? `count is ${count}` : `${rows} rows of ${count}, ${pitch} apart, take ${elements}`,
  }
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}

interface Taken {
  operand: {name: string}
  need: Need
  primitive: string
}

function checkRoom(
  argument: Expression,
  found: Found,
  {operand, need, primitive}: Taken,
  {range, findings}: BoundFacts,
): void {
  const {buffer, offset} = found
  const end = Math.max(0, finite(offset.low)) + need.elements
  const size = range(buffer.size).high
  if (end <= size) return
  const from = offset.low > 0 ? ` from ${offset.low} on` : ''
  const message =
    `${operand.name} of tl.${primitive} takes ${need.elements} elements${from} (${need.because}); ` +
    `${buffer.name} has ${size}`
  findings.refuse(argument, 'bounds', message, `allocate ${buffer.name} with ${end} elements, or handle fewer`)
}

function checkRows({named, arguments: given, primitive}: Operation, facts: BoundFacts): void {
  const {range, findings} = facts
  const {rows, stride, pitch} = named
  const count = range(named['count']!)
  const buffer = bufferOf(given[primitive === 'load' ? 1 : 0]!, facts) ?? bufferOf(given[1]!, facts)
  const bytes = buffer ? elementBytes[buffer.buffer.type] : 4
  if (rows && (range(rows).high < 1 || range(rows).low > mostRows)) {
    findings.refuse(
      rows,
      'rows',
      `\`${spell(rows)}\` rows are not between 1 and ${mostRows}`,
      'move the rows in several steps',
    )
  }
  if (stride && range(stride).high < count.low) {
    const mend = 'rows may not overlap in GM: move them one by one in a loop'
    findings.refuse(stride, 'rows', `the stride \`${spell(stride)}\` is below the count`, mend)
  }
  if (!pitch) return
  if (range(pitch).high < count.low) {
    findings.refuse(pitch, 'rows', `the pitch \`${spell(pitch)}\` is below the count`, 'rows may not overlap in UB')
  }
  const constant = constantOf(range(pitch))
  if (constant !== undefined && (constant * bytes) % blockBytes !== 0) {
    const mend = `use a multiple of ${blockBytes / bytes}, e.g. tl.align(count, ${blockBytes / bytes})`
    findings.refuse(pitch, 'alignment', `the pitch \`${spell(pitch)}\` is no multiple of 32 bytes`, mend)
  }
}

function checkIndex(argument: Expression, index: Expression, facts: BoundFacts): void {
  const found = bufferOf(argument, facts)
  const {low, high} = facts.range(index)
  if (!found) return
  const size = facts.range(found.buffer.size).high
  if (low < size && high >= 0) return
  const message = `\`${spell(index)}\` is no element of ${found.buffer.name}, which has ${size}`
  facts.findings.refuse(index, 'bounds', message, 'use an index from 0 to the size less 1')
}
