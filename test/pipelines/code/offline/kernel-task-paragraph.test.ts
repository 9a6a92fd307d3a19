import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {taskParagraph, workSentence} from '../../../../pipelines/code/offline/kernel-task-paragraph.ts'
import {both, kernelOf, sourceOf} from '../../../helpers/told-parts.ts'

const nothing = {
  entries: [],
  classes: [],
  methods: [],
  vectorCalls: [],
  matrixCalls: [],
  moves: [],
  steps: [],
  globals: [],
}
const factsWith = (given: object) => ({...nothing, ...given}) as unknown as KernelFacts
const called = (...names: string[]) => names.map((name) => ({method: 'Compute', call: {name}}))

describe('the task', () => {
  const said = (given: object, source: Partial<OperatorSource> = {}, text = '') =>
    both((voice) => taskParagraph(sourceOf(text, {tiling: '', ...source}), factsWith(given), voice)).split('\n')

  test.each([
    [
      {entries: [{name: 'fold', parameters: ['x', 'y']}]},
      'I have to write the kernel of `Fold`; its entry `fold` receives the global addresses `x` and `y`.',
      '需要编写 `Fold` 的核函数,入口 `fold` 的参数为 `x`、`y`。',
    ],
    [
      {classes: [{name: 'A'}]},
      'This file is one part of `Fold`: it holds the class `A`.',
      '该文件是 `Fold` 的一部分:包含类 `A`。',
    ],
    [
      {classes: [{name: 'A'}, {name: 'B'}]},
      'This file is one part of `Fold`: it holds the classes `A` and `B`.',
      '该文件是 `Fold` 的一部分:包含类 `A`、`B`。',
    ],
  ])('%j', (given, en, zh) => {
    expect(said(given)).toEqual([en, zh])
  })

  test.each([4, 5, 6])('of %i functions five are named, each once', (count) => {
    const methods = Array.from({length: count}, (_, index) => ({role: 'other', syntax: {name: `F${index}`}}))
    const [en = ''] = said({methods: [...methods, ...methods]})
    expect(en).toMatch(/: it holds the functions `F0`, /)
    expect(en.match(/`F\d`/g)).toHaveLength(Math.min(count, 5))
  })

  test('builds on what is included', () => {
    const file = (path: string) => ({path, text: ''})
    const include = '#include "a.h"\n#include "dir/b.h"\n'
    const classes = [{name: 'A'}]
    const [one, zh] = said({classes}, {dependencies: [file('x/a.h'), file('x/c.h')]}, include)
    expect(one?.endsWith(' `x/a.h` exists already, so I include what I need and do not repeat it.')).toBe(true)
    expect(zh?.endsWith('`x/a.h` 已经存在,直接包含使用,不再重复实现。')).toBe(true)
    const [two] = said({classes}, {dependencies: [file('x/a.h'), file('y/b.h')]}, include)
    expect(two?.endsWith(' `x/a.h` and `y/b.h` exist already, so I include what I need and do not repeat it.')).toBe(
      true,
    )
  })

  test.each([
    ['FoldTilingData data;', true],
    ['FoldTilingData2 data;', false],
    ['', false],
  ])('names the structure of the tiling where it is used: %s', (text, isNamed) => {
    const told = said({classes: [{name: 'A'}]}, {tiling: 'BEGIN_TILING_DATA_DEF( FoldTilingData )'}, text)
    expect(told[0]?.endsWith(" The structure `FoldTilingData` is generated from the host side's declaration.")).toBe(
      isNamed,
    )
    expect(told[1]?.endsWith('结构体 `FoldTilingData` 由 Host 侧的声明生成。')).toBe(isNamed)
  })
})

describe('the work', () => {
  const work = (given: object) => both((voice) => workSentence(factsWith(given), voice)).split('\n')

  const oneCast = ['It takes the vector instruction `Cast`.', '所用的矢量指令为 `Cast`。'] as const

  test.each([
    [{}, '', ''],
    [{moves: [{}]}, 'It mainly moves data.', '主要工作是数据搬运。'],
    [{vectorCalls: called('Cast'), steps: [{from: undefined}, {from: 'mish_steps.h'}]}, '', ''],
    [{vectorCalls: called('Cast'), steps: [{from: undefined}, {from: ''}]}, ...oneCast],
    [{vectorCalls: called('Add')}, 'It takes the vector instruction `Add`.', '所用的矢量指令为 `Add`。'],
    [
      {vectorCalls: called('Add', 'Mul', 'Add')},
      'It takes the vector instructions `Add` and `Mul`.',
      '所用的矢量指令为 `Add`、`Mul`。',
    ],
    [
      {vectorCalls: called('Sort32')},
      'It sorts, so partial results have to be merged.',
      '计算包含排序,各部分结果需要再归并。',
    ],
    [
      {vectorCalls: called('MrgSort', 'Add')},
      'It sorts, so partial results have to be merged.',
      '计算包含排序,各部分结果需要再归并。',
    ],
    [
      {vectorCalls: called('Sort32', 'WholeReduceMax', 'Add')},
      'It contains a reduction (`WholeReduceMax`), so a result depends on many elements instead of one.',
      '计算中包含归约(`WholeReduceMax`),一个结果取决于多个元素。',
    ],
    [
      {vectorCalls: called('ReduceSum'), matrixCalls: ['A', 'B', 'C', 'D', 'E']},
      'It needs the cube unit, driven through the matrix interface (`A`, `B`, `C` and `D`).',
      '需要使用 Cube 单元,通过矩阵接口(`A`、`B`、`C`、`D`)驱动。',
    ],
  ])('%j', (given, en, zh) => {
    expect(work(given)).toEqual([en, zh])
  })

  test.each([
    [8, ' and `V7`.', '、`V7`。'],
    [9, ' and `V7` and others.', '、`V7` 等。'],
  ])('of %i instructions eight are told', (count, en, zh) => {
    const told = work({vectorCalls: called(...Array.from({length: count}, (_, index) => `V${index}`))})
    expect([told[0]?.endsWith(en), told[1]?.endsWith(zh)]).toEqual([true, true])
  })

  test('is a formula where elements do not depend on each other', async () => {
    const kernel = (more: string) =>
      kernelOf(`class Fold { public:
  __aicore__ inline void Compute(int n) {
    LocalTensor<float> xLocal = in.DeQue<float>(); LocalTensor<float> yLocal = out.AllocTensor<float>();
    Adds(yLocal, xLocal, 1, n); out.EnQue(yLocal); }
  ${more}
private: TQue<QuePosition::VECIN, 1> in; TQue<QuePosition::VECOUT, 1> out; };`)
    const plain = await kernel('')
    expect(both((voice) => workSentence(plain, voice)).split('\n')).toEqual([
      'Element by element the result is `y = x + 1`, ' +
        'so no element depends on its neighbours and the data can be cut anywhere.',
      '逐元素来看结果为 `y = x + 1`,元素之间互不依赖,因此数据可以在任意位置切分。',
    ])
    for (const name of ['ReduceSum', 'Sort32', 'Gather']) {
      const related = {...plain, vectorCalls: called(name) as KernelFacts['vectorCalls']}
      expect(both((voice) => workSentence(related, voice))).not.toContain('y = x + 1')
    }
  })
})
