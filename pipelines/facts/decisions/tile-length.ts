import {interfaces} from '../../../cpp/interfaces.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {memoryPlans, reportedUbBytes, takenBeside, wholeBlocks} from '../memory-plan.ts'
import {lastName} from '../settled-values.ts'

/** The field of the tiling that says how long a tile is, and what an element or a row of one takes. Bytes. */
export interface TileLength {
  field: string
  value: number
  isRows: boolean
  /** Of one more element or row, in all buffers of the unified buffer together. */
  perUnit: number
  /** What buffers take whatever the tile. */
  fixed: number
  /** Bytes of one more element or row in each buffer, and how many blocks it has. */
  buffers: readonly {name: string; count: number; bytes: number}[]
  /** What an interface takes for itself at the end of the unified buffer, and which; 0 and '' without one. */
  kept: number
  keeper: string
}

/** Undefined where a size cannot be read, or no field of the tiling is a length of a tile. */
export function tileLength({scenario}: HostKernelPair, facts: KernelFacts): TileLength | undefined {
  const {tiling} = scenario.trace
  const [plan, ...others] = memoryPlans(facts).filter(({isBase}) => !isBase)
  if (!plan || others.length > 0 || !plan.certain || plan.unread.length > 0) return undefined
  const fields = new Map(plan.parts.flatMap(({lengths}) => lengths).map((one) => [one, fieldOf(one, facts, tiling)]))
  const numberOf = (length: string) => tiling[fields.get(length) ?? '']
  if ([...fields.keys()].some((one) => typeof numberOf(one) !== 'number')) return undefined
  const length = [...fields.keys()].find((one) => /tile|ub|loop|once|^width$/i.test(fields.get(one) ?? ''))
  const value = length === undefined ? undefined : numberOf(length)
  if (length === undefined || typeof value !== 'number' || value < 1) return undefined
  let [fixed, isRows] = [0, false]
  const buffers: {name: string; count: number; bytes: number}[] = []
  for (const {buffer, count, factor, lengths} of plan.parts) {
    const rest = lengths.toSpliced(lengths.indexOf(length) >>> 0, 1)
    const bytes = rest.reduce((product, one) => product * (numberOf(one) as number), factor)
    if (lengths.includes(length)) buffers.push({name: buffer.name, count, bytes})
    else fixed += count * wholeBlocks(bytes)
    isRows ||= lengths.includes(length) && rest.length > 0
  }
  const field = fields.get(length) as string
  const perUnit = buffers.reduce((sum, {count, bytes}) => sum + count * bytes, 0)
  const found = {field, value, isRows: isRows || /rows/i.test(field), perUnit, fixed, buffers}
  return perUnit === 0 ? undefined : {...found, ...reserved(facts)}
}

/** Space for tiles of this many elements or rows: `InitBuffer` gives whole data blocks. Bytes. */
export function tileBytes({fixed, buffers}: TileLength, units: number): number {
  return buffers.reduce((sum, {count, bytes}) => sum + count * wholeBlocks(bytes * units), fixed)
}

/** Tiles of elements come in whole ones of these, so that no type ends inside a repeat. */
const granule = 128

/** How the length follows from the memory, where it is the longest in whole granules; 'none' for another one. */
export function lengthFromMemory({value, isRows, perUnit, fixed, kept}: TileLength): string {
  const most = Math.floor((reportedUbBytes - kept - fixed) / perUnit)
  if (isRows || Math.floor(most / granule) * granule !== value) return 'none'
  const rest = [reportedUbBytes, kept, fixed].filter((one) => one > 0).join(' − ')
  const bytes = kept + fixed > 0 ? `(${rest})` : rest
  return `⌊${bytes} / ${perUnit}⌋ = ${most}, ⌊${most} / ${granule}⌋ × ${granule} = ${value}`
}

/** Which interface takes bytes of the unified buffer for itself, and how many. */
function reserved(facts: KernelFacts): Pick<TileLength, 'kept' | 'keeper'> {
  const kept = takenBeside(facts)
  const keeper = facts.vectorCalls.find(({call}) => interfaces.get(call.name)?.ubTaken === kept)?.call.name ?? ''
  return {kept, keeper}
}

/** The tiling's field that a length of the kernel is, by its name or by what it is assigned once. */
function fieldOf(length: string, {methods}: KernelFacts, tiling: object): string | undefined {
  if (length in tiling) return length
  const own = lastName(length)
  if (own in tiling) return own
  const given = methods.flatMap(({syntax}) => syntax.assignments.filter(({name}) => lastName(name) === own))
  const from = given.length === 1 ? lastName(given[0]?.value ?? '') : undefined
  return from !== undefined && from in tiling ? from : undefined
}
