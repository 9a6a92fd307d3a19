import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Failure} from './submission.ts'
import {put} from './compile-binding.ts'
import {broken} from './refusals.ts'
import type {DeviceProcess, Elements} from './device-process.ts'

// A drawn call is JSON: numbers, lists, `{tuple: […]}`, and tensors with the file of their elements.
// The result is a folder in the same format: `outputs.json`, and files next to it.

const Sizes = z.array(z.int().nonnegative())

const ToldTensor = z.object({
  dtype: z.string(),
  shape: Sizes,
  strides: Sizes,
  place: z.int().nonnegative(),
  /** Start of the memory that it is a view of. */
  storage: z.int().nonnegative(),
})
const ToldPlain = z.union([
  z.object({host: z.string()}),
  z.object({fake: z.string()}),
  z.object({value: z.union([z.string(), z.number(), z.boolean(), z.null()])}),
])

/** What a model returned: device tensors by position, lists, and anything else. */
export type Told = z.infer<typeof ToldTensor> | z.infer<typeof ToldPlain> | {list: Told[]}
export const Told: z.ZodType<Told> = z.union([ToldTensor, ToldPlain, z.object({list: z.array(z.lazy(() => Told))})])

/** A tensor passed to the model: the file of its elements, and their address. */
interface GivenTensor {
  at: Elements & {place: number}
  file: string
}

const Drawn = z.object({dtype: Dtype, shape: Sizes, strides: Sizes, file: z.string()})

/** The tensors of a drawn call in the order in which a model's process receives them. */
export function placesIn(value: unknown, folder: string): GivenTensor[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => placesIn(one, folder))
  if (typeof value !== 'object' || value === null) return []
  if ('tuple' in value) return placesIn(value.tuple, folder)
  const drawn = Drawn.safeParse(value)
  if (!drawn.success) return []
  const {file, ...elements} = drawn.data
  return [{at: {...elements, place: 0}, file: join(folder, file)}]
}

/** Addresses of an allocation and of the pages around it. */
export interface Taken {
  from: number
  to: number
}

/** A page on either side, without access. */
const guards = 2 * 4096

/** @param line `alloc BASE BYTES BEHIND`, as the device is asked */
export function takenBy(line: string): Taken {
  const [, from = 0, ...bytes] = line.split(' ').map(Number)
  return {from, to: from + bytes.reduce((sum, one) => sum + one, guards)}
}

/** Above the number of outputs of any benchmark model. */
const mostTensors = 64

/**
 * Writes a call's results, and its inputs afterwards, to a folder. @throws WrongRequest when a tensor is outside the
 * device's memory
 */
export async function saveOutputs(
  device: DeviceProcess,
  told: Told,
  {inputs, taken}: {inputs: readonly GivenTensor[]; taken: readonly Taken[]},
  folder: string,
): Promise<Failure | undefined> {
  await mkdir(folder)
  const places = new Set(inputs.map(({at}) => at.place))
  const found = new Found(taken)
  const outputs = found.written(told, places)
  if (found.fault) return found.fault
  const after: object[] = []
  for (const [index, {at}] of inputs.entries()) {
    const file = `input-${index}.bin`
    await device.save(at, join(folder, file))
    after.push({dtype: at.dtype, shape: at.shape, file})
  }
  for (const {at, file} of found.tensors) await device.save(at, join(folder, file))
  await put(join(folder, 'outputs.json'), JSON.stringify({outputs, inputsAfter: after}))
  return undefined
}

class Found {
  readonly tensors: {at: Elements; file: string}[] = []
  fault: Failure | undefined
  readonly #taken: readonly Taken[]

  constructor(taken: readonly Taken[]) {
    this.#taken = taken
  }

  written(told: Told, inputs: ReadonlySet<number>): unknown {
    if ('list' in told) return told.list.map((one) => this.written(one, inputs))
    if ('value' in told) return {value: told.value}
    if ('host' in told) {
      this.fault ??= broken('model-error', 'output-on-the-host', `an output lies in memory of the host (${told.host})`)
      return undefined
    }
    if ('fake' in told) {
      this.fault ??= broken('cheated', 'returns-no-tensor', `an output is a ${told.fake}`)
      return undefined
    }
    const dtype = Dtype.safeParse(told.dtype)
    const {shape, strides, place, storage} = told
    const unusable = (why: string): Failure => ({outcome: 'failed', kind: 'model-error', why})
    if (!dtype.success) this.fault ??= unusable(`an output has elements of ${told.dtype}`)
    if (this.tensors.length >= mostTensors) this.fault ??= unusable(`there are more than ${mostTensors} outputs`)
    if (
      !shape.includes(0) &&
      !inputs.has(storage) &&
      !this.#taken.some(({from, to}) => from <= storage && storage < to)
    )
      this.fault ??= broken('cheated', 'keeps-an-output', 'an output lies in memory of an earlier call')
    if (!dtype.success || this.fault) return undefined
    const file = `output-${this.tensors.length}.bin`
    this.tensors.push({at: {dtype: dtype.data, shape, strides, place}, file})
    return {dtype: dtype.data, shape, file, contiguous: isDense(shape, strides), ofInput: inputs.has(storage)}
  }
}

function isDense(shape: readonly number[], strides: readonly number[]): boolean {
  let expected = 1
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    if (shape[axis] !== 1 && strides[axis] !== expected) return false
    expected *= shape[axis] ?? 1
  }
  return true
}
