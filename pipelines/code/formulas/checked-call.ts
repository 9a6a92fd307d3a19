import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {decode, encode, isInteger, valueRange} from '../../../datasets/dtype.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {FormulaCall, resultsOf, type Formula, type Result} from './formula-call.ts'
import {formulaOf} from './formulas.ts'

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
