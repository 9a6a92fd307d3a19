import {decode} from '../../datasets/dtype.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {interpret} from '../../pipelines/ascendcraft/interpret/interpret.ts'
import type {CheckedModule} from '../../pipelines/ascendcraft/language/checked.ts'
import {lower} from '../../pipelines/ascendcraft/lower/lower.ts'
import {tensorsOf} from './interpreting.ts'
import {checkedText, runLowered} from './lowering.ts'
import type {DrawnProgram} from './programs-of-chance.ts'

export type Agreement = {agrees: true; isBitEqual: boolean} | {agrees: false; why: string}

type Lowering = (checked: CheckedModule, operator: string) => readonly SourceFile[]

const ours: Lowering = (checked, operator) => lower(checked, {operator}).files

/**
 * Runs a program in the interpreter and, lowered, on the twin. Another lowering may stand in for ours, to be caught.
 */
export async function agreement(one: DrawnProgram, lowering: Lowering = ours): Promise<Agreement> {
  const checked = checkedText(one.text)
  const inputs = tensorsOf(checked, Object.values(one.inputs))
  const forward = interpret(checked, {inputs})
  const reverse = interpret(checked, {inputs}, {order: 'reverse'})
  if (!forward.ok || !reverse.ok) {
    const {fault} = (forward.ok ? reverse : forward) as Exclude<typeof forward, {ok: true}>
    return {agrees: false, why: `interpreter: line ${fault.line}: ${fault.message}`}
  }
  const operator = 'ChanceCustom'
  const run = await runLowered(operator, checked, lowering(checked, operator), one.inputs)
  if (run.outcome !== 'ran') return {agrees: false, why: `twin: ${run.why}`}
  let isBitEqual = true
  for (const [at, {name, dtype, data}] of forward.outputs.entries()) {
    if (Buffer.compare(data, reverse.outputs[at]!.data) !== 0) return {agrees: false, why: `${name} depends on order`}
    const [expected, got] = [decode(data, dtype), run.values[name] as Float64Array]
    const [absolute, relative] = tolerance(dtype, one.isExact)
    for (const [index, value] of expected.entries()) {
      const seen = got[index] as number
      if (Object.is(value, seen) || value === seen || (Number.isNaN(value) && Number.isNaN(seen))) continue
      isBitEqual = false
      if (Math.abs(value - seen) <= absolute + relative * Math.abs(value)) continue
      return {agrees: false, why: `${name}[${index}]: interpreter ${value}, twin ${seen}`}
    }
  }
  return {agrees: true, isBitEqual}
}

/** A half that a function like exp rounds the other way is off by a step, which operations after it make larger. */
function tolerance(dtype: string, isExact: boolean): [absolute: number, relative: number] {
  if (isExact) return [0, 0]
  return dtype === 'float16' ? [2 ** -6, 2 ** -6] : [1e-5, 1e-5]
}
