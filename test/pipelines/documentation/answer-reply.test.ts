import {describe, expect, test} from 'vitest'
import type {ChatReply} from '../../../engine/llm/model.ts'
import {parseAnswer, parseQuestions} from '../../../pipelines/documentation/ask-model.ts'

const reply = (text: string, part: Partial<ChatReply> = {}) =>
  ({text, reasoning: '', finishReason: 'stop', ...part}) as ChatReply
const told = (found: ReturnType<typeof parseQuestions> | ReturnType<typeof parseAnswer>) =>
  found.ok ? found.value : found.reason

describe('questions', () => {
  test.each([
    ['<question>a?</question>', ['a?']],
    ['Here: <question> a? </question>\n<question>b\nc?</question> done', ['a?', 'b\nc?']],
    ['<question>What does `<b>` do?</question>', ['What does `<b>` do?']],
    ['<question>What is LocalTensor<half> for?</question>', ['What is LocalTensor<half> for?']],
    ['<question>What is <b>bold</b>?</question>', 'question-malformed'],
    ['<question>a?</question><question> </question>', 'question-malformed'],
    ['a?', 'question-malformed'],
    [' \n', 'reply-empty'],
  ])('of %j', (text, found) => {
    expect(told(parseQuestions(reply(text)))).toEqual(found)
  })

  test('that were cut off are none, and the reply is told by its begin', () => {
    const cut = parseQuestions(reply(`<question>${'a'.repeat(200)}</question>`, {finishReason: 'length'}))
    expect(cut).toEqual({
      ok: false,
      reason: 'reply-cut-off',
      detail: `finish reason length; begins: <question>${'a'.repeat(110)}`,
    })
  })
})

describe('an answer', () => {
  const [think, answer] = ['<think>why</think>', '<answer>so</answer>']
  const both = {reasoning: 'why', answer: 'so'}

  test.each([
    [`${think}${answer}`, both],
    [`\n${think}\n text ${answer} `, both],
    [`${answer}${think}`, 'reply-malformed'],
    [`${think}${think}${answer}`, 'reply-malformed'],
    [`${think}${answer}${answer}`, 'reply-malformed'],
    [`<think>${think}${answer}`, 'reply-malformed'],
    [`${think}</think>${answer}`, 'reply-malformed'],
    [`${think}<answer>${answer}`, 'reply-malformed'],
    [`${think}${answer}</answer>`, 'reply-malformed'],
    [`</think>why<think>${answer}`, 'reply-malformed'],
    [think, 'reply-without-answer'],
    [`${think}<answer> </answer>`, 'reply-without-answer'],
    [answer, 'reply-without-reasoning'],
    [`<think> </think>${answer}`, 'reply-without-reasoning'],
    ['', 'reply-empty'],
  ])('of %j', (text, found) => {
    expect(told(parseAnswer(reply(text)))).toEqual(found)
  })

  test('takes thinking that the endpoint split off, unless it was written out', () => {
    const reasoning = ' split off '
    expect(told(parseAnswer(reply(answer, {reasoning})))).toEqual({reasoning: 'split off', answer: 'so'})
    expect(told(parseAnswer(reply(`${think}${answer}`, {reasoning})))).toEqual(both)
  })

  test('that was cut off is none', () => {
    expect(parseAnswer(reply(`${think}${answer}`, {finishReason: 'length'}))).toEqual({
      ok: false,
      reason: 'reply-cut-off',
      detail: `finish reason length; begins: ${think}${answer}`,
    })
  })
})
