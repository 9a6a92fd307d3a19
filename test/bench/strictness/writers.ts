import {copies, global} from '../../../pipelines/preference/mutations/data-copies.ts'
import {siteMutation, type Mutation, type Site} from '../../../pipelines/preference/mutations/mutation.ts'
import type {Call, SourceView} from '../../../cpp/source-view.ts'

interface CopyOut {
  call: Call
  start: number
  to: string
  local: string
}

/** Copies of a whole local tensor to global memory: what is put into the tensor before leaves the kernel. */
function copiesOut(source: SourceView): CopyOut[] {
  return source.calls.flatMap((call) => {
    const [to, from] = call.args
    if (!copies.test(call.name) || !call.statement || !to || !from) return []
    const local = /^(\w+)(?:\[0\])?$/.exec(from.text)?.[1]
    return local && global.test(to.text) && !global.test(local)
      ? [{call, start: call.statement.start, to: to.text, local}]
      : []
  })
}

/** Fills a tensor whatever its type is, by the bit patterns of 32-bit and 16-bit floats. */
const fill = (local: string, wide: string, narrow: string) =>
  `AscendC::PipeBarrier<PIPE_ALL>(); if constexpr (sizeof(${local}.GetValue(0)) >= 4) { AscendC::Duplicate(${local}.template ReinterpretCast<uint32_t>(), (uint32_t)${wide}, (int32_t)(${local}.GetSize() * sizeof(${local}.GetValue(0)) / 4)); } ` +
  `else { AscendC::Duplicate(${local}.template ReinterpretCast<uint16_t>(), (uint16_t)${narrow}, (int32_t)(${local}.GetSize() * sizeof(${local}.GetValue(0)) / 2)); } AscendC::PipeBarrier<PIPE_ALL>(); `

const before = (start: number, replacement: string, says: string): Site => ({start, end: start, replacement, says})

const nanWriter = siteMutation('nan-writer', 'op_kernel', (source) =>
  copiesOut(source).map(({start, local}) =>
    before(start, fill(local, '0x7FC00000', '0x7FFF'), `${local} is filled with NaN before it leaves`),
  ),
)

const zeroWriter = siteMutation('zero-writer', 'op_kernel', (source) =>
  copiesOut(source).map(({start, local}) =>
    before(start, fill(local, '0', '0'), `${local} is filled with 0 before it leaves`),
  ),
)

const oneWriter = siteMutation('one-writer', 'op_kernel', (source) =>
  copiesOut(source).map(({start, local}) =>
    before(start, fill(local, '0x3F800000', '0x3C00'), `${local} is filled with ones before it leaves`),
  ),
)

/** The place of the output, taken from an input of the same type instead. */
const inputCopy = siteMutation('input-copy', 'op_kernel', (source) => {
  const tensors = [...source.code.matchAll(/\bGlobalTensor\s*<\s*([\w:]+)\s*>\s*((?:\w+\s*,\s*)*\w+)\s*;/g)].flatMap(
    (match) => (match[2] ?? '').split(/\s*,\s*/).map((name) => ({name, type: match[1]})),
  )
  return copiesOut(source).flatMap(({call, start, to, local}) => {
    const index = to.replace(/^[\w.:>-]*\w/, '')
    const own = to.slice(0, to.length - index.length)
    const type = tensors.find(({name}) => own.endsWith(name))?.type
    const more = call.args.slice(2).map(({text}) => text)
    return tensors
      .filter(({name, type: other}) => other === type && !own.endsWith(name))
      .map(({name}) => {
        const from = own.replace(/\w+$/, name) + index
        const padding = call.name === 'DataCopyPad' ? [`AscendC::DataCopyPadExtParams<${type}>{}`] : []
        return before(
          start,
          `AscendC::PipeBarrier<PIPE_ALL>(); ${call.name}${call.template}(${[local, from, ...more, ...padding].join(', ')}); AscendC::PipeBarrier<PIPE_ALL>(); `,
          `${local} is filled from ${from} before it leaves`,
        )
      })
  })
})

/**
 * Mutations of outputs that never come from the computation; nothing for training data, where nobody writes such code
 * by mistake.
 */
export const writers: readonly Mutation[] = [nanWriter, zeroWriter, oneWriter, inputCopy]
