import {expect, test} from 'vitest'
import {partReasoning} from '../../../engine/llm/think.ts'

test.each([
  ['a reasoning field wins', 'The answer.', 'thought', {text: 'The answer.', reasoning: 'thought'}],
  [
    'a block that repeats the reasoning field is taken out',
    '<think>thought</think>The answer.',
    'thought',
    {text: 'The answer.', reasoning: 'thought'},
  ],
  [
    'a leading block is the reasoning',
    '\n<think>\nthought\n</think>\n\nThe answer.',
    '',
    {text: 'The answer.', reasoning: 'thought'},
  ],
  [
    'nested blocks end with the outer one',
    '<think>a <think>b</think> c</think>The answer.',
    '',
    {text: 'The answer.', reasoning: 'a <think>b</think> c'},
  ],
  [
    'blocks that do not balance end with the last closing tag',
    '<think>I open with <think> as told.</think>The answer.',
    '',
    {text: 'The answer.', reasoning: 'I open with <think> as told.'},
  ],
  [
    'a lone closing tag ends a block that the template opened',
    'thought\n</think>\nThe answer.',
    '',
    {text: 'The answer.', reasoning: 'thought'},
  ],
  [
    'a block that never closes was cut off in thought',
    '<think>thought without an end',
    '',
    {text: '', reasoning: 'thought without an end'},
  ],
  ['an empty block is no reasoning', '<think>\n\n</think>The answer.', '', {text: 'The answer.', reasoning: ''}],
  ['no block, no reasoning', 'The answer.', '', {text: 'The answer.', reasoning: ''}],
  [
    'a block inside the answer stays there',
    'Write <think>x</think> around it.',
    '',
    {text: 'Write <think>x</think> around it.', reasoning: ''},
  ],
])('%s', (_, content, field, expected) => {
  expect(partReasoning(content, field)).toEqual({...expected, cutOff: ''})
})
