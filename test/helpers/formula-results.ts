import type {Dtype} from '../../datasets/schema/tensor.ts'
import {FormulaCall, resultsOf, type Formula, type Operand} from '../../pipelines/code/formulas/formula-call.ts'
import {formulaOf} from '../../pipelines/code/formulas/checked-call.ts'

type Attributes = Readonly<Record<string, boolean | number | string | readonly number[]>>

export const tensor = (shape: readonly number[], values: readonly number[], dtype: Dtype = 'float32'): Operand => ({
  shape,
  dtype,
  data: Float64Array.from(values),
})

export const vector = (...values: number[]): Operand => tensor([values.length], values)
export const whole = (...values: number[]): Operand => tensor([values.length], values, 'int32')

type Given = Operand | readonly Operand[] | undefined

function formOf(operator: string): Formula {
  const formula = formulaOf(operator)
  if (!formula) throw new Error(`${operator} has no formula`)
  return formula
}

function by(formula: Formula, given: readonly Given[], attributes: Attributes = {}, output?: Operand) {
  const inputs = given.map((one) => (one === undefined ? [] : [one].flat()))
  const declared = Object.keys(attributes).map((name) => ({name, required: true, type: 'Int', default: ''}))
  const call = new FormulaCall({attributes: declared}, inputs, output ? [[output]] : [], attributes)
  return resultsOf(formula, call)?.flatMap((one) => (one === undefined ? [] : [one].flat()))
}

/** What an operator's formula gives, by output; undefined where it does not understand the call. */
export function results(operator: string, given: readonly Given[], attributes: Attributes = {}, output?: Operand) {
  return by(formOf(operator), given, attributes, output)
}

/** The numbers of the first output by the second form of a formula, to six digits. */
export function otherNumbers(operator: string, given: readonly Given[]) {
  const {or} = formOf(operator)
  const [first] = (or && by(or, given)) ?? []
  return first && [...first.data].map(sixDigits)
}

/** The numbers of the first output, to six digits. */
export function numbers(operator: string, given: readonly Given[], attributes: Attributes = {}, output?: Operand) {
  const [first] = results(operator, given, attributes, output) ?? []
  return first && [...first.data].map(sixDigits)
}

/** As `numbers` gives them. */
export const sixDigits = (value: number) => Number(value.toPrecision(6))
