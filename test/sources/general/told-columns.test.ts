import {describe, expect, test} from 'vitest'
import {checkColumns, columnNames, detectColumns} from '../../../sources/general/detect-columns.ts'
import {textOf} from '../../../sources/general/cell-text.ts'
import {toldInTurns} from '../../../sources/general/told-row.ts'
import {isTurns} from '../../../sources/general/turns.ts'

const turn = (role: string, content: unknown, more: object = {}) => ({role, content, ...more})

describe('turns', () => {
  const told = (...turns: unknown[]) => {
    const found = toldInTurns(turns)
    return 'reason' in found ? `${found.reason}: ${found.detail}` : `${found.prompt}|${found.answer}|${found.thought}`
  }

  test.each([
    [[turn('user', 'a'), turn('assistant', 'b')], 'a|b|'],
    [[turn('Human', 'a'), turn('GPT', 'b')], 'a|b|'],
    [
      [
        {from: 'human', value: 'a'},
        {from: 'gpt', value: 'b'},
      ],
      'a|b|',
    ],
    [[turn('system', 's'), turn('user', 'a'), turn('model', 'b')], 'a|b|'],
    [[turn('developer', 's'), turn('prompter', 'a'), turn('bard', 'b')], 'a|b|'],
    [[turn('user', 'a'), turn('assistant', 'b', {reasoning_content: 'c'})], 'a|b|c'],
    [[turn('user', 'a'), turn('assistant', 'b', {reasoning: null, thinking: 'c'})], 'a|b|c'],
    [[turn('user', 'a'), turn('assistant', 'b'), turn('user', 'c')], 'several-turns: 3 turns'],
    [[turn('user', 'a'), turn('tool', 'b')], 'turn-of-a-tool: tool'],
    [[turn('assistant', 'a'), turn('user', 'b')], 'not-a-conversation: a question and an answer were expected'],
    [[turn('user', 'a'), turn('user', 'b')], 'not-a-conversation: a question and an answer were expected'],
    [[turn('user', 'a')], 'not-a-conversation: a question and an answer were expected'],
    [[turn('user', 1.5), turn('assistant', 'b')], 'number-not-exact: prompt is the number 1.5'],
    [[turn('user', 'a'), turn('assistant', {})], 'not-text: answer is a object'],
    [[turn('user', 'a'), turn('assistant', 'b', {reasoning: ['x', 'y']})], 'not-text: reasoning is a list of 2'],
    [[turn('user', null), turn('assistant', 7)], '|7|'],
    [[null], 'not-a-conversation: a list of turns was expected, seen a list of 1'],
    [[turn('user', 'a'), turn('assistant', [{type: 'image', image: 'x'}])], 'not-text: answer holds a part image'],
    [
      [
        turn('user', 'a'),
        turn('assistant', [
          {type: 'thinking', thinking: 'c'},
          {type: 'text', text: 'b'},
        ]),
      ],
      'a|b|c',
    ],
  ])('%j', (turns, found) => {
    expect(told(...turns)).toBe(found)
  })

  test('as JSON, or as nothing of the kind', () => {
    expect(toldInTurns('[{"role":"user","content":"a"},{"role":"gpt","content":"b"}]')).toEqual({
      prompt: 'a',
      answer: 'b',
      thought: '',
    })
    expect(toldInTurns('no')).toMatchObject({detail: 'a list of turns was expected, seen a string'})
    expect(toldInTurns(undefined)).toMatchObject({detail: 'a list of turns was expected, seen nothing'})
    expect([
      isTurns([turn('user', 'a')]),
      isTurns([]),
      isTurns([{}]),
      isTurns('[{"from":"x"}]'),
      isTurns('{"from":"x"}'),
      isTurns('['),
      isTurns([turn('a', ''), {}]),
    ]).toEqual([true, false, false, true, false, false, false])
  })

  test('cells as text', () => {
    expect([
      textOf('a', 'x'),
      textOf(undefined, 'x'),
      textOf(null, 'x'),
      textOf(3, 'x'),
      textOf(10n ** 20n, 'x'),
    ]).toEqual(['a', '', '', '3', '100000000000000000000'])
    expect(textOf([turn('user', 'a')], 'x')).toBe('a')
    expect(textOf([turn('user', 'a'), turn('user', 'b')], 'x')).toEqual({
      reason: 'not-text',
      detail: 'x is a list of 2',
    })
    expect(textOf(2 ** 53, 'x')).toEqual({reason: 'number-not-exact', detail: 'x is the number 9007199254740992'})
    expect(textOf(NaN, 'x')).toMatchObject({reason: 'number-not-exact'})
    expect(textOf(true, 'x')).toEqual({reason: 'not-text', detail: 'x is a boolean'})
  })
})

describe('columns', () => {
  const detect = (...rows: Record<string, unknown>[]) => detectColumns(rows, 'set')

  test.each([
    [
      {messages: [turn('user', 'a')], prompt: 'a', reasoning: 'c', answer: 'b'},
      {prompt: 'prompt', reasoning: 'reasoning', answer: 'answer'},
    ],
    [{Conversations: '[{"from":"x"}]'}, {messages: 'Conversations'}],
    [
      {messages: 'no', question: 'a', reasoning: 'c', answer: 'b'},
      {prompt: 'question', reasoning: 'reasoning', answer: 'answer'},
    ],
    [
      {instruction: 'a', input: 'i', cot: 'c', output: 'b'},
      {prompt: 'instruction', input: 'input', reasoning: 'cot', answer: 'output'},
    ],
    [
      {input: 'i', cot: 'c', output: 'b'},
      {prompt: 'input', reasoning: 'cot', answer: 'output'},
    ],
    [
      {prompt: 'a', response: 'b', output: '<think>c</think>d'},
      {prompt: 'prompt', answer: 'output'},
    ],
    [
      {prompt: 'a', thinking: 'c', response: 'b', output: '<think>c</think>d'},
      {prompt: 'prompt', reasoning: 'thinking', answer: 'response'},
    ],
    [
      {prompt: 'a', thinking: null, output: '<think>c</think>d'},
      {prompt: 'prompt', answer: 'output'},
    ],
  ])('of %j', (row, columns) => {
    expect(detect(row)).toEqual(columns)
    expect(columnNames(detect({}, row)).sort()).toEqual(Object.values(columns).sort())
  })

  test('that cannot be told are named', () => {
    for (const row of [
      {prompt: 'a', response: 'b'},
      {response: '<think>c</think>b'},
      {prompt: 'a', reasoning: 'c'},
      {a: 1},
    ])
      expect(() => detect(row)).toThrow(
        expect.objectContaining({code: 'input-invalid', evidence: {seen: Object.keys(row)}}) as Error,
      )
  })

  test('that are configured are there', () => {
    const columns = {prompt: 'a', answer: 'b'}
    expect(checkColumns(columns, [{a: 1}, {b: 2}], 'set')).toBe(columns)
    expect(() => checkColumns(columns, [{a: 1, c: 2}], 'set')).toThrow(
      expect.objectContaining({code: 'config-invalid', evidence: {absent: ['b'], seen: ['a', 'c']}}) as Error,
    )
  })
})
