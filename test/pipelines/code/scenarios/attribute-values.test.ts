import {describe, expect, test} from 'vitest'
import type {OperatorDefinition} from '../../../../cpp/op-def.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {attributeChanges, attributeSets} from '../../../../pipelines/code/scenarios/attribute-values.ts'

type Attribute = OperatorDefinition['attributes'][number]

const attribute = (name: string, type: string, value = '', required = false): Attribute => ({
  name,
  type,
  required,
  default: value,
})

function operator(...attributes: Attribute[]): OperatorDefinition {
  const outputs = [{name: 'y', kind: 'required' as const, dtypes: []}]
  return {operator: 'Op', inputs: [], outputs, attributes, socs: [], shapeFromKernel: false}
}

/** What one attribute is tried with, for a call about a tensor of the shape [2, 3, 5, 7]. */
function tried(name: string, type: string, output: Dtype = 'float32'): unknown[] {
  const sets = attributeSets(operator(attribute(name, type)), {y: output}, [2, 3, 5, 7])
  return sets.map((one) => one[name])
}

describe('an attribute without a default is tried with', () => {
  test.each<[name: string, type: string, values: unknown[]]>([
    ['keep', 'Bool', [false, true]],
    ['epsilon', 'Float', [1e-5]],
    ['alpha', 'Float', [1, 0.5]],
    ['reduction', 'String', ['none', 'sum', 'mean']],
    ['reduce', 'String', ['none', 'sum', 'mean']],
    ['data_format', 'String', ['NCHW', 'ND', 'BSND']],
    ['inputLayout', 'String', ['NCHW', 'ND', 'BSND']],
    ['round_mode', 'String', ['rint', 'round']],
    ['mode', 'String', ['constant', 'bilinear', 'none']],
    ['reduced', 'String', ['', 'none']],
    ['axis', 'Int', [-1, 0, 1]],
    ['dim', 'Int', [-1, 0, 1]],
    ['groups', 'Int', [2, 1]],
    ['count', 'Int', [1, 2, 0]],
    ['axes', 'ListInt', [[3], [0], [0, 1, 2, 3]]],
    ['perm', 'ListInt', [[3, 2, 1, 0]]],
    ['normalized_shape', 'ListInt', [[7]]],
    [
      'kernel_size',
      'ListInt',
      [
        [2, 2],
        [1, 1, 2, 2],
      ],
    ],
    [
      'ksize',
      'ListInt',
      [
        [2, 2],
        [1, 1, 2, 2],
      ],
    ],
    [
      'strides',
      'ListInt',
      [
        [1, 1],
        [1, 1, 1, 1],
      ],
    ],
    ['output_size', 'ListInt', [[4, 4], [4]]],
    [
      'pads',
      'ListInt',
      [
        [0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
      ],
    ],
    [
      'shape',
      'ListInt',
      [
        [2, 3, 5, 7],
        [4, 4],
      ],
    ],
    ['begin', 'ListInt', [[0, 0, 0, 0], [1]]],
    ['others', 'ListInt', [[1], [1, 1], [2, 3, 5, 7]]],
    ['scales', 'ListFloat', [[1, 1], [1]]],
    ['flags', 'ListBool', [[0]]],
    ['type', 'Type', [0]],
  ])('%s of %s', (name, type, values) => expect(tried(name, type)).toEqual(values))

  // The numbers of ge::DataType.
  test.each<[Dtype, number]>([
    ['float32', 0],
    ['float16', 1],
    ['int8', 2],
    ['int32', 3],
    ['uint8', 4],
    ['int16', 6],
    ['uint16', 7],
    ['uint32', 8],
    ['int64', 9],
    ['uint64', 10],
    ['float64', 11],
    ['bool', 12],
    ['bfloat16', 27],
    ['complex64', 0],
  ])('the number of the type %s where it names that of the output', (dtype, value) => {
    for (const name of ['dtype', 'dst_type', 'output_type', 'out_type', 'data_type'])
      expect(tried(name, 'Int', dtype)).toEqual([value])
  })
})

test('attributes with a default are left out of a call, required ones are in it', () => {
  const given = operator(attribute('a', 'Bool', 'true'), attribute('b', 'Bool', 'true', true), attribute('c', 'Float'))
  expect(attributeSets(given, {y: 'float32'}, [4])).toEqual([
    {b: false, c: 1},
    {b: true, c: 0.5},
  ])
  expect(attributeSets(operator(), {}, [4])).toEqual([{}])
  expect(attributeSets({...operator(attribute('dtype', 'Int')), outputs: []}, {}, [4])).toEqual([{dtype: 0}])
  expect(attributeSets(operator(attribute('normalized', 'ListInt')), {}, [])).toEqual([{normalized: [1]}])
})

test('one attribute at a time is changed to what its default is not', () => {
  const given = operator(
    attribute('keep', 'Bool', 'true'),
    attribute('same', 'Bool', '1'),
    attribute('other', 'Bool', 'false'),
    attribute('reduction', 'String', 'mean'),
    attribute('mode', 'String', 'constant'),
    attribute('axis', 'Int', '-1'),
    attribute('count', 'Int', '1'),
    attribute('dim_names', 'String', 'a'),
  )
  expect(attributeChanges(given, [2, 3, 5])).toEqual([
    {keep: false},
    {same: false},
    {other: true},
    {reduction: 'none'},
    {reduction: 'mean'},
    {reduction: 'sum'},
    {axis: 0},
    {axis: 2},
  ])
})
