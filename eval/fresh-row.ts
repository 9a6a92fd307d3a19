import type {TaskCase} from '../datasets/schema/task.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../datasets/schema/tensor.ts'
import type {Random} from '../engine/random.ts'
import {parsePythonLiteral} from './tasks/python-literal.ts'

/** A row of `test_cases.csv` as a call: the tensors of its call, and the accompanying host values. */
export interface CallShape {
  tensors: readonly TensorSpec[]
  /** By name or position; randomly drawn values do not belong here. */
  values: Readonly<Record<string, unknown>>
}

/** A row with other sizes. `sizes` maps old to new sizes. */
interface FreshRow {
  row: TaskCase
  sizes: ReadonlyMap<number, number>
}

/** For a small row, whose sizes can grow; other rows never grow. */
const smallBytes = 1 << 16
/** Draws, each with the power of two up to which alignment is preserved. */
const alignments = [256, 64, 16].flatMap((most) => Array.from({length: 48}, () => most))

/**
 * Rows like the given one with other sizes, in the order in which they should be tried: equal sizes stay equal,
 * products stay products, and order and divisibility are preserved, also relative to other numbers of the row (an axis,
 * a number of groups). A size that is the same in all rows of the table is kept. Every other keeps its alignment: 32
 * bytes of every type, and as a rule the power of two that divides it, up to 256, or a smaller one if that leaves no
 * choice. A row whose cells have no size of its tensors has no such rows.
 */
export function* freshRows(
  row: TaskCase,
  {call, table, random}: {call: CallShape; table: readonly TaskCase[]; random: Random},
): Generator<FreshRow> {
  const {read, lists, pinned, sizes} = sizesOf(row, call, table)
  const tried = new Set<string>()
  for (const [attempt, alignment] of alignments.entries()) {
    const map = drawSizes({sizes, lists, pinned, random, alignment, keep: attempt % 4})
    if (!map || !staysSmall(call, map)) continue
    const key = JSON.stringify([...map])
    if (tried.has(key)) continue
    tried.add(key)
    yield {row: withSizes(row, read, map), sizes: map}
  }
}

/**
 * Rows like the given one with one size increased until the tensors have `bytes` in all, and less than twice as many:
 * the first size of the largest tensor before the others. A multiple keeps whatever the size was a multiple of.
 */
function* grownRows(
  row: TaskCase,
  {call, table, bytes}: {call: CallShape; table: readonly TaskCase[]; bytes: number},
): Generator<FreshRow> {
  const {read, lists, pinned, sizes} = sizesOf(row, call, table)
  const largest = [...call.tensors].sort((a, b) => bytesOf([b]) - bytesOf([a]))[0]?.shape ?? []
  const order = [...new Set([...largest, ...sizes])].filter((size) => sizes.includes(size) && !pinned.has(size))
  for (const size of order) {
    // The same number may occur in several places of a shape.
    for (const power of [1, 2, 3]) {
      const factor = Math.ceil((bytes / bytesOf(call.tensors)) ** (1 / power))
      const map = new Map(sizes.map((one) => [one, one]))
      map.set(size, size * factor)
      for (const [one] of map) {
        const factors = lists.flatMap(runsOf).find((run) => run.length > 1 && isTrueProduct(run, one))
        if (factors)
          map.set(
            one,
            factors.reduce((product, part) => product * (map.get(part) ?? part), 1),
          )
      }
      const now = bytesOf(withShapes(call, map))
      if (factor > 1 && now >= bytes && now < 2 * bytes + largestTensor(call))
        yield {row: withSizes(row, read, map), sizes: map}
    }
  }
}

/** The call of a row; undefined where the reference refuses it. */
type ShapeOf = (row: TaskCase) => Promise<CallShape | undefined>

interface Searched {
  call: CallShape
  table: readonly TaskCase[]
}

/** The first row of other sizes that is a call of the same regime and can be computed. */
export async function firstFresh(
  row: TaskCase,
  {trials = Infinity, ...how}: Searched & {random: Random; trials?: number},
  shapeOf: ShapeOf,
  computes: (row: TaskCase) => Promise<boolean> = () => Promise.resolve(true),
): Promise<TaskCase | undefined> {
  let tried = 0
  for (const {row: other, sizes} of freshRows(row, how)) {
    if ((tried += 1) > trials) return undefined
    const call = await shapeOf(other)
    if (call && isSameRegime(how.call, call, sizes) && (await computes(other))) return other
  }
  return undefined
}

/** The first row with a grown size that is accepted as it should be. */
export async function firstGrown(
  row: TaskCase,
  how: Searched & {bytes: number},
  shapeOf: ShapeOf,
): Promise<TaskCase | undefined> {
  for (const {row: other, sizes} of grownRows(row, how)) {
    const call = await shapeOf(other)
    if (call && isGrown(how.call, call, sizes)) return other
  }
  return undefined
}

/** Whether a call equals that of the original row with its sizes replaced. */
function isGrown(before: CallShape, after: CallShape, sizes: ReadonlyMap<number, number>): boolean {
  const wanted = withShapes(before, sizes)
  return (
    wanted.length === after.tensors.length &&
    wanted.every(({name, dtype, shape}, at) => {
      const now = after.tensors[at]
      return name === now?.name && dtype === now.dtype && same(shape, now.shape)
    }) &&
    isSameValue(before.values, after.values, sizes)
  )
}

const largestTensor = ({tensors}: CallShape) => Math.max(0, ...tensors.map((one) => bytesOf([one])))

const withShapes = ({tensors}: CallShape, sizes: ReadonlyMap<number, number>): TensorSpec[] =>
  tensors.map(({shape, ...spec}) => ({...spec, shape: shape.map((size) => sizes.get(size) ?? size)}))

type ReadCell = Cell & {column: string; text: string}

/** Which values of a row are sizes, and which must stay. */
function sizesOf(row: TaskCase, call: CallShape, table: readonly TaskCase[]) {
  const cells = Object.entries(row).filter(([column]) => column !== 'case_id')
  const read: ReadCell[] = cells.map(([column, text]) => ({column, text, ...readCell(text, call)}))
  const lists = read.flatMap((cell) => cell.lists)
  const pinned = new Set([
    ...read.flatMap((cell) => cell.pinned),
    ...cells.flatMap(([column]) => fixedIn(table, column)),
  ])
  return {read, lists, pinned, sizes: [...new Set(lists.flat())].sort((a, b) => a - b)}
}

function withSizes(row: TaskCase, read: readonly ReadCell[], sizes: ReadonlyMap<number, number>): TaskCase {
  const changed = read
    .filter((cell) => cell.lists.length > 0)
    .map(({column, text}): [string, string] => [
      column,
      text.replace(/\d+/g, (digits) => String(sizes.get(Number(digits)) ?? digits)),
    ])
  return {...row, ...Object.fromEntries(changed)}
}

interface Cell {
  /** Lists of sizes, a bare size as a list of one. */
  lists: number[][]
  /** Integers that are not sizes. */
  pinned: number[]
}

/** Lists that are not shapes, and bare numbers below this, may be axes, counts or choices. */
const smallestBareSize = 8

/** A cell whose lists are all shapes of the call's tensors, or parts of them, contains sizes; so does a bare size. */
function readCell(text: string, {tensors}: CallShape): Cell {
  const shapes = tensors.map(({shape}) => shape)
  const bare = /^\d+$/.test(text.trim())
  const lists = bare ? [[Number(text)]] : integerLists(text)
  const isSize = bare
    ? ([size]: number[]) => (size ?? 0) >= smallestBareSize && shapes.some((shape) => isProductOf(size ?? 0, shape))
    : (list: number[]) => shapes.some((shape) => same(list, shape) || isPart(list, shape))
  return lists.length > 0 && lists.every(isSize) ? {lists, pinned: []} : {lists: [], pinned: wholeNumbers(text)}
}

/** Not part of words or fractions, and not negative. */
function wholeNumbers(text: string): number[] {
  return (text.match(/(?<![\w.-])\d+(?![\w.])/g) ?? []).map(Number)
}

/**
 * The integers that are constant in one place of a column while others change: counted from the end, like the last
 * sizes of shapes.
 */
function fixedIn(table: readonly TaskCase[], column: string): number[] {
  const [first = [], ...others] = table.map((row) => wholeNumbers(row[column] ?? '').reverse())
  const fixed = first.filter((size, place) => others.every((other) => other[place] === size))
  return fixed.length < Math.max(first.length, ...others.map(({length}) => length)) ? fixed : []
}

/** The innermost lists of a literal when they hold nothing but whole numbers. */
function integerLists(text: string): number[][] {
  if (!/^[\s\d,()[\]]+$/.test(text) || !/^\s*[[(]/.test(text)) return []
  const found: number[][] = []
  const visit = (value: unknown): boolean => {
    if (!Array.isArray(value)) return false
    if (value.length > 0 && value.every(Number.isSafeInteger)) return found.push(value as number[]) > 0
    return value.every(visit)
  }
  return visit(parsePythonLiteral(text)) ? found : []
}

const same = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((size, index) => size === other[index])

function isPart(list: readonly number[], shape: readonly number[]): boolean {
  return elementCount(list) >= smallestBareSize && runsOf(shape).some((run) => same(run, list))
}

function isProductOf(size: number, shape: readonly number[]): boolean {
  return runsOf(shape).some((run) => elementCount(run) === size)
}

/** All runs of neighbouring sizes. */
function runsOf(shape: readonly number[]): number[][] {
  return shape.flatMap((_, start) => shape.slice(start).map((__, length) => shape.slice(start, start + length + 1)))
}

interface Draw {
  /** Ascending, each once. */
  sizes: readonly number[]
  lists: readonly (readonly number[])[]
  pinned: ReadonlySet<number>
  random: Random
  alignment: number
  /** Of four sizes, how many are kept. */
  keep: number
}

/** A new size for each; undefined if the draw broke a relation, or nothing changed. */
function drawSizes({sizes, lists, pinned, random, alignment, keep}: Draw): Map<number, number> | undefined {
  const map = new Map<number, number>()
  const one = sizes.length === 1 && sizes[0] === 1
  for (const size of sizes) {
    const factors = lists.flatMap(runsOf).find((run) => run.length > 1 && isTrueProduct(run, size))
    const choices = one ? [2, 3, 5, 7] : choicesOf(size, alignment)
    const held = pinned.has(size) || choices.length === 0 || random.integer(0, 3) < keep
    const drawn = held ? size : random.pick(choices)
    map.set(size, factors ? factors.reduce((product, factor) => product * (map.get(factor) ?? factor), 1) : drawn)
  }
  const changed = [...map].filter(([size, other]) => size !== other)
  const others = [...pinned, ...sizes]
  return changed.length > 0 && changed.every(([size]) => others.every((other) => keepsRelation(size, other, map)))
    ? map
    : undefined
}

function isTrueProduct(run: readonly number[], size: number): boolean {
  return elementCount(run) === size && run.every((factor) => factor > 1 && factor < size)
}

/** Order and divisibility; a number that is not a size is unchanged. */
function keepsRelation(size: number, other: number, map: ReadonlyMap<number, number>): boolean {
  const [now, beside] = [map.get(size) ?? size, map.get(other) ?? other]
  if (Math.sign(size - other) !== Math.sign(now - beside)) return false
  const divides = other > 1 && size % other === 0 && (other >= smallestBareSize || !map.has(other))
  return !divides || now % beside === 0
}

/**
 * Sizes of the same alignment: a quarter smaller or larger; more if that leaves no choice. Large ones do not grow: a
 * row of them may just fit into UB.
 */
function choicesOf(size: number, alignment: number): number[] {
  if (size < 2) return []
  const step = commonPower(size, alignment)
  const fits = (other: number) =>
    isAlike(size, other) && (alignment < 256 || commonPower(size, 256) === commonPower(other, 256))
  const most = size < 8 ? size * 3 : size * 1.25
  const near = multiples(step, size * 0.75, size > 1024 ? size : most).filter(fits)
  return near.length > 0 ? near : multiples(step, size / 2, size * 3).filter(fits)
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step)
  return Array.from({length: Math.max(0, Math.floor(high / step) - first + 1)}, (_, index) => (first + index) * step)
}

/** 32 bytes, the unit of every copy, are 8 elements of four bytes, 16 of two, 32 of one. */
function isAlike(size: number, other: number): boolean {
  return other > 1 && other !== size && [8, 16, 32].every((unit) => (size % unit === 0) === (other % unit === 0))
}

/** The largest power of two that divides `size`, at most `most`. */
function commonPower(size: number, most: number): number {
  let power = 1
  while (power < most && size % (power * 2) === 0) power *= 2
  return power
}

function staysSmall({tensors}: CallShape, sizes: ReadonlyMap<number, number>): boolean {
  return !outgrows(tensors, withShapes({tensors, values: {}}, sizes))
}

function outgrows(before: readonly TensorSpec[], after: readonly TensorSpec[]): boolean {
  const [old, now] = [bytesOf(before), bytesOf(after)]
  return now > Math.max(old, smallBytes) || now * 4 < old
}

function bytesOf(tensors: readonly TensorSpec[]): number {
  return tensors.reduce((sum, {shape, dtype}) => sum + elementCount(shape) * dtypeBytes[dtype], 0)
}

/**
 * Whether the call of a fresh row is in the same regime as its original row: the same tensors, of the same types and
 * ranks, at least one with another shape; each size replaced consistently; tensors still a multiple of 32 bytes if they
 * were; about as many bytes; host values the same, or replaced as sizes were.
 */
export function isSameRegime(before: CallShape, after: CallShape, sizes: ReadonlyMap<number, number>): boolean {
  if (before.tensors.length !== after.tensors.length || outgrows(before.tensors, after.tensors)) return false
  const alike = before.tensors.every((tensor, index) => isSameTensor(tensor, after.tensors[index], sizes))
  const changed = before.tensors.some(({shape}, index) => !same(shape, after.tensors[index]?.shape ?? []))
  return alike && changed && isSameValue(before.values, after.values, sizes)
}

function isSameTensor(before: TensorSpec, after: TensorSpec | undefined, sizes: ReadonlyMap<number, number>): boolean {
  if (before.name !== after?.name || before.dtype !== after.dtype || before.shape.length !== after.shape.length)
    return false
  const whole = [before, after].map(({shape, dtype}) => (elementCount(shape) * dtypeBytes[dtype]) % 32 === 0)
  return (
    whole[0] === whole[1] &&
    before.shape.every((size, index) => {
      const now = after.shape[index] ?? 0
      return now === size || now === sizes.get(size) || isAlike(size, now)
    })
  )
}

function isSameValue(before: unknown, after: unknown, sizes: ReadonlyMap<number, number>): boolean {
  if (before === after || Object.is(before, after)) return true
  if (typeof before === 'number') return sizes.has(before) && sizes.get(before) === after
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false
  const [one, other] = [Object.entries(before), Object.entries(after)]
  return (
    one.length === other.length &&
    one.every(([key, value], index) => key === other[index]?.[0] && isSameValue(value, other[index]?.[1], sizes))
  )
}
