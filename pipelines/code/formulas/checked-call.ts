import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {decode, encode, isInteger, valueRange} from '../../../datasets/dtype.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {FormulaCall, resultsOf, type Formula, type Result, type Formulas, formula} from './formula-call.ts'
import {activationGradients} from './activation-gradients.ts'
import {activations} from './activations.ts'
import {arithmetic} from './element-arithmetic.ts'
import {foreachs} from './foreach.ts'
import {losses} from './losses.ts'
import {norms} from './norms.ts'
import {rearranging} from './rearranging.ts'
import {regions} from './regions.ts'
import {reducing} from './reductions.ts'
import {routing} from './routing.ts'
import {shapes} from './shapes.ts'
import {mapped, understood, type Values} from './arrays.ts'
import {summed} from './elementwise.ts'

/** Why an output is not what was expected; undefined where it is. `scale` as in `Result`. */
export type Differs = (
  output: TensorSpec,
  expected: Float64Array,
  found: Uint8Array,
  scale?: number,
) => string | undefined

export type Checked = {outcome: 'agrees' | 'none'} | {outcome: 'disagrees'; detail: string}

type Ran = Pick<OperatorCase, 'inputs' | 'attributes' | 'outputs'> & {found: readonly Uint8Array[]}

/** Whether what a call gave matches the operator's formula; `none` if no formula covers the call. */
export function checkCall(definition: OperatorDefinition, ran: Ran, differs: Differs): Checked {
  const formula = formulaOf(definition.operator)
  return formula && takes(formula, definition, ran) ? byEither(formula, definition, ran, differs) : {outcome: 'none'}
}

function byEither(formula: Formula, definition: OperatorDefinition, ran: Ran, differs: Differs): Checked {
  const first = checkBy(formula, definition, ran, differs)
  if (first.outcome !== 'disagrees' || !formula.or) return first
  return byEither(formula.or, definition, ran, differs).outcome === 'agrees' ? {outcome: 'agrees'} : first
}

function checkBy(formula: Formula, definition: OperatorDefinition, ran: Ran, differs: Differs): Checked {
  const expected = expectedOf(formula, definition, ran)
  if (!expected) return {outcome: 'none'}
  let known = true
  for (const [at, spec] of ran.outputs.entries()) {
    const result = expected[at]
    if (!result || !fits(result, spec)) known = false
    else {
      const found = ran.found[at] as Uint8Array
      const detail = isSized(result, spec) ? differenceOf(result, spec, found, differs) : otherSize(result, spec)
      if (detail !== undefined)
        return {outcome: 'disagrees', detail: `${spec.name}: ${detail}${firstValues(spec, result, found)}`}
    }
  }
  return {outcome: known ? 'agrees' : 'none'}
}

function differenceOf({data, scale, via}: Result, spec: TensorSpec, found: Uint8Array, differs: Differs) {
  if (via === undefined) return differs(spec, data, found, scale)
  return differs({...spec, dtype: via}, data, encode(decode(found, spec.dtype), via), scale)
}

/** Whether a formula uses all arguments of a call. */
function takes(formula: Formula, {inputs, attributes}: OperatorDefinition, ran: Ran): boolean {
  const unheeded = inputs.slice(formula.inputs).map(({name}) => name)
  return (
    !ran.inputs.some(({name, dtype}) => unheeded.includes(name) || dtype === 'complex64') &&
    !ran.outputs.some(({dtype}) => dtype === 'complex64') &&
    attributes.every(({name}) => formula.attributes?.includes(name))
  )
}

/** By the order of the call's outputs. */
function expectedOf(formula: Formula, definition: OperatorDefinition, ran: Ran): (Result | undefined)[] | undefined {
  const inputs = definition.inputs.map(({name}) =>
    ran.inputs
      .filter((one) => one.name === name)
      .map(({shape, dtype, data}) => ({shape, dtype, data: decode(data, dtype)})),
  )
  const outputs = definition.outputs.map(({name}) => ran.outputs.filter((one) => one.name === name))
  const results = resultsOf(formula, new FormulaCall(definition, inputs, outputs, ran.attributes))
  if (!results) return undefined
  return ran.outputs.map(({name}, at) => {
    const position = definition.outputs.findIndex((one) => one.name === name)
    const place = ran.outputs.slice(0, at).filter((one) => one.name === name).length
    return [results[position] ?? []].flat()[place]
  })
}

/** Whole numbers that the output's type does not hold wrap, saturate or are cut off; the formula does not say which. */
function fits({data}: Result, {dtype}: TensorSpec): boolean {
  if (!isInteger(dtype)) return true
  const [least, most] = valueRange(dtype)
  return data.every((value) => Number.isInteger(value) && value >= least && value <= most)
}

const isSized = ({data}: Result, {shape}: TensorSpec) => data.length === elementCount(shape)

function otherSize({shape}: Result, spec: TensorSpec): string {
  return `[${spec.shape.join(', ')}] where the formula gives [${shape.join(', ')}]`
}

const shown = 4

function firstValues({dtype}: TensorSpec, {data}: Result, found: Uint8Array): string {
  const list = (values: Float64Array) =>
    [...values.subarray(0, shown)].map((one) => Number(one.toPrecision(6))).join(', ')
  return `; begins ${list(decode(found, dtype))}, expected ${list(data)}`
}

const blended = (before: Values, now: Values, share: number, f: (x: number) => number): Result =>
  summed([before, now], (a, b) => [share * a, (1 - share) * f(b)])

/** Moments with shares that are below 1, as those of every user are. */
function adam(call: FormulaCall): Result[] {
  understood(!call.flag('use_nesterov'))
  const [first, second, rate, beta1, beta2, epsilon] = [3, 4, 5, 6, 7, 8].map((at) => call.scalar(at)) as Six
  understood([first, second, beta1, beta2].every((one) => one >= 0 && one < 1) && epsilon > 0)
  understood(call.x(2).data.every((one) => one >= 0))
  const gradient = call.x(9)
  const m = blended(call.x(1), gradient, beta1, (g) => g)
  const v = blended(call.x(2), gradient, beta2, (g) => g * g)
  const step = (rate * Math.sqrt(1 - second)) / (1 - first)
  return [summed([call.x(0), m, v], (x, a, b) => [x, (-step * a) / (Math.sqrt(b) + epsilon)]), m, v]
}

type Six = [number, number, number, number, number, number]

const optimisers: Formulas = {
  ApplyAdagradD: formula(4, ['update_slots', 'use_locking'], (call) => {
    const [accumulated, gradient, rate] = [call.x(1), call.x(3), call.scalar(2)]
    const next = call.flag('update_slots') ? mapped([accumulated, gradient], (a, g) => a + g * g) : accumulated
    understood(next.data.every((one) => one > 0))
    return [summed([call.x(0), gradient, next], (x, g, a) => [x, (-rate * g) / Math.sqrt(a)]), next]
  }),
  ApplyAdamD: formula(10, ['use_locking', 'use_nesterov'], adam),
  ApplyGradientDescent: formula(3, [], (call) => {
    const alpha = call.scalar(1)
    return summed([call.x(0), call.x(2)], (x, delta) => [x, -alpha * delta])
  }),
}

/** By operator; names that end in a version, `V2`, are read without it where they have no formula of their own. */
const formulas: Formulas = {
  ...arithmetic,
  ...activations,
  ...activationGradients,
  ...foreachs,
  ...losses,
  ...norms,
  ...reducing,
  ...optimisers,
  ...rearranging,
  ...regions,
  ...routing,
  ...shapes,
}

export function formulaOf(operator: string): Formula | undefined {
  return formulas[operator] ?? formulas[operator.replace(/(?:V\d+|Custom|Example)$/, '')]
}
