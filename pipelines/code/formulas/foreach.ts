import {arithmetic} from './element-arithmetic.ts'
import {understood, type Values} from './arrays.ts'
import {elements, type ElementFunction} from './elementwise.ts'
import {activations} from './activations.ts'
import {FormulaCall, type Formula, type Formulas, type Result} from './formula-call.ts'

/** Of lists of tensors: the n-th of every list belong together. */
function eachOf(
  lists: number,
  of: (call: FormulaCall, tensors: readonly Values[], at: number) => Result,
  inputs = lists,
): Formula {
  return {
    inputs,
    of(call) {
      const count = call.list(0).length
      understood(count > 0)
      const all = Array.from({length: lists}, (_, list) => call.list(list))
      understood(all.every(({length}) => length === count))
      return [
        call.list(0).map((_, at) =>
          of(
            call,
            all.map((list) => list[at] as Values),
            at,
          ),
        ),
      ]
    },
  }
}

/** A number for all tensors, or one for each. */
function numberOf(call: FormulaCall, input: number, at: number): Values {
  const {data} = call.x(input)
  understood(data.length === 1 || data.length === call.list(0).length || data.length === call.list(1).length)
  return {shape: [1], data: Float64Array.of((data.length === 1 ? data[0] : data[at]) as number)}
}

const unaryNames = [
  'Abs',
  'Acos',
  'Asin',
  'Atan',
  'Cos',
  'Cosh',
  'Erf',
  'Erfc',
  'Exp',
  'Expm1',
  'Log',
  'Log10',
  'Log1p',
  'Log2',
  'Neg',
  'Reciprocal',
  'Sigmoid',
  'Sign',
  'Sin',
  'Sinh',
  'Sqrt',
  'Tan',
  'Tanh',
] as const

/** The formula of one tensor, for each of a list. */
function like(name: string): Formula {
  const formula = (arithmetic[name] ?? activations[name]) as Formula
  return eachOf(1, (call, tensors) => {
    const one = new FormulaCall(
      {attributes: []},
      [tensors.map((x) => ({...x, dtype: call.list(0)[0]?.dtype ?? 'float32'}))],
      [],
      {},
    )
    return formula.of(one)[0] as Result
  })
}

const binary: Readonly<Record<string, ElementFunction>> = {
  Add: (x, y) => x + y,
  Div: (x, y) => x / y,
  Maximum: Math.max,
  Minimum: Math.min,
  Mul: (x, y) => x * y,
  Pow: Math.pow,
  Sub: (x, y) => x - y,
}

const size: ElementFunction = (...all) => all.reduce((total, x) => total + Math.abs(x), 0)

function binaries(name: string, f: ElementFunction): Formulas {
  const terms = name === 'Add' || name === 'Sub' ? size : undefined
  const withNumber = eachOf(1, (call, [x], at) => elements([x as Values, numberOf(call, 1, at)], f, terms), 2)
  const scaled = (x: number, y: number, alpha: number) => f(x, y * alpha)
  const list = terms
    ? eachOf(
        2,
        (call, [x, y], at) => elements([x, y, numberOf(call, 2, at)] as Values[], scaled, (a, b, c) => size(a, b * c)),
        3,
      )
    : eachOf(2, (_, tensors) => elements(tensors, f))
  return {[`Foreach${name}List`]: list, [`Foreach${name}Scalar`]: withNumber, [`Foreach${name}ScalarList`]: withNumber}
}

function fused(name: string, f: (x: number, a: number, b: number) => number): Formulas {
  const formula = eachOf(
    3,
    (call, tensors, at) =>
      elements(
        [...tensors, numberOf(call, 3, at)],
        (x, a, b, value) => x + value * f(x, a, b),
        (x, a, b, value) => size(x, value * f(x, a, b)),
      ),
    4,
  )
  return Object.fromEntries(['List', 'Scalar', 'ScalarList'].map((form) => [`Foreach${name}${form}`, formula]))
}

const lerp: ElementFunction = (x, y, weight) => x + weight * (y - x)
const lerpSize: ElementFunction = (x, y, weight) => size(x, weight * (y - x))

export const foreachs: Formulas = {
  ...Object.fromEntries(unaryNames.map((name) => [`Foreach${name}`, like(name)])),
  ...Object.assign({}, ...Object.entries(binary).map(([name, f]) => binaries(name, f))),
  ...fused('Addcdiv', (_, a, b) => a / b),
  ...fused('Addcmul', (_, a, b) => a * b),
  ForeachCopy: eachOf(1, (_, [x]) => x as Values),
  ForeachLerpList: eachOf(3, (_, tensors) => elements(tensors, lerp, lerpSize)),
  ForeachLerpScalar: eachOf(2, (call, tensors, at) => elements([...tensors, numberOf(call, 2, at)], lerp, lerpSize), 3),
  ForeachPowScalarAndTensor: {
    inputs: 2,
    of: (call) => [call.list(1).map((x) => elements([call.x(0), x], Math.pow))],
  },
  ForeachNorm: {
    inputs: 2,
    of(call) {
      const p = call.x(1).data[0] as number
      understood(p === 1 || p === 2)
      const norm = (x: Values) => x.data.reduce((total, one) => total + Math.abs(one) ** p, 0) ** (1 / p)
      return [call.list(0).map((x) => ({shape: [1], data: Float64Array.of(norm(x))}))]
    },
  },
}
