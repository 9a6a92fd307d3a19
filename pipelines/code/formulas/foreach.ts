import {activations} from './activations.ts'
import {known, mapped, scalar, sumOf, understood, type Values} from './arrays.ts'
import {arithmetic} from './element-arithmetic.ts'
import {summed, type ElementFunction} from './elementwise.ts'
import {formula, FormulaCall, resultsOf, type Formula, type Formulas, type Result} from './formula-call.ts'

/** Of lists of tensors: the n-th of every list belong together, and a number behind the lists. */
function eachOf(
  lists: number,
  of: (call: FormulaCall, tensors: readonly Values[], at: number) => Result,
  inputs = lists,
): Formula {
  return formula(inputs, [], (call) => {
    const [first, ...rest] = Array.from({length: lists}, (_, list) => call.list(list))
    understood(first !== undefined && first.length > 0 && rest.every(({length}) => length === first.length))
    return [first.map((one, at) => of(call, [one, ...rest.map((list) => list[at] as Values)], at))]
  })
}

/** With a number behind the lists, for all tensors or for each. */
const numbered = (lists: number, of: (tensors: readonly Values[]) => Result): Formula =>
  eachOf(lists, (call, tensors, at) => of([...tensors, numberOf(call, lists, at)]), lists + 1)

function numberOf(call: FormulaCall, input: number, at: number): Values {
  const {data} = call.x(input)
  understood(data.length === 1 || data.length === call.list(0).length || data.length === call.list(1).length)
  return scalar((data.length === 1 ? data[0] : data[at]) as number)
}

const unaryNames = [
  ...['Abs', 'Acos', 'Asin', 'Atan', 'Cos', 'Cosh', 'Erf', 'Erfc', 'Exp', 'Expm1', 'Log', 'Log10', 'Log1p', 'Log2'],
  ...['Neg', 'Reciprocal', 'Sigmoid', 'Sign', 'Sin', 'Sinh', 'Sqrt', 'Tan', 'Tanh'],
]

/** The formula of one tensor, for each of a list. */
function like(name: string): Formula {
  const one = (arithmetic[name] ?? activations[name]) as Formula
  return formula(1, [], (call) => {
    understood(call.list().length > 0)
    return [
      call.list().map((x) => known(resultsOf(one, new FormulaCall({attributes: []}, [[x]], [], {}))?.[0]) as Result),
    ]
  })
}

type Forms = Readonly<Record<'List' | 'Scalar' | 'ScalarList', Formula>>

const named = (name: string, forms: Forms): Formulas =>
  Object.fromEntries(Object.entries(forms).map(([form, one]) => [`Foreach${name}${form}`, one]))

function product(f: ElementFunction): Forms {
  const withNumber = numbered(1, (operands) => mapped(operands, f))
  return {List: eachOf(2, (_, tensors) => mapped(tensors, f)), Scalar: withNumber, ScalarList: withNumber}
}

function total(sign: number): Forms {
  const withNumber = numbered(1, (operands) => summed(operands, (x, y) => [x, sign * y]))
  const list = numbered(2, (operands) => summed(operands, (x, y, alpha) => [x, sign * y * alpha]))
  return {List: list, Scalar: withNumber, ScalarList: withNumber}
}

function fused(f: (a: number, b: number) => number): Forms {
  const one = numbered(3, (operands) => summed(operands, (x, a, b, value) => [x, value * f(a, b)]))
  return {List: one, Scalar: one, ScalarList: one}
}

const operations: Readonly<Record<string, Forms>> = {
  Add: total(1),
  Addcdiv: fused((a, b) => a / b),
  Addcmul: fused((a, b) => a * b),
  Div: product((x, y) => x / y),
  Maximum: product(Math.max),
  Minimum: product(Math.min),
  Mul: product((x, y) => x * y),
  Pow: product(Math.pow),
  Sub: total(-1),
}

const lerp = (operands: readonly Values[]) => summed(operands, (x, y, weight) => [x, weight * (y - x)])

export const foreachs: Formulas = {
  ...Object.fromEntries(unaryNames.map((name) => [`Foreach${name}`, like(name)])),
  ...Object.assign({}, ...Object.entries(operations).map(([name, forms]) => named(name, forms))),
  ForeachCopy: eachOf(1, (_, [x]) => x as Values),
  ForeachLerpList: eachOf(3, (_, tensors) => lerp(tensors)),
  ForeachLerpScalar: numbered(2, lerp),
  ForeachPowScalarAndTensor: formula(2, [], (call) => [call.list(1).map((x) => mapped([call.x(0), x], Math.pow))]),
  ForeachNorm: formula(2, [], (call) => {
    const p = call.x(1).data[0] as number
    understood(p === 1 || p === 2)
    return [call.list(0).map(({data}) => scalar(sumOf(data, (one) => Math.abs(one) ** p) ** (1 / p)))]
  }),
}
