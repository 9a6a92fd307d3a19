import {beforeAll, describe, expect, test} from 'vitest'
import type {OperatorProject, SourceFile} from '../../../../datasets/schema/operator.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {hostReductions, reduceHost} from '../../../../pipelines/code/specialise/reduce-host.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'

const definition = `#include "register/op_def_registry.h"
namespace ops {
class Halve : public OpDef {
public:
    explicit Halve(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_NCHW});
        this->SetInferShape(InferHalve);
        OpAICoreConfig next;
        next.Input("x").DataType({ge::DT_INT8, ge::DT_INT8});
        this->AICore().AddConfig("ascend950", next);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Halve);
} // namespace ops
`
const header = `#pragma once
constexpr int64_t blockBytes = 32;
constexpr int64_t neverRead = 7;
`
const sizes = `#include "halve_sizes.h"
int64_t BytesOf(ge::DataType type)
{
    switch (type) {
        case ge::DT_FLOAT16:
            return 2;
        case ge::DT_FLOAT:
            return 4;
        case ge::DT_INT8: {
            return 1;
        }
        default:
            return 0;
    }
}
void Spread(gert::TilingContext* context)
{
    context->SetBlockDim(1);
}
`
const tiling = `#include "halve_sizes.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(HalveTilingData)
TILING_DATA_FIELD_DEF(int64_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Halve, HalveTilingData)
int64_t BytesOf(ge::DataType type);
static int64_t ForNextChip(int64_t n) { return n * 2; }
static int64_t NobodyCalls(int64_t n) { return n + 1; }
static ge::graphStatus InferHalve(gert::InferShapeContext* context) { return ge::GRAPH_SUCCESS; }
static ge::graphStatus HalveTiling(gert::TilingContext* context)
{
    auto type = context->GetInputDesc(0)->GetDataType();
    bool isHalf = (type == ge::DT_FLOAT16);
    int64_t count = 1;
    bool mayChange = (type == ge::DT_FLOAT16);
    mayChange = count > 5;
    if (mayChange) {
        count = 11;
    }
    if (chip == platform_ascendc::SocVersion::ASCEND950) {
        count = ForNextChip(count);
    }
    if (isHalf) {
        count = count + blockBytes;
    } else if (type == ge::DT_INT8) {
        count = 3;
    } else {
        count = BytesOf(type);
    }
    if (count < 0 || type == ge::DT_INT8) {
        return ge::GRAPH_FAILED;
    }
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Halve).InferShape(InferHalve);
IMPL_OP_OPTILING(Halve).Tiling(HalveTiling);
} // namespace optiling
`
const file = (path: string, text: string): SourceFile => ({path, text})
const project: OperatorProject = {
  origin: {repository: 'r', path: 'halve', revision: '', licence: 'Apache-2.0'},
  operator: 'Halve',
  host: [
    file('op_host/halve_def.cpp', definition),
    file('op_host/halve_sizes.cpp', sizes),
    file('op_host/halve_sizes.h', header),
    file('op_host/halve_tiling.cpp', tiling),
    file('op_host/halve_infershape.cpp', 'static int onlyShapes = 1;\n'),
  ],
  kernel: [],
} as unknown as OperatorProject

async function reduced(dtypes: Record<string, Dtype>, level: 0 | 1 = 0): Promise<Map<string, string>> {
  const files = await reduceHost(project, {inline: inlineIncludes, dtypes, kept: hostReductions[level]})
  return new Map(files?.map(({path, text}) => [path.replace('op_host/halve_', ''), text]))
}

describe('a host reduced to a scenario of float32', () => {
  let texts: Map<string, string>
  beforeAll(async () => {
    texts = await reduced({x: 'float32', y: 'float32'})
  })

  test('is the definition and what tiling is made of, each with its headers', () => {
    expect([...texts.keys()]).toEqual(['def.cpp', 'sizes.cpp', 'tiling.cpp'])
    expect(texts.get('tiling.cpp')).not.toContain('#include "halve_sizes.h"')
  })

  test('has the column of its types alone, and the chip that it runs on', () => {
    const text = texts.get('def.cpp')
    expect(text).toMatch(
      /Input\("x"\)\.ParamType\(REQUIRED\)\.DataType\(\{ge::DT_FLOAT\}\)\s+\.Format\(\{ge::FORMAT_ND\}\);/,
    )
    expect(text).toContain('AddConfig("ascend910b")')
    for (const gone of ['DT_FLOAT16', 'DT_INT8', 'ascend950', 'OpAICoreConfig', 'SetInferShape'])
      expect(text).not.toContain(gone)
  })

  test('keeps what is no list of columns', () => {
    expect(texts.get('def.cpp')).toContain('.UnknownShapeFormat({ge::FORMAT_NCHW})')
  })

  test('takes no branch of another type or chip, and keeps checks that no type settles', () => {
    const text = texts.get('tiling.cpp')
    expect(text).toContain('count = BytesOf(type);')
    expect(text).toContain('if (count < 0 || type == ge::DT_INT8) {')
    // What is assigned again no longer holds the answer.
    expect(text).toContain('count = 11;')
    for (const gone of ['isHalf', 'count = 3;', 'ASCEND950', 'ForNextChip']) expect(text).not.toContain(gone)
    expect(texts.get('sizes.cpp')).toContain('case ge::DT_FLOAT:')
    expect(texts.get('sizes.cpp')).not.toMatch(/DT_FLOAT16|DT_INT8/)
  })

  test('has what a registration or another of its files names, and nothing else', () => {
    const text = texts.get('tiling.cpp')
    for (const kept of [
      'BEGIN_TILING_DATA_DEF(HalveTilingData)',
      'REGISTER_TILING_DATA_CLASS',
      'IMPL_OP_OPTILING(Halve)',
    ])
      expect(text).toContain(kept)
    expect(texts.get('sizes.cpp')).toContain('int64_t BytesOf(')
    for (const gone of ['NobodyCalls', 'neverRead', 'blockBytes', 'InferHalve']) expect(text).not.toContain(gone)
  })
})

test('with float16 the other branch is taken, and what it needs stays', async () => {
  const text = (await reduced({x: 'float16', y: 'float16'})).get('tiling.cpp')
  expect(text).toContain('count = count + blockBytes;')
  expect(text).not.toContain('BytesOf(type);')
})

test('where tensors differ in type, only types of none of them are settled', async () => {
  const texts = await reduced({x: 'float32', y: 'float16'})
  expect(texts.get('tiling.cpp')).toContain('if (isHalf) {')
  expect(texts.get('tiling.cpp')).not.toContain('count = 3;')
  // No column has these types.
  expect(texts.get('def.cpp')).toContain('DataType({ge::DT_FLOAT16, ge::DT_FLOAT})')
})

test('where types are kept, chips and unreached functions go all the same', async () => {
  const texts = await reduced({x: 'float32', y: 'float32'}, 1)
  expect(texts.get('tiling.cpp')).toContain('if (isHalf) {')
  expect(texts.get('sizes.cpp')).toContain('case ge::DT_INT8')
  expect(texts.get('tiling.cpp')).not.toMatch(/ForNextChip|NobodyCalls/)
})

test('a host without its definition, or without a header, cannot be reduced', async () => {
  const given = {inline: inlineIncludes, dtypes: {}, kept: hostReductions[0]}
  expect(await reduceHost({...project, operator: 'Other'}, given)).toBeUndefined()
  const host = project.host.filter(({path}) => !path.endsWith('.h'))
  expect(await reduceHost({...project, host}, given)).toBeUndefined()
})
