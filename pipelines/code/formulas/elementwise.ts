import {elementCount} from '../../../datasets/schema/tensor.ts'
import {largest, mapped, pieces, sum, sumOf, understood, type Values} from './arrays.ts'
import {formula, type Formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

export type ElementFunction = (...elements: number[]) => number
type Terms = (...elements: number[]) => readonly number[]

/** Sums of terms, one of an element of each tensor, broadcast; terms that cancel out are remembered at their size. */
export function summed(operands: readonly Values[], terms: Terms): Result {
  const scale = largest(mapped(operands, (...each) => sumOf(terms(...each), Math.abs)).data)
  return {...mapped(operands, (...each) => sum(terms(...each))), scale}
}

/** The one output is a function of an element of each input; all of them are handed over. */
export const elementwise = (
  inputs: number,
  attributes: readonly string[],
  f: (call: FormulaCall) => ElementFunction,
): Formula => formula(inputs, attributes, (call) => mapped(call.first(inputs), f(call)))

/**
 * As `elementwise`, with numbers behind the elements that are attributes: by name, or by its names with `|` between,
 * what holds where a definition has none.
 */
export function parametric(
  inputs: number,
  attributes: Readonly<Record<string, number | undefined>>,
  f: ElementFunction,
): Formula {
  const named = Object.entries(attributes).map(
    ([names, otherwise]) => [names.split('|') as [string, ...string[]], otherwise] as const,
  )
  return elementwise(
    inputs,
    named.flatMap(([names]) => names),
    (call) => {
      const values = named.map(([names, otherwise]) => call.number(call.named(...names), otherwise))
      return (...all) => f(...all, ...values)
    },
  )
}

/** The one output is a sum of terms. */
export const termwise = (inputs: number, attributes: readonly string[], f: (call: FormulaCall) => Terms): Formula =>
  formula(inputs, attributes, (call) => summed(call.first(inputs), f(call)))

export const elementwiseOf = (inputs: number, table: Readonly<Record<string, ElementFunction>>): Formulas =>
  Object.fromEntries(Object.entries(table).map(([name, f]) => [name, elementwise(inputs, [], () => f)]))

/** The elements as a tensor of the output's shape, where it holds as many. */
export function filled(call: FormulaCall, value: number): Result {
  const {shape} = call.output()
  return {shape, data: new Float64Array(elementCount(shape)).fill(value)}
}

/** The two halves along an axis, as of gated units. */
export function halves(x: Values, axis: number): [Values, Values] {
  const half = (x.shape[axis] as number) / 2
  understood(Number.isInteger(half))
  return pieces(x, axis, [half, half]) as [Values, Values]
}
