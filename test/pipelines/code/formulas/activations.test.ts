import {describe, expect, test} from 'vitest'
import {numbers, otherNumbers, results, tensor, vector, sixDigits} from '../../../helpers/formula-results.ts'

type Attributes = Parameters<typeof numbers>[2]

test.each<[operator: string, x: number[], y: number[], attributes?: Attributes]>([
  ['Celu', [-1, 2], [-0.786939, 2], {alpha: 2}],
  ['EluV2', [-1, 2], [-1.26424, 4], {alpha: 1, scale: 2, input_scale: 1}],
  ['FastGelu', [1], [0.845796]],
  ['Gelu', [1], [0.841192]],
  ['GeluV2', [1], [0.841345], {approximate: 'none'}],
  ['HardShrink', [0.4, -0.6], [0, -0.6], {lambd: 0.5}],
  ['HardSigmoidV2', [-4, 0, 1.5, 4], [0, 0.5, 0.75, 1]],
  ['HardSwish', [1, -4, 4], [0.666667, 0, 4]],
  ['LeakyRelu', [-2, 2], [-0.2, 2], {negative_slope: 0.1}],
  ['LogSigmoid', [0, -1000], [sixDigits(-Math.LN2), -1000]],
  ['Mish', [1], [0.865098]],
  ['Relu6', [-1, 3, 9], [0, 3, 6]],
  ['Selu', [-1, 1], [-1.11133, 1.0507]],
  ['Sigmoid', [0, 2], [0.5, 0.880797]],
  ['Softplus', [0, 1000], [sixDigits(Math.LN2), 1000]],
  ['Softshrink', [0.75, -0.75, 0.2], [0.25, -0.25, 0], {lambd: 0.5}],
  ['Softsign', [-3], [-0.75]],
  ['Swish', [1], [0.880797], {scale: 2}],
  ['Threshold', [0.5, 2], [-1, 2], {threshold: 1, value: -1}],
  ['Logit', [0.75], [1.09861], {eps: -1}],
])('%s of %j', (operator, x, y, attributes) => expect(numbers(operator, [vector(...x)], attributes)).toEqual(y))

test('a weight of a channel holds for the second axis', () => {
  const x = tensor([1, 2, 2], [-1, 2, -3, -4])
  expect(numbers('Prelu', [x, vector(0.5, 10)])).toEqual([-0.5, 2, -30, -40])
  expect(numbers('Prelu', [x, vector(2)])).toEqual([-2, 2, -6, -8])
  expect(numbers('Prelu', [vector(-1, -2), vector(1, 2)])).toBeUndefined()
})

describe('a gate and what it opens', () => {
  const x = tensor([1, 4], [1, -2, 3, 5])
  test.each<[operator: string, attributes: Attributes, y: number[]]>([
    ['SwiGlu', {dim: -1}, [2.19318, -1.19203]],
    ['GLU', {dim: -1}, [0.952574, -1.98661]],
    ['ReGlu', {dim: -1}, [3, 0]],
    ['GeGluV2', {dim: -1, approximate: 0, activate_left: true}, [2.52403, -0.227501]],
    ['GeGluV2', {dim: -1, approximate: 0, activate_left: false}, [2.99595, -10]],
    ['SwigluClamp', {limit: 0.5}, [0.25, -0.119203]],
  ])('%s %j', (operator, attributes, y) => expect(numbers(operator, [x], attributes)).toEqual(y))

  test('along an axis in front; one of an odd size is none', () => {
    expect(results('SwiGlu', [tensor([2, 1], [1, 3])], {dim: 0})?.[0]?.shape).toEqual([1, 1])
    expect(results('SwiGlu', [tensor([1, 3], [1, 2, 3])], {dim: -1})).toBeUndefined()
  })
})

/** The slope of a formula by two of its values; of formulas that are smooth there. */
function slope(forward: string, x: number, attributes: Attributes): number {
  const step = 1e-5
  const [a, b] = [x - step, x + step].map((at) => results(forward, [vector(at)], attributes)?.[0]?.data[0] as number)
  return ((b as number) - (a as number)) / (2 * step)
}

describe('a gradient is the slope of what it belongs to', () => {
  const points = [-1.7, -0.4, 0.3, 2.1]
  test.each<[gradient: string, forward: string, attributes?: Attributes]>([
    ['GeluGradV2', 'GeluV2', {approximate: 'none'}],
    ['GeluGradV2', 'GeluV2', {approximate: 'tanh'}],
    ['HardSigmoidGrad', 'HardSigmoid'],
    ['HardSwishGrad', 'HardSwish'],
    ['MishGrad', 'Mish'],
    ['ReluGrad', 'Relu'],
    ['SiluGrad', 'Silu'],
    ['SoftsignGrad', 'Softsign'],
    ['SoftshrinkGrad', 'Softshrink', {lambd: 0.5}],
    ['HardShrinkGrad', 'HardShrink', {lambd: 0.5}],
    ['LeakyReluGrad', 'LeakyRelu', {negative_slope: 0.2}],
  ])('%s of %s %j', (gradient, forward, attributes) => {
    const seen = numbers(gradient, [vector(2, 2, 2, 2), vector(...points)], attributes)
    for (const [at, x] of points.entries()) expect(seen?.[at]).toBeCloseTo(2 * slope(forward, x, attributes), 4)
  })

  test.each<[gradient: string, forward: string]>([
    ['SigmoidGrad', 'Sigmoid'],
    ['TanhGrad', 'Tanh'],
    ['SqrtGrad', 'Sqrt'],
    ['RsqrtGrad', 'Rsqrt'],
    ['InvGrad', 'Inv'],
    ['AcoshGrad', 'Acosh'],
    ['AsinhGrad', 'Asinh'],
  ])('%s, by the output of %s', (gradient, forward) => {
    const x = 1.3
    const [y = 0] = numbers(forward, [vector(x)]) ?? []
    expect(numbers(gradient, [vector(y), vector(3)])?.[0]).toBeCloseTo(3 * slope(forward, x, undefined), 3)
  })

  test.each<[gradient: string, forward: string]>([
    ['AtanGrad', 'Atan'],
    ['AsinGrad', 'Asin'],
    ['AcosGrad', 'Acos'],
  ])('%s, by the input of %s', (gradient, forward) => {
    expect(numbers(gradient, [vector(0.4), vector(3)])?.[0]).toBeCloseTo(3 * slope(forward, 0.4, undefined), 4)
  })

  test('where definitions differ, either is right', () => {
    const ends = [vector(2, 2, 2, 2, 2), vector(-4, -3, 0, 3, 4)]
    expect(numbers('HardSwishGradV2', ends)).toEqual([0, 0, 1, 2, 2])
    expect(otherNumbers('HardSwishGradV2', ends)).toEqual([0, -1, 1, 3, 2])
    expect(numbers('AcosGrad', [vector(0.8), vector(3)])).toEqual([-5])
    expect(otherNumbers('AcosGrad', [vector(3), vector(0.8)])).toEqual([-5])
  })

  test('of a gated unit, both halves', () => {
    const x = [0.7, -1.1]
    const of = (values: number[]) => results('SwiGlu', [tensor([1, 2], values)], {dim: -1})?.[0]?.data[0] as number
    const seen = numbers('SwiGluGrad', [tensor([1, 1], [1]), tensor([1, 2], x)], {dim: -1})
    const step = 1e-5
    const left = (of([0.7 + step, -1.1]) - of([0.7 - step, -1.1])) / (2 * step)
    const right = (of([0.7, -1.1 + step]) - of([0.7, -1.1 - step])) / (2 * step)
    expect(seen?.[0]).toBeCloseTo(left, 4)
    expect(seen?.[1]).toBeCloseTo(right, 4)
  })
})
