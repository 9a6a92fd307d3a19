import type {Program} from '../../../datasets/schema/executor.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {exampleHost} from './example-host.ts'
import {type Call, isScratch, type Operand} from './example-call.ts'

/** Bytes of a queue or buffer that the example takes for itself. */
const ownBytes = 16_384
/** Bytes of the room that a call of the library works in. */
const scratchBytes = 40_960

/** Elements of an operand where those with data have `count`. */
export function elementsOf(operand: Operand, count: number): number {
  return isScratch(operand) ? scratchBytes / dtypeBytes[operand.dtype] : count
}

/**
 * A whole operator around an example: every operand is an input, so that nothing is read that was not written, and
 * those in `results` are outputs as well, called `<name>Result`.
 * @param count elements of each operand, a multiple of 32
 */
export function exampleProgram(
  {text, parameters, operands}: Call,
  results: readonly Operand[],
  count: number,
): Program {
  const named = results.map(({name, dtype}) => ({name: `${name}Result`, dtype}))
  const kernel = [
    '#include "kernel_operator.h"',
    ...(/\basc_[a-z]\w*\s*\(/.test(text) ? ['#include "c_api/asc_simd.h"'] : []),
    'using namespace AscendC;',
    text,
    ...entry(operands, results, [
      'TPipe pipe;',
      ...parameters.flatMap(({name, type}) => own(name, type)),
      ...operands.flatMap((operand) => loaded(operand, results.includes(operand), elementsOf(operand, count))),
      'PipeBarrier<PIPE_ALL>();',
      `Example(${parameters.map(({name, type}) => (type === 'TPipe&' ? 'pipe' : name)).join(', ')});`,
      'PipeBarrier<PIPE_ALL>();',
      ...results.flatMap((operand) => stored(operand, count)),
    ]),
  ]
  return {
    operator: 'PageExample',
    files: [
      {path: 'op_host/page_example.cpp', text: exampleHost('PageExample', operands, named)},
      {path: 'op_kernel/page_example.cpp', text: `${kernel.join('\n')}\n`},
    ],
    dtypes: Object.fromEntries([...[...operands, ...named].map(({name, dtype}) => [name, dtype])]),
  }
}

function entry(operands: readonly Operand[], results: readonly Operand[], body: readonly string[]): string[] {
  const names = [...operands.map(({name}) => `${name}Given`), ...results.map(({name}) => `${name}Result`)]
  const parameters = [...names, 'workspaceAddress', 'tilingAddress'].map((name) => `GM_ADDR ${name}`).join(', ')
  return [`extern "C" __global__ __aicore__ void page_example(${parameters})`, '{', ...body, '}']
}

function own(name: string, type: string): string[] {
  if (!/^T(?:Buf|Que)</.test(type)) return []
  const amount = type.startsWith('TQue') ? `1, ${ownBytes}` : `${ownBytes}`
  return [`${type.slice(0, -1)} ${name};`, `pipe.InitBuffer(${name}, ${amount});`]
}

/** What lies in GM and is written is the output itself. */
function loaded({name, place, element}: Operand, isResult: boolean, count: number): string[] {
  const given = `${name}Values`
  const address = isResult && isInGm(place) ? `${name}Result` : `${name}Given`
  const source = [
    `GlobalTensor<${element}> ${given};`,
    `${given}.SetGlobalBuffer((__gm__ ${element}*)${address}, ${count});`,
  ]
  if (place === 'gm') return [`__gm__ ${element}* ${name} = (__gm__ ${element}*)${address};`]
  if (place === 'global') return [...source, `GlobalTensor<${element}> ${name} = ${given};`]
  const tensor = place === 'local' ? name : `${name}Tensor`
  return [
    ...source,
    `TBuf<TPosition::VECCALC> ${name}Buffer;`,
    `pipe.InitBuffer(${name}Buffer, ${count} * sizeof(${element}));`,
    `LocalTensor<${element}> ${tensor} = ${name}Buffer.Get<${element}>();`,
    `DataCopy(${tensor}, ${given}, ${count});`,
    ...(place === 'ubuf' ? [`__ubuf__ ${element}* ${name} = (__ubuf__ ${element}*)${tensor}.GetPhyAddr();`] : []),
  ]
}

function isInGm(place: Operand['place']): boolean {
  return place === 'gm' || place === 'global'
}

function stored({name, place, element}: Operand, count: number): string[] {
  if (isInGm(place)) return []
  const values = `${name}ResultValues`
  const target = [
    `GlobalTensor<${element}> ${values};`,
    `${values}.SetGlobalBuffer((__gm__ ${element}*)${name}Result, ${count});`,
  ]
  return [...target, `DataCopy(${values}, ${place === 'local' ? name : `${name}Tensor`}, ${count});`]
}
