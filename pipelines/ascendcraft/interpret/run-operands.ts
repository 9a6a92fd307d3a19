import type {Place} from '../language/ast.ts'
import {elementBytes, roundUp} from '../language/dtypes.ts'
import {type OperandKind, type PrimitiveName, primitiveOf} from '../language/primitives.ts'
import {checkInside, checkRead, checkStart, type View} from './core-memory.ts'
import {maskUnit} from './run-operations.ts'
import {Trouble} from './trouble.ts'

/** A call of a vector operation: its buffers in the order of its operands, and the element that `tl.set` writes. */
interface Call {
  primitive: PrimitiveName
  kinds: readonly OperandKind[]
  views: readonly View[]
  count: number
  index: number
}

const repeatBytes = 256

/** How many elements of an operand are touched. */
function extentOf({primitive, count, views, kinds}: Call, kind: OperandKind): number {
  if (/^(?:compare|select)/.test(primitive)) {
    const elements = views.find((_, place) => !kinds[place]!.startsWith('mask')) as View
    const whole = roundUp(count, maskUnit(elements.local.type))
    return kind.startsWith('mask') ? whole / 8 : whole
  }
  return primitive.startsWith('reduce') && kind === 'out' ? 1 : count
}

/** @throws Trouble where a buffer is touched that is too small, not aligned, not written, or another operand as well */
export function checkOperands(call: Call, at: Place): void {
  const {primitive, kinds, views, count, index} = call
  const what = `tl.${primitive}`
  if (primitive === 'set') {
    checkInside({local: views[0]!.local, start: views[0]!.start + index}, 1, at, what)
    return
  }
  for (const [place, view] of views.entries()) {
    const kind = kinds[place] as OperandKind
    checkStart(view, at, what)
    const isLookedUp = primitive === 'gather' && place === 1
    if (isLookedUp) continue
    checkInside(view, kind === 'tmp' ? scratchOf(call, view) : extentOf(call, kind), at, what)
    if (kind === 'in' || kind === 'inout') checkRead(view, count, at, what)
    if (kind === 'mask-in') checkRead(view, extentOf(call, kind), at, what)
    if (place > 0) checkApart(call, place, at)
  }
  if (primitive === 'gather') checkOffsets(views, count, at)
}

/** Elements of scratch memory that an operation takes at least. */
function scratchOf({primitive, views, count}: Call, {local}: View): number {
  const {scratch} = primitiveOf(primitive)
  if (!scratch) return count
  return ((scratch[views[1]!.local.type] ?? 1) * repeatBytes) / elementBytes[local.type]
}

/** Operands of one buffer are the same stretch, or apart. */
function checkApart(call: Call, place: number, at: Place): void {
  const {primitive, kinds, views, count} = call
  const [dst, other] = [views[0] as View, views[place] as View]
  const isSame = dst.local === other.local
  const isScratch = kinds[place] === 'tmp'
  if (isScratch && views[1]!.local === other.local) throw shared(at, primitive, other, 'a source and scratch')
  if (!isSame) return
  const mayShare = !isScratch && !primitiveOf(primitive).apart
  if (mayShare && dst.start === other.start) return
  const distance = Math.abs(dst.start - other.start)
  if (primitive !== 'gather' && !isScratch && distance >= count) return
  throw shared(at, primitive, other, 'its destination and another operand')
}

function shared(at: Place, primitive: string, {local}: View, roles: string): Trouble {
  const message = `tl.${primitive} has ${local.name} as ${roles}, in parts that overlap.`
  return new Trouble(at, 'overlap', message, 'Use another buffer for one of them.')
}

function checkOffsets(views: readonly View[], count: number, at: Place): void {
  const [, src, offsets] = views as [View, View, View]
  const bytes = elementBytes[src.local.type]
  for (let i = 0; i < count; i += 1) {
    const offset = offsets.local.values[offsets.start + i] as number
    if (offset % bytes !== 0 || offset < 0) {
      const message = `Offset ${i} is ${offset} bytes, no element of ${src.local.name}.`
      throw new Trouble(at, 'gather-offset', message, `Offsets are multiples of ${bytes}, in bytes.`)
    }
    const from = src.start + offset / bytes
    if (src.local.written[from] !== 1) checkRead({local: src.local, start: from}, 1, at, 'tl.gather')
  }
}

/** Marks what an operation has written, and scratch memory as undefined. */
export function markWritten(call: Call): void {
  const {primitive, kinds, views, count, index} = call
  for (const [place, {local, start}] of views.entries()) {
    const kind = kinds[place] as OperandKind
    if (primitive === 'set') local.written[start + index] = 1
    else if (kind === 'tmp') local.written.fill(0)
    else if (kind === 'mask-out') local.written.fill(1, start, start + extentOf(call, kind))
    else if (kind === 'out') local.written.fill(1, start, start + (primitive.startsWith('reduce') ? 1 : count))
  }
}
