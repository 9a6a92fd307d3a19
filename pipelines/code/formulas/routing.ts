import {placed, sum, sumOf, understood, type Values} from './arrays.ts'
import {elements} from './elementwise.ts'
import type {FormulaCall, Formulas, Result} from './formula-call.ts'

const rowOf = ({shape, data}: Values, at: number) => {
  const size = shape.at(-1) as number
  understood(Number.isInteger(at) && at >= 0 && (at + 1) * size <= data.length)
  return data.subarray(at * size, (at + 1) * size)
}

/** Places in ascending order of the values, equal ones in the order in which they stand. */
const sorted = (values: Float64Array): number[] =>
  [...values.keys()].sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)

function rows(size: number, all: readonly Float64Array[]): Values {
  const data = new Float64Array(size * all.length)
  for (const [at, row] of all.entries()) data.set(row, at * size)
  return {shape: [all.length, size], data}
}

const vector = (values: ArrayLike<number>): Values => ({shape: [values.length], data: Float64Array.from(values)})

/** Tokens by the expert that they go to. */
function permuted(call: FormulaCall): Values[] {
  const [tokens, indices] = [call.x(0), call.x(1)]
  understood(!call.flag('padded_mode') && tokens.shape.length === 2)
  const choices = indices.data.length / (tokens.shape[0] as number)
  const order = sorted(indices.data)
  understood(call.number('num_out_tokens') === order.length)
  const places = new Float64Array(order.length)
  for (const [at, from] of order.entries()) places[from] = at
  return [
    rows(
      tokens.shape[1] as number,
      order.map((from) => rowOf(tokens, Math.floor(from / choices))),
    ),
    vector(places),
  ]
}

/** Rows are numbered column by column of the choices. */
function initialised(call: FormulaCall): Values[] {
  const [x, row, expert] = [call.x(0), call.x(1), call.x(2)]
  const order = sorted(expert.data)
  const numbers = order.map((at) => row.data[at] as number)
  const count = x.shape[0] as number
  understood(
    call.number('active_num') >= count && String([...numbers].sort((a, b) => a - b)) === String([...numbers.keys()]),
  )
  const places = new Float64Array(numbers.length)
  for (const [at, number] of numbers.entries()) places[number] = at
  const chosen = numbers.map((number) => rowOf(x, number % count))
  return [rows(x.shape[1] as number, chosen), vector(places), vector(order.map((at) => expert.data[at] as number))]
}

/** The sum of the rows that a place stands for, `count` of them each. */
function summedRows(x: Values, places: Float64Array, count: number): Result {
  const size = x.shape.at(-1) as number
  const [sums, terms] = [[], []] as [Float64Array[], Float64Array[]]
  for (let at = 0; at < places.length; at += count) {
    const [total, magnitude] = [new Float64Array(size), new Float64Array(size)]
    for (const place of places.subarray(at, at + count))
      for (const [column, value] of rowOf(x, place).entries()) {
        total[column] = (total[column] as number) + value
        magnitude[column] = (magnitude[column] as number) + Math.abs(value)
      }
    sums.push(total)
    terms.push(magnitude)
  }
  return {
    ...rows(size, sums),
    scale: Math.max(...terms.map((row) => row.reduce((most, one) => Math.max(most, one), 0))),
  }
}

/** Of tokens that were permuted: what each stood for, weighted, and how much each weight gave. */
function unpermuteGradient(call: FormulaCall): Result[] {
  const [tokens, dy, places, probs] = [call.x(0), call.x(1), call.x(2).data, call.x(3)]
  const [count = 0, choices = 0] = probs.shape
  const size = dy.shape.at(-1) as number
  understood(!call.flag('padded_mode') && probs.shape.length === 2 && places.length === count * choices)
  understood(String([...places].sort((a, b) => a - b)) === String([...places.keys()]))
  const back: Float64Array[] = []
  for (const [at, place] of places.entries())
    back[place] = rowOf(dy, Math.floor(at / choices)).map((one) => one * (probs.data[at] as number))
  const products = [...places].map((place, at) =>
    rowOf(tokens, place).map((one, column) => one * (rowOf(dy, Math.floor(at / choices))[column] as number)),
  )
  const scale = Math.max(...products.map((row) => sumOf(row, Math.abs)))
  return [rows(size, back), {shape: probs.shape, data: Float64Array.from(products, sum), scale}]
}

function finalised(call: FormulaCall): Result {
  const [x, places, scales] = [call.x(0), call.x(1), call.optional(5)]
  understood([0, 2].includes(call.number('drop_pad_mode', 0)) && scales !== undefined)
  const [count = 0, choices = 0] = scales.shape
  const size = x.shape.at(-1) as number
  const [shared, further, bias, expert] = [2, 3, 4, 6].map((at) => call.optional(at))
  understood((bias === undefined) === (expert === undefined) || expert !== undefined)
  let scale = 0
  const result = placed([count, size], ([row = 0, column = 0]) => {
    const terms = [shared, further].flatMap((one) => (one ? [rowOf(one, row)[column] as number] : []))
    for (let k = 0; k < choices; k += 1) {
      const from = rowOf(x, places.data[row + k * count] as number)[column] as number
      const added = bias ? (rowOf(bias, expert?.data[row * choices + k] as number)[column] as number) : 0
      const weight = scales.data[row * choices + k] as number
      terms.push(weight * from, weight * added)
    }
    scale = Math.max(
      scale,
      terms.reduce((total, one) => total + Math.abs(one), 0),
    )
    return terms.reduce((total, one) => total + one, 0)
  })
  return {...result, scale}
}

/** The last axis turned: halves change places, the second one negated; or neighbours do. */
function turned(x: Values, mode: 'half' | 'interleave'): Values {
  const size = x.shape.at(-1) as number
  understood(size % 2 === 0)
  const half = size / 2
  return {
    shape: x.shape,
    data: x.data.map((_, at) => {
      const column = at % size
      if (mode === 'interleave') return (column % 2 === 0 ? -(x.data[at + 1] as number) : x.data[at - 1]) as number
      return (column < half ? -(x.data[at + half] as number) : x.data[at - half]) as number
    }),
  }
}

function rotated(x: Values, cos: Values, sin: Values, mode: 'half' | 'interleave'): Result {
  return elements(
    [x, turned(x, mode), cos, sin],
    (a, b, c, s) => a * c + b * s,
    (a, b, c, s) => Math.abs(a * c) + Math.abs(b * s),
  )
}

/** Neighbours become halves first. */
function parted(x: Values): Values {
  const size = x.shape.at(-1) as number
  const half = size / 2
  return {
    shape: x.shape,
    data: x.data.map((_, at) => {
      const column = at % size
      return x.data[at - column + (column < half ? 2 * column : 2 * (column - half) + 1)] as number
    }),
  }
}

export const routing: Formulas = {
  ApplyRotaryPosEmb: {
    inputs: 4,
    attributes: ['layout', 'rotary_mode'],
    of(call) {
      understood(call.word('rotary_mode') === 'half')
      return [0, 1].map((at) => rotated(call.x(at), call.x(2), call.x(3), 'half'))
    },
  },
  InterleaveRope: {inputs: 3, of: (call) => [rotated(parted(call.x(0)), call.x(1), call.x(2), 'half')]},
  MoeComputeExpertTokens: {
    inputs: 1,
    attributes: ['num_experts'],
    of(call) {
      const counts = Array.from(
        {length: call.number('num_experts')},
        (_, expert) => call.x().data.filter((one) => one <= expert).length,
      )
      return [vector(counts)]
    },
  },
  MoeFinalizeRoutingV2: {inputs: 7, attributes: ['drop_pad_mode'], of: (call) => [finalised(call)]},
  MoeInitRouting: {inputs: 3, attributes: ['active_num'], of: initialised},
  MoeInitRoutingV2Grad: {
    inputs: 2,
    attributes: ['top_k', 'drop_pad_mode', 'active_num'],
    of(call) {
      understood(call.number('drop_pad_mode') === 0)
      return [summedRows(call.x(0), call.x(1).data, call.number('top_k'))]
    },
  },
  MoeTokenUnpermuteGrad: {inputs: 4, attributes: ['padded_mode', 'restore_shape'], of: unpermuteGradient},
  MoeTokenPermute: {inputs: 2, attributes: ['num_out_tokens', 'padded_mode'], of: permuted},
  MoeTokenPermuteGrad: {
    inputs: 2,
    attributes: ['num_topk', 'padded_mode'],
    of(call) {
      understood(!call.flag('padded_mode'))
      return [summedRows(call.x(0), call.x(1).data, call.number('num_topk'))]
    },
  },
  RotaryPositionEmbedding: {
    inputs: 3,
    attributes: ['mode'],
    of(call) {
      const mode = (['half', 'interleave'] as const)[call.number('mode', 0)]
      understood(mode !== undefined)
      return [rotated(call.x(0), call.x(1), call.x(2), mode)]
    },
  },
}
