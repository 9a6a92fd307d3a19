import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource, type OperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {describe as describeFile} from '../../../pipelines/code/describe.ts'
import {factSheet} from '../../../pipelines/code/fact-sheet.ts'
import {voice} from '../../../pipelines/code/offline/say.ts'
import {reasoningOf, requestOf} from '../../../pipelines/code/offline/tell.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const {verdict: _, ...source} = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

async function told(role: OperatorSource['role'], text: string, language: 'en' | 'zh' = 'en') {
  const side = role === 'kernel' ? ('kernel' as const) : ('host' as const)
  const changed = {...source, role, side, dependencies: [], target: {path: 'a.cpp', text}}
  const described = await describeFile(changed)
  const speaker = voice(language, randomFrom('roles'))
  return {
    request: requestOf({source: changed, described}, speaker),
    reasoning: reasoningOf({source: changed, described}, speaker),
    sheet: factSheet(changed, described),
  }
}

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
    expect(reasoning).toContain('checks of `xShape` before use')
    expect(reasoning).toContain('`InputsDataDependency` makes the framework hand over')
  })

  test('does not say of another type that it holds in any case', async () => {
    const {request} = await told('infer-shape', inference.replace('ge::DT_BOOL', 'context->GetInputDataType(0)'))
    expect(request).not.toContain('Whatever the inputs')
  })
})

const api = `
static const std::initializer_list<op::DataType> TYPES = {op::DataType::DT_FLOAT, op::DataType::DT_BF16};
static bool CheckNotNull(const aclTensor* self, const aclTensor* out) {
  OP_CHECK_NULL(self, return false);
  OP_CHECK_NULL(out, return false);
  return true;
}
static bool CheckTypes(const aclTensor* self, const aclTensor* out) {
  OP_CHECK_DTYPE_NOT_SUPPORT(self, TYPES, return false);
  OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);
  return true;
}
aclnnStatus aclnnTwiceGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  L2_DFX_PHASE_1(aclnnTwice, DFX_IN(self), DFX_OUT(out));
  auto uniqueExecutor = CREATE_EXECUTOR();
  CHECK_RET(CheckNotNull(self, out), ACLNN_ERR_PARAM_NULLPTR);
  CHECK_RET(CheckTypes(self, out), ACLNN_ERR_PARAM_INVALID);
  if (self->IsEmpty()) {
    *workspaceSize = 0;
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
  }
  auto dense = l0op::Contiguous(self, uniqueExecutor.get());
  auto result = l0op::Twice(dense, uniqueExecutor.get());
  auto copied = l0op::ViewCopy(result, out, uniqueExecutor.get());
  *workspaceSize = uniqueExecutor->GetWorkspaceSize();
  uniqueExecutor.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}
aclnnStatus aclnnTwice(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}
`

describe('the C interface', () => {
  test('is told with its checks, their status, and the order of the steps', async () => {
    const {request, reasoning, sheet} = await told('api', api)
    expect(request).toContain('`TYPES` = `DT_FLOAT`, `DT_BF16`')
    expect(request).toContain('`l0op::Twice`')
    expect(reasoning).toMatch(/In `CheckNotNull`: `self` and `out` must not be null\. [^.]*`ACLNN_ERR_PARAM_NULLPTR`/)
    expect(reasoning).toMatch(/the type of `self` must be one of `TYPES`, then `self` and `out` must have one shape/)
    expect(reasoning).toMatch(
      new RegExp(
        [
          '`self->IsEmpty\\(\\)` holds, the workspace of this special case: `\\*workspaceSize = 0`, and the function returns;',
          'made contiguous',
          'the computation',
          'ViewCopy',
        ].join('.*'),
        's',
      ),
    )
    expect(reasoning).toContain('`CommonOpExecutorRun` runs the plan')
    expect(reasoning).not.toContain('L2_DFX')
    expect(sheet).toContain('CheckTypes → ACLNN_ERR_PARAM_INVALID')
  })

  test('in Chinese says the same', async () => {
    const {reasoning} = await told('api', api, 'zh')
    expect(reasoning).toContain('`self`、`out` 不能为空指针')
    expect(reasoning).toContain('不通过时返回 `ACLNN_ERR_PARAM_INVALID`')
  })

  test('with a second phase of its own does not only run', async () => {
    const busy = api.replace('  return CommonOpExecutorRun', '  Prepare(workspace);\n  return CommonOpExecutorRun')
    expect((await told('api', busy)).reasoning).not.toContain('decides nothing any more')
  })

  test('of the lower layer names the unit', async () => {
    const text = `OP_TYPE_REGISTER(Twice);
      const aclTensor* Twice(const aclTensor* self, aclOpExecutor* executor) {
        auto out = executor->AllocTensor(self->GetViewShape(), self->GetDataType());
        ADD_TO_LAUNCHER_LIST_AICORE(Twice, OP_INPUT(self), OP_OUTPUT(out));
        return out;
      }`
    const {reasoning} = await told('api', text)
    expect(reasoning).toContain('`Twice` queues the task on the AI Core')
    expect(reasoning).not.toContain('AI CPU')
  })
})

describe('library files', () => {
  const device = `
    template <typename T>
    __aicore__ inline void TwiceImpl(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                     const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t count) {
      if ASCEND_IS_AIC {
        return;
      }
      LocalTensor<float> tmp = sharedTmpBuffer.ReinterpretCast<float>();
      LocalTensor<float> half1 = tmp[count];
      uint32_t rows = Ceil(count, 8);
      SetMaskCount();
      Adds(half1, src, 1.0f, count);
      PipeBarrier<PIPE_V>();
      Muls(dst, half1, 2.0f, count);
      SetMaskNorm();
    }
    __aicore__ inline void Guard() { if ASCEND_IS_AIC { return; } first = 1; }`

  test('of the device tell contract, working memory, instructions, masks', async () => {
    const changed = {
      ...source,
      role: 'library' as const,
      side: 'kernel' as const,
      dependencies: [],
      target: {path: 'a.h', text: device},
    }
    const described = await describeFile(changed)
    const reasoning = reasoningOf({source: changed, described}, voice('en', randomFrom('roles')))
    expect(reasoning).toContain(
      'the result goes to `dst`; the operands are `src`; working memory comes from the caller',
    )
    expect(reasoning).toContain('`half1 = tmp[count]`')
    expect(reasoning).toContain('`Adds(half1, src, 1.0f, count)` adds a scalar, then `Muls(')
    expect(reasoning).not.toContain('rounds up')
    expect(reasoning).toContain('`SetMaskCount` and `SetMaskNorm`')
    expect(reasoning).toContain('where `ASCEND_IS_AIC` holds: it returns; after that: `first = 1`')
  })

  test('of the host tell how sizes are computed', async () => {
    const {reasoning} = await told(
      'library',
      'uint32_t GetTwiceMaxTmpSize(uint32_t n, uint32_t typeSize) {\n  ASCENDC_HOST_ASSERT(n > 0, return 0, "n");\n  uint32_t maxSize = n * typeSize * 2;\n  return maxSize;\n}',
    )
    expect(reasoning).toContain('`GetTwiceMaxTmpSize` computes `maxSize = n * typeSize * 2`')
    expect(reasoning).toContain('unless `n > 0` holds, it returns `0`')
  })
})
