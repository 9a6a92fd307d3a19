import {elementTypes} from '../../../cpp/types.ts'
import type {Program} from '../../../datasets/schema/executor.ts'
import {dtypeBytes, type Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {exampleHost, type HostTiling, type Launch} from './example-host.ts'

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
