import {elementTypes} from '../../../cpp/types.ts'
import type {Program} from '../../../datasets/schema/executor.ts'
import {dtypeBytes, type Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'

/** A tensor of a small kernel. */
export interface SmallTensor {
  name: string
  dtype: Dtype
  /** Elements in global memory. */
  count: number
  /** Bytes of its buffer in the unified buffer; default: its elements in whole blocks of 32 bytes. */
  bytes?: number
}

/** What a kernel does between its copies, and how these are written where they are not the usual ones. */
export interface Form {
  inputs: readonly SmallTensor[]
  outputs: readonly SmallTensor[]
  /** Its own buffers, by name. */
  scratch?: readonly {name: string; dtype: Dtype; bytes: number}[]
  compute: readonly string[]
  /** Headers beside that of the kernel API. */
  headers?: readonly string[]
  /** In place of the usual copy, by name of the tensor: lines. */
  copies?: Readonly<Record<string, readonly string[]>>
  /** Whether there is nothing between a copy in and its use; otherwise `EnQue` and `DeQue`. */
  withoutQueue?: true
  /** Whether `compute` sets up all queues and copies by itself. */
  isWhole?: true
  /** What the host fills for it; the kernel finds it as `tilingData.part`. */
  tiling?: HostTiling
  /** Of the kernel type, if it is not a kernel for vector cores only, such as `MIX_AIC_1_2`. */
  cores?: string
  /** Default: one core, no workspace. */
  launch?: Launch
  /** Lines before the kernel. */
  before?: readonly string[]
  /** Whether `compute` takes its memory without a TPipe. */
  withoutPipe?: true
}

export const typeOf = (dtype: Dtype): string => elementTypes[dtype].type

export const bytesOf = ({dtype, count}: Pick<SmallTensor, 'dtype' | 'count'>): number => count * dtypeBytes[dtype]

/** The file of a kernel with that form. */
export function kernelText(form: Form): string {
  const {inputs, outputs, scratch = []} = form
  const all = [...inputs, ...outputs]
  const [queuedIn, queuedOut] = form.isWhole ? [[], []] : [inputs, outputs]
  const parameters = [...all.map(({name}) => name), 'workspace', 'tiling'].map((name) => `GM_ADDR ${name}`).join(', ')
  const body = [
    ...(form.cores === undefined ? [] : [`KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_${form.cores});`]),
    ...(form.tiling ? ['GET_TILING_DATA(tilingData, tiling);'] : []),
    ...all.map(({name, dtype}) => `GlobalTensor<${typeOf(dtype)}> ${name}Gm;`),
    ...all.map(({name, dtype, count}) => `${name}Gm.SetGlobalBuffer((__gm__ ${typeOf(dtype)}*)${name}, ${count});`),
    ...(form.withoutPipe ? [] : ['TPipe pipe;']),
    ...queuedIn.flatMap((one) => queue(one, 'VECIN')),
    ...queuedOut.flatMap((one) => queue(one, 'VECOUT')),
    ...scratch.flatMap(({name, bytes}) => [
      `TBuf<TPosition::VECCALC> ${name}Buffer;`,
      `pipe.InitBuffer(${name}Buffer, ${bytes});`,
    ]),
    ...queuedIn.flatMap((one) => copiedIn(one, form)),
    ...scratch.map(({name, dtype}) => `LocalTensor<${typeOf(dtype)}> ${name} = ${name}Buffer.Get<${typeOf(dtype)}>();`),
    ...queuedOut.map(
      ({name, dtype}) => `LocalTensor<${typeOf(dtype)}> ${name}Local = ${name}Queue.AllocTensor<${typeOf(dtype)}>();`,
    ),
    ...form.compute,
    ...queuedIn.map(({name}) => `${name}Queue.FreeTensor(${name}Local);`),
    ...queuedOut.flatMap((one) => copiedOut(one, form)),
  ]
  const lines = [
    ...['kernel_operator.h', ...(form.headers ?? [])].map((header) => `#include "${header}"`),
    '',
    'using namespace AscendC;',
    '',
    ...(form.before ?? []),
    `extern "C" __global__ __aicore__ void ${kernelName}(${parameters})`,
    '{',
    ...body.map((line) => (line === '' ? '' : `    ${line}`)),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

const kernelName = 'small_kernel'

function queue({name, dtype, count, bytes = wholeBlocks(bytesOf({dtype, count}))}: SmallTensor, position: string) {
  return [`TQue<TPosition::${position}, 1> ${name}Queue;`, `pipe.InitBuffer(${name}Queue, 1, ${bytes});`]
}

function copiedIn({name, dtype, count}: SmallTensor, {copies = {}, withoutQueue}: Form): string[] {
  const type = typeOf(dtype)
  const passed = [`${name}Queue.EnQue(${name}Local);`, `${name}Local = ${name}Queue.DeQue<${type}>();`]
  return [
    `LocalTensor<${type}> ${name}Local = ${name}Queue.AllocTensor<${type}>();`,
    ...(copies[name] ?? copyIn(name, dtype, count)),
    ...(withoutQueue ? [] : passed),
  ]
}

/** The copy of this many elements from global memory, from an element on. */
export function copyIn(name: string, dtype: Dtype, count: number, from = 0): string[] {
  const source = from === 0 ? `${name}Gm` : `${name}Gm[${from}]`
  const bytes = count * dtypeBytes[dtype]
  if (bytes % 32 === 0) return [`DataCopy(${name}Local, ${source}, ${count});`]
  return [
    `DataCopyExtParams ${name}Params{1, ${bytes}, 0, 0, 0};`,
    `DataCopyPadExtParams<${typeOf(dtype)}> ${name}Pad{false, 0, 0, 0};`,
    `DataCopyPad(${name}Local, ${source}, ${name}Params, ${name}Pad);`,
  ]
}

function copiedOut({name, dtype, count}: SmallTensor, {copies = {}}: Form): string[] {
  const type = typeOf(dtype)
  return [
    `${name}Queue.EnQue(${name}Local);`,
    `${name}Local = ${name}Queue.DeQue<${type}>();`,
    ...(copies[name] ?? copyOut(name, dtype, count)),
    `${name}Queue.FreeTensor(${name}Local);`,
  ]
}

/** The copy of this many elements to global memory. */
export function copyOut(name: string, dtype: Dtype, count: number): string[] {
  const bytes = count * dtypeBytes[dtype]
  if (bytes % 32 === 0) return [`DataCopy(${name}Gm, ${name}Local, ${count});`]
  return [
    `DataCopyExtParams ${name}Params{1, ${bytes}, 0, 0, 0};`,
    `DataCopyPad(${name}Gm, ${name}Local, ${name}Params);`,
  ]
}

const operator = 'SmallKernel'

/** The host that launches it; undefined where it launches one core and hands nothing over. */
export const hostText = ({inputs, outputs, tiling, launch, cores}: Form): string | undefined =>
  (tiling ?? launch) && exampleHost(operator, inputs, outputs, {tiling, launch: launch && withRoom(launch, cores)})

/** A kernel that is given a MIX type needs a workspace. Source: the page on setting a kernel's type. */
const withRoom = (launch: NonNullable<Form['launch']>, cores = '') =>
  cores.startsWith('MIX') ? {...launch, library: true} : launch

/** A whole operator around a kernel: by default its host launches one core and hands nothing over. */
export function smallProgram(
  text: string,
  {inputs, outputs}: Record<'inputs' | 'outputs', readonly Pick<TensorSpec, 'name' | 'dtype'>[]>,
  host = exampleHost(operator, inputs, outputs),
): Program {
  return {
    operator,
    files: [
      {path: 'op_host/small_kernel.cpp', text: host},
      {path: `op_kernel/${kernelName}.cpp`, text},
    ],
    dtypes: Object.fromEntries([...inputs, ...outputs].map(({name, dtype}) => [name, dtype])),
  }
}

type Port = Pick<TensorSpec, 'name' | 'dtype'>

/** A structure of the vendor's library that the host fills: its type, and the statements that fill `tiling.part`. */
interface HostTiling {
  type: string
  fill: readonly string[]
}

/** How a host launches a kernel: logical cores, and bytes of workspace in addition to the library's own. */
interface Launch {
  blocks: number
  workspace: number
  /** Whether the library needs its own workspace although the kernel has none. */
  library?: boolean
}

interface HostOptions {
  tiling?: HostTiling | undefined
  /** Default: one core, no workspace. */
  launch?: Launch | undefined
}

/** The host of an operator that launches it and hands it tensors and, where it has them, a tiling or a workspace. */
function exampleHost(
  operator: string,
  inputs: readonly Port[],
  outputs: readonly Port[],
  {tiling, launch = {blocks: 1, workspace: 0}}: HostOptions = {},
): string {
  const {blocks, workspace, library = workspace > 0} = launch
  const port = (kind: string, {name, dtype}: Port) =>
    `this->${kind}("${name}").ParamType(REQUIRED).DataType({ge::${elementTypes[dtype].constant}})` +
    '.Format({ge::FORMAT_ND});'
  const ports = [...inputs.map((one) => port('Input', one)), ...outputs.map((one) => port('Output', one))]
  const filled = tiling ? tilingOf(operator, tiling) : {headers: '', structure: '', statements: ''}
  const platform = library ? '#include "tiling/platform/platform_ascendc.h"\n' : ''
  const ofPlatform = library
    ? '    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());\n'
    : ''
  const sizes = [...(library ? ['platform.GetLibApiWorkSpaceSize()'] : []), ...(workspace > 0 ? [workspace] : [])]
  return `#include "register/op_def_registry.h"
${filled.headers}${platform}
namespace optiling {
${filled.structure}static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
${filled.statements}    context->SetBlockDim(${blocks});
${ofPlatform}    context->GetWorkspaceSizes(1)[0] = ${sizes.join(' + ') || 0};
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class ${operator} : public OpDef {
public:
    explicit ${operator}(const char* name) : OpDef(name)
    {
        ${ports.join('\n        ')}
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(${operator});
} // namespace ops
`
}

function tilingOf(operator: string, {type, fill}: HostTiling) {
  return {
    headers: '#include "register/tilingdata_base.h"\n#include "tiling/tiling_api.h"\n',
    structure: `BEGIN_TILING_DATA_DEF(${operator}Tiling)
TILING_DATA_FIELD_DEF_STRUCT(${type}, part);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(${operator}, ${operator}Tiling)

`,
    statements: `    ${operator}Tiling tiling;
    ${fill.join('\n    ')}
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
`,
  }
}
