import {expect, test} from 'vitest'
import {unpairedRows} from '../../datasets/kto-view.ts'
import {labelled} from '../pipelines/preference/records.ts'

const answer = labelled('green', 'answer', {kind: 'answer'})
const contents = (rows: ReturnType<typeof unpairedRows>) =>
  rows.map(({prompt, completion, label}) => [prompt[0].content, /\/\/ (\w+)/.exec(completion[0].content)?.[1], label])

test('each candidate is a row of one turn a side, green ones preferred', () => {
  const rows = unpairedRows([answer, labelled('orange', 'o'), labelled('purple', 'p')])
  expect(contents(rows)).toEqual([
    ['Write ScaleShift.', 'answer', true],
    ['Write ScaleShift.', 'o', false],
    ['Write ScaleShift.', 'p', false],
  ])
  expect(rows[0]?.prompt).toEqual([{role: 'user', content: 'Write ScaleShift.'}])
  expect(rows[0]?.completion[0]).toMatchObject({role: 'assistant'})
})

test('a mutant that was judged correct is left out, and a reply is there once', () => {
  const rows = unpairedRows([answer, answer, labelled('green', 'harmless'), labelled('orange', 'o')])
  expect(contents(rows).map(([, code]) => code)).toEqual(['answer', 'o'])
})

test('replies to a prompt reason all or none', () => {
  const reasoned = [{...answer, reasoning: 'plan'}, labelled('orange', 'o', undefined, {reasoning: 'other plan'})]
  const thinks = (rows: ReturnType<typeof unpairedRows>) =>
    rows.map(({completion}) => completion[0].content.startsWith('<think>'))
  expect(thinks(unpairedRows(reasoned))).toEqual([true, true])
  expect(thinks(unpairedRows([...reasoned, labelled('purple', 'p')]))).toEqual([false, false, false])
  const elsewhere = {...labelled('purple', 'p'), prompt: 'Write Other.'}
  expect(thinks(unpairedRows([...reasoned, elsewhere]))).toEqual([true, true, false])
})
