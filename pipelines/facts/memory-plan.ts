import type {BufferFact, KernelFacts} from '../../datasets/schema/code-facts.ts'
import {asProduct, type Scope} from '../../cpp/expressions.ts'
import {interfaces} from '../../cpp/interfaces.ts'
import {typeParameters} from '../../cpp/scope.ts'

/** Unified buffer of Atlas A2 per vector core. Source: the platform configuration of every dav-c220 part. */
export const ubBytes = 196_608

/** What `GetCoreMemSize` tells tiling of it: the last 256 bytes are the library's. Source: platform of asc-devkit. */
export const reportedUbBytes = 196_352

/** InitBuffer gives whole data blocks. */
const blockBytes = 32

/** The unified buffer that one class allocates, as far as its expressions show. Bytes. */
export interface MemoryPlan {
  /** '' for free functions. */
  owner: string
  /** Buffers with a size that could be read; `each` is `12 × tileLength` in the form factor and lengths. */
  parts: {buffer: BufferFact; count: number; factor: number; lengths: string[]}[]
  /** Bytes that do not depend on the tile. */
  fixed: number
  /** Base classes of the file whose buffers are there as well: sums count them. */
  bases: string[]
  /** Whether another class of the file builds on it, so that its buffers are only a part. */
  isBase: boolean
  /** Whether all of it is there at once, whatever the case: else no sum is true of every run. */
  certain: boolean
  /** Whether the class gives memory back in between, so that its buffers are not all there at once. */
  isReset: boolean
  /** Buffers that are set up on a condition, or in several ways. */
  byCase: string[]
  /** Sizes as they are written, of the bases with what their type parameters are given. */
  sizes: string[]
  /** Bytes per unit of the product of lengths, when all variable buffers share the same lengths. */
  perUnit: number
  lengths: string[]
  /** Largest product of lengths that fits with the fixed part and the interfaces' share; undefined when unknown. */
  most: number | undefined
  /** Buffers whose size could not be read. */
  unread: BufferFact[]
}

/** What interfaces that are called take for themselves at the end of the unified buffer. Bytes. */
export const takenBeside = ({vectorCalls}: Pick<KernelFacts, 'vectorCalls'>): number =>
  Math.max(0, ...vectorCalls.map(({call}) => interfaces.get(call.name)?.ubTaken ?? 0))

const unified = new Set(['VECIN', 'VECOUT', 'VECCALC', 'LCM'])

/** What sizes in a kernel may refer to. */
export function scopeOfFacts({constants, types}: Pick<KernelFacts, 'constants' | 'types'>): Scope {
  return {constants: new Map(constants), types: new Map(types)}
}

/** One plan per class: those of a file may be alternatives, so their allocations do not add up. */
export function memoryPlans(facts: KernelFacts): MemoryPlan[] {
  const {buffers, classes, methods} = facts
  const scope = scopeOfFacts(facts)
  const capacity = ubBytes - takenBeside(facts)
  const inUnified = buffers.filter(({position}) => unified.has(position))
  const of = (owner: string) => inUnified.filter((buffer) => buffer.owner === owner)
  const basesOf = (owner: string): string[] => {
    const names = classes.find(({name}) => name === owner)?.bases.map(baseName) ?? []
    const known = names.filter((name) => name !== owner && classes.some((one) => one.name === name))
    return known.flatMap((name) => [name, ...basesOf(name)])
  }
  const owners = [...new Set(inUnified.map(({owner}) => owner))]
  return owners.map((owner) => {
    const bases = basesOf(owner).filter((base) => owners.includes(base))
    const isBase = classes.some(({name}) => basesOf(name).includes(owner))
    const own = memoryPlan(owner, of(owner), scope, capacity)
    const isReset = [owner, ...bases].some((one) => methods.some((method) => resets(method, one)))
    const inherited = bases.flatMap((base) => of(base).map((one) => bound(one, base, owner, classes)))
    const whole = memoryPlan(owner, [...of(owner), ...inherited], scope, capacity)
    return {
      ...whole,
      parts: own.parts,
      unread: own.unread,
      bases,
      isBase,
      isReset,
      certain: whole.certain && !isReset,
      most: isReset ? undefined : whole.most,
    }
  })
}

/** `pipe->Reset()` gives all memory of the pipe back. */
function resets({syntax}: KernelFacts['methods'][number], owner: string): boolean {
  return syntax.owner === owner && syntax.calls.some(({name, receiver}) => name === 'Reset' && /pipe/i.test(receiver))
}

/** A buffer of a base, with the types that the class gives the base's parameters: `Base<float>` makes `T` a `float`. */
function bound(buffer: BufferFact, base: string, owner: string, classes: KernelFacts['classes']): BufferFact {
  const given = classes.find(({name}) => name === owner)?.bases.find((one) => baseName(one) === base) ?? ''
  const names = typeParameters(classes.find(({name}) => name === base)?.templates ?? [])
  const args = topLevel(/<(.*)>$/.exec(given)?.[1] ?? '')
  const types = new Map(names.flatMap((name, index) => (args[index] === undefined ? [] : [[name, args[index]]])))
  return {
    ...buffer,
    bytes: buffer.bytes.replace(/\bsizeof\(\s*(\w+)\s*\)/g, (all, name: string) => {
      const type = types.get(name)
      return type === undefined ? all : `sizeof(${type})`
    }),
  }
}

function baseName(base: string): string {
  return base.replace(/<[^]*$/, '').replace(/^.*::/, '')
}

/** Splits template arguments at commas outside of angle brackets. */
function topLevel(args: string): string[] {
  return args === '' ? [] : (args.match(/(?:[^,<>]|<[^<>]*>)+/g) ?? []).map((one) => one.trim())
}

type OfBuffers = Omit<MemoryPlan, 'bases' | 'isBase' | 'isReset'>

function memoryPlan(owner: string, buffers: readonly BufferFact[], scope: Scope, capacity: number): OfBuffers {
  const parts: MemoryPlan['parts'] = []
  const unread: BufferFact[] = []
  for (const buffer of buffers) {
    const count = asProduct(buffer.count, scope)
    const bytes = buffer.bytes === '' ? undefined : asProduct(buffer.bytes, scope)
    if (bytes && count && count.lengths.length === 0)
      parts.push({
        buffer,
        count: count.factor,
        factor: bytes.lengths.length === 0 ? wholeBlocks(bytes.factor) : bytes.factor,
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
  const uniform = certain && unread.length === 0 && variable.every((part) => part.lengths.join() === lengths.join())
  const perUnit = uniform ? variable.reduce((sum, {count, factor}) => sum + count * factor, 0) : 0
  return {
    owner,
    certain,
    byCase: buffers.filter((one) => !one.certain).map(({name}) => name),
    sizes: buffers.map(({bytes}) => bytes),
    parts,
    fixed,
    perUnit,
    lengths,
    unread,
    most: perUnit > 0 && fixed < capacity ? longest(variable, capacity - fixed, perUnit) : undefined,
  }
}

/** The largest product of lengths whose buffers fit, each in whole data blocks. */
function longest(variable: MemoryPlan['parts'], bytes: number, perUnit: number): number {
  const taken = (length: number) =>
    variable.reduce((sum, {count, factor}) => sum + count * wholeBlocks(factor * length), 0)
  let most = Math.floor(bytes / perUnit)
  while (most > 0 && taken(most) > bytes) most -= 1
  return most
}

/** What one element takes, `3 × 2 × 2 + 1 × 1 × 4`, and the buffers in the order of the terms. */
export function sumOfBuffers(all: readonly {name: string; count: number; bytes: number}[]) {
  const each = ({count, bytes}: {count: number; bytes: number}) => `${count} × ${bytes}`
  const terms = [...new Set(all.map(each))].map((term) => ({term, alike: all.filter((one) => each(one) === term)}))
  return {
    sum: terms.map(({term, alike}) => `${alike.length} × ${term}`).join(' + '),
    holders: terms.flatMap(({alike}) => alike.map(({name}) => name)),
  }
}

/** Bytes in whole data blocks. */
export function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}
