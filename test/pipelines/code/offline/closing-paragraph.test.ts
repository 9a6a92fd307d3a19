import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {closingParagraph} from '../../../../pipelines/code/offline/closing-paragraph.ts'
import {both, kernelOf} from '../../../helpers/told-parts.ts'

const kernelWith = (members: string, work: string) => `#include "kernel_operator.h"
using namespace AscendC;
class Fold {
public:
    __aicore__ inline void Process() {
        ${work}
    }
private:
    TPipe pipe;
    ${members}
};
extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR y) { Fold op; op.Process(); }
`
const closingOf = async (members: string, work: string) =>
  closingParagraph(await kernelOf(kernelWith(members, work)), voice('en', randomFrom('parts')))

const alloc = 'LocalTensor<float> a = in.AllocTensor<float>();'
const free = 'in.FreeTensor(a);'
const queue = 'TQue<QuePosition::VECIN, 1> in;'

describe('what to watch in the end', () => {
  test('is the pair of allocating and freeing, where a kernel has both', async () => {
    expect(await closingOf(queue, `${alloc} ${free}`)).toMatch(/every `AllocTensor` must meet its `FreeTensor`/)
    expect((await closingOf(queue, alloc)) ?? '').not.toContain('AllocTensor')
    expect((await closingOf(queue, `LocalTensor<float> a; ${free}`)) ?? '').not.toContain('AllocTensor')
  })
})

describe('what an instruction asks for', () => {
  const nothing = {methods: [], vectorCalls: [], moves: [], atomics: []}
  const said = (given: object) =>
    both((voice) => closingParagraph({...nothing, ...given} as unknown as KernelFacts, voice)).split('\n')
  /** Without what opens it. */
  const points = (given: object) => said(given).map((one) => one.replace(/^.*?(?:watch|wrong|几点|地方)[::] ?/, ''))
  const call = (name: string, args: string[] = [], templates: string[] = []) => ({
    vectorCalls: [{method: 'Compute', call: {name, args, templates}}],
  })
  const move = (api: string, direction: string) => ({moves: [{api, direction}]})

  test('is nothing where no point is known', () => {
    expect(said({})).toEqual(['', ''])
    expect(said(call('Add'))).toEqual(['', ''])
  })

  test.each(['Compare', 'CompareScalar', 'Compares'])('%s takes whole lengths', (name) => {
    expect(points(call(name))).toEqual([
      'a comparison by count takes lengths of whole multiples of 256 bytes.',
      '按元素个数调用的比较指令要求长度为 256 字节的整数倍。',
    ])
  })

  test.each(['Rsqrt', 'Reciprocal'])('%s is an approximation', (name) => {
    expect(points(call(name))).toEqual([
      'the hardware reciprocal is an approximation, so its accuracy must suffice here.',
      '硬件倒数类指令是近似值,需确认精度满足要求。',
    ])
  })

  test.each(['ReduceSum', 'ReduceMax', 'ReduceMin'])('%s works in a tensor', (name) => {
    expect(points(call(name, ['y', 'x', 'w', 'n']))).toEqual([
      `\`${name}\` works in \`w\`, which must be long enough for it, ` +
        'and leaves its result in the first element of `y`.',
      `\`${name}\` 以 \`w\` 为工作空间,其长度须足够,结果写在 \`y\` 的第一个元素。`,
    ])
    expect(points(call(name, ['y', 'x', 'y', 'n']))[0]).toMatch(/in the first element of the same tensor\.$/)
    expect(points(call(name, ['y', 'x', 'y', 'n']))[1]).toMatch(/结果写在同一张量的第一个元素。$/)
  })

  test.each<[string, string[], string[], boolean]>([
    ['ReduceSum', ['y', 'x', 'w'], [], false],
    ['ReduceSum', ['y', 'x', '8', 'n'], [], false],
    ['ReduceSum', ['y', 'x', '-1', 'n'], [], false],
    ['ReduceSum', ['y', 'x', 'w', 'n'], ['float', 'Pattern::Reduce::AR'], false],
    ['ReduceSum', ['y'.repeat(40), 'x', 'w', 'n'], [], true],
    ['ReduceSum', ['y'.repeat(41), 'x', 'w', 'n'], [], false],
    ['ReduceSum', ['y', 'x', 'w', 'n'.repeat(41)], [], true],
    ['WholeReduceSum', ['y', 'x', 'w', 'n'], [], false],
    ['ReduceAny', ['y', 'x', 'w', 'n'], [], false],
  ])('%s of %j with %j', (name, args, templates, isTold) => {
    expect(said(call(name, args, templates))[0]?.includes('works in')).toBe(isTold)
  })

  test('of the others', () => {
    expect(points(call('Select', ['y', 'm', 'a', 'b', 'SELMODE::VSEL_TENSOR_TENSOR_MODE']))).toEqual([
      '`Select` in this mode uses the last 8192 bytes of the unified buffer itself, so they are not mine to fill.',
      '该模式的 `Select` 会占用 UB 末尾的 8192 字节,规划时不能使用这段空间。',
    ])
    expect(said(call('Select', ['y', 'm', 'a', 'b', 'SELMODE::VSEL_CMPMASK_SPR']))).toEqual(['', ''])
    expect(points(move('DataCopy', 'in'))).toEqual([
      '`DataCopy` moves whole blocks of 32 bytes and rounds a count down, so counts given to it must be aligned.',
      '`DataCopy` 以 32 字节为单位搬运,不足部分会被舍去,传入的长度必须对齐。',
    ])
    expect([said(move('DataCopy', 'inside')), said(move('DataCopyPad', 'in'))]).toEqual([
      ['', ''],
      ['', ''],
    ])
    expect(points({atomics: ['SetAtomicAdd']})).toEqual([
      'atomic mode (`SetAtomicAdd`) must be switched off again before other writes.',
      '原子模式(`SetAtomicAdd`)用完要关闭,以免影响后续写出。',
    ])
  })

  test.each([3, 4, 5])('of %i points four are told', (count) => {
    const names = ['Compare', 'Rsqrt', 'ReduceSum', 'Select'].slice(0, count)
    const calls = names.map((name) => ({call: {name, args: ['y', 'x', 'w', 'VSEL_TENSOR'], templates: []}}))
    const [en = ''] = said({vectorCalls: calls, atomics: count > 4 ? ['SetAtomicAdd'] : []})
    expect(en.split('; ')).toHaveLength(Math.min(count, 4))
    expect(en.includes('atomic')).toBe(false)
  })
})
