import {describe, expect, test} from 'vitest'
import {DefinitionFacts} from '../../../datasets/schema/code-facts.ts'
import {columnTensors, definitionFacts} from '../../../pipelines/facts/definition-facts.ts'
import {sourceOf} from '../../helpers/told-parts.ts'

const factsOf = async (body: string, before = '', after = '') => {
  const source = sourceOf(`namespace ops {
class Fold : public OpDef {
public:
  explicit Fold(const char* name) : OpDef(name) { ${before} ${body} }
  ${after}
};
}`)
  return DefinitionFacts.parse(await definitionFacts(source))
}
const tensor = {
  name: 'x',
  direction: 'input',
  kind: 'required',
  dtypes: [] as string[],
  formats: [] as string[],
  isColumn: true,
  properties: [] as string[],
}

describe('a tensor', () => {
  test.each<[string, object]>([
    ['this->Input("x");', {}],
    ['this->Output("y");', {name: 'y', direction: 'output'}],
    ['this->Input("x").ParamType(OPTIONAL);', {kind: 'optional'}],
    ['this->Input("x").ParamType(ops::DYNAMIC);', {kind: 'dynamic'}],
    ['this->Input("x").ParamType(Param::REQUIRED);', {kind: 'required'}],
    ['this->Input("x").DataType({ge::DT_FLOAT, ge::DT_INT8});', {dtypes: ['DT_FLOAT', 'DT_INT8']}],
    ['this->Input("x").DataTypeList({ge::DT_FLOAT});', {dtypes: ['DT_FLOAT'], isColumn: false}],
    ['this->Input("x").Format({ge::FORMAT_ND});', {formats: ['FORMAT_ND']}],
    ['this->Input("x").FormatList({ge::FORMAT_ND});', {formats: ['FORMAT_ND']}],
    ['this->Input("x").UnknownShapeFormat({ge::FORMAT_ND});', {}],
    [
      'this->Input("x").ValueDepend(OPTIONAL).AutoContiguous();',
      {properties: ['ValueDepend(OPTIONAL)', 'AutoContiguous()']},
    ],
    ['std::vector<ge::DataType> types = {ge::DT_BOOL}; this->Input("x").DataType(types);', {dtypes: ['DT_BOOL']}],
    ['auto types = Types(); this->Input("x").DataType(types);', {}],
    ['this->Input("x").DataType(unknown);', {}],
  ])('%s', async (body, changes) => {
    expect((await factsOf(body)).tensors).toEqual([{...tensor, ...changes}])
  })
})

describe('columns', () => {
  const columnsOf = async (...calls: string[]) =>
    (await factsOf(calls.map((call, index) => `this->Input("t${index}")${call};`).join(' '))).columns
  const of = (...types: string[]) => `.DataType({${types.map((one) => `ge::DT_${one}`).join(', ')}})`

  test('are one type of each tensor', async () => {
    expect(await columnsOf(of('FLOAT', 'INT8'), of('BOOL', 'INT8'))).toEqual([
      ['DT_FLOAT', 'DT_BOOL'],
      ['DT_INT8', 'DT_INT8'],
    ])
    expect(await columnsOf()).toEqual([])
    expect(await columnsOf(of('FLOAT', 'INT8'), of('BOOL'))).toEqual([])
  })

  test('leave out what is no column or cannot be read', async () => {
    expect(await columnsOf(of('FLOAT'), '', of('INT8', 'BOOL').replace('DataType', 'DataTypeList'))).toEqual([
      ['DT_FLOAT'],
    ])
    const {tensors} = await factsOf(`this->Input("a")${of('BOOL')}; this->Input("b");`)
    expect(columnTensors(tensors).map(({name}) => name)).toEqual(['a'])
  })
})

describe('an attribute', () => {
  const attribute = {name: 'k', isRequired: true, type: 'Int', default: ''}
  test.each<[string, object[]]>([
    ['this->Attr("k").Int();', [attribute]],
    ['this->Attr("k").AttrType(REQUIRED).Int();', [attribute]],
    ['this->Attr("k").AttrType(OPTIONAL).Int(3);', [{...attribute, isRequired: false, default: '3'}]],
    ['this->Attr("k").ListInt({1, 2});', [{...attribute, type: 'ListInt', default: '{1, 2}'}]],
    ['this->Attr("k").ListListInt();', [{...attribute, type: 'ListListInt'}]],
    ['this->Attr("k").String("a");', [{...attribute, type: 'String', default: '"a"'}]],
    ['this->Attr("k").Version(1);', []],
  ])('%s', async (body, attributes) => {
    expect((await factsOf(body)).attributes).toEqual(attributes)
  })
})

describe('a chip', () => {
  const add = (config = '') => `this->AICore().AddConfig("ascend910b"${config && `, ${config}`});`
  const make = 'OpAICoreConfig config;'
  test.each<[string, object]>([
    [add(), {}],
    [
      `${make} config.DynamicFormatFlag(true).PrecisionReduceFlag(true); ${add('config')}`,
      {
        flags: ['DynamicFormatFlag(true)', 'PrecisionReduceFlag(true)'],
      },
    ],
    [
      `${make} config.Input("x").DataType({ge::DT_BOOL}); ${add('config')}`,
      {
        tensors: [{...tensor, dtypes: ['DT_BOOL']}],
      },
    ],
    [`${make} other.DynamicFormatFlag(true); ${add('config')}`, {}],
  ])('%s', async (body, changes) => {
    expect((await factsOf(body)).chips).toEqual([{chip: 'ascend910b', flags: [], tensors: [], ...changes}])
  })

  test('may have its configuration made by a function', async () => {
    const maker = 'OpAICoreConfig Make() const { OpAICoreConfig c; c.DynamicRankSupportFlag(true); return c; }'
    const expected = [{chip: 'ascend910b', flags: ['DynamicRankSupportFlag(true)'], tensors: []}]
    expect((await factsOf(add('Make()'), '', maker)).chips).toEqual(expected)
    expect((await factsOf(add('this->Make()'), '', maker)).chips).toEqual(expected)
    expect((await factsOf(`OpAICoreConfig config = Make(); ${add('config')}`, '', maker)).chips).toEqual(expected)
  })
})

test('other calls, the name and the registration', async () => {
  const facts = await factsOf(
    'this->SetInferShape(ge::InferShape); this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");',
  )
  expect([facts.operator, facts.others, facts.registration]).toEqual([
    'Fold',
    ['SetInferShape(ge::InferShape)', 'SetTiling(optiling::Tile)'],
    '',
  ])
  const two = 'class A : public OpDef { A(const char* n) : OpDef(n) { this->Input("a"); } };'
  const first = await definitionFacts(sourceOf(`${two} ${two.replaceAll(/\bA\b/g, 'B')} OP_ADD( A ); OP_ADD(B);`))
  expect([first.operator, first.tensors.length, first.registration]).toEqual(['A', 1, 'OP_ADD( A )'])
  expect((await definitionFacts(sourceOf('// OP_ADD(A)\nint a;', {operator: 'Given'}))).operator).toBe('Given')
  expect((await definitionFacts(sourceOf('// OP_ADD(A)\nint a;'))).registration).toBe('')
})
