import {describe, expect, test} from 'vitest'
import {told} from '../../helpers/told-file.ts'

const definition = `
class Twice : public OpDef {
public:
  explicit Twice(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_COMPLEX32, ge::DT_FLOAT16, ge::DT_COMPLEX32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND}).AutoContiguous();
    this->Input("k").ParamType(OPTIONAL).ValueDepend(OPTIONAL)
        .DataType({ge::DT_INT32, ge::DT_INT32, ge::DT_INT64, ge::DT_INT64}).Format(fourTimes);
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_COMPLEX32, ge::DT_FLOAT16, ge::DT_COMPLEX32});
    this->Attr("axis").AttrType(OPTIONAL).Int(-1);
    this->AICore().AddConfig("ascend910b");
    OpAICoreConfig small = GetSmall();
    this->AICore().AddConfig("ascend310p", small);
  }
  OpAICoreConfig GetSmall() const {
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true);
    config.Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16});
    return config;
  }
};
OP_ADD(Twice);
`

describe('a definition', () => {
  test('is asked for with all that it lists', async () => {
    const {request} = await told('definition', definition)
    for (const fact of ['`x` (required)', '`k` (optional)', '4 combinations', '`DT_INT32` ×2, `DT_INT64` ×2', '`axis`'])
      expect(request).toContain(fact)
    expect(request).toContain('default `-1`')
    expect(request).toContain('for `ascend910b` with the default configuration')
  })

  test('is told with its product, the default of its attribute and what a chip lacks', async () => {
    const {reasoning} = await told('definition', definition)
    expect(reasoning).toMatch(/`x` and `y`[^\n]*`k`/)
    for (const fact of ['4', '`axis = -1`', '`ascend310p`', '`DT_COMPLEX32`', '`ValueDepend(OPTIONAL)`'])
      expect(reasoning).toContain(fact)
  })

  test('says what a tensor without lists follows', async () => {
    const text = definition.replace(/this->Output\("y"\)[^;]*/, 'this->Output("y").ParamType(REQUIRED).Follow("x")')
    expect((await told('definition', text)).reasoning).toContain('`Follow("x")`')
  })

  test('of lists of different length is no table', async () => {
    const {reasoning} = await told('definition', definition.replace('{ge::DT_INT32, ge::DT_INT32, ', '{ge::DT_INT32, '))
    expect(reasoning).not.toMatch(/one table|combinations/)
  })
})

const inference = `
constexpr size_t X = 0;
constexpr size_t AXIS = 1;
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  auto xShape = context->GetInputShape(X);
  OP_CHECK_NULL_WITH_CONTEXT(context, xShape);
  auto axisTensor = context->GetInputTensor(AXIS);
  auto yShape = context->GetOutputShape(0);
  if (Ops::Base::IsUnknownRank(*xShape)) {
    Ops::Base::SetUnknownRank(*yShape);
    return ge::GRAPH_SUCCESS;
  }
  int64_t axis = axisTensor->GetData<int64_t>()[0];
  if (axis < 0) {
    axis += xShape->GetDimNum();
  }
  OP_CHECK_IF(axis >= xShape->GetDimNum(), OP_LOGE(context, "axis"), return ge::GRAPH_FAILED);
  for (size_t i = 0; i < n; ++i) {
    if (xShape->GetDim(i) == 7) {
      return ge::GRAPH_FAILED;
    }
  }
  *yShape = *xShape;
  yShape->SetDim(axis, 1);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferType(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, ge::DT_BOOL);
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Squash).InferShape(InferShape).InferDataType(InferType).InputsDataDependency({AXIS});
`

describe('shape inference', () => {
  test('is asked for by what it works from, not by how', async () => {
    const {request} = await told('infer-shape', inference)
    expect(request).toContain('the shape of input 0 and the values of input 1, counted from 0')
    expect(request).toContain('output 0 has type `DT_BOOL`')
    expect(request).toContain('unknown rank')
    expect(request).not.toContain('SetDim')
  })

  test('is told by what is unknown, negative, refused, and read from data', async () => {
    const {reasoning} = await told('infer-shape', inference)
    for (const code of ['Ops::Base::IsUnknownRank(*xShape)', 'axis += xShape->GetDimNum()', 'InputsDataDependency'])
      expect(reasoning).toContain(`\`${code}\``)
    expect(reasoning).toContain('`axis >= xShape->GetDimNum()`')
    expect(reasoning).toContain('`DT_BOOL`')
    expect(reasoning).not.toContain('OP_CHECK')
  })

  test('does not say of another type that it holds in any case', async () => {
    const {request} = await told('infer-shape', inference.replace('ge::DT_BOOL', 'context->GetInputDataType(0)'))
    expect(request).not.toContain('Whatever the inputs')
  })
})
