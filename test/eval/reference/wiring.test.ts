import {describe, expect, test} from 'vitest'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import {Argument} from '../../../eval/reference/call.ts'
import {decode} from '../../../datasets/dtype.ts'
import {adaptations} from '../../../eval/bench/npukernelbench/benchmark.ts'
import {wireCall} from '../../../eval/reference/wiring.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'

function definition(body: string, operator = 'Probe'): OperatorDefinition {
  const [found] = parseOperatorDefinitions(
    `class ${operator} : public OpDef { public: explicit ${operator}(const char* n) : OpDef(n) { ${body} } };`,
  )
  if (!found) throw new Error('the definition was not read')
  return found
}

const parameter = (kind: 'Input' | 'Output', name: string, how = 'REQUIRED', types = 'ge::DT_FLOAT, ge::DT_FLOAT16') =>
  `this->${kind}("${name}").ParamType(${how}).DataType({${types}});`
const tensor = (slot: number, dtype: Dtype = 'float32', returned = false): Argument => ({
  kind: 'tensor',
  slot,
  dtype,
  shape: [2, 3],
  returned,
})
const names = (list: {name: string}[]) => list.map(({name}) => name)

describe('the column of the type table', () => {
  // What the columns of x and y declare. The call gives floats as x, and truth values as y, which both bytes take.
  test.each([
    ['the first of equal ones', 'ge::DT_FLOAT, ge::DT_FLOAT', 'ge::DT_UINT8, ge::DT_INT8', 'uint8'],
    ['the second where only it fits', 'ge::DT_INT32, ge::DT_FLOAT', 'ge::DT_UINT8, ge::DT_INT8', 'int8'],
    ['the first where none fits', 'ge::DT_INT32, ge::DT_INT64', 'ge::DT_UINT8, ge::DT_INT8', 'uint8'],
    ['x weighs more than y', 'ge::DT_INT32, ge::DT_FLOAT', 'ge::DT_BOOL, ge::DT_INT8', 'int8'],
    ['the one that names y', 'ge::DT_FLOAT, ge::DT_FLOAT', 'ge::DT_INT8, ge::DT_BOOL', 'bool'],
  ] as const)('%s', (_, x, y, expected) => {
    const wired = wireCall(
      definition(parameter('Input', 'x', 'REQUIRED', x) + parameter('Output', 'y', 'REQUIRED', y)),
      [tensor(0), tensor(1, 'bool', true)],
    )
    expect(wired.outputs.map(({dtype}) => dtype)).toEqual([expected])
  })
})

describe('arguments become parameters', () => {
  test('inputs, then attributes, then outputs, in the order of the definition', () => {
    const wired = wireCall(
      definition(
        `${parameter('Input', 'a')}${parameter('Input', 'b')}${parameter('Output', 'y')}this->Attr("eps").AttrType(OPTIONAL).Float(1e-5);this->Attr("mode").AttrType(OPTIONAL).String("mean");`,
      ),
      [tensor(0), tensor(1), {kind: 'plain', value: 0.25}, {kind: 'plain', value: 'sum'}, tensor(2, 'float32', true)],
    )
    expect(names(wired.inputs)).toEqual(['a', 'b'])
    expect(wired.attributes).toEqual({eps: 0.25, mode: 'sum'})
    expect(wired.outputs).toEqual([{name: 'y', dtype: 'float32', shape: [2, 3], slot: 2, slotDtype: 'float32'}])
  })

  test('a list gives several tensors of one name', () => {
    const wired = wireCall(definition(`${parameter('Input', 'x', 'DYNAMIC')}${parameter('Output', 'y', 'DYNAMIC')}`), [
      {kind: 'tensors', items: [tensor(0), tensor(1)] as never},
      {kind: 'tensors', items: [tensor(2), tensor(3)] as never},
    ])
    expect(names(wired.inputs)).toEqual(['x', 'x'])
    expect(wired.outputs.map(({name, slot}) => [name, slot])).toEqual([
      ['y', 2],
      ['y', 3],
    ])
  })

  test('a hand-written interface is undone: order, absent parameters, dimensions', () => {
    const inputs = ['x', 'weight', 'bias', 'running_mean', 'running_var'],
      outputs = ['y', 'running_mean', 'running_var', 'save_mean', 'save_rstd']
    const attributes =
      'this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-5);this->Attr("momentum").AttrType(OPTIONAL).Float(0.1);this->Attr("is_training").AttrType(OPTIONAL).Bool(true);'
    const [training, momentum, eps] = [true, 0.5, 0.25].map((value): Argument => ({kind: 'plain', value})) as [
      Argument,
      Argument,
      Argument,
    ]
    const wired = wireCall(
      definition(
        inputs.map((name) => parameter('Input', name)).join('') +
          outputs.map((name) => parameter('Output', name)).join('') +
          attributes,
        'BatchNormV3',
      ),
      [
        tensor(0),
        {kind: 'absent'},
        tensor(1),
        tensor(2),
        tensor(3),
        training,
        momentum,
        eps,
        tensor(4),
        tensor(5),
        tensor(6),
      ],
      adaptations,
    )
    expect(wired.attributes).toEqual({epsilon: 0.25, momentum: 0.5, is_training: true})
    expect(wired.inputs.map(({name, shape}) => `${name} ${shape.join('x')}`)).toEqual([
      'x 2x3x1x1',
      'weight 6',
      'bias 2x3',
      'running_mean 2x3',
      'running_var 2x3',
    ])
    expect(wired.outputs.find(({name}) => name === 'y')).toMatchObject({shape: [2, 3, 1, 1], slot: 4})
  })

  test('an optional input that is absent is left out', () => {
    expect(
      names(
        wireCall(
          definition(`${parameter('Input', 'x')}${parameter('Input', 'bias', 'OPTIONAL')}${parameter('Output', 'y')}`),
          [tensor(0), {kind: 'absent'}, tensor(1)],
        ).inputs,
      ),
    ).toEqual(['x'])
  })

  test('a host value is a tensor of one element in the type that stands beside the other types', () => {
    const wired = wireCall(
      definition(`${parameter('Input', 'x')}${parameter('Input', 'factor')}${parameter('Output', 'y')}`),
      [tensor(0, 'float16'), {kind: 'scalar', value: 1.5}, tensor(1, 'float16')],
    )
    const factor = wired.inputs[1]
    expect(factor).toMatchObject({name: 'factor', dtype: 'float16', shape: [1], from: 'values'})
    expect(factor?.from === 'values' && [...decode(factor.data, 'float16')]).toEqual([1.5])
  })

  test('a host value whose type the definition computes is int64 beside integers, float32 beside the rest', () => {
    const computed = definition(
      `${parameter('Input', 'x', 'DYNAMIC', 'ge::DT_FLOAT16, ge::DT_INT32')}this->Input("factors").ScalarList().ParamType(REQUIRED).DataType(computed);${parameter('Output', 'y', 'DYNAMIC', 'ge::DT_FLOAT16, ge::DT_INT32')}`,
    )
    const typeBeside = (dtype: Dtype) =>
      wireCall(computed, [tensor(0, dtype), {kind: 'scalars', value: [1, 2]}, tensor(1, dtype)]).inputs[1]
    expect(typeBeside('int32')).toMatchObject({name: 'factors', dtype: 'int64', shape: [2]})
    expect(typeBeside('float16')).toMatchObject({name: 'factors', dtype: 'float32', shape: [2]})
  })

  test('truth values go to a definition that wants bytes, and to one that wants truth values first', () => {
    const masked = (types: string) =>
      definition(
        `${parameter('Input', 'x')}${parameter('Input', 'mask', 'REQUIRED', types)}${parameter('Output', 'y')}`,
      )
    const call = [tensor(0), tensor(1, 'bool'), tensor(2)]
    expect(wireCall(masked('ge::DT_UINT8, ge::DT_UINT8'), call).inputs[1]).toMatchObject({
      dtype: 'uint8',
      slotDtype: 'bool',
    })
    expect(
      wireCall(masked('ge::DT_UINT8, ge::DT_BOOL'), [tensor(0, 'float16'), tensor(1, 'bool'), tensor(2, 'float16')])
        .inputs[1],
    ).toMatchObject({dtype: 'bool', slotDtype: 'bool'})
    expect(wireCall(masked('ge::DT_INT32, ge::DT_INT32'), call).inputs[1]).toMatchObject({dtype: 'bool'})
  })

  test('an integer array is an int64 tensor for an input and a list for an attribute', () => {
    const wired = wireCall(
      definition(
        `${parameter('Input', 'dims', 'REQUIRED', 'ge::DT_INT64')}${parameter('Output', 'y')}this->Attr("axes").AttrType(REQUIRED).ListInt();`,
      ),
      [{kind: 'integers', value: [4, 5]}, {kind: 'integers', value: [0]}, tensor(0)],
    )
    expect(wired.inputs[0]).toMatchObject({dtype: 'int64', shape: [2]})
    expect(wired.attributes).toEqual({axes: [0]})
  })

  test("an output with an input's name is passed once and written in place", () => {
    const wired = wireCall(
      definition(`${parameter('Input', 'var')}${parameter('Input', 'x')}${parameter('Output', 'var')}`),
      [tensor(0), tensor(1)],
    )
    expect(wired.outputs.map(({name, slot}) => [name, slot])).toEqual([['var', 0]])
  })

  test('an output that the binding has cleared is wired as cleared', () => {
    const wired = wireCall(
      definition(`${parameter('Input', 'x')}${parameter('Output', 'y')}${parameter('Output', 'z')}`),
      [tensor(0), {...tensor(1), cleared: true} as Argument, tensor(2)],
    )
    expect(wired.outputs.map(({name, cleared}) => [name, cleared])).toEqual([
      ['y', true],
      ['z', undefined],
    ])
  })

  test('an input that is handed back is an output too', () => {
    const wired = wireCall(
      definition(`${parameter('Input', 'x')}${parameter('Input', 'z')}${parameter('Output', 'y')}`),
      [tensor(0, 'float32', true), tensor(1), tensor(2)],
    )
    expect(names(wired.outputs)).toEqual(['x', 'y'])
  })

  test('without any output in the definition, every input may be written', () => {
    expect(
      names(
        wireCall(definition(`${parameter('Input', 'x')}${parameter('Input', 'found')}`), [tensor(0), tensor(1)])
          .outputs,
      ),
    ).toEqual(['x', 'found'])
  })

  test('another number of arguments is refused with both counts', () => {
    expect(() => wireCall(definition(`${parameter('Input', 'x')}${parameter('Output', 'y')}`), [tensor(0)])).toThrow(
      'the binding passes 1 arguments, the definition of Probe has 2: x, y',
    )
  })

  test('infinities come as text', () => {
    expect(Argument.parse({kind: 'plain', value: {float: '-inf'}})).toEqual({kind: 'plain', value: -Infinity})
  })
})

describe('calls of hand-written interfaces', () => {
  test("MseLossGradV2 gets its tensors in the definition's order and its reduction as text", () => {
    const wired = wireCall(
      definition(
        `${['predict', 'label', 'dout'].map((name) => parameter('Input', name)).join('')}${parameter('Output', 'y')}this->Attr("reduction").AttrType(OPTIONAL).String("mean");`,
        'MseLossGradV2',
      ),
      [tensor(0), tensor(1), tensor(2), {kind: 'plain', value: 2}, tensor(3)],
      adaptations,
    )
    expect(wired.inputs.map((input) => input.from === 'slot' && input.slot)).toEqual([1, 2, 0])
    expect(wired.attributes).toEqual({reduction: 'sum'})
  })

  test('TopKV3 computes 32-bit indices where the binding holds 64-bit ones', () => {
    const wired = wireCall(
      definition(
        `${parameter('Input', 'x', 'REQUIRED', 'ge::DT_FLOAT16')}${parameter('Input', 'k', 'REQUIRED', 'ge::DT_INT32')}${parameter('Output', 'values', 'REQUIRED', 'ge::DT_FLOAT16')}` +
          `${parameter('Output', 'indices', 'REQUIRED', 'ge::DT_INT32')}this->Attr("sorted").AttrType(OPTIONAL).Bool(true);this->Attr("dim").AttrType(OPTIONAL).Int(-1);this->Attr("largest").AttrType(OPTIONAL).Bool(true);`,
        'TopKV3',
      ),
      [
        tensor(0, 'float16'),
        {kind: 'plain', value: 3},
        {kind: 'plain', value: -1},
        {kind: 'plain', value: true},
        {kind: 'plain', value: false},
        tensor(1, 'float16'),
        tensor(2, 'int64'),
      ],
      adaptations,
    )
    expect(wired.attributes).toEqual({sorted: false, dim: -1, largest: true})
    expect(wired.inputs[1]).toMatchObject({name: 'k', dtype: 'int32', shape: [1]})
    expect(wired.outputs[1]).toMatchObject({name: 'indices', dtype: 'int32', slotDtype: 'int64'})
  })
})
