import {largest, placed, sum, sumOf, understood, type Values} from './arrays.ts'
import {summed} from './elementwise.ts'
import {formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

const rowOf = ({shape, data}: Values, at: number) => {
  const size = shape.at(-1) as number
  understood(Number.isInteger(at) && at >= 0 && (at + 1) * size <= data.length)
  return data.subarray(at * size, (at + 1) * size)
}

/** Places in ascending order of the values, equal ones in the order in which they stand. */
const sorted = (values: ArrayLike<number>): number[] =>
  Array.from(values, (_, at) => at).sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)

/** For each place its position in the order, which contains every place once. */
function inverse(order: ArrayLike<number>): number[] {
  const places = sorted(order)
  understood(places.every((place, at) => order[place] === at))
  return places
}

function rows(size: number, all: readonly Float64Array[]): Values {
  const data = new Float64Array(size * all.length)
  for (const [at, row] of all.entries()) data.set(row, at * size)
  return {shape: [all.length, size], data}
}

const vector = (values: ArrayLike<number>): Values => ({shape: [values.length], data: Float64Array.from(values)})

/** Tokens by the expert that they go to. */
function permuted(call: FormulaCall): Values[] {
  const [tokens, indices] = [call.x(0), call.x(1)]
  const [count = 0, size = 0] = tokens.shape
  understood(!call.flag('padded_mode') && tokens.shape.length === 2)
  const choices = indices.data.length / count
  const order = sorted(indices.data)
  understood(call.number('num_out_tokens') === order.length)
  const chosen = order.map((from) => rowOf(tokens, Math.floor(from / choices)))
  return [rows(size, chosen), vector(inverse(order))]
}

/** Rows are numbered column by column of the choices. */
function initialised(call: FormulaCall): Values[] {
  const [x, row, expert] = [call.x(0), call.x(1), call.x(2)]
  const [count = 0, size = 0] = x.shape
  const order = sorted(expert.data)
  const numbers = order.map((at) => row.data[at] as number)
  const places = inverse(numbers)
  understood(call.number('active_num') >= count)
  const chosen = numbers.map((number) => rowOf(x, number % count))
  return [rows(size, chosen), vector(places), vector(order.map((at) => expert.data[at] as number))]
}

/** The sum of the rows of a place, `count` of them each. */
function summedRows(x: Values, places: Float64Array, count: number): Result {
  const size = x.shape.at(-1) as number
  const groups = Array.from({length: Math.ceil(places.length / count)}, (_, at) =>
    [...places.subarray(at * count, (at + 1) * count)].map((place) => rowOf(x, place)),
  )
  const total = (f: (value: number) => number) =>
    placed([groups.length, size], ([at = 0, column = 0]) =>
      sum((groups[at] as Float64Array[]).map((row) => f(row[column] as number))),
    )
  return {...total((value) => value), scale: largest(total(Math.abs).data)}
}

/** As `summedRows`, by an attribute that says how many rows go to one. */
const gathering = (attribute: string, isPlain: (call: FormulaCall) => boolean) => (call: FormulaCall) => {
  understood(isPlain(call))
  return summedRows(call.x(0), call.x(1).data, call.number(attribute))
}

/** Of tokens that were permuted: the contribution of each, weighted, and of each weight. */
function unpermuteGradient(call: FormulaCall): Result[] {
  const [tokens, dy, {data: places}, probs] = [call.x(0), call.x(1), call.x(2), call.x(3)]
  const [count = 0, choices = 0] = probs.shape
  understood(!call.flag('padded_mode') && probs.shape.length === 2 && places.length === count * choices)
  const gradient = (at: number) => rowOf(dy, Math.floor(at / choices))
  const back = inverse(places).map((at) => gradient(at).map((one) => one * (probs.data[at] as number)))
  const products = [...places].map((place, at) =>
    rowOf(tokens, place).map((one, column) => one * (gradient(at)[column] as number)),
  )
  const scale = Math.max(...products.map((row) => sumOf(row, Math.abs)))
  return [rows(dy.shape.at(-1) as number, back), {shape: probs.shape, data: Float64Array.from(products, sum), scale}]
}

/** What shared experts give, and of each chosen one its row and its bias, weighted. */
function finalised(call: FormulaCall): Result {
  const [x, {data: places}, scales] = [call.x(0), call.x(1), call.x(5)]
  const [count = 0, choices = 0] = scales.shape
  const [first, second, bias, expert] = [2, 3, 4, 6].map((at) => call.optional(at))
  understood([0, 2].includes(call.number('drop_pad_mode', 0)) && (bias === undefined || expert !== undefined))
  const shared = [first, second].filter((one) => one !== undefined)
  const termsOf = (row: number, column: number): number[] => [
    ...shared.map((one) => rowOf(one, row)[column] as number),
    ...Array.from({length: choices}, (_, k) => {
      const at = row * choices + k
      const added = bias ? (rowOf(bias, expert?.data[at] as number)[column] as number) : 0
      const from = rowOf(x, places[row + k * count] as number)[column] as number
      return [from, added].map((one) => (scales.data[at] as number) * one)
    }).flat(),
  ]
  const total = (f: (terms: readonly number[]) => number) =>
    placed([count, x.shape.at(-1) as number], ([row = 0, column = 0]) => f(termsOf(row, column)))
  return {...total(sum), scale: largest(total((terms) => sumOf(terms, Math.abs)).data)}
}

/** The last axis: each element from the place of another, by `from`, with a factor. */
function turnedBy(
  x: Values,
  from: (column: number, half: number) => readonly [column: number, factor: number],
): Values {
  const size = x.shape.at(-1) as number
  understood(size % 2 === 0)
  const data = x.data.map((_, at) => {
    const [column, factor] = from(at % size, size / 2)
    return factor * (x.data[at - (at % size) + column] as number)
  })
  return {shape: x.shape, data}
}

/** How elements change places before the sine: halves do, the second one negated; or neighbours do. */
const turns: readonly ((column: number, half: number) => [column: number, factor: number])[] = [
  (column, half) => (column < half ? [column + half, -1] : [column - half, 1]),
  (column) => (column % 2 === 0 ? [column + 1, -1] : [column - 1, 1]),
]

const rotated = (x: Values, cos: Values, sin: Values, mode = 0): Result => {
  const turn = turns[mode]
  understood(turn !== undefined)
  return summed([x, turnedBy(x, turn), cos, sin], (a, b, c, s) => [a * c, b * s])
}

/** Neighbours become halves first. */
const parted = (x: Values): Values =>
  turnedBy(x, (column, half) => [column < half ? 2 * column : 2 * (column - half) + 1, 1])

export const routing: Formulas = {
  ApplyRotaryPosEmb: formula(4, ['layout', 'rotary_mode'], (call) => {
    understood(call.word('rotary_mode') === 'half')
    return [0, 1].map((at) => rotated(call.x(at), call.x(2), call.x(3)))
  }),
  InterleaveRope: formula(3, [], (call) => rotated(parted(call.x(0)), call.x(1), call.x(2))),
  MoeComputeExpertTokens: formula(1, ['num_experts'], (call) => {
    const upTo = (expert: number) => call.x().data.filter((one) => one <= expert).length
    return vector(Array.from({length: call.number('num_experts')}, (_, expert) => upTo(expert)))
  }),
  MoeFinalizeRoutingV2: formula(7, ['drop_pad_mode'], finalised),
  MoeInitRouting: formula(3, ['active_num'], initialised),
  MoeInitRoutingV2Grad: formula(
    2,
    ['top_k', 'drop_pad_mode', 'active_num'],
    gathering('top_k', (call) => call.number('drop_pad_mode') === 0),
  ),
  MoeTokenUnpermuteGrad: formula(4, ['padded_mode', 'restore_shape'], unpermuteGradient),
  MoeTokenPermute: formula(2, ['num_out_tokens', 'padded_mode'], permuted),
  MoeTokenPermuteGrad: formula(
    2,
    ['num_topk', 'padded_mode'],
    gathering('num_topk', (call) => !call.flag('padded_mode')),
  ),
  RotaryPositionEmbedding: formula(3, ['mode'], (call) =>
    rotated(call.x(0), call.x(1), call.x(2), call.number('mode', 0)),
  ),
}
