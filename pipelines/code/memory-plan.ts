import {asProduct, type Scope} from './expressions.ts'
import type {BufferFact} from './buffer-facts.ts'
import type {KernelFacts} from './kernel-facts.ts'

/** Unified buffer of Atlas A2 per vector core. Source: the platform configuration of every dav-c220 part. */
export const ubBytes = 196_608

/** InitBuffer gives whole data blocks. */
const blockBytes = 32

/** The unified buffer that one class asks for, as far as its expressions say. Bytes. */
export interface MemoryPlan {
  /** '' for free functions. */
  owner: string
  /** Buffers with a size that could be read; `each` is `12 × tileLength` in the form factor and lengths. */
  parts: {buffer: BufferFact; count: number; factor: number; lengths: string[]}[]
  /** Bytes that do not depend on the tile. */
  fixed: number
  /** Whether all of it is there at once, whatever the case: else no sum is true of every run. */
  certain: boolean
  /** Bytes per unit of the product of lengths, when all variable buffers share the same lengths. */
  perUnit: number
  lengths: string[]
  /** Largest product of lengths that fits beside the fixed part; undefined when sizes are mixed or unknown. */
  most: number | undefined
  /** Buffers whose size could not be read. */
  unread: BufferFact[]
}

const unified = new Set(['VECIN', 'VECOUT', 'VECCALC', 'LCM'])

/** One plan per class: those of a file may be alternatives, so what they ask for does not add up. */
export function memoryPlans({buffers, scope}: KernelFacts): MemoryPlan[] {
  const inUnified = buffers.filter(({position}) => unified.has(position))
  return [...new Set(inUnified.map(({owner}) => owner))].map((owner) =>
    memoryPlan(
      owner,
      inUnified.filter((buffer) => buffer.owner === owner),
      scope,
    ),
  )
}

function memoryPlan(owner: string, buffers: readonly BufferFact[], scope: Scope): MemoryPlan {
  const parts: MemoryPlan['parts'] = []
  const unread: BufferFact[] = []
  for (const buffer of buffers) {
    const count = asProduct(buffer.count, scope)
    const bytes = buffer.bytes === '' ? undefined : asProduct(buffer.bytes, scope)
    if (bytes && count && count.lengths.length === 0)
      parts.push({
        buffer,
        count: count.factor,
        factor: bytes.lengths.length === 0 ? Math.ceil(bytes.factor / blockBytes) * blockBytes : bytes.factor,
        lengths: bytes.lengths,
      })
    else unread.push(buffer)
  }
  const fixed = parts
    .filter(({lengths}) => lengths.length === 0)
    .reduce((sum, {count, factor}) => sum + count * factor, 0)
  const variable = parts.filter(({lengths}) => lengths.length > 0)
  const lengths = variable[0]?.lengths ?? []
  const certain = buffers.every((buffer) => buffer.certain)
  const uniform =
    certain &&
    variable.length > 0 &&
    unread.length === 0 &&
    variable.every((part) => part.lengths.join() === lengths.join())
  const perUnit = uniform ? variable.reduce((sum, {count, factor}) => sum + count * factor, 0) : 0
  return {
    owner,
    certain,
    parts,
    fixed,
    perUnit,
    lengths,
    unread,
    most: uniform && perUnit > 0 && fixed < ubBytes ? Math.floor((ubBytes - fixed) / perUnit) : undefined,
  }
}
