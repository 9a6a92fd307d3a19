import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole} from '../../../helpers/formula-results.ts'

const rows = tensor([2, 2], [1, 3, 10, 30])
const listed = (all: ReturnType<typeof results>) =>
  all?.map((one) => [...one.data].map((x) => Number(x.toPrecision(5))))

test('softmax shares one out, by ratios that are powers of e; its logarithm is its logarithm', () => {
  const [y = [], logs = []] = ['Softmax', 'LogSoftmax'].map((name) => numbers(name, [rows], {axes: [-1]}) ?? [])
  expect((y[0] as number) + (y[1] as number)).toBeCloseTo(1, 5)
  expect((y[1] as number) / (y[0] as number)).toBeCloseTo(Math.E ** 2, 3)
  expect(logs[0]).toBeCloseTo(Math.log(y[0] as number), 5)
  expect(numbers('Softmax', [tensor([2, 1], [0, 0])], {axes: [0]})).toEqual([0.5, 0.5])
  expect(numbers('Softmax', [rows], {axes: [0, 1]})).toBeUndefined()
})

test('gradients of softmax are its slopes', () => {
  const [x, dy, step] = [[0.2, -0.4, 0.9], [1, 2, -1], 1e-5]
  const of = (name: string, values: number[]) =>
    [...(results(name, [tensor([1, 3], values)], {axes: [-1]})?.[0]?.data ?? [])].reduce(
      (sum, y, at) => sum + y * dy[at]!,
      0,
    )
  const slope = (name: string, at: number) => {
    const moved = (by: number) => x.map((one, index) => (index === at ? one + by : one))
    return (of(name, moved(step)) - of(name, moved(-step))) / (2 * step)
  }
  const y = results('Softmax', [tensor([1, 3], x)], {axes: [-1]})?.[0]
  const logs = results('LogSoftmax', [tensor([1, 3], x)], {axes: [-1]})?.[0]
  const seen = results('SoftmaxGrad', [tensor([1, 3], [...y!.data]), tensor([1, 3], dy)], {axes: [-1]})?.[0]
  const seenLogs = results('LogSoftmaxGrad', [tensor([1, 3], dy), tensor([1, 3], [...logs!.data])], {axis: [-1]})?.[0]
  for (const at of [0, 1, 2]) {
    expect(seen?.data[at]).toBeCloseTo(slope('Softmax', at), 5)
    expect(seenLogs?.data[at]).toBeCloseTo(slope('LogSoftmax', at), 5)
  }
})

describe('norms', () => {
  test('of layers: means 0, variances 1, then weight and bias', () => {
    const all = results('LayerNormV4', [rows, whole(2), vector(2, 3), vector(1, 0)], {epsilon: 0})
    expect(listed(all)).toEqual([
      [-1, 3, -1, 3],
      [2, 20],
      [1, 0.1],
    ])
    expect(results('LayerNormV4', [rows, whole(3)], {epsilon: 0})).toBeUndefined()
  })

  test('by the root of the mean of squares', () => {
    const x = tensor([1, 2], [3, 4])
    expect(listed(results('RmsNorm', [x, vector(1, 2)], {epsilon: 0}))).toEqual([[0.84853, 2.2627], [0.28284]])
    expect(listed(results('GemmaRmsNorm', [x, vector(0, 1)], {epsilon: 0}))).toEqual([[0.84853, 2.2627], [0.28284]])
    const half = tensor([1, 2], [1.5, 2])
    expect(listed(results('AddRmsNorm', [half, half, vector(1, 2)], {epsilon: 0}))).toEqual([
      [0.84853, 2.2627],
      [0.28284],
      [3, 4],
    ])
  })

  test('of a sum, and of a sum with a weight of its own', () => {
    const half = tensor([1, 2], [0.5, 1.5])
    const attributes = {epsilon: 0, additional_output: true}
    expect(listed(results('AddLayerNorm', [half, half, vector(1, 1), vector(0, 5)], attributes))).toEqual([
      [-1, 6],
      [2],
      [1],
      [1, 3],
    ])
    const deep = results('DeepNorm', [tensor([1, 2], [0, 1]), tensor([1, 2], [1, 1]), vector(0, 0), vector(1, 1)], {
      alpha: 2,
      epsilon: 0,
    })
    expect(listed(deep)).toEqual([[2], [1], [-1, 1]])
  })

  test('of groups of channels', () => {
    const x = tensor([1, 2, 2], [1, 3, 10, 30])
    const all = results('GroupNorm', [x, vector(1, 2), vector(0, 1)], {num_groups: 2, eps: 0})
    expect(listed(all)).toEqual([
      [-1, 1, -1, 3],
      [2, 20],
      [1, 0.1],
    ])
    const silu = numbers('GroupNormSilu', [x], {num_groups: 2, eps: 0, activate_silu: true})
    expect(silu).toEqual([-0.268941, 0.731059, -0.268941, 0.731059])
    expect(numbers('GroupNorm', [x], {num_groups: 3, eps: 0})).toBeUndefined()
  })

  test('of batches: running values take a share, the variance of a sample', () => {
    const x = tensor([2, 1, 1, 1], [1, 3])
    const given = [x, vector(2), vector(1), vector(10), vector(10)]
    expect(listed(results('BatchNormV3', given, {epsilon: 0, momentum: 0.1, is_training: true}))).toEqual([
      [-1, 3],
      [9.2],
      [9.2],
      [2],
      [1],
    ])
    expect(numbers('BatchNormV3', given, {epsilon: 6, momentum: 0.1, is_training: false})).toEqual([-3.5, -2.5])
  })

  test('with scale and shift of a batch', () => {
    const x = tensor([1, 1, 2], [1, 3])
    expect(numbers('AdaLayerNorm', [x, tensor([1, 2], [1, 0]), tensor([1, 2], [0, 5])], {epsilon: 0})).toEqual([-2, 6])
    expect(numbers('Modulate', [x, tensor([1, 2], [1, 2]), tensor([1, 2], [0, 1])])).toEqual([2, 10])
  })
})

test('the gradient of a root mean square is its slope', () => {
  const [x, gamma, dy, step] = [[1, -2, 0.5], [1, 2, -1], [0.3, 1, 2], 1e-5]
  const of = (values: number[]) =>
    [...(results('RmsNorm', [tensor([1, 3], values), vector(...gamma)], {epsilon: 0})?.[0]?.data ?? [])].reduce(
      (sum, y, at) => sum + y * dy[at]!,
      0,
    )
  const rstd = 1 / Math.sqrt(x.reduce((sum, one) => sum + one * one, 0) / 3)
  const seen = results('RmsNormGrad', [tensor([1, 3], dy), tensor([1, 3], x), tensor([1, 1], [rstd]), vector(...gamma)])
  for (const at of [0, 1, 2]) {
    const moved = (by: number) => x.map((one, index) => (index === at ? one + by : one))
    expect(seen?.[0]?.data[at]).toBeCloseTo((of(moved(step)) - of(moved(-step))) / (2 * step), 5)
    expect(seen?.[1]?.data[at]).toBeCloseTo(x[at]! * rstd * dy[at]!, 6)
  }
})

test('rows of the bundled operators', () => {
  expect(numbers('RowNormalize', [tensor([1, 2], [3, 4])], {epsilon: 1e-12})).toEqual([0.6, 0.8])
  expect(numbers('RowStandardize', [rows], {epsilon: 0})).toEqual([-1, 1, -1, 1])
  expect(numbers('RowMax', [rows])).toEqual([3, 30])
  expect(results('RowSum', [rows])?.[0]).toMatchObject({shape: [2, 1], data: Float64Array.of(4, 40), scale: 40})
})
