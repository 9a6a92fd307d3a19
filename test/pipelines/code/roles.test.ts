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
    const dynamic = definition.replaceAll('ParamType(REQUIRED)', 'ParamType(DYNAMIC)')
    expect((await told('definition', dynamic)).reasoning).toContain('`x` and `y` stand for any number')
    for (const fact of ['`x` (required)', '`k` (optional)', '4 combinations', '`DT_INT32` ×2, `DT_INT64` ×2', '`axis`'])
      expect(request).toContain(fact)
    expect(request).toContain('default `-1`')
    expect(request).toContain('for `ascend910b` with the default configuration')
  })

  test('keeps columns together, also of types that the twin lacks', async () => {
    const {reasoning} = await told('definition', definition)
    expect(reasoning).toContain('`x` and `y`: `DT_FLOAT16`, `DT_COMPLEX32`, `DT_FLOAT16`, `DT_COMPLEX32`')
    expect(reasoning).toContain('the 2 types of `x` and `y` with each of the 2 of `k`')
    expect(reasoning).not.toContain('Every tensor has the type of')
  })

  test('tells what a chip has of its own', async () => {
    const {reasoning} = await told('definition', definition)
    expect(reasoning).toContain('`ascend910b` takes the default configuration')
    expect(reasoning).toMatch(/For `ascend310p` I set `DynamicCompileStaticFlag\(true\)`[^.]* and describe `x` anew/)
    expect(reasoning).toContain('without `DT_COMPLEX32`')
    expect(reasoning).not.toContain('added')
    const more = definition.replace('.DataType({ge::DT_FLOAT16});', '.DataType({ge::DT_FLOAT16, ge::DT_INT8});')
    expect((await told('definition', more)).reasoning).toContain('without `DT_COMPLEX32`, with `DT_INT8` added')
  })

  test('says what a tensor without lists follows', async () => {
    const text = definition.replace(/this->Output\("y"\)[^;]*/, 'this->Output("y").ParamType(REQUIRED).Follow("x")')
    expect((await told('definition', text)).reasoning).toMatch(/`Follow\("x"\)` on `y`: the type and format come from/)
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

  test('is told with its branches, axes, refusals and registration', async () => {
    const {reasoning} = await told('infer-shape', inference)
    expect(reasoning).toMatch(
      /where `Ops::Base::IsUnknownRank\(\*xShape\)` holds: `Ops::Base::SetUnknownRank\(\*yShape\)`, then it returns/,
    )
    expect(reasoning).toContain('`axis += xShape->GetDimNum()` turns it into an index from the front')
    expect(reasoning).toMatch(/Inference fails[^.]*where `axis >= xShape->GetDimNum\(\)` holds\./)
    expect(reasoning).toContain('`xShape` is checked before use')
    expect(reasoning).toContain('`InputsDataDependency` makes the framework hand over')
  })

  test('is told with the last step, also where many go before', async () => {
    const steps = Array.from({length: 12}, (_, index) => `n${index} = xShape->GetDim(${index});`).join(' ')
    const {reasoning} = await told(
      'infer-shape',
      inference.replace('  *yShape = *xShape;', `${steps} *yShape = *xShape;`),
    )
    expect(reasoning).toContain('then `yShape->SetDim(axis, 1)`.')
  })

  test('does not say of another type that it holds in any case', async () => {
    const {request} = await told('infer-shape', inference.replace('ge::DT_BOOL', 'context->GetInputDataType(0)'))
    expect(request).not.toContain('Whatever the inputs')
  })
})
