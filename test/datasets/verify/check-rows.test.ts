import {describe, expect, test} from 'vitest'
import {checkedColumns, rowProblems} from '../../../datasets/verify/check-parquet.ts'

const turn = (role: string, content: string) => [{role, content}]
const ask = turn('user', 'Write a kernel.')
const reply = (answer: string, reasoning = 'so') =>
  turn('assistant', `${reasoning === '' ? '' : `<think>\n${reasoning}\n</think>\n\n`}${answer}`)
/** Code points before the answer `abc` of `reply('abc')`: the block takes 22 with its line breaks. */
const at = '<think>\nso\n</think>\n\n'.length

const sft = (over: object = {}) => rowProblems('sft', {prompt: ask, completion: reply('abc'), files: [], ...over})
const dpo = (over: object = {}) =>
  rowProblems('dpo', {
    prompt: ask,
    chosen: reply('abc'),
    rejected: reply('abd'),
    chosen_files: [],
    rejected_files: null,
    ...over,
  })

describe('turns', () => {
  test.each<[object, string[]]>([
    [{}, []],
    [{prompt: null}, ['prompt is not a single turn of user']],
    [{prompt: []}, ['prompt is not a single turn of user']],
    [{prompt: [...ask, ...ask]}, ['prompt is not a single turn of user']],
    [{prompt: turn('system', 'x')}, ['prompt is not a single turn of user']],
    [{prompt: turn('user', ' \n')}, ['prompt is blank']],
    [{completion: turn('user', '<think>\nso\n</think>\n\nabc')}, ['completion is not a single turn of assistant']],
    [
      {completion: null},
      [
        'completion is not a single turn of assistant',
        'completion has no answer',
        'completion has no reasoning, expected a <think> block',
      ],
    ],
    [{completion: reply('abc', '')}, ['completion has no reasoning, expected a <think> block']],
    [{completion: reply(' \n')}, ['completion has no answer']],
    [
      {completion: reply('abc <think>')},
      ['completion has the tags <think> </think> <think>, expected one block at its start or none'],
    ],
    [
      {completion: turn('assistant', 'abc </think>')},
      [
        'completion has the tags </think>, expected one block at its start or none',
        'completion has no reasoning, expected a <think> block',
      ],
    ],
  ])('of a sample: %j', (over, problems) => {
    expect(sft(over)).toEqual(problems)
  })

  const told = 'only one side has reasoning, which identifies the better one'
  test.each<[object, string[]]>([
    [{}, []],
    [{chosen: reply('abc', ''), rejected: reply('abd', '')}, []],
    [{chosen: reply('abc', '')}, [told]],
    [{rejected: reply('abd', '')}, [told]],
    [{prompt: null}, ['prompt is not a single turn of user']],
    [
      {chosen: turn('user', 'abc'), rejected: reply('', '')},
      ['chosen is not a single turn of assistant', 'rejected is blank', 'rejected has no answer'],
    ],
  ])('of a pair: %j', (over, problems) => {
    expect(dpo(over)).toEqual(problems)
  })
})

describe('files', () => {
  const file = (start: number | null, end: number | null, text: string | null = null) => ({
    path: 'a.cpp',
    start,
    end,
    text,
  })
  const elsewhere = (start: number, end: number, last = at + 3) => [
    `files: a.cpp should be at ${start}–${end}, but the answer is at ${at}–${last}`,
  ]
  const both = ['files: a.cpp needs either start and end, or a text']

  test.each<[ReturnType<typeof file>, string[]]>([
    [file(at, at + 3), []],
    [file(at + 1, at + 1), []],
    [file(at - 1, at + 3), elsewhere(at - 1, at + 3)],
    [file(at, at + 4), elsewhere(at, at + 4)],
    [file(at + 2, at + 1), elsewhere(at + 2, at + 1)],
    [file(null, null, 'int a;'), []],
    [file(null, null, ''), []],
    [file(null, null), ['files: a.cpp has neither a position nor a text']],
    [file(at, null), both],
    [file(null, at), both],
    [file(at, at + 1, 'x'), both],
  ])('%j', (one, problems) => {
    expect(sft({files: [one]})).toEqual(problems)
    const own = problems.map((problem) => problem.replace('files:', 'rejected_files:'))
    expect(dpo({chosen_files: [file(at, at + 3)], rejected_files: [one]})).toEqual(own)
  })

  test('places are code points, as Python counts them', () => {
    const completion = reply('a𝒳b')
    expect(sft({completion, files: [file(at, at + 3)]})).toEqual([])
    expect(sft({completion, files: [file(at, at + 4)]})).toEqual(elsewhere(at, at + 4))
  })
})

test('tables without replies have no such columns', () => {
  expect(rowProblems('apis', {prompt: null})).toEqual([])
  expect(rowProblems('errors', {})).toEqual([])
  expect(checkedColumns).toEqual({
    sft: ['prompt', 'completion', 'files'],
    dpo: ['prompt', 'chosen', 'rejected', 'chosen_files', 'rejected_files'],
  })
})
