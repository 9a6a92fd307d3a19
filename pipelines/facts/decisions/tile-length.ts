import {interfaces} from '../../../cpp/interfaces.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import {memoryPlans, reportedUbBytes, takenBeside, wholeBlocks} from '../memory-plan.ts'
import {lastName} from '../settled-values.ts'

/** The field of the tiling that says how long a tile is, and what an element or a row of one takes. Bytes. */
export interface TileLength {
  field: string
  value: number
  isRows: boolean
  /** Whether it is the space for one row, whatever the row's length. */
  isRow: boolean
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

/** Undefined where a size cannot be read, or no field of the tiling is a length of a tile or of a row. */
export function tileLength({scenario}: HostKernelPair, facts: KernelFacts): TileLength | undefined {
  const {tiling} = scenario.trace
  const [plan, ...others] = memoryPlans(facts).filter(({isBase}) => !isBase)
  if (!plan || others.length > 0 || !plan.certain || plan.unread.length > 0) return undefined
  const fields = new Map(plan.parts.flatMap(({lengths}) => lengths).map((one) => [one, fieldOf(one, facts, tiling)]))
  const numberOf = (length: string) => tiling[fields.get(length) ?? '']
  if ([...fields.keys()].some((one) => typeof numberOf(one) !== 'number')) return undefined
  const ofTile = [...fields.keys()].find((one) => /tile|ub|loop|once|^width$/i.test(fields.get(one) ?? ''))
  const length = ofTile ?? spaceOfRow([...fields.keys()], numberOf, scenario)
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
  const isRow = ofTile === undefined
  const found = {field, value, isRows: isRows || /rows/i.test(field), isRow, perUnit, fixed, buffers}
  return perUnit === 0 || (isRow && found.isRows) ? undefined : {...found, ...reserved(facts)}
}

/** The only length that holds a row of the widest input, in whole blocks or in whole granules. */
function spaceOfRow(lengths: readonly string[], numberOf: (one: string) => unknown, {inputs}: Scenario) {
  const row = Math.max(0, ...inputs.map(({shape}) => (shape.length > 1 ? (shape.at(-1) ?? 0) : 0)))
  const holdsRow = (space: unknown) =>
    row > 0 && typeof space === 'number' && space % aligned === 0 && space >= row && space < row + granule
  const [first, ...others] = lengths.filter((one) => holdsRow(numberOf(one)))
  return others.length === 0 ? first : undefined
}

/** Space for tiles of this many elements or rows: `InitBuffer` gives whole data blocks. Bytes. */
export function tileBytes({fixed, buffers}: TileLength, units: number): number {
  return buffers.reduce((sum, {count, bytes}) => sum + count * wholeBlocks(bytes * units), fixed)
}

/** Tiles of elements come in whole ones of these, so that no type ends inside a repeat. */
const granule = 128

/** Rows in the unified buffer start at whole blocks of 32 bytes: 8 elements of 4 bytes. */
const aligned = 8

/** How the length follows from the memory, where it is the longest in whole granules; 'none' for another one. */
export function lengthFromMemory(tile: TileLength): string {
  const {whole, text} = longestIn(granule, tile)
  return tile.isRows || whole !== tile.value ? 'none' : text
}

/**
 * Why a tile that nothing computes has its length: the largest power of two that fits, or whatever fits.
 * @param isWorked whether its length follows from something
 */
export function reasonOf(tile: TileLength, isWorked: boolean): {reason: 'power' | 'free' | 'none'; room: string} {
  const {most, text} = mostIn(tile)
  if (isWorked || tile.value > most || lengthFromMemory(tile) !== 'none') return {reason: 'none', room: ''}
  const isPower = Number.isInteger(Math.log2(tile.value)) && 2 * tile.value > most
  return {reason: isPower ? 'power' : 'free', room: text}
}

/** How many elements or rows the bytes hold that the platform reports: `⌊(196352 − 8192) / 28⌋ = 6720`. */
function mostIn({perUnit, fixed, kept}: TileLength): {most: number; text: string} {
  const most = Math.floor((reportedUbBytes - kept - fixed) / perUnit)
  const rest = [reportedUbBytes, kept, fixed].filter((one) => one > 0).join(' − ')
  return {most, text: `⌊${kept + fixed > 0 ? `(${rest})` : rest} / ${perUnit}⌋ = ${most}`}
}

/** How many elements the memory holds in whole units: `⌊(196352 − 8192) / 28⌋ = 6720, ⌊6720 / 128⌋ × 128 = 6656`. */
export function longestIn(unit: number, tile: TileLength): {whole: number; text: string} {
  const {most, text} = mostIn(tile)
  const whole = Math.floor(most / unit) * unit
  return {whole, text: `${text}, ⌊${most} / ${unit}⌋ × ${unit} = ${whole}`}
}

/**
 * The widest strip of columns that the host allows, where that is the longest row that fits in whole granules.
 * @param worked how the host comes to the width, in numbers
 */
export function stripLimit(tile: TileLength, worked = ''): {most: number; limit: string} | undefined {
  const {whole, text} = longestIn(granule, tile)
  return new RegExp(`\\b${whole}\\b`).test(worked) ? {most: whole, limit: text} : undefined
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
