import type {Expression, HostStatement, KernelStatement} from '../language/ast.ts'
import type {Buffer} from '../language/checked.ts'
import {expressionsOf, extractedIn, within} from '../language/check/walk.ts'
import {primitives, type OperandKind} from '../language/primitives.ts'
import type {Step} from './places.ts'

export type Operation = KernelStatement & {kind: 'operation'}
export type Stage = KernelStatement & {kind: 'stage'}

/** Names that an expression reads: scalars, and buffers and pointers where it has any. */
export function namesIn(expressions: readonly Expression[]): string[] {
  return expressions.flatMap(within).flatMap((one) => {
    if (one.kind === 'name') return [one.name]
    return one.kind === 'slice' ? [one.buffer] : []
  })
}

/** The buffer, pointer or scalar that an operand names. */
export function namedBy(operand: Expression): string | undefined {
  if (operand.kind === 'slice') return operand.buffer
  return operand.kind === 'name' ? operand.name : undefined
}

type Statement = KernelStatement | HostStatement

export function bodiesOf<S extends Statement>(statement: S): S[][] {
  if (statement.kind === 'if') return statement.branches.map(({body}) => body as S[])
  return statement.kind === 'for' || statement.kind === 'stage' ? [statement.body as unknown as S[]] : []
}

/** A statement and all within it, in the order of the text. */
export function flat<S extends Statement>(body: readonly S[]): S[] {
  return body.flatMap((statement) => [statement, ...bodiesOf(statement).flatMap((one) => flat(one))])
}

/**
 * Statements as the placing of declarations sees them; `opaque` ones are read as a whole, without bodies of their own.
 */
export function stepsOf<S extends Statement>(body: readonly S[], opaque: (statement: S) => boolean): Step<S>[] {
  return body.map((statement) => {
    const closed = opaque(statement)
    const inner = closed ? flat(bodiesOf(statement).flat()) : []
    const names = namesIn([statement, ...inner].flatMap(expressionsOf))
    const loops = inner.flatMap((one) => (one.kind === 'for' ? [one.variable] : []))
    return {
      statement,
      assigns: statement.kind === 'assign' ? statement.name : undefined,
      names: new Set(names.filter((name) => !loops.includes(name))),
      bodies: closed ? [] : bodiesOf(statement).map((one) => stepsOf(one, opaque)),
    }
  })
}

interface BufferUse {
  buffer: string
  kind: OperandKind
}

/** Input buffers of which single elements are read. */
export function inputsExtracted(body: readonly KernelStatement[], buffers: ReadonlyMap<string, Buffer>): string[] {
  return flat(body)
    .flatMap(extractedIn)
    .filter((name) => buffers.get(name)?.role === 'in')
}

/** Buffers that an operation or any expression of a statement names outside of its bodies. */
export function bufferUses(statement: KernelStatement, isBuffer: (name: string) => boolean): BufferUse[] {
  if (statement.kind === 'alloc') return []
  const extracted = extractedIn(statement).flatMap((name): BufferUse[] =>
    isBuffer(name) ? [{buffer: name, kind: 'in'}] : [],
  )
  if (statement.kind !== 'operation') return extracted
  const operands = primitives[statement.primitive].operands.flatMap(({kind}, at): BufferUse[] => {
    const given = statement.arguments[at]
    const name = given && namedBy(given)
    return name !== undefined && isBuffer(name) ? [{buffer: name, kind}] : []
  })
  return [...operands, ...extracted]
}

/** Buffers that a stage uses, in the order in which it first does. */
export function buffersOfStage(stage: Stage, isBuffer: (name: string) => boolean): string[] {
  return [
    ...new Set(
      flat(stage.body)
        .flatMap((one) => bufferUses(one, isBuffer))
        .map(({buffer}) => buffer),
    ),
  ]
}
