import {describe, expect, test} from 'vitest'
import {refusalOf} from '../../../pipelines/documentation/cot.ts'

const question = 'How many elements of half does one block hold, and where may `xLocal` start?'
const reasoning = 'A block has 32 bytes. An element of half takes 2, so 32 / 2 = 16 fit.'
const answer = '16 elements; it starts at a multiple of 16.'
const reasonOf = (part: object, reference = '') => refusalOf({question, reasoning, answer, ...part}, reference)

test('reasoning in two steps and an answer that adds to its question are kept', () => {
  expect(reasonOf({})).toBeUndefined()
})

describe('a draft is hollow', () => {
  test.each([
    ['in one step', {reasoning: 'A block has 32 bytes. So the answer follows.'}, /two steps/],
    ['without numbers and names', {reasoning: '先看它在哪里。再看它何时就绪。'}, /two steps/],
    ['with steps in code alone', {reasoning: 'It is so.\n```cpp\nAdd(x1, x2);\nAdd(x3, 4);\n```'}, /two steps/],
    ['where the answer is without a fact', {answer: 'That depends on the element type.'}, /adds no number/],
    ['where the answer has only what was asked', {question: 'Is it 16?', answer: 'Yes, 16.'}, /adds no number/],
    ['when it defers', {answer: '16个。其余以“通用约束”为准。'}, /为准/],
    ['when it defers in English', {answer: '16. Refer to the documentation for more.'}, /Refer to the documentation/],
    ['when it sends to a page', {reasoning: `${reasoning} 请参考别的页面。`}, /请参考别的页面/],
    ['when its code lacks a name', {answer: '16:\n```cpp\nAdd(zLocal, yLocal, 16);\n```'}, /no xLocal/],
  ])('%s', (_, part, detail) => {
    expect(reasonOf(part)).toMatchObject({reason: 'hollow'})
    expect(reasonOf(part)?.detail).toMatch(detail)
  })

  test('not when sentences end in Chinese, nor when the code has the names', () => {
    expect(reasonOf({reasoning: '块为32字节。half占2字节，32/2=16。'})).toBeUndefined()
    expect(reasonOf({answer: '16:\n```cpp\nAdd(zLocal, xLocal, 16);\n```'})).toBeUndefined()
  })
})

test('reasoning that is empty, says the answer, or quotes, is refused', () => {
  expect(reasonOf({reasoning: ' '})?.reason).toBe('nothing-to-derive')
  const said = 'A block has 32 bytes. It holds 16 elements of half in all.'
  expect(reasonOf({reasoning: said, answer: said})?.reason).toBe('reasoning-repeats-answer')
  const quoted = Array.from({length: 81}, (_, at) => `w${at}`).join(' ')
  expect(reasonOf({reasoning: `1. ${quoted}. 2.`}, quoted)?.reason).toBe('long-quotation')
  const shorter = quoted.split(' ').slice(1).join(' ')
  expect(reasonOf({reasoning: `1. 2. ${shorter}`}, quoted)).toBeUndefined()
})
