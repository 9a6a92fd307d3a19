import type {Executor, Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'

// A known-good operator: y = 3 x + 0.5, with a tiling structure, queues and a tail.

const kernel = `#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void self_test(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    const uint32_t bytes = data.length * sizeof(float);
    pipe.InitBuffer(in, 1, (bytes + 31) / 32 * 32);
    pipe.InitBuffer(out, 1, (bytes + 31) / 32 * 32);
    GlobalTensor<float> source, target;
    source.SetGlobalBuffer((__gm__ float*)x, data.length);
    target.SetGlobalBuffer((__gm__ float*)y, data.length);
    LocalTensor<float> read = in.AllocTensor<float>();
    DataCopyPad(read, source, DataCopyExtParams{1, bytes, 0, 0, 0}, DataCopyPadExtParams<float>{false, 0, 0, 0.0f});
    in.EnQue(read);
    read = in.DeQue<float>();
    LocalTensor<float> written = out.AllocTensor<float>();
    Muls(written, read, 3.0f, data.length);
    PipeBarrier<PIPE_V>();
    Adds(written, written, data.added, data.length);
    out.EnQue(written);
    in.FreeTensor(read);
    written = out.DeQue<float>();
    DataCopyPad(target, written, DataCopyExtParams{1, bytes, 0, 0, 0});
    out.FreeTensor(written);
}
`

const host = `#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(SelfTestTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, added);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SelfTest, SelfTestTilingData)
static ge::graphStatus Tiling(gert::TilingContext* context)
{
    SelfTestTilingData tiling;
    tiling.set_length(static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize()));
    tiling.set_added(0.5f);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}
namespace ops {
class SelfTest : public OpDef {
public:
    explicit SelfTest(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93").AddConfig("ascend310p");
    }
};
OP_ADD(SelfTest);
}
`

const program: Program = {
  operator: 'SelfTest',
  files: [
    {path: 'op_host/self_test.cpp', text: host},
    {path: 'op_kernel/self_test.cpp', text: kernel},
  ],
  dtypes: {x: 'float32', y: 'float32'},
}

const given = new Float32Array([-2, 0, 1, 2.5, 1000])
const expected = [-5.5, 0.5, 3.5, 8, 3000.5]

const operatorCase: OperatorCase = {
  id: 'self-test',
  attributes: {},
  inputs: [{name: 'x', dtype: 'float32', shape: [given.length], data: new Uint8Array(given.buffer)}],
  outputs: [{name: 'y', dtype: 'float32', shape: [given.length]}],
}

/**
 * Builds and runs the known operator, as a candidate is built and run: in the sandbox, against the precompiled parts.
 * @returns the fault if the result is wrong @throws PipelineError of scope `run` that a rebuild would not fix, such as
 *   a full disk
 */
export async function selfTest(executor: Executor, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return await builtAndRun(executor, signal)
  } catch (error) {
    if (error instanceof PipelineError && error.scope === 'record') return error.message
    throw error
  }
}

async function builtAndRun(executor: Executor, signal?: AbortSignal): Promise<string | undefined> {
  const built = await executor.build(program, signal)
  if (!built.ok) return `it ended as ${JSON.stringify(built.verdict).slice(0, 500)}`
  try {
    const execution = await executor.execute(built.build, operatorCase, {}, signal)
    if (execution.outcome !== 'ran') return `its run ended as ${JSON.stringify(execution).slice(0, 500)}`
    const bytes = execution.outputs[0] as Uint8Array
    const seen = [...new Float32Array(bytes.slice().buffer)]
    if (String(seen) === String(expected)) return undefined
    return `it gave ${seen.join(', ')} instead of ${expected.join(', ')}`
  } finally {
    await built.build.dispose()
  }
}
