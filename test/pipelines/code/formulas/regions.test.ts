import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole} from '../../../helpers/formula-results.ts'

test('boxes over each other', () => {
  const columns = (...boxes: number[][]) =>
    tensor(
      [4, boxes.length],
      [0, 1, 2, 3].flatMap((at) => boxes.map((box) => box[at]!)),
    )
  const [a, b] = [columns([0, 0, 2, 2], [0, 0, 1, 1]), columns([1, 1, 3, 3], [5, 5, 6, 6])]
  expect(numbers('IouV2', [a, b], {mode: 'iou', eps: 0, aligned: true})).toEqual([0.142857, 0])
  expect(numbers('IouV2', [a, b], {mode: 'iof', eps: 0, aligned: false})).toEqual([0.25, 0, 0, 0])
  // With 1 on every length: 2 · 2 of 3 · 3 + 3 · 3 - 2 · 2, and of 2 · 2; boxes side by side share a column of 1 by 3.
  expect(numbers('IouV2', [a, b], {mode: 'iou', eps: 1, aligned: true})).toEqual([0.285714, 0])
  expect(numbers('IouV2', [b, a], {mode: 'iof', eps: 1, aligned: true})).toEqual([0.444444, 0])
  const beside = [columns([0, 0, 2, 2]), columns([2, 0, 4, 2])]
  expect(numbers('IouV2', beside, {mode: 'iou', eps: 1, aligned: true})).toEqual([0.2])
  expect(
    numbers('IouV2', [columns([2, 0, 0, 2]), columns([0, 0, 1, 1])], {mode: 'iou', eps: 0, aligned: true}),
  ).toBeUndefined()
})

test('samples of a plane lie on the plane', () => {
  const plane = Array.from({length: 64}, (_, at) => (at % 8) + 10 * Math.floor(at / 8))
  const attributes = {pooled_height: 2, pooled_width: 2, spatial_scale: 1, sampling_ratio: 2}
  const features = tensor([1, 1, 8, 8], plane)
  // Bins of two by two, whose middles are (2, 2), (4, 2), …
  expect(numbers('RoiAlignV2', [features, tensor([1, 5], [0, 1, 1, 5, 5])], attributes)).toEqual([22, 24, 42, 44])
  expect(numbers('RoiAlignV2', [features, tensor([1, 5], [1, 1, 1, 5, 5])], attributes)).toBeUndefined()
  expect(
    numbers('RoiAlignV2', [features, tensor([1, 5], [0, 1, 1, 5, 5])], {...attributes, sampling_ratio: 0}),
  ).toBeUndefined()
})

describe('sizes', () => {
  test('the nearest element, channels last', () => {
    const x = tensor([1, 1, 2, 1], [1, 2])
    const attributes = {output_size: [2, 4], scales_h: 0, scales_w: 0, exact_mode: false}
    expect(numbers('UpsampleNearest', [x], attributes)).toEqual([1, 1, 2, 2, 1, 1, 2, 2])
    expect(numbers('UpsampleNearest', [tensor([1, 1, 3, 1], [1, 2, 3])], {...attributes, output_size: [1, 2]})).toEqual(
      [1, 2],
    )
    const exact = {...attributes, output_size: [1, 2], exact_mode: true}
    expect(numbers('UpsampleNearest', [tensor([1, 1, 3, 1], [1, 2, 3])], exact)).toEqual([1, 3])
    expect(numbers('UpsampleNearest', [x], {...attributes, scales_w: 3})).toBeUndefined()
  })

  test('what was taken between two goes back to both', () => {
    const attributes = {output_size: [1, 3], input_size: [1, 1, 1, 2], align_corners: true, scales_h: 0, scales_w: 0}
    const dy = tensor([1, 1, 1, 3], [1, 2, 3])
    expect(numbers('UpsampleBilinear2dGrad', [dy], attributes)).toEqual([2, 4])
    expect(numbers('UpsampleBilinear2dGrad', [dy], {...attributes, align_corners: false})).toEqual([2, 4])
    const four = tensor([1, 1, 1, 4], [1, 2, 3, 4])
    const spread = {...attributes, output_size: [1, 4], align_corners: false}
    expect(numbers('UpsampleBilinear2dGrad', [four], spread)).toEqual([3.25, 6.75])
  })
})

describe('routing', () => {
  const tokens = tensor([2, 1], [10, 20])
  test('tokens by expert, and back', () => {
    const all = results('MoeTokenPermute', [tokens, tensor([2, 2], [1, 0, 0, 1], 'int32')], {
      num_out_tokens: 4,
      padded_mode: false,
    })
    expect(all?.map(({data}) => [...data])).toEqual([
      [10, 20, 10, 20],
      [2, 0, 1, 3],
    ])
    const dy = tensor([4, 1], [1, 2, 3, 4])
    expect(numbers('MoeTokenPermuteGrad', [dy, whole(2, 0, 1, 3)], {num_topk: 2, padded_mode: false})).toEqual([4, 6])
    expect(numbers('MoeComputeExpertTokens', [whole(0, 0, 2)], {num_experts: 3})).toEqual([2, 2, 3])
    const routed = results(
      'MoeInitRouting',
      [tokens, tensor([2, 2], [0, 2, 1, 3], 'int32'), tensor([2, 2], [1, 0, 0, 1], 'int32')],
      {active_num: 2},
    )
    expect(routed?.map(({data}) => [...data])).toEqual([
      [10, 20, 10, 20],
      [2, 1, 0, 3],
      [0, 0, 1, 1],
    ])
  })

  test('weighted rows come together', () => {
    const given = [
      tensor([2, 1], [5, 7]),
      whole(1, 0),
      vector(1, 2),
      undefined,
      tensor([1, 1], [100]),
      tensor([1, 2], [2, 3]),
    ]
    const y = numbers('MoeFinalizeRoutingV2', [...given, tensor([1, 2], [0, 0], 'int32')], {drop_pad_mode: 0})
    expect(y).toEqual([1 + 2 * (7 + 100) + 3 * (5 + 100)])
    expect(
      results(
        'MoeTokenUnpermuteGrad',
        [tensor([2, 1], [3, 4]), tensor([1, 1], [2]), whole(1, 0), tensor([1, 2], [10, 20])],
        {
          padded_mode: false,
        },
      )?.map(({data}) => [...data]),
    ).toEqual([
      [40, 20],
      [8, 6],
    ])
  })

  test('turned by an angle', () => {
    const [cos, sin] = [tensor([1, 2], [0, 0]), tensor([1, 2], [1, 1])]
    expect(numbers('RotaryPositionEmbedding', [tensor([1, 2], [3, 4]), cos, sin], {mode: 0})).toEqual([-4, 3])
    const four = [tensor([1, 4], [1, 2, 3, 4]), tensor([1, 4], [0, 0, 0, 0]), tensor([1, 4], [1, 1, 1, 1])]
    expect(numbers('RotaryPositionEmbedding', four, {mode: 0})).toEqual([-3, -4, 1, 2])
    expect(numbers('RotaryPositionEmbedding', four, {mode: 1})).toEqual([-2, 1, -4, 3])
    expect(numbers('InterleaveRope', four)).toEqual([-2, -4, 1, 3])
    expect(numbers('RotaryPositionEmbedding', four, {mode: 2})).toBeUndefined()
  })
})
