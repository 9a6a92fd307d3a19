import type {InferenceFacts, InferredShape, ShapeSource} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {decidedShapes, wantedShapes} from '../../../../pipelines/code/offline/shape-sentences.ts'
import {both} from '../../../helpers/told-parts.ts'

const shape = (rule: InferredShape['rule'], changes: Partial<InferredShape> = {}): InferredShape => ({
  method: 'InferShape',
  output: '0',
  variable: 'y',
  rule,
  hasCases: false,
  ...changes,
})
const same = (changes = {}) =>
  ({kind: 'same', of: 'input', index: '1', isLooped: false, ...changes}) as InferredShape['rule']
const values = (...sources: (ShapeSource | undefined)[]): InferredShape['rule'] => ({
  kind: 'dimensions',
  values: sources.map((source) => ({text: 'n * 2', source})),
})
const facts = (shapes: InferredShape[], rules: string[] = []) => ({shapes, rules}) as unknown as InferenceFacts
const wanted = (...given: Parameters<typeof facts>) => both((voice) => wantedShapes(facts(...given), voice)).split('\n')
const decided = (...shapes: InferredShape[]) => both((voice) => decidedShapes(facts(shapes), voice)).split('\n')
/** Without the question that opens it. */
const sentences = (...shapes: InferredShape[]) => decided(...shapes)[0]?.replace('What has to come out? ', '')

describe('what is wanted', () => {
  test.each<[InferredShape['rule'], string, string]>([
    [{kind: 'scalar'}, 'Output 0 is a scalar.', '输出 0 为标量。'],
    [same(), 'Output 0 has the shape of input 1.', '输出 0 的 shape 与输入 1 相同。'],
    [same({of: 'output'}), 'Output 0 has the shape of output 1.', '输出 0 的 shape 与输出 1 相同。'],
    [
      same({without: 1}),
      'Output 0 has the shape of input 1 without its last dimension.',
      '输出 0 的 shape 为输入 1 去掉最后 1 维。',
    ],
    [
      same({without: 2}),
      'Output 0 has the shape of input 1 without its last 2 dimensions.',
      '输出 0 的 shape 为输入 1 去掉最后 2 维。',
    ],
    [values({kind: 'number', value: '4'}), 'Output 0 has 1 dimension: (4).', '输出 0 为 1 维:(4)。'],
    [
      values({kind: 'attribute', index: '2'}, {kind: 'rank', of: '1'}, {kind: 'dimension', of: '0', index: '3'}),
      'Output 0 has 3 dimensions: (attribute 2, the rank of input 1, dimension 3 of input 0).',
      '输出 0 为 3 维:(属性 2, 输入 1 的维数, 输入 0 的第 3 维)。',
    ],
    [values({kind: 'number', value: '4'}, undefined), '', ''],
  ])('%j', (rule, en, zh) => {
    expect(wanted([shape(rule)])).toEqual([en, zh])
  })

  test('is nothing that a branch decides, and nothing twice', () => {
    expect(wanted([shape(same(), {hasCases: true})])).toEqual(['', ''])
    expect(wanted([shape(same()), shape(same())])[0]).toBe('Output 0 has the shape of input 1.')
  })

  test('may be a shared rule', () => {
    expect(wanted([], ['InferShape4Elewise', 'InferShape4Broadcast', 'InferShape4Other'])).toEqual([
      'The output has the shape of the input. The output has the shape to which the inputs broadcast.',
      '输出 shape 与输入相同。输出 shape 为各输入按广播规则合并的结果。',
    ])
  })
})

describe('what is decided', () => {
  test('is told with its way', () => {
    expect(decided()).toEqual(['', ''])
    expect(decided(shape({kind: 'scalar'}))).toEqual([
      'What has to come out? Output 0 is a scalar: rank 0, by `SetScalar`.',
      '先确定结果。输出 0 为标量,即 0 维,用 `SetScalar` 设置。',
    ])
    expect(decided(shape(same()))).toEqual([
      'What has to come out? Output 0 has the shape of input 1: ' +
        'one assignment to `*y` copies rank and dimensions, whatever the rank is.',
      '先确定结果。输出 0 的 shape 与输入 1 相同:对 `*y` 赋值一次即拷贝维数与各维大小,与维数无关。',
    ])
    expect(decided(shape(same({isLooped: true})))).toEqual([
      'What has to come out? Output 0 has the shape of input 1; ' +
        '`y` first gets that rank, then each dimension in a loop.',
      '先确定结果。输出 0 的 shape 与输入 1 相同;先设置 `y` 的维数,再在循环中逐维拷贝。',
    ])
    expect(decided(shape(values({kind: 'number', value: '4'}, undefined)))).toEqual([
      'What has to come out? Output 0 has 2 dimensions: (4, `n * 2`); the rank of `y` does not depend on the inputs.',
      '先确定结果。输出 0 为 2 维:(4, `n * 2`);`y` 的维数不随输入变化。',
    ])
  })

  test('beside special branches is the case without one', () => {
    expect(decided(shape({kind: 'scalar'}, {hasCases: true}))).toEqual([
      'What has to come out? In the case without a special branch, output 0 is a scalar: rank 0, by `SetScalar`; ' +
        'the branches below come first.',
      '先确定结果。不进入特殊分支时,输出 0 为标量,即 0 维,用 `SetScalar` 设置;下面的分支先于它判断。',
    ])
  })

  test('a copy is explained once, a loop each time', () => {
    const second = {output: '1', variable: 'z'}
    expect(sentences(shape(same()), shape(same(), second))).toMatch(/is\. Output 1 has the shape of input 1\.$/)
    expect(sentences(shape(same({isLooped: true})), shape(same(), second))).toMatch(/one assignment to `\*z`/)
    expect(sentences(shape(same()), shape(same({isLooped: true}), second))).toMatch(/; `z` first gets that rank/)
  })
})
