import type {Program} from '../../../datasets/schema/executor.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {PageCall} from './page-code.ts'

/** A tensor of UB that a page's code names, or one of GM when its name says so. */
export interface FrameTensor {
  name: string
  dtype: Dtype
  /** Elements of the buffer, a multiple of 64. */
  length: number
}

/** What an example needs besides its tensors. */
export interface FrameText {
  /** File scope of the kernel. */
  globals: string
  /** Before each call: names that the page leaves to its reader. */
  declare: string
  /** Fields of the tiling structure, and what fills them on the host. */
  tilingFields: string
  tilingHost: string
  blocks: number
  /** The page's code declares its tensors itself, as arrays of UB. */
  arrays: boolean
  temporary: {names: readonly string[]; type: string; bytes: number}
}

const cpp: Record<string, string> = {
  float16: 'half',
  bfloat16: 'bfloat16_t',
  float32: 'float',
  int8: 'int8_t',
  uint8: 'uint8_t',
  int16: 'int16_t',
  uint16: 'uint16_t',
  int32: 'int32_t',
  uint32: 'uint32_t',
  int64: 'int64_t',
  uint64: 'uint64_t',
}
const ge: Record<string, string> = {
  float16: 'DT_FLOAT16',
  bfloat16: 'DT_BF16',
  float32: 'DT_FLOAT',
  int8: 'DT_INT8',
  uint8: 'DT_UINT8',
  int16: 'DT_INT16',
  uint16: 'DT_UINT16',
  int32: 'DT_INT32',
  uint32: 'DT_UINT32',
  int64: 'DT_INT64',
  uint64: 'DT_UINT64',
}

export function cppType(dtype: Dtype): string {
  return cpp[dtype] ?? dtype
}

/** Names of an operator's outputs: `out0_dstLocal` is tensor `dstLocal` after call 0. */
export function outputName(call: number, tensor: string): string {
  return `out${call}_${tensor}`
}

/**
 * An operator of ours that runs each call of an example on tensors filled anew: every tensor is copied in from an
 * input of its name, the call is made, and every tensor of `results` is copied out.
 */
export function frameProgram(
  tensors: readonly FrameTensor[],
  results: readonly string[],
  calls: readonly PageCall[],
  text: FrameText,
): Program {
  const outputs = calls.flatMap((_, call) =>
    results.map((name) => ({name: outputName(call, name), tensor: tensors.find((one) => one.name === name)!})),
  )
  const dtypes = Object.fromEntries([
    ...tensors.map(({name, dtype}) => [name, dtype] as const),
    ...outputs.map(({name, tensor}) => [name, tensor.dtype] as const),
  ])
  const definition = [
    ...tensors.map(({name, dtype}) => port('Input', name, dtype)),
    ...outputs.map(({name, tensor}) => port('Output', name, tensor.dtype)),
  ].join('\n')
  return {
    operator: 'PageCall',
    dtypes,
    files: [
      {path: 'op_host/page_call_tiling.h', text: tilingHeader(text)},
      {path: 'op_host/page_call.cpp', text: hostText(definition, text)},
      {path: 'op_kernel/page_call.cpp', text: kernelText(tensors, results, calls, text)},
    ],
  }
}

function port(kind: 'Input' | 'Output', name: string, dtype: Dtype): string {
  return `        this->${kind}("${name}").ParamType(REQUIRED).DataType({ge::${ge[dtype]}}).Format({ge::FORMAT_ND});`
}

function tilingHeader({tilingFields}: FrameText): string {
  return `#pragma once
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(PageCallTilingData)
TILING_DATA_FIELD_DEF(uint32_t, none);
${tilingFields}
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PageCall, PageCallTilingData)
}
`
}

function hostText(definition: string, {tilingHost, blocks}: FrameText): string {
  return `#include "page_call_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    PageCallTilingData tiling;
    tiling.set_none(0);
    ${tilingHost}
    (void)platform;
    context->SetBlockDim(${blocks});
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}
namespace ops {
class PageCall : public OpDef {
public:
    explicit PageCall(const char* name) : OpDef(name) {
${definition}
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(PageCall);
}
`
}

const isGlobal = (name: string) => /Global$|Gm$/.test(name)

function kernelText(
  tensors: readonly FrameTensor[],
  results: readonly string[],
  calls: readonly PageCall[],
  text: FrameText,
): string {
  const parameters = [
    ...tensors.map(({name}) => `GM_ADDR gm_${name}`),
    ...calls.flatMap((_, call) => results.map((name) => `GM_ADDR gm_${outputName(call, name)}`)),
    'GM_ADDR workspace',
    'GM_ADDR tiling',
  ]
  const temporary = text.temporary.names.map(
    (name) => `    TBuf<TPosition::VECCALC> buffer_${name};
    pipe.InitBuffer(buffer_${name}, ${text.temporary.bytes});
    LocalTensor<${text.temporary.type}> ${name} = buffer_${name}.Get<${text.temporary.type}>();`,
  )
  if (text.arrays) return arrayKernelText(tensors, results, calls, text, parameters)
  return `#include "kernel_operator.h"
using namespace AscendC;
${copies}
${text.globals}
extern "C" __global__ __aicore__ void page_call(${parameters.join(', ')}) {
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
${tensors
  .filter(({name}) => !isGlobal(name))
  .map(buffer)
  .join('\n')}
${temporary.join('\n')}
${calls.map((call, index) => oneCall(tensors, results, call, index, text)).join('\n')}
}
`
}

const copies = `template <typename T>
__aicore__ inline void FrameIn(const LocalTensor<T>& to, GM_ADDR from, uint32_t count) {
    GlobalTensor<T> source;
    source.SetGlobalBuffer((__gm__ T*)from, count);
    DataCopy(to, source, count);
}
template <typename T>
__aicore__ inline void FrameOut(GM_ADDR to, const LocalTensor<T>& from, uint32_t count) {
    GlobalTensor<T> target;
    target.SetGlobalBuffer((__gm__ T*)to, count);
    DataCopy(target, from, count);
}`

function buffer({name, dtype, length}: FrameTensor): string {
  return `    TBuf<TPosition::VECCALC> buffer_${name};
    pipe.InitBuffer(buffer_${name}, ${length} * sizeof(${cppType(dtype)}));
    LocalTensor<${cppType(dtype)}> ${name} = buffer_${name}.Get<${cppType(dtype)}>();`
}

function oneCall(
  tensors: readonly FrameTensor[],
  results: readonly string[],
  {setup, call}: PageCall,
  index: number,
  text: FrameText,
): string {
  const locals = tensors.filter(({name}) => !isGlobal(name))
  const globals = tensors
    .filter(({name}) => isGlobal(name))
    .map(({name, dtype, length}) => {
      const gm = results.includes(name) ? `gm_${outputName(index, name)}` : `gm_${name}`
      return `        GlobalTensor<${cppType(dtype)}> ${name};
        ${name}.SetGlobalBuffer((__gm__ ${cppType(dtype)}*)${gm}, ${length});`
    })
  const out = locals
    .filter(({name}) => results.includes(name))
    .map(({name, length}) => `        FrameOut(gm_${outputName(index, name)}, ${name}, ${length});`)
  return `    {
${globals.join('\n')}
${locals.map(({name, length}) => `        FrameIn(${name}, gm_${name}, ${length});`).join('\n')}
        PipeBarrier<PIPE_ALL>();
        ${text.declare}
        PipeBarrier<PIPE_ALL>();
        {
${[...setup, call].map((statement) => `            ${statement};`).join('\n')}
        }
        PipeBarrier<PIPE_ALL>();
${out.join('\n')}
        PipeBarrier<PIPE_ALL>();
    }`
}

const arrayCopies = `template <typename T, uint32_t N>
__aicore__ inline void FrameIn(const twin::UbArray<T[N]>& to, GM_ADDR from) {
    asc_copy_gm2ub_align_sync(to, (__gm__ T*)from, N * sizeof(T));
}
template <typename T, uint32_t N>
__aicore__ inline void FrameOut(GM_ADDR to, const twin::UbArray<T[N]>& from) {
    asc_copy_ub2gm_align_sync((__gm__ T*)to, from, N * sizeof(T));
}`

function arrayKernelText(
  tensors: readonly FrameTensor[],
  results: readonly string[],
  calls: readonly PageCall[],
  {globals, declare}: FrameText,
  parameters: readonly string[],
): string {
  const bodies = calls.map((call, index) => arrayCall(tensors, results, call, index, declare))
  return `#include "kernel_operator.h"
#include "c_api/asc_simd.h"
${arrayCopies}
${globals}
extern "C" __global__ __aicore__ void page_call(${parameters.join(', ')}) {
    asc_init();
${bodies.join('\n')}
}
`
}

/** The page's statements, with its inputs copied in behind the last array that it declares. */
function arrayCall(
  tensors: readonly FrameTensor[],
  results: readonly string[],
  {setup, call}: PageCall,
  index: number,
  declare: string,
): string {
  const pointers = tensors
    .filter(({name}) => isGlobal(name))
    .map(
      ({name, dtype}) => `__gm__ ${cppType(dtype)}* ${name} = (__gm__ ${cppType(dtype)}*)gm_${outputName(index, name)}`,
    )
  const locals = tensors.filter(({name}) => !isGlobal(name))
  const copies = locals.filter(({name}) => !results.includes(name)).map(({name}) => `FrameIn(${name}, gm_${name})`)
  const out = locals
    .filter(({name}) => results.includes(name))
    .map(({name}) => `FrameOut(gm_${outputName(index, name)}, ${name})`)
  const last = setup.findLastIndex((statement) => statement.startsWith('__ubuf__'))
  const statements = [
    ...pointers,
    declare.replace(/;$/, ''),
    ...setup.slice(0, last + 1),
    ...copies,
    ...setup.slice(last + 1),
    call,
    'asc_sync()',
    ...out,
  ]
  return `    {
${statements.map((statement) => `        ${statement};`).join('\n')}
    }`
}
