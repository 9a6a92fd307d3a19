import {describe, expect, test} from 'vitest'
import {InferenceFacts} from '../../../datasets/schema/code-facts.ts'
import {inferenceFacts} from '../../../pipelines/facts/inference-facts.ts'
import {sourceOf} from '../../helpers/told-parts.ts'

const head = 'static ge::graphStatus InferShape(gert::InferShapeContext* context)'
const factsOf = async (body: string, around = '', parameters = head) =>
  InferenceFacts.parse(await inferenceFacts(sourceOf(`${parameters} { ${body} return ge::GRAPH_SUCCESS; }\n${around}`)))

describe('registrations', () => {
  test.each([
    ['IMPL_OP_INFERSHAPE(Fold).InferShape(F);', [['IMPL_OP_INFERSHAPE(Fold)', ['InferShape(F)']]]],
    [
      'IMPL_OP(Fold).InferShape(ns::F) . InputsDataDependency({1,\n 2});',
      [['IMPL_OP(Fold)', ['InferShape(ns::F)', 'InputsDataDependency({1, 2})']]],
    ],
    ['IMPL_OP_OPTILING(Fold)', [['IMPL_OP_OPTILING(Fold)', []]]],
    ['INFER_SHAPE_REG(Fold);', [['INFER_SHAPE_REG(Fold)', []]]],
    ['// IMPL_OP(Fold)', []],
    ['IMPL_OTHER(Fold);', []],
  ])('%s', async (around, expected) => {
    const {registrations} = await factsOf('', around)
    const told = registrations.map(({macro, calls}) => [macro, calls.map(({name, args}) => `${name}(${args})`)])
    expect(told).toEqual(expected)
  })
})

describe('what is asked of the context', () => {
  test('stands as written, and with named indices worked out', async () => {
    const body =
      'context->GetInputShape(0); context->GetInputShape(X); context->GetOptionalInputShape(0); ' +
      'context->GetInputDataType(1); context->GetInputTensor(i); attrs->GetInt(2); context->GetInputShape(0);'
    const {reads, asked} = await factsOf(body, 'constexpr int X = 3;')
    expect(reads).toEqual({
      inputs: ['GetInputShape(0)', 'GetInputShape(X)', 'GetOptionalInputShape(0)', 'GetInputDataType(1)'],
      values: ['GetInputTensor(i)'],
      attributes: ['GetInt(2)'],
    })
    expect(asked).toEqual([
      {what: 'shape', index: '0'},
      {what: 'shape', index: '3'},
      {what: 'type', index: '1'},
      {what: 'attribute', index: '2'},
    ])
  })

  test.each([
    ['GetRequiredInputShape', 'shape'],
    ['GetDynamicInputShape', 'shape'],
    ['GetInputDesc', 'type'],
    ['GetOptionalInputTensor', 'values'],
    ['GetAttrPointer', 'attribute'],
    ['GetListInt', 'attribute'],
    ['GetOutputShape', undefined],
  ])('%s', async (call, what) => {
    expect((await factsOf(`context->${call}(0);`)).asked).toEqual(what ? [{what, index: '0'}] : [])
  })
})

describe('what is written', () => {
  const output = 'auto y = context->GetOutputShape(0);'
  test.each([
    ['*y = *x;', '*y = *x'],
    ['y->SetDim(0, 4);', 'y->SetDim(0, 4)'],
    ['y->AppendDim(4);', 'y->AppendDim(4)'],
    ['SetUnknownRank(*y);', 'SetUnknownRank(*y)'],
    ['z->SetDim(0, 4);', undefined],
    ['*z = *x;', undefined],
    ['y = x;', undefined],
    ['y->GetDim(0);', undefined],
  ])('%s', async (body, text) => {
    expect((await factsOf(`${output} ${body}`)).writes).toEqual(text ? [{method: 'InferShape', text}] : [])
  })

  test.each([
    ['gert::Shape* y', true],
    ['gert::Shape& y', true],
    ['const gert::Shape* y', false],
    ['int* y', false],
  ])('into what is handed in: %s', async (parameter, isWritten) => {
    const {writes} = await factsOf('*y = *x;', '', `static ge::graphStatus Help(${parameter})`)
    expect(writes).toEqual(isWritten ? [{method: 'Help', text: '*y = *x'}] : [])
  })

  test.each([
    ['context->SetOutputDataType(0, ge::DT_BOOL);', {output: '0', dtype: 'DT_BOOL'}],
    ['context->SetOutputDataType(Y, ge::DataType::DT_BOOL);', {output: '1', dtype: 'DT_BOOL'}],
    ['context->SetOutputDataType(0, DT_BOOL);', {output: '0', dtype: 'DT_BOOL'}],
    ['context->SetOutputDataType(0, type);', undefined],
    ['if (a) { context->SetOutputDataType(0, ge::DT_BOOL); }', undefined],
  ])('a type: %s', async (body, fixed) => {
    const {types} = await factsOf(body, 'constexpr int Y = 1;')
    expect(types.map((one) => one.fixed)).toEqual([fixed])
  })
})

test.each([
  ['IsUnknownRank(*x);', [true, false]],
  ['auto a = UNKNOWN_RANK;', [true, false]],
  ['auto a = UNKNOWN_DIM_NUM;', [true, false]],
  ['auto a = UNKNOWN_DIM;', [false, true]],
  ['IsUnknownShape(*x);', [false, true]],
  ['SetAllUnknownDim(2, y);', [false, true]],
  ['// IsUnknownRank(*x)\nint a;', [false, false]],
])('unknown rank and dimensions: %s', async (body, handled) => {
  const {handlesUnknownRank, handlesUnknownDims} = await factsOf(body)
  expect([handlesUnknownRank, handlesUnknownDims]).toEqual(handled)
})

test('shared rules are those that are called or bound and not defined', async () => {
  const around = 'IMPL_OP(Fold).InferShape(InferShape4Elewise).InferDataType(ops::InferDataTypeForX);'
  expect((await factsOf('InferShape4Broadcast(context);', around)).rules).toEqual([
    'InferShape4Broadcast',
    'InferShape4Elewise',
    'InferDataTypeForX',
  ])
  expect((await factsOf('', 'IMPL_OP(F).InferShape(InferShape4F); void InferShape4F() { return; }')).rules).toEqual([])
})

test.each([
  ['if (axis < 0) { axis += rank; }', ['axis += rank']],
  ['if (dim < 0) { dim = dim + rank; }', ['dim = dim + rank']],
  ['if (index < 0) { index = rank + index; }', ['index = rank + index']],
  ['axis = axis < 0 ? axis + rank : axis;', ['axis = axis < 0 ? axis + rank : axis']],
  ['if (axis > 0) { axis += rank; }', []],
  ['if (axis < 0) { axis -= rank; }', []],
  ['if (axis < 0) { } else { axis += rank; }', []],
  ['if (n < 0) { n += rank; }', []],
  ['axis = axis < 0 ? rank : axis;', []],
])('an axis counts from the front: %s', async (body, axes) => {
  expect((await factsOf(body)).axes).toEqual(axes)
})

test.each([
  ['if (n < 1) { return ge::GRAPH_FAILED; }', ['n < 1'], []],
  ['if (n < 1) { } else { return ge::GRAPH_FAILED; }', [], []],
  ['if (a) { if (n < 1) { return ge::GRAPH_FAILED; } }', [], []],
  ['for (int i = 0; i < n; i++) { if (n < 1) { return ge::GRAPH_FAILED; } }', [], []],
  ['if (x == nullptr) { return ge::GRAPH_FAILED; }', [], ['x']],
  ['if (x == nullptr || (y == nullptr)) { return ge::GRAPH_FAILED; }', [], ['x', 'y']],
  ['if (x == nullptr || n < 1) { return ge::GRAPH_FAILED; }', ['x == nullptr || n < 1'], []],
  ['if (n < 1) { return ge::GRAPH_SUCCESS; }', [], []],
  [`if (${'n'.repeat(140)}) { return ge::GRAPH_FAILED; }`, ['n'.repeat(140)], []],
  [`if (${'n'.repeat(141)}) { return ge::GRAPH_FAILED; }`, [], []],
])('refused: %s', async (body, refusals, nulls) => {
  const facts = await factsOf(body)
  expect([facts.refusals, facts.nulls]).toEqual([refusals, nulls])
})
