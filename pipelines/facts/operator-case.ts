import {encode, isInteger, roundTo, valueRange} from '../../datasets/dtype.ts'
import type {DrawnInput} from '../../datasets/schema/operator-call.ts'
import type {Scenario} from '../../datasets/schema/scenario.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {elementCount, type Dtype, type Tensor} from '../../datasets/schema/tensor.ts'
import {randomFrom} from '../../engine/random.ts'

/** A scenario as an executor runs it; the same scenario always gives the same values. */
export function operatorCase(
  {seed, inputs, attributes, outputs}: Pick<Scenario, 'seed' | 'inputs' | 'attributes' | 'outputs'>,
  id: string,
): OperatorCase {
  // Tensors of a list have one name, and values of their own.
  const place = (at: number) => inputs.slice(0, at).filter(({name}) => name === inputs[at]?.name).length
  return {id, inputs: inputs.map((input, at) => draw(input, place(at), seed)), attributes, outputs}
}

function draw({name, shape, dtype, range: [least, most], values}: DrawnInput, place: number, seed: string): Tensor {
  const random = randomFrom(seed, name, place)
  const raw = values
    ? Float64Array.from(values)
    : Float64Array.from({length: elementCount(shape)}, () => least + (most - least) * random.unit())
  const rounded = isInteger(dtype) ? raw.map((value) => held(dtype, value)) : roundTo(raw, dtype)
  return {name, shape, dtype, data: encode(rounded, dtype)}
}

/** The integer next to a value that the type holds; away from 0, so that divisors stay divisors. */
function held(dtype: Dtype, value: number): number {
  const [least, most] = valueRange(dtype)
  return Math.min(Math.max(value < 0 ? Math.floor(value) : Math.ceil(value), least), most)
}
