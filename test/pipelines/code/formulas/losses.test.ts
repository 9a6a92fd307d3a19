import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole, sixDigits} from '../../../helpers/formula-results.ts'

type Attributes = Parameters<typeof numbers>[2]

test.each<[operator: string, x: number[], y: number[], attributes: Attributes, loss: number[]]>([
  ['BinaryCrossEntropyV2', [0.25, 0.5], [0, 1], {}, [0.287682, sixDigits(Math.LN2)]],
  ['HingeEmbeddingLoss', [0.5, 0.25], [1, -1], {margin: 1, reduction: 'sum'}, [1.25]],
  ['HuberLoss', [1.5, 5], [1, 1], {delta: 1}, [0.125, 3.5]],
  ['KLDivV2', [0, -1], [1, 0.5], {log_target: false, reduction: 'none'}, [0, 0.153426]],
  ['LpLoss', [1, -2], [3, 1], {p: 1, reduction: 'mean'}, [2.5]],
  ['MseLoss', [1, 2], [3, 5], {reduction: 'mean'}, [6.5]],
  ['MseLoss', [1, 2], [3, 5], {reduction: 'none'}, [4, 9]],
  ['SigmoidCrossEntropyWithLogitsV2', [0, 2], [1, 0], {}, [sixDigits(Math.LN2), 2.12693]],
  ['SmoothL1Loss', [1.5, 4], [1, 1], {sigma: 1}, [0.125, 2.5]],
  ['SmoothL1LossV2', [1.5, 4], [1, 1], {sigma: 0.5, reduction: 'sum'}, [3]],
  ['SoftMarginLoss', [1, -1], [1, 1], {reduction: 0}, [0.313262, 1.31326]],
  ['SoftMarginLoss', [1, -1], [1, 1], {reduction: 1}, [0.813262]],
])('%s', (operator, x, y, attributes, loss) => {
  expect(numbers(operator, [vector(...x), vector(...y)], attributes)).toEqual(loss)
})

test('hinge losses are given one by one, or as their mean where the output holds one element', () => {
  const pair = [vector(0.5, 2), vector(1, 1)]
  expect(numbers('HingeLoss', pair, {}, vector(0, 0))).toEqual([0.5, 0])
  expect(numbers('HingeLoss', pair, {margin: 3}, vector(0))).toEqual([1.75])
})

test('what no label or distribution is, is not understood', () => {
  expect(numbers('KLDivV2', [vector(1), vector(-1)], {log_target: false, reduction: 'none'})).toBeUndefined()
  expect(numbers('HingeEmbeddingLoss', [vector(1), vector(0.5)], {margin: 1, reduction: 'none'})).toBeUndefined()
  expect(numbers('MseLoss', [vector(1), vector(2)], {reduction: 'median'})).toBeUndefined()
})

describe('gradients are slopes', () => {
  const [x, y, step] = [0.8, 0.3, 1e-5]
  test.each<[gradient: string, forward: string, order: 'first' | 'last']>([
    ['MseLossGrad', 'MseLoss', 'last'],
    ['L1LossGrad', 'L1Loss', 'first'],
    ['SoftMarginLossGrad', 'SoftMarginLoss', 'last'],
    ['SigmoidCrossEntropyWithLogitsGradV2', 'SigmoidCrossEntropyWithLogitsV2', 'last'],
  ])('%s', (gradient, forward, order) => {
    const of = (at: number) => results(forward, [vector(at), vector(y)], {reduction: 'none'})?.[0]?.data[0] as number
    const slope = (of(x + step) - of(x - step)) / (2 * step)
    const pair = [vector(x), vector(y)]
    const given = order === 'last' ? [...pair, vector(2)] : [vector(2), ...pair]
    expect(numbers(gradient, given, {reduction: 'sum'})?.[0]).toBeCloseTo(2 * slope, 4)
  })

  test('the mean is shared', () => {
    expect(numbers('MseLossGrad', [vector(1, 2), vector(0, 0), vector(1)], {reduction: 'mean'})).toEqual([1, 2])
  })
})

test('losses of logits with weights', () => {
  const pair = [vector(2), vector(1)]
  expect(numbers('SigmoidCrossEntropyWithLogitsV2', [...pair, undefined, vector(3)])).toEqual([0.380784])
  expect(numbers('SigmoidCrossEntropyWithLogitsV2', [...pair, vector(10), vector(3)])).toEqual([3.80784])
})

test('gradients by more than a prediction and a label', () => {
  expect(numbers('BinaryCrossEntropyGradV2', [vector(2), vector(0.75), vector(1), vector(3)], {reduction: 0})).toEqual([
    -1.5,
  ])
  const of = (x: number, v: number) =>
    results('GaussianNllLoss', [vector(x), vector(1), vector(v)], {full: true, eps: 1e-6, reduction: 'none'})?.[0]
      ?.data[0] as number
  const given = [vector(1), vector(1.5), vector(1), vector(2)]
  const seen = results('GaussianNllLossGrad', given, {full: true, eps: 1e-6, reduction: 'none'})
  expect(seen?.[0]?.data[0]).toBeCloseTo((of(1.5 + 1e-5, 2) - of(1.5 - 1e-5, 2)) / 2e-5, 5)
  expect(seen?.[1]?.data[0]).toBeCloseTo((of(1.5, 2 + 1e-5) - of(1.5, 2 - 1e-5)) / 2e-5, 5)
})

test('steps of optimisers', () => {
  expect(numbers('ApplyGradientDescent', [vector(1, 2), vector(0.5), vector(4, 2)])).toEqual([-1, 1])
  const slots = {update_slots: true, use_locking: false}
  const adagrad = results('ApplyAdagradD', [vector(1), vector(16), vector(0.5), vector(3)], slots)
  expect(adagrad?.map(({data}) => Number(data[0]?.toPrecision(6)))).toEqual([0.7, 25])
  const numbersOf = [0.5, 0.75, 0.1, 0.5, 0.75, 1e-8].map((one) => vector(one))
  const adam = results('ApplyAdamD', [vector(1), vector(2), vector(4), ...numbersOf, vector(4)], {use_nesterov: false})
  // m = 3, v = 7, and a rate of 0.1 · √0.25 / 0.5.
  expect(adam?.map(({data}) => Number(data[0]?.toPrecision(6)))).toEqual([0.886611, 3, 7])
})

test('classes', () => {
  const logits = tensor([2, 2], [0, 0, 0, Math.log(3)])
  const attributes = {reduction: 'mean', ignore_index: -100}
  const weighted = results('NllLoss', [tensor([2, 2], [-1, -2, -3, -4]), whole(0, 1), vector(1, 3)], attributes)
  expect(weighted?.map(({data}) => data[0])).toEqual([3.25, 4])
  expect(numbers('CrossEntropyGrad', [logits, whole(0, 1)])).toEqual([-0.5, 0.5, 0.25, -0.25])
  const more = {label_smoothing: 0, lse_square_scale_for_zloss: 0, return_zloss: false}
  expect(numbers('CrossEntropyLoss', [logits, whole(0, 1)], {...attributes, ...more})).toEqual([0.490415])
  expect(numbers('NllLoss', [logits, whole(0, 2)], attributes)).toBeUndefined()
})
