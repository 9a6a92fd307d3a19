import {describe, expect, test} from 'vitest'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../../cpp/op-def.ts'
import type {Contract, ContractExample, ContractParameter, ExampleTensor} from '../../../../datasets/schema/contract.ts'
import {exampleCalls, type Told} from '../../../../pipelines/code/scenarios/example-calls.ts'
import {pageCalls, resized} from '../../../../pipelines/code/scenarios/page-calls.ts'

const definition = parseOperatorDefinitions(`class Scale : public OpDef {
  explicit Scale(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Input("scale").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT});
    this->Input("size").ParamType(OPTIONAL).DataType({ge::DT_INT64, ge::DT_INT64}).ValueDepend(REQUIRED);
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Attr("axis").AttrType(REQUIRED).Int();
    this->Attr("mode").AttrType(OPTIONAL).String("linear");
  }
};`)[0] as OperatorDefinition
/** Where the host does not read the sizes. */
const listing: OperatorDefinition = {
  ...definition,
  inputs: definition.inputs.map(({hostValue: _, ...input}) => input),
}
const dtypes = {x: 'float32', scale: 'float32', size: 'int64', y: 'float32'} as const
const place = {path: 'tests/a.cpp', line: 3}

const tensor = (name: string, shape: number[], more: Partial<ExampleTensor> = {}): ExampleTensor => {
  return {name, dtype: 'float32', shape, ...more}
}
const example = (more: Partial<ContractExample> = {}): ContractExample => ({
  inputs: [tensor('', [4, 8]), tensor('', [8], {values: [1, 2, 3, 4, 5, 6, 7, 8]})],
  outputs: [tensor('', [4, 8])],
  attributes: [
    {name: 'axis', value: 1},
    {name: 'mode', value: 'cubic'},
  ],
  place,
  ...more,
})
const calls = (one: ContractExample, parameters: ContractParameter[] = []) =>
  exampleCalls({examples: [one], parameters}, definition, dtypes)

describe('an example', () => {
  test('is called as it is, and says where it stands', () => {
    expect(calls(example())).toMatchObject([
      {
        call: {
          inputs: [
            {name: 'x', shape: [4, 8]},
            {name: 'scale', shape: [8], values: [1, 2, 3, 4, 5, 6, 7, 8]},
          ],
          outputs: [{name: 'y', shape: [4, 8]}],
          attributes: {axis: 1, mode: 'cubic'},
        },
        origin: {contract: 'example', place},
        isWhole: true,
      },
    ])
  })

  test('goes by names before it goes by order', () => {
    const inputs = [tensor('Scale', [8]), tensor('xOptional', [4, 8])]
    expect(calls(example({inputs}))[0]?.call.inputs.map(({name, shape}) => [name, shape])).toEqual([
      ['x', [4, 8]],
      ['scale', [8]],
    ])
  })

  describe('of an operator on lists', () => {
    const lists = parseOperatorDefinitions(`class Each : public OpDef {
      explicit Each(const char* name) : OpDef(name) {
        this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16});
        this->Input("scalars").ScalarList().ParamType(REQUIRED).DataType(computed);
        this->Output("y").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16});
      }
    };`)[0] as OperatorDefinition
    const inputs = [tensor('x', [6, 2], {dtype: 'float16'}), tensor('x', [5], {dtype: 'float16'})]
    const given = example({inputs, outputs: [], attributes: [{name: 'scalars', value: [4, 3]}]})
    const listCalls = (one: ContractExample) =>
      exampleCalls({examples: [one], parameters: []}, lists, {x: 'float16', scalars: 'float32', y: 'float16'})

    test('takes several tensors of one name, and a scalar for each of them', () => {
      expect(listCalls(given)[0]?.call.inputs).toMatchObject([
        {name: 'x', shape: [6, 2]},
        {name: 'x', shape: [5]},
        {name: 'scalars', dtype: 'float32', shape: [2], values: [4, 3]},
      ])
    })

    test('gives a tensor for each, whose sizes are open until they are told', () => {
      const [open] = listCalls(given)
      expect(open?.isWhole).toBe(false)
      expect(open?.call.outputs.map(({shape}) => shape)).toEqual([[6, 2], [5]])
      const [told] = listCalls({...given, outputs: [tensor('y', [7]), tensor('y', [8])]})
      expect(told?.isWhole).toBe(true)
      expect(told?.call.outputs.map(({shape}) => shape)).toEqual([[7], [8]])
    })
  })

  test('a list of the interface is a tensor that the host reads', () => {
    const attributes = [
      {name: 'axis', value: 1},
      {name: 'outputSize', value: [6, 7]},
    ]
    expect(calls(example({attributes}))[0]?.call.inputs[2]).toMatchObject({name: 'size', shape: [2], values: [6, 7]})
  })

  test('may hand over its outputs among its inputs, by their names', () => {
    const inputs = [tensor('self', [4, 8]), tensor('other', [8]), tensor('yOut', [4, 9])]
    const [call] = calls(example({inputs, outputs: []}))
    expect(call?.call.inputs.map(({name}) => name)).toEqual(['x', 'scale'])
    expect(call?.call.outputs).toEqual([{name: 'y', dtype: 'float32', shape: [4, 9]}])
    expect(call?.isWhole).toBe(true)
  })

  test('a list of the interface is a tensor that has to be there, too', () => {
    const [needed] = parseOperatorDefinitions(`class Resize : public OpDef {
      explicit Resize(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Input("size").ParamType(REQUIRED).DataType({ge::DT_INT32});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
      }
    };`) as [OperatorDefinition]
    const [call] = exampleCalls(
      {
        examples: [example({inputs: [tensor('self', [1, 4])], attributes: [{name: 'outputSize', value: [8, 4]}]})],
        parameters: [],
      },
      needed,
      {x: 'float32', size: 'int32', y: 'float32'},
    )
    expect(call?.call.inputs).toMatchObject([
      {name: 'x', shape: [1, 4]},
      {name: 'size', shape: [2], values: [8, 4]},
    ])
  })

  describe('that fills a tensor with one value is called with others', () => {
    const drawn = (values: number[], parameters: ContractParameter[] = [], more: Partial<ExampleTensor> = {}) => {
      const inputs = [tensor('', [4, 8]), tensor('', [values.length], {values, ...more})]
      const [one] = calls(example({inputs}), parameters)
      return [one?.call.inputs[1], one?.written?.[1]]
    }
    const input = (range: [number, number], values?: number[]) => {
      const dtype = 'float32'
      return {name: 'scale', dtype, shape: [values?.length ?? 3], range, ...(values && {values})}
    }

    test.each<[string, number[], [number, number]]>([
      ['between its half and itself', [10, 10, 10], [5, 10]],
      ['below zero as well', [-3, -3, -3], [-3, -1.5]],
      ['small ones where it is zero', [0, 0, 0], [0, 1]],
    ])('%s', (_, values, range) => expect(drawn(values)).toEqual([input(range), input([-4, 4], values)]))

    test('in the range that a page or the test tells', () => {
      expect(drawn([1, 1, 1], [told('scale', 'input', {range: [0, 9]})])[0]).toEqual(input([0, 9]))
      expect(drawn([1, 1, 1], [], {range: [-2, 2]})[0]).toEqual(input([-2, 2]))
    })

    test('but not where there are others already, one alone, or none that is finite', () => {
      for (const values of [[1, 1, 2], [7], [Infinity, Infinity]])
        expect(drawn(values)).toEqual([input([-4, 4], values), undefined])
    })

    test('nor where they are sizes that the host reads', () => {
      const size = tensor('size', [2], {dtype: 'int64', values: [7, 7]})
      const inputs = [tensor('x', [4, 8]), tensor('scale', [8]), size]
      expect(calls(example({inputs}))[0]?.call.inputs[2]?.values).toEqual([7, 7])
      const attributes = [
        {name: 'axis', value: 1},
        {name: 'outputSize', value: [7, 7]},
      ]
      const [listed] = exampleCalls({examples: [example({attributes})], parameters: []}, listing, dtypes)
      expect(listed?.call.inputs[2]?.values).toEqual([7, 7])
    })
  })

  test.each<[string, Partial<ContractExample>]>([
    ['too few inputs', {inputs: [tensor('', [4, 8])]}],
    ['a required one is left out', {inputs: [null, tensor('', [8])]}],
    ['an attribute that is needed has no value', {attributes: []}],
    ['an integer stands where a float is taken', {inputs: [tensor('', [4, 8], {dtype: 'int32'}), tensor('', [8])]}],
    ['it is too large', {inputs: [tensor('', [4096, 4096]), tensor('', [8])]}],
  ])('is none where %s', (_, more) => expect(calls(example(more))).toEqual([]))

  test('of other dtypes comes after one of these, and an output that is not told is open', () => {
    const half = example({inputs: [tensor('', [2, 8], {dtype: 'float16'}), tensor('', [8])], outputs: []})
    const both = exampleCalls({examples: [half, example()], parameters: []}, definition, dtypes)
    expect(both.map(({isWhole, call}) => [isWhole, call.inputs[0]?.shape])).toEqual([
      [true, [4, 8]],
      [false, [2, 8]],
    ])
  })
})

const told = (name: string, kind: ContractParameter['kind'], more: Partial<ContractParameter> = {}) => {
  return {name, kind, optional: false, dtypes: [], shapes: [], ranks: [], place: {path: 'README.md', line: 9}, ...more}
}
const page: Contract = {
  examples: [],
  parameters: [
    told('x', 'input', {shapes: [['N', 'D']]}),
    told('scale', 'input', {shapes: [['D']]}),
    told('y', 'output', {like: 'x'}),
    told('axis', 'attribute', {default: 0}),
  ],
}

describe('a page', () => {
  test('gives calls in which a symbol has one size', () => {
    const found = pageCalls(page, definition, dtypes)
    expect(found.length).toBeGreaterThan(3)
    for (const {call, origin, isWhole} of found) {
      const [x, scale] = call.inputs
      expect(scale?.shape).toEqual([x?.shape[1]])
      expect(call.outputs[0]?.shape).toEqual(x?.shape)
      expect(call.attributes).toEqual({axis: 0})
      expect([origin, isWhole]).toEqual([{contract: 'page', place: {path: 'README.md', line: 9}}, true])
    }
    expect(new Set(found.map(({call}) => String(call.inputs[0]?.shape))).size).toBeGreaterThan(3)
  })

  test('gives none where a required input is not told', () => {
    const parameters = page.parameters.filter(({name}) => name !== 'scale')
    expect(pageCalls({...page, parameters}, definition, dtypes)).toEqual([])
  })
})

describe('an example with other sizes', () => {
  const [first] = calls(example()) as [Told]

  test('keeps what its page fixes, and repeats the values that people wrote', () => {
    const parameters = [
      told('x', 'input', {shapes: [['N', 8]]}),
      told('scale', 'input', {shapes: [[8]]}),
      told('y', 'output', {shapes: [['N', 8]]}),
    ]
    const shapes = resized(first, {...page, parameters}, 'ran').map(({call}) => call.inputs.map(({shape}) => shape))
    expect(shapes).toEqual([
      [[8, 8], [8]],
      [[2, 8], [8]],
      [[12, 8], [8]],
    ])
    const grown = [told('x', 'input', {shapes: [['N', 'D']]}), told('scale', 'input', {shapes: [['D']]})]
    const [wide] = resized(
      first,
      {examples: [], parameters: [...grown, told('y', 'output', {shapes: [['N', 'D']]})]},
      'ran',
    )
    expect(wide?.call.inputs[1]?.values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('needs a page, or one shape for all', () => {
    expect(resized(first, {examples: [], parameters: []}, 'ran')).toEqual([])
    const even = calls(example({inputs: [tensor('', [4, 8]), tensor('', [4, 8])]}))[0] as Told
    expect(resized(even, {examples: [], parameters: []}, 'ran')[0]?.call.outputs[0]?.shape).toEqual([8, 16])
    const large = calls(example({inputs: [tensor('', [400, 800]), tensor('', [400, 800])]}))[0] as Told
    expect(resized(large, {examples: [], parameters: []}, 'short')).toEqual([])
    expect(resized(even, {examples: [], parameters: []}, 'short')[0]?.call.outputs[0]?.shape).toEqual([4, 256])
  })
})
