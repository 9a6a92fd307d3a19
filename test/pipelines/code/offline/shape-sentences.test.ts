import type {InferenceFacts, InferredShape, ShapeSource} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {wantedShapes} from '../../../../pipelines/code/offline/inference-request.ts'
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
    [values({kind: 'number', value: '4'}), 'Output 0 has 1 dimension: (4).', '输出 0 为 1 维：(4)。'],
    [
      values({kind: 'attribute', index: '2'}, {kind: 'rank', of: '1'}, {kind: 'dimension', of: '0', index: '3'}),
      'Output 0 has 3 dimensions: (attribute 2, the rank of input 1, dimension 3 of input 0).',
      '输出 0 为 3 维：(属性 2, 输入 1 的维数, 输入 0 的第 3 维)。',
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
