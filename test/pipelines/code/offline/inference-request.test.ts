import type {InferenceFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {inferenceRequest} from '../../../../pipelines/code/offline/inference-request.ts'
import {both, sourceOf} from '../../../helpers/told-parts.ts'

const nothing = {types: [], registrations: [], functions: [], asked: [], shapes: [], rules: []}
const opening = 'Please write `op_kernel/a.cpp`: shape inference of the operator `Fold`.'
const zhOpening = '请编写 `op_kernel/a.cpp`，实现算子 `Fold` 的 shape 推导。'

/** What is asked for behind the opening. */
function said(given: object, dtypes: Record<string, string> = {}): string[] {
  const facts = {...nothing, ...given} as unknown as InferenceFacts
  const told = both((voice) => inferenceRequest(sourceOf('', {dtypes} as never), facts, voice)).split('\n')
  return told.map((one, index) => one.replace([opening, zhOpening][index]!, '').trim())
}

test.each([
  [{}, false],
  [{types: [{}]}, true],
  [{registrations: [{macro: 'M', calls: [{name: 'InferDataType'}]}]}, true],
  [{registrations: [{macro: 'M', calls: [{name: 'InferShape'}]}]}, false],
])('types are inferred as well: %j', (given, isBoth) => {
  const [en, zh] = both((voice) => inferenceRequest(sourceOf(''), {...nothing, ...given} as never, voice)).split('\n')
  expect(en?.includes(': shape and type inference of the operator `Fold`.')).toBe(isBoth)
  expect(zh?.includes('`Fold` 的 shape 与 dtype 推导。')).toBe(isBoth)
})

describe('a comment', () => {
  const note = (...comments: string[]) => said({functions: comments.map((comment) => ({comment}))})[0]
  test.each([
    [15, false],
    [16, true],
    [240, true],
    [241, false],
  ])('of %i characters', (length, isTold) => {
    const comment = 'c'.repeat(length)
    expect(note(comment)).toBe(isTold ? `Note: ${comment}.` : '')
  })

  test('is the first that says something in the language of the request', () => {
    expect(note('short', 'Rows go before columns.', 'Columns go before rows.')).toBe('Note: Rows go before columns.')
    expect(note('Copyright of whoever wrote this', 'Rows go before columns')).toBe('Note: Rows go before columns.')
    const both = said({
      functions: [{comment: 'Rows go before all of the columns.'}, {comment: '输出的行数与输入的行数相同，列数为一。'}],
    })
    expect(both).toEqual(['Note: Rows go before all of the columns.', '说明：输出的行数与输入的行数相同，列数为一。'])
  })
})

describe('the tensors', () => {
  const named = (count: number) => Object.fromEntries(Array.from({length: count}, (_, index) => [`t${index}`, 'float']))
  const told = (count: number, asked: object[] = []) => said({asked}, named(count))[0]?.startsWith('Its tensors are')
  test('are named in order, up to twelve', () => {
    expect(said({}, named(2))).toEqual([
      'Its tensors are `t0` and `t1`, in the order of the definition.',
      '算子的张量按定义顺序为 `t0`、`t1`。',
    ])
    expect([0, 1, 12, 13].map((count) => told(count))).toEqual([false, true, true, false])
  })

  test('are told with types and attributes where the definition is known', () => {
    const x = {name: 'x', kind: 'required', dtypes: ['float32']}
    const attributes = [{name: 'rows', type: 'Int', default: ''}]
    const source = sourceOf('', {dtypes: {x: 'float32'}, definition: {inputs: [x], outputs: [x], attributes} as never})
    const told = both((voice) => inferenceRequest(source, nothing as never, voice))
    expect(told).toContain('The operator takes `x` (float32) and gives `x` (float32). Its attribute is `rows: Int`.')
    expect(told).toContain('算子输入为 `x` (float32)，输出为 `x` (float32)。属性有 `rows: Int`。')
    expect(told).not.toContain('in the order of the definition')
  })

  test('are not where an input that is asked for would be the last or missing', () => {
    const asked = [
      {what: 'shape', index: '1'},
      {what: 'attribute', index: '7'},
    ]
    expect([1, 2, 3].map((count) => told(count, asked))).toEqual([false, false, true])
  })
})

test('what it works from is counted, eight at most', () => {
  const asked = [
    {what: 'shape', index: '0'},
    {what: 'type', index: '1'},
    {what: 'values', index: '2'},
    {what: 'attribute', index: '3'},
  ]
  expect(said({asked})).toEqual([
    'It works from the shape of input 0, the type of input 1, the values of input 2 and attribute 3, counted from 0.',
    '推导依据为第 0 个输入的 shape、第 1 个输入的类型、第 2 个输入的值、第 3 个属性（从 0 计数）。',
  ])
  const many = (count: number) =>
    said({asked: Array.from({length: count}, (_, index) => ({what: 'attribute', index: `${index}`}))})[0]
  expect(many(8)).toMatch(/ and attribute 7, counted from 0\.$/)
  expect(many(9)).toBe(many(8))
})

test.each([
  [{handlesUnknownRank: true}, 'Inputs of unknown rank must be handled.', '需要处理维度数未知的输入。'],
  [{handlesUnknownDims: true}, 'Unknown dimensions must be handled.', '需要处理未知维度。'],
  [
    {
      registrations: [
        {macro: 'A', calls: []},
        {macro: 'B', calls: []},
      ],
    },
    'Register with `A` and `B`.',
    '用 `A`、`B` 注册。',
  ],
  [{rules: ['InferShape4Elewise']}, 'The output has the shape of the input.', '输出 shape 与输入相同。'],
])('%j', (given, en, zh) => {
  expect(said(given)).toEqual([en, zh])
})

test('types that are the same in any case are told', () => {
  const fixed = (output: string, dtype: string) => ({fixed: {output, dtype}})
  const [en, zh] = said({types: [fixed('0', 'DT_BOOL'), {fixed: undefined}, fixed('1', 'DT_INT8')]})
  expect(en?.endsWith(' Whatever the inputs, output 0 has type `DT_BOOL` and output 1 has type `DT_INT8`.')).toBe(true)
  expect(zh?.endsWith('无论输入如何，输出 0 的类型为 `DT_BOOL`、输出 1 的类型为 `DT_INT8`。')).toBe(true)
  expect(said({types: [{fixed: undefined}]})[0]).not.toContain('Whatever')
})
