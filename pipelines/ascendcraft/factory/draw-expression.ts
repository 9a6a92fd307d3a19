import type {Expression} from '../../../datasets/schema/crafted-operator.ts'
import type {Random} from '../../../engine/random.ts'
import {isCall, namesIn, partsOf, valueOf} from './math-expression.ts'
import {functionNames, functionOf, type FunctionName, type Interval} from './functions.ts'

/** What an expression may be made of. */
export interface Leaf {
  name: string
  range: Interval
  /** Free of rounding, so that functions that jump may take it. */
  isExact: boolean
  /** One number for a tile, a row or the call. */
  isScalar: boolean
}

export interface Ranged {
  value: Expression
  range: Interval
}

interface DrawOptions {
  random: Random
  /** All of them are used. */
  leaves: readonly Leaf[]
  /** Functions to draw, beside those that join what is left over. */
  steps: number
  isInteger: boolean
  /** Largest magnitude of every value. */
  most: number
  /** Functions that are not drawn. */
  without?: readonly FunctionName[]
}

/** Numbers that every type holds exactly. */
const floats = [0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, -0.5, -1, -1.5, -2]
const integers = [2, 3, 5, 7, -2, -3, -4]
/** Numbers are written as people do: x - 0.5, not x + (-0.5), and neither x * 1 nor x / 2. */
const takesNumber: Readonly<Partial<Record<FunctionName, (value: number) => boolean>>> = {
  add: (value) => value > 0,
  sub: (value) => value > 0,
  mul: (value) => value !== 1 && value !== -1,
  div: () => false,
}
const joining = ['add', 'sub', 'mul', 'max', 'min'] as const

/** Draws an expression over all leaves; undefined where the draw came to nothing: draw again. */
export function drawExpression(options: DrawOptions): Ranged | undefined {
  const {random, leaves, steps, isInteger} = options
  const names = functionNames.filter(
    (name) => !options.without?.includes(name) && (!isInteger || functionOf(name).integers === true),
  )
  const pool: Ranged[] = leaves.map(({name, range}) => ({value: name, range}))
  const open = new Set(leaves.map(({name}) => name))
  let last = random.pick(pool)
  open.delete(last.value as string)
  for (let made = 0, tries = 0; made < steps; tries += 1) {
    if (tries > 12 * steps) return undefined
    const next = drawStep(random.pick(names), last, {...options, pool, open})
    if (!next) continue
    made += 1
    for (const name of namesIn(next.value)) open.delete(name)
    pool.push(next)
    last = next
  }
  for (const name of open) {
    const leaf = pool.find(({value}) => value === name)!
    const joined = random.shuffle([...joining]).flatMap((one) => applied(one, [last, leaf], options) ?? [])
    if (!joined[0]) return undefined
    last = joined[0]
  }
  return isCall(last.value) ? last : undefined
}

type StepOptions = DrawOptions & {pool: readonly Ranged[]; open: ReadonlySet<string>}

function drawStep(name: FunctionName, last: Ranged, options: StepOptions): Ranged | undefined {
  const {random, pool, leaves, isInteger, open} = options
  const number = (): Ranged => {
    const value = random.pick(isInteger ? integers : floats)
    return {value, range: [value, value]}
  }
  const exact = () => {
    const found = leaves.filter(({isExact, isScalar}) => isExact && !isScalar)
    return found.length === 0
      ? undefined
      : random.pick(found.map((leaf): Ranged => ({value: leaf.name, range: leaf.range})))
  }
  const other = (): Ranged => {
    const unused = pool.filter(({value}) => typeof value === 'string' && open.has(value))
    if (unused.length > 0 && random.unit() < 0.7) return random.pick(unused)
    return random.unit() < 0.6 ? number() : random.pick(pool)
  }
  const {arity, jumps} = functionOf(name)
  if (name === 'where') {
    const first = exact()
    const second = random.unit() < 0.5 ? number() : exact()
    return first && second && applied(name, [first, second, last, other()], options)
  }
  if (jumps) {
    const first = exact()
    return first && applied(name, [first], options)
  }
  const operands = [last, ...Array.from({length: arity - 1}, other)]
  // A number first is rare, and reads like one: 1 - x, 1 / x.
  const isSwapped = arity === 2 && !functionOf(name).commutes && random.unit() < 0.3
  return applied(name, isSwapped ? operands.reverse() : operands, options)
}

/** Steps that only move a number are nothing to learn from: x + 0.5 - 2. */
const moves = new Set(['add', 'sub', 'mul', 'div'])
const isMove = (one: Expression) =>
  isCall(one) && moves.has(one[0]) && one.slice(1).some((part) => typeof part === 'number')

function applied(name: FunctionName, operands: readonly Ranged[], {most, leaves}: DrawOptions): Ranged | undefined {
  const values = operands.map(({value}) => value)
  if (values.every((one) => typeof one === 'number')) return undefined
  if (typeof values.at(-1) === 'number' && takesNumber[name]?.(values.at(-1) as number) === false) return undefined
  if (values.length === 2 && JSON.stringify(values[0]) === JSON.stringify(values[1])) return undefined
  const value: Expression = [name, ...values]
  const isScalar = (one: string) => leaves.some((leaf) => leaf.name === one && leaf.isScalar)
  if ([...namesIn(value)].every(isScalar) && !functionOf(name).scalar) return undefined
  if (isMove(value) && values.some((one) => isMove(one) && (one as string[])[0] === name)) return undefined
  // A logarithm of a power and the like: the one undoes the other.
  if (values.some((one) => isCall(one) && isUndone(name, one[0]))) return undefined
  const range = functionOf(name).range(...operands.map((one) => one.range))
  return range?.every((end) => Math.abs(end) <= most) ? {value, range} : undefined
}

const undone: readonly (readonly [string, string])[] = [
  ['log', 'exp'],
  ['exp', 'log'],
  ['sqrt', 'square'],
  ['square', 'sqrt'],
  ['reciprocal', 'reciprocal'],
  ['abs', 'square'],
  ['square', 'abs'],
  ['relu', 'relu'],
]
const isUndone = (outer: string, inner: string) => undone.some(([a, b]) => a === outer && b === inner)

const probes = 48

/**
 * Whether every part of expressions adds something, and single precision is enough: at points drawn from the ranges of
 * its names no part is constant or equals another one, and rounding after every function changes little.
 */
export function isSound(roots: readonly Expression[], rangeOf: (name: string) => Interval, random: Random): boolean {
  const names = [...new Set(roots.flatMap((one) => [...namesIn(one)]))]
  const points = Array.from({length: probes}, (_, at) => {
    const drawn = names.map((name): [string, number] => {
      const [low, high] = rangeOf(name)
      const share = at < 4 ? (at + name.length) % 2 : random.unit()
      return [name, Math.fround(low + (high - low) * share)]
    })
    return new Map(drawn)
  })
  const seen: number[][] = []
  const parts = new Map(roots.flatMap(partsOf).map((one) => [JSON.stringify(one), one]))
  for (const part of parts.values()) {
    if (typeof part === 'number') continue
    const exact = points.map((point) => valueOf(part, (name) => point.get(name)!))
    if (isCall(part) && isFlat(exact)) return false
    if (seen.some((other) => other.every((value, at) => isNear(value, exact[at]!)))) return false
    seen.push(exact)
    const rounded = points.map((point) => valueOf(part, (name) => point.get(name)!, Math.fround))
    const scale = Math.min(1, Math.max(...exact.map(Math.abs)))
    const isClose = (value: number, at: number) =>
      Math.abs(value - rounded[at]!) <= mostRounding * Math.max(Math.abs(value), scale)
    if (!exact.every(isClose)) return false
  }
  return true
}

/** A fifth of what the judge allows. */
const mostRounding = 2e-5

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))

/** Less than a hundredth of its values apart: an answer that ignores its inputs would pass. */
function isFlat(values: readonly number[]): boolean {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return !(high - low > 0.01 * Math.max(0.1, Math.abs(low), Math.abs(high)))
}
