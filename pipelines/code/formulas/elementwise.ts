import {elementCount} from '../../../datasets/schema/tensor.ts'
import {largest, mapped, understood, type Values} from './arrays.ts'
import type {Formula, FormulaCall, Formulas, Result} from './formula-call.ts'

export type ElementFunction = (...elements: number[]) => number

interface Elementwise {
  attributes?: readonly string[]
  /** The sum of the magnitudes that a value is the sum of, where it may be much less. */
  terms?: (call: FormulaCall) => ElementFunction
}

/** A function of an element of each tensor, broadcast; `terms` as in `Elementwise`. */
export function elements(operands: readonly Values[], f: ElementFunction, terms?: ElementFunction): Result {
  return {...mapped(f, ...operands), ...(terms && {scale: largest(mapped(terms, ...operands).data)})}
}

/** The one output is a function of an element of each input; all of them are handed over. */
export function elementwise(
  inputs: number,
  f: (call: FormulaCall) => ElementFunction,
  {attributes = [], terms}: Elementwise = {},
): Formula {
  return {
    inputs,
    attributes,
    of(call) {
      const operands = Array.from({length: inputs}, (_, at) => call.x(at))
      return [elements(operands, f(call), terms?.(call))]
    },
  }
}

export function elementwiseOf(
  inputs: number,
  table: Readonly<Record<string, ElementFunction>>,
  terms?: ElementFunction,
): Formulas {
  const formula = (f: ElementFunction) => elementwise(inputs, () => f, terms ? {terms: () => terms} : {})
  return Object.fromEntries(Object.entries(table).map(([name, f]) => [name, formula(f)]))
}

/** The elements as a tensor of the output's shape, where it holds as many. */
export function filled(call: FormulaCall, value: number): Result {
  const {shape} = call.output()
  return {shape, data: new Float64Array(elementCount(shape)).fill(value)}
}

/** The two halves along an axis, as of gated units. */
export function halves(x: Values, axis: number): [Values, Values] {
  const size = x.shape[axis] as number
  understood(size % 2 === 0)
  const inner = elementCount(x.shape.slice(axis + 1)) * (size / 2)
  const shape = x.shape.map((one, at) => (at === axis ? one / 2 : one))
  const half = (which: number) => ({
    shape,
    data: Float64Array.from({length: x.data.length / 2}, (_, at) => {
      const row = Math.floor(at / inner)
      return x.data[(2 * row + which) * inner + (at % inner)] as number
    }),
  })
  return [half(0), half(1)]
}
