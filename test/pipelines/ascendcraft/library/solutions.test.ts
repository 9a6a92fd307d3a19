import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import {elementCount, type Tensor} from '../../../../datasets/schema/tensor.ts'
import {randomFrom, type Random} from '../../../../engine/random.ts'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import type {CheckedModule} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {formulas} from './formulas.ts'

// Each solution gives what its formula says, on shapes that its tiles do not divide, and on more than one core.

const library = 'pipelines/ascendcraft/library/solutions'

const withFormula = readdirSync(library).flatMap((category) =>
  readdirSync(join(library, category))
    .filter((file) => file.endsWith('.py') && !file.endsWith('.model.py'))
    .map((file) => `${category}/${file.slice(0, -'.py'.length)}`)
    .filter((name) => name in formulas),
)

type Shapes = readonly (readonly number[])[]

/** Shapes of inputs: one row, fewer rows than cores, lengths that are prime, a row beyond a tile, a last axis of 1. */
const rows: Shapes[] = [[[1, 1]], [[3, 61]], [[53, 1]], [[67, 131]], [[2, 12_289]]]
const cubes: Shapes[] = [[[1, 1, 1]], [[2, 37, 131]], [[3, 5, 2081]]]
/** The last two have more parts than cores, of channels or of groups, and so many each that they do not divide 48. */
const images: Shapes[] = [[[1, 2, 1, 1]], [[3, 4, 5, 7]], [[2, 4, 61, 131]], [[7, 28, 3, 5]], [[13, 10, 7, 293]]]
/** Targets go along the last axis, where a single one of either stands for all of the other. */
const labels: Shapes[] = [
  [[13, 17], [1]],
  [[13, 1], [17]],
]

function shapesFor(name: string): Shapes[] {
  if (name.startsWith('reduce/')) return cubes
  const weights = (of: (shape: readonly number[]) => readonly number[]) =>
    images.map(([shape]) => [shape!, of(shape!), of(shape!)])
  if (name === 'normalization/layer_norm') return weights((shape) => shape.slice(1))
  if (/\/(?:batch|group)_norm$/.test(name)) return weights((shape) => [shape[1]!])
  if (/\/(?:instance|rms|frobenius)_norm$/.test(name)) return images
  if (name === 'loss/hinge_loss') return [...rows.map(([shape]) => [shape!, [shape![1]!]]), ...labels]
  if (name === 'loss/cross_entropy_loss') return rows.map(([shape]) => [shape!, [shape![0]!]])
  return rows
}

const draws = {
  signed: (random: Random) => 6 * random.unit() - 3,
  large: (random: Random) => 100 * random.unit() - 50,
  tiny: (random: Random) => 1e-6 * (random.unit() - 0.5),
  constant: () => 1.5,
  /** Rows of nothing but zeros are among them, of which PyTorch's quotients are NaN. */
  sparse: (random: Random) => (random.unit() < 0.1 ? 6 * random.unit() - 3 : 0),
  negative: (random: Random) => -random.unit(),
  /** Rows whose values lie close together and far from zero. */
  ramp: (_: Random, at: number, count: number) => -2 + (4 * at) / Math.max(1, count - 1),
  'near-one': (random: Random) => (random.unit() < 0.5 ? -1 : 1) * (0.99 + 0.02 * random.unit()),
  'near-one-or-zero': (random: Random) => (random.unit() < 0.02 ? 0 : 1.01 - 0.02 * random.unit()),
  positive: (random: Random) => 0.01 + random.unit(),
  'one-hot': (_: Random, at: number) => (at % 3 === 0 ? 1 : 0),
} as const
type Family = keyof typeof draws

/** Products neither vanish nor overflow with factors near 1; logarithms want positive numbers. */
function familiesFor(name: string): Family[] {
  if (/prod/.test(name)) return ['near-one', 'near-one-or-zero', 'constant']
  if (name === 'loss/kl_div_loss') return ['positive', 'one-hot', 'constant']
  const all: Family[] = ['signed', 'large', 'tiny', 'constant', 'sparse', 'negative', 'ramp']
  // The largest of a row is in its last tile.
  return /_norm|softmax|entropy/.test(name) ? ['ramp', ...all.slice(0, -1)] : all
}

/** Second moments, which are never negative. */
const isMoment = (name: string) => name === 'v' || name === 'accum'

interface Drawn {
  name: string
  dtype: string
  family: Family
  random: Random
}

/** Masks are all false or all true and classes the first or the last in two of the families. */
function drawFor({name, dtype, family, random}: Drawn, classes: number): (at: number, count: number) => number {
  const ends = family === 'sparse' || family === 'constant'
  if (dtype === 'bool') return () => Number(ends ? family === 'constant' : random.unit() < 0.5)
  if (dtype === 'int64')
    return () => (ends ? Number(family === 'constant') * (classes - 1) : random.integer(0, classes - 1))
  // A logarithm is taken of predictions, and of targets only where they count.
  const positive = isMoment(name) || (family === 'one-hot' && name === 'predictions')
  return (at, count) => draws[positive ? 'positive' : family](random, at, count)
}

function drawInputs({module}: CheckedModule, shapes: Shapes, family: Family, seed: string): Tensor[] {
  const random = randomFrom('solutions', seed)
  return module.host.parameters
    .filter((one) => one.kind === 'tensor')
    .map(({name, type}, index) => {
      const [shape, dtype] = [shapes[index] ?? shapes[0]!, type.kind === 'type' ? type.type : 'float32']
      const count = elementCount(shape)
      const one = drawFor({name, dtype, family, random}, shapes[0]![1]!)
      const values = Float64Array.from({length: count}, (_, at) => one(at, count))
      return {name, dtype, shape: [...shape], data: encode(values, dtype)}
    })
}

const attributesOf = (name: string, {module}: CheckedModule) =>
  Object.fromEntries(
    module.host.parameters.flatMap((one) =>
      one.kind === 'attribute' ? [[one.name, Number(one.default)] as const] : [],
    ),
  ) as Record<string, number> & (typeof name extends string ? object : never)

/** Errors of a sum grow with what is added up, not with what is left of it. */
const scaleOf = (tensors: readonly Float64Array[]) =>
  Math.max(1, ...tensors.map((one) => one.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)))

describe.each(withFormula)('%s', (name) => {
  const read = readProgram(readFileSync(join(library, `${name}.py`), 'utf8'))
  // Large shapes are about tiles, small ones about values.
  const cases = shapesFor(name).flatMap((shapes) => {
    const families = familiesFor(name)
    const some = elementCount(shapes[0]!) > 4000 ? families.slice(0, 1) : families
    return some.map((family) => ({shapes, family}))
  })

  test.each(cases)('$family values of $shapes', ({shapes, family}) => {
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    const attributes = {...attributesOf(name, read.checked), ...(name.endsWith('group_norm') ? {groups: 2} : {})}
    const inputs = drawInputs(read.checked, shapes, family, `${name} ${JSON.stringify(shapes)} ${family}`)
    const result = interpret(read.checked, {inputs, attributes})
    if (!result.ok) throw new Error(JSON.stringify(result.fault))
    const [output] = result.outputs
    const tensors = inputs.map(({data, dtype}) => decode(data, dtype))
    const expected = formulas[name]!(
      tensors,
      inputs.map(({shape}) => shape),
      attributes,
    )
    const got = decode(output!.data, output!.dtype)
    expect(got.length).toBe(expected.length)
    const bound = 1e-6 * scaleOf(tensors) * (name.includes('sum') ? shapes[0]!.at(-1)! ** 0.5 : 1)
    const wrong = got.findIndex(
      (value, i) =>
        !Object.is(value, expected[i]) && !(Math.abs(value - expected[i]!) <= bound + 1e-4 * Math.abs(expected[i]!)),
    )
    expect(wrong < 0 ? 'all right' : `${wrong}: ${got[wrong]}, not ${expected[wrong]}`).toBe('all right')
  })
})

test('every task of the seven categories has its solution and the module that calls it', () => {
  const files = readdirSync(library).flatMap((category) => readdirSync(join(library, category)))
  const stems = files.filter((file) => file.endsWith('.model.py')).map((file) => file.slice(0, -'.model.py'.length))
  expect(stems.filter((stem) => !files.includes(`${stem}.py`))).toEqual([])
  expect(stems.length).toBeGreaterThanOrEqual(52)
})
