import {describe, expect, test} from 'vitest'
import type {OperatorDefinition} from '../../../../cpp/op-def.ts'
import {encode} from '../../../../datasets/dtype.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {compareHardened} from '../../../../eval/compare.ts'
import {checkCall, type Differs} from '../../../../pipelines/code/formulas/checked-call.ts'

const differs: Differs = (output, expected, found, scale) =>
  compareHardened(output, expected, found, undefined, scale).reason || undefined

type Kind = 'required' | 'optional' | 'dynamic'
interface Given {
  name: string
  shape: number[]
  values: number[]
  dtype?: Dtype
  kind?: Kind
}

function checked(
  operator: string,
  inputs: Given[],
  outputs: Given[],
  attributes: Record<string, string> = {},
  given = {},
) {
  const parameter = ({name, kind = 'required'}: Given) => ({name, kind, dtypes: []})
  const once = (all: Given[]) => all.filter(({name}, at) => all.findIndex((one) => one.name === name) === at)
  const definition: OperatorDefinition = {
    operator,
    inputs: once(inputs).map(parameter),
    outputs: once(outputs).map(parameter),
    attributes: Object.entries(attributes).map(([name, value]) => {
      const [type = '', text = ''] = value.split('=')
      return {name, required: false, type, default: text}
    }),
    socs: [],
    shapeFromKernel: false,
  }
  const bytes = ({values, dtype = 'float32'}: Given) => encode(values, dtype)
  const spec = ({name, shape, dtype = 'float32'}: Given) => ({name, shape, dtype})
  const tensors = inputs.filter(({values}) => values.length > 0).map((one) => ({...spec(one), data: bytes(one)}))
  const ran = {inputs: tensors, attributes: given, outputs: outputs.map(spec), found: outputs.map(bytes)}
  return checkCall(definition, ran, differs)
}

const x = {name: 'x', shape: [3], values: [1, -2, 3]}
const y = (...values: number[]) => ({name: 'y', shape: [values.length], values})

test('outputs as the formula gives them agree, with a version in the name too', () => {
  expect(checked('Abs', [x], [y(1, 2, 3)])).toEqual({outcome: 'agrees'})
  expect(checked('AbsV2', [x], [y(1, 2, 3)])).toEqual({outcome: 'agrees'})
  expect(checked('Relu', [x], [y(1, 0, 3)])).toEqual({outcome: 'agrees'})
})

test('of two forms on a page either is right, and no third one', () => {
  const one = {name: 'x', shape: [1], values: [1]}
  expect(checked('Gelu', [one], [y(0.841192)])).toEqual({outcome: 'agrees'})
  expect(checked('Gelu', [one], [y(0.841345)])).toEqual({outcome: 'agrees'})
  expect(checked('Gelu', [one], [y(0.845796)])).toMatchObject({outcome: 'disagrees'})
})

describe('a kernel that gives something else is refuted', () => {
  test.each<[why: string, operator: string, found: number[], detail: string]>([
    ['a sign is forgotten', 'Abs', [1, -2, 3], 'y: element 1 is -2, expected 2'],
    ['the last element is not computed', 'Abs', [1, 2, 0], 'y: element 2 is 0, expected 3'],
    ['it is off by a thousandth', 'Abs', [1.001, 2, 3], 'y: element 0'],
    ['it is not a number', 'Abs', [1, NaN, 3], 'y: element 1 is NaN'],
    ['it has another size', 'Abs', [1, 2], 'y: [2] where the formula gives [3]'],
  ])('%s', (_, operator, found, detail) => {
    expect(checked(operator, [x], [y(...found)])).toMatchObject({
      outcome: 'disagrees',
      detail: expect.stringContaining(detail),
    })
  })

  test('the first values stand beside each other', () => {
    expect(checked('Neg', [x], [y(1, -2, 3)])).toMatchObject({
      detail: expect.stringContaining('begins 1, -2, 3, expected -1, 2, -3'),
    })
  })

  test('what cancels out may be off by a rounding of what it was', () => {
    const half = (name: string, value: number): Given => ({name, shape: [1], values: [value], dtype: 'float16'})
    const terms = [half('a', -1024), half('b', 32), half('c', 32), half('d', 1)]
    expect(checked('Addcmul', terms, [half('y', 0.5)])).toEqual({outcome: 'agrees'})
    expect(checked('Addcmul', terms, [half('y', 4)])).toMatchObject({outcome: 'disagrees'})
  })
})

describe('no formula for a call', () => {
  test.each<[why: string, operator: string, inputs: Given[], outputs: Given[], attributes?: Record<string, string>]>([
    ['of an operator that nobody knows', 'Frobnicate', [x], [y(1)]],
    ['with an attribute that it does not heed', 'Abs', [x], [y(1, 2, 3)], {exponent: 'Int=2'}],
    ['with a tensor that it does not heed', 'Abs', [x, {...x, name: 'mask'}], [y(1, 2, 3)]],
    ['with shapes that do not fit', 'Add', [x, {name: 'z', shape: [2], values: [1, 2]}], [y(1, 2, 3)]],
    ['of complex numbers', 'Abs', [{name: 'x', shape: [1], values: [1, 2], dtype: 'complex64'}], [y(1)]],
    [
      'whose result does not fit into its type',
      'Mul',
      ['a', 'b'].map((name) => ({name, shape: [1], values: [100], dtype: 'int8' as const})),
      [{name: 'y', shape: [1], values: [16], dtype: 'int8'}],
    ],
    [
      'that is no whole number',
      'Div',
      ['a', 'b'].map((name, at) => ({name, shape: [1], values: [3 - at], dtype: 'int32' as const})),
      [{name: 'y', shape: [1], values: [1], dtype: 'int32'}],
    ],
    ['without a default', 'Adds', [x], [y(2, -1, 4)], {value: 'Float='}],
    ['with a default that is a name', 'Adds', [x], [y(2, -1, 4)], {value: 'Float=ONE'}],
  ])('%s', (_, operator, inputs, outputs, attributes) => {
    expect(checked(operator, inputs, outputs, attributes)).toEqual({outcome: 'none'})
  })

  test('a tensor that may be there and is not is no hindrance', () => {
    const bias: Given = {name: 'bias', shape: [3], values: [], kind: 'optional'}
    expect(checked('Abs', [x, bias], [y(1, 2, 3)])).toEqual({outcome: 'agrees'})
  })

  test('an output that it says nothing of: none, unless another is wrong', () => {
    const rows = [
      {...x, name: 'x1'},
      {...x, name: 'x2'},
      {...x, name: 'gamma', values: [1, 1, 1]},
      {...x, name: 'beta', values: [0, 0, 0]},
    ]
    const normal = {name: 'y', shape: [3], values: [0.162221, -1.29777, 1.13555]}
    const rest = [
      {name: 'mean', shape: [1], values: [1.33333]},
      {name: 'rstd', shape: [1], values: [0.243332]},
      {name: 'x', shape: [3], values: [0, 0, 0]},
    ]
    const attributes = {epsilon: 'Float=0', additional_output: 'Bool=false'}
    expect(checked('AddLayerNorm', rows, [normal, ...rest], attributes)).toEqual({outcome: 'none'})
    const wrong = {...normal, values: [0.162221, 1.13555, -1.29777]}
    expect(checked('AddLayerNorm', rows, [wrong, ...rest], attributes)).toMatchObject({outcome: 'disagrees'})
  })
})

test('attributes are those of the call, else the defaults as a definition writes them', () => {
  const attributes = {base: 'Float=-1.0f', scale: 'Float= 1.0', shift: 'Float=0'}
  const zero = {name: 'x', shape: [1], values: [1]}
  expect(checked('Exp', [zero], [y(Math.E)], attributes)).toEqual({outcome: 'agrees'})
  expect(checked('Exp', [zero], [y(8)], attributes, {base: 2, scale: 3})).toEqual({outcome: 'agrees'})
  const roll = {shifts: 'ListInt={1}', dims: 'ListInt={0}'}
  expect(checked('Roll', [x], [y(3, 1, -2)], roll)).toEqual({outcome: 'agrees'})
  const softmax = checked('LogSoftmaxV2', [{name: 'x', shape: [1, 2], values: [0, 0]}], [y(-Math.LN2, -Math.LN2)], {
    axes: 'ListInt=std::vector<int64_t>{-1}',
  })
  expect(softmax).toEqual({outcome: 'agrees'})
  expect(checked('Gelu', [zero], [y(0.841192)], {})).toEqual({outcome: 'agrees'})
  expect(checked('GeluV2', [zero], [y(0.841345)], {approximate: 'String="none"'})).toEqual({outcome: 'agrees'})
  expect(checked('Tril', [{name: 'x', shape: [1, 1], values: [5]}], [y(5)], {diagonal: 'Int=0'})).toEqual({
    outcome: 'agrees',
  })
})

describe('an output that was cast from another', () => {
  const vector = (name: string, ...values: number[]) => ({name, shape: [values.length], values})
  const cast = (wide: number[], dtype: Dtype) =>
    checked(
      'AddRmsNormCast',
      [vector('x1', 1, 2), vector('x2', 2, 2), vector('gamma', 1, 1)],
      [
        vector('y1', ...wide),
        {...vector('y2', 0.848528, 1.131371), dtype},
        {name: 'rstd', shape: [1], values: [0.282843]},
        vector('x', 3, 4),
      ],
      {epsilon: 'Float=1e-6'},
      {epsilon: 0},
    )

  test('is as exact as that one', () => {
    expect(cast([0.84765625, 1.1328125], 'bfloat16')).toEqual({outcome: 'agrees'})
    expect(cast([0.84765625, 1.1328125], 'float32')).toMatchObject({outcome: 'disagrees'})
    expect(cast([0.88, 1.1328125], 'bfloat16')).toMatchObject({outcome: 'disagrees'})
  })
})
