import {describe, expect, test} from 'vitest'
import {textOf} from '../../../sources/general/cell-text.ts'
import {toldInTurns} from '../../../sources/general/told-row.ts'
import {isTurns} from '../../../sources/general/turns.ts'

const turn = (role: string, content: unknown, more = {}) => ({role, content, ...more})
const question = turn('user', 'Why?')
const answer = turn('assistant', 'So.')

describe('one question and its answer', () => {
  test.each(['user', 'human', 'prompter', 'USER'])('%s asks', (role) => {
    expect(toldInTurns([turn(role, 'Why?'), answer])).toEqual({prompt: 'Why?', answer: 'So.', thought: ''})
  })
  test.each(['assistant', 'gpt', 'model', 'bot', 'chatgpt', 'bard'])('%s answers', (role) => {
    expect(toldInTurns([question, turn(role, 'So.')])).toEqual({prompt: 'Why?', answer: 'So.', thought: ''})
  })
  test.each(['system', 'developer'])('what %s says is left out, wherever it stands', (role) => {
    const said = turn(role, 'Be brief.')
    for (const turns of [
      [said, question, answer],
      [question, said, answer],
      [question, answer, said],
    ])
      expect(toldInTurns(turns)).toMatchObject({prompt: 'Why?', answer: 'So.'})
  })
  test.each(['reasoning_content', 'reasoning', 'thinking', 'thought', 'reasoningContent'])(
    '%s is the thought',
    (key) => {
      expect(toldInTurns([question, turn('assistant', 'So.', {[key]: 'Hm.'})])).toMatchObject({thought: 'Hm.'})
      expect(toldInTurns([question, turn('assistant', 'So.', {[key]: null})])).toMatchObject({thought: ''})
    },
  )
  test('sharegpt and JSON in a cell are read alike', () => {
    const shared = [
      {from: 'human', value: 'Why?'},
      {from: 'gpt', value: 'So.'},
    ]
    expect(toldInTurns(shared)).toEqual({prompt: 'Why?', answer: 'So.', thought: ''})
    expect(toldInTurns(JSON.stringify(shared))).toEqual(toldInTurns(shared))
  })
})

test.each<[string, unknown, string, string]>([
  ['three turns', [question, answer, question], 'several-turns', '3 turns'],
  ['four turns', [question, answer, question, answer], 'several-turns', '4 turns'],
  ['a question alone', [question], 'not-a-conversation', 'a question and an answer were expected'],
  ['an answer first', [answer, question], 'not-a-conversation', 'a question and an answer were expected'],
  ['two questions', [question, question], 'not-a-conversation', 'a question and an answer were expected'],
  ['nothing', [], 'not-a-conversation', 'a list of turns was expected, seen a list of 0'],
  ['a tool', [question, turn('tool', 'x'), answer], 'turn-of-a-tool', 'tool'],
  ['text', 'Why?', 'not-a-conversation', 'a list of turns was expected, seen a string'],
  ['no value', null, 'not-a-conversation', 'a list of turns was expected, seen nothing'],
  ['a number as question', [turn('user', 0.5), answer], 'number-not-exact', 'prompt is the number 0.5'],
  ['an object as answer', [question, turn('gpt', {})], 'not-text', 'answer is a object'],
  ['a list as thought', [question, turn('gpt', 'So.', {thought: [1, 2]})], 'not-text', 'reasoning is a list of 2'],
])('%s is refused', (_, turns, reason, detail) => {
  expect(toldInTurns(turns)).toEqual({reason, detail})
})

test('a list of turns is told from other lists', () => {
  expect([[question], [question, answer], JSON.stringify([question])].map(isTurns)).toEqual([true, true, true])
  expect([[], [question, 1], 'Why?', '[1', '{}', null, {role: 'user'}].map(isTurns)).toEqual(Array(7).fill(false))
})

test('a cell is text where nothing is lost', () => {
  expect([undefined, null, '', 'a', 7, 7n, 2 ** 53 - 1].map((one) => textOf(one, 'x'))).toEqual([
    '',
    '',
    '',
    'a',
    '7',
    '7',
    '9007199254740991',
  ])
  expect(textOf([question], 'x')).toBe('Why?')
  expect(textOf(2 ** 53, 'x')).toMatchObject({reason: 'number-not-exact'})
  expect(textOf(Number.NaN, 'x')).toMatchObject({reason: 'number-not-exact'})
  expect(textOf([question, answer], 'x')).toMatchObject({reason: 'not-text', detail: 'x is a list of 2'})
  expect(textOf([1], 'x')).toMatchObject({reason: 'not-text'})
  expect(textOf(true, 'x')).toEqual({reason: 'not-text', detail: 'x is a boolean'})
})
