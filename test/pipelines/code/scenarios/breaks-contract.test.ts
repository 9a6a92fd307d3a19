import {expect, test} from 'vitest'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../../cpp/op-def.ts'
import type {Contract, ContractParameter} from '../../../../datasets/schema/contract.ts'
import {breaksContract} from '../../../../pipelines/code/scenarios/breaks-contract.ts'
import type {Call} from '../../../../pipelines/code/scenarios/drawn-call.ts'

const definition = parseOperatorDefinitions(`class RoiAlign : public OpDef {
  explicit RoiAlign(const char* name) : OpDef(name) {
    this->Input("features").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Input("rois").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Input("count").ParamType(OPTIONAL).DataType({ge::DT_INT32});
    this->Input("mask").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
    this->Output("output").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Attr("pooled_height").AttrType(REQUIRED).Int();
    this->Attr("axis").AttrType(OPTIONAL).Int(-1);
  }
};`)[0] as OperatorDefinition

const told = (name: string, kind: ContractParameter['kind'], more: Partial<ContractParameter> = {}) => {
  const place = {path: 'README.md', line: 1}
  return {name, kind, optional: false, dtypes: [], shapes: [], ranks: [], place, ...more}
}
const contract: Contract = {
  examples: [],
  parameters: [
    told('features', 'input', {shapes: [['N', 'C', 'H', 'W']], ranks: [4]}),
    told('rois', 'input', {shapes: [['numRois', 5]], hasPlaces: true}),
    told('maskOptional', 'input', {like: 'features'}),
    told('output', 'output', {shapes: [['numRois', 'C', 'pooled_height', 'pooled_width']]}),
    told('pooledHeight', 'attribute', {range: [1, 64]}),
  ],
}

const tensor = (name: string, shape: number[], values?: number[]) => {
  const range: [number, number] = [-1, 1]
  return {name, dtype: 'float32' as const, shape, range, ...(values && {values})}
}
const good: Call = {
  inputs: [tensor('features', [2, 3, 16, 16]), tensor('rois', [1, 5], [0, 1, 1, 2, 2])],
  attributes: {pooled_height: 7, axis: -1},
  outputs: [{name: 'output', dtype: 'float32', shape: [1, 3, 7, 7]}],
}
const [features, rois] = good.inputs as [Call['inputs'][number], Call['inputs'][number]]

test('a call that a user could make breaks nothing', () => {
  expect(breaksContract(good, contract, definition)).toBeUndefined()
})

test('the size of an output is that of a tensor', () => {
  const sized = (output_size: number[]) => ({...good, attributes: {...good.attributes, output_size}})
  expect(breaksContract(sized([7, 7]), contract, definition)).toBeUndefined()
  expect(breaksContract(sized([2, 3, 16, 16]), contract, definition)).toBeUndefined()
  expect(breaksContract(sized([7, 1]), contract, definition)).toBe(
    'sizes: no tensor has the size that output_size tells, 7, 1',
  )
})

test.each<[string, Partial<Call>, string]>([
  ['an input is missing', {inputs: [features]}, 'required: rois is not handed over'],
  ['a dtype is not supported', {inputs: [{...features, dtype: 'int8'}, rois]}, 'dtype: features may not be int8'],
  ['a rank is wrong', {inputs: [tensor('features', [2, 3, 16]), rois]}, 'rank: features has 3 dimensions, not 4'],
  [
    'a fixed dimension is wrong',
    {inputs: [features, tensor('rois', [1, 4], [0, 1, 1, 2])]},
    'dimension: rois is [1, 4], not [numRois, 5]',
  ],
  [
    'a symbol has two sizes',
    {outputs: [{name: 'output', dtype: 'float32', shape: [1, 4, 7, 7]}]},
    'symbols: the same symbol has several sizes',
  ],
  [
    'a shape is not that of another',
    {inputs: [features, rois, tensor('mask', [2, 3, 16, 8])]},
    'like: mask has not the shape of features',
  ],
  ['an axis is below all', {attributes: {pooled_height: 7, axis: -5}}, 'axis: axis -5 is no axis of 4 dimensions'],
  ['an axis is above all', {attributes: {pooled_height: 7, axis: 4}}, 'axis: axis 4 is no axis of 4 dimensions'],
  ['an attribute leaves its range', {attributes: {pooled_height: 0}}, 'range: pooled_height is not in 1 to 64'],
  [
    'places are drawn',
    {inputs: [features, tensor('rois', [1, 5])]},
    'places: rois holds places in another tensor, and its values are drawn',
  ],
  [
    'counts are drawn',
    {inputs: [features, rois, {...tensor('count', [1]), dtype: 'int32'}]},
    'counts: count counts something, and its values are drawn',
  ],
])('%s', (_, change, wrong) => {
  expect(breaksContract({...good, ...change}, contract, definition)).toBe(wrong)
})

test('values leave the range that a page tells', () => {
  const parameters = [told('rois', 'input', {range: [0, 1]})]
  expect(breaksContract(good, {examples: [], parameters}, definition)).toBe('values: values of rois leave 0 to 1')
})

test('of several shapes any may be had', () => {
  const parameters = [
    told('rois', 'input', {
      shapes: [
        ['N', 4],
        ['N', 5],
      ],
    }),
  ]
  expect(breaksContract(good, {examples: [], parameters}, definition)).toBeUndefined()
})
