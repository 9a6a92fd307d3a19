import {describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import pair, {type PairOptions} from '../../../pipelines/preference/pair.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {executor, fixtureTask, labelled} from './records.ts'

const answer = labelled('green', 'answer', {kind: 'answer'})
const pairs = (items: LabelledCandidate[], options: PairOptions = {}) => runStage(pair(options), items)
const codes = ({files}: {files: {text: string}[]}) => files[0]?.text.slice(3).trim()

test('green is preferred to orange and to purple, orange ones first', async () => {
  const {outputs, dropped} = await pairs([labelled('purple', 'p'), answer, labelled('orange', 'o')])
  expect(outputs.map(({chosen, rejected}) => [codes(chosen), chosen.label, codes(rejected), rejected.label])).toEqual([
    ['answer', 'green', 'o', 'orange'],
    ['answer', 'green', 'p', 'purple'],
  ])
  expect(dropped).toEqual([])
})

test('a pair says where it comes from and what made it', async () => {
  const [first] = (await pairs([answer, labelled('orange', 'o')])).outputs
  const task = await fixtureTask()
  expect(first).toMatchObject({
    task: 'ScaleShift',
    prompt: 'Write ScaleShift.',
    origin: task.origin,
    stages: {pair: 1},
  })
  expect(first?.rejected).toMatchObject({sampler: {kind: 'mutation', mutation: 'o'}, verdict: {outcome: 'mismatched'}})
  expect(first?.chosen.answer).toBe(
    '================== op_kernel/scale_shift.cpp ==================\n```cpp\n// answer\n```',
  )
})

test('equals are never paired: without green or without a negative there is no pair, and it is said why', async () => {
  expect(await pairs([labelled('orange', 'a'), labelled('purple', 'b')])).toEqual({
    outputs: [],
    dropped: [
      {reason: 'no-green', detail: 'ScaleShift: no candidate is correct'},
      {reason: 'no-green', detail: 'ScaleShift: no candidate is correct'},
    ],
  })
  expect((await pairs([answer])).dropped.map(({reason}) => reason)).toEqual(['no-negative'])
})

test('a mutant that was judged correct is on neither side', async () => {
  const {outputs, dropped} = await pairs([
    answer,
    labelled('green', 'harmless'),
    labelled('orange', 'o'),
    labelled('orange', 'q'),
  ])
  expect(outputs.map(({chosen, rejected}) => [codes(chosen), codes(rejected)])).toEqual([
    ['answer', 'o'],
    ['answer', 'q'],
  ])
  expect(dropped).toEqual([{reason: 'equivalent-mutant', detail: 'harmless, harmless'}])
})

test('candidates with the same code make one pair', async () => {
  const {outputs, dropped} = await pairs([answer, labelled('orange', 'same'), labelled('orange', 'same')])
  expect(outputs).toHaveLength(1)
  expect(dropped.map(({reason}) => reason)).toEqual(['same-code'])
})

test('several correct samples take turns as the chosen side', async () => {
  const model = (sample: number) => ({kind: 'model', model: 'm', sample}) as const
  const {outputs} = await pairs([
    labelled('green', 'g0', model(0)),
    labelled('green', 'g1', model(1)),
    labelled('orange', 'a', model(2)),
    labelled('orange', 'b', model(3)),
    labelled('purple', 'c', model(4)),
  ])
  expect(outputs.map(({chosen}) => codes(chosen))).toEqual(['g0', 'g1', 'g0'])
})

test('over the limit, repeated kinds of failure go before rare ones, and purple before orange', async () => {
  const violated = labelled('orange', 'v', undefined, {
    verdict: {
      outcome: 'violated',
      case: '0',
      violation: {rule: 'queue-state', block: 0, api: 'EnQue', tensor: 'x', message: 'm', fix: 'f'},
      executor,
    },
  })
  const {outputs, dropped} = await pairs(
    [answer, labelled('orange', 'a'), labelled('orange', 'b'), violated, labelled('purple', 'p')],
    {maxPairsPerTask: 3},
  )
  expect(outputs.map(({rejected}) => codes(rejected))).toEqual(['a', 'v', 'b'])
  expect(dropped).toEqual([{reason: 'over-limit', detail: 'ScaleShift has 4 negatives, at most 3 are paired'}])
})

test('tasks are never mixed', async () => {
  const task = await fixtureTask()
  const other = {...task, name: 'Other', origin: {...task.origin, path: 'level1/Math/Other'}}
  const {outputs, dropped} = await pairs([
    answer,
    labelled('orange', 'a'),
    {...labelled('purple', 'b'), task: other, prompt: 'Write Other.'},
  ])
  expect(outputs.map((each) => each.task)).toEqual(['ScaleShift'])
  expect(dropped.map(({detail}) => detail)).toEqual(['Other: no candidate is correct'])
})

describe('reasoning', () => {
  const side = (label: 'green' | 'orange', reasoning: string) =>
    labelled(label, label, {kind: 'model', model: 'm', sample: 0}, {reasoning})
  test.each([
    ['think', 'hm', ['think', 'hm']],
    ['think', '', ['', '']],
    ['', 'hm', ['', '']],
  ])('chosen %j and rejected %j become %j', async (chosen, rejected, kept) => {
    const [first] = (await pairs([side('green', chosen), side('orange', rejected)])).outputs
    expect([first?.chosen.reasoning, first?.rejected.reasoning]).toEqual(kept)
  })
})
