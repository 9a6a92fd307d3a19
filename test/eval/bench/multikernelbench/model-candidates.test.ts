import {expect, test} from 'vitest'
import modelCandidates, {mhcTasks, modelTasks} from '../../../../eval/bench/multikernelbench/model-candidates.ts'
import type {ReplySource} from '../../../../eval/bench/whole-model.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const root = 'test/fixtures/multikernelbench'

const source = (replies: Record<string, {reply: string; model?: string}[]>): ReplySource => ({
  id: JSON.stringify(replies),
  name: 'a-file',
  repliesTo: (names) => Promise.resolve(names.flatMap((name) => replies[name] ?? [])),
})

test.each(['tame', 'activation/tame', 'reference/activation/tame.py'])('replies may call a task %s', async (name) => {
  const replies = [{reply: 'first', model: 'm'}, {reply: 'second'}]
  const {outputs, dropped} = await runStage(modelCandidates({source: source({[name]: replies})}), [{root}])
  expect(dropped).toEqual([])
  expect(outputs.map(({task, sampler, reply}) => [task.name, task.category, sampler, reply])).toEqual([
    ['tame', 'activation', {model: 'm', sample: 0}, 'first'],
    ['tame', 'activation', {model: 'a-file', sample: 1}, 'second'],
  ])
})

test('a task without a reply is dropped, and tasks outside the seven categories are not asked for', async () => {
  const {outputs, dropped} = await runStage(modelCandidates({source: source({tame_grad: [{reply: 'x'}]})}), [{root}])
  expect(outputs).toEqual([])
  expect(dropped).toEqual([{reason: 'no-reply', detail: 'a-file holds no reply to tame'}])
})

test.each([
  ['*', 1],
  ['activation/*', 1],
  ['tame', 1],
  ['tam', 0],
  ['loss/*', 0],
])('%s chooses %i tasks', async (pattern, count) => {
  expect(await modelTasks(root, pattern)).toHaveLength(count)
})

test('other replies and other patterns are another stage', () => {
  const keys = [
    modelCandidates({source: source({})}),
    modelCandidates({source: source({tame: []})}),
    modelCandidates({source: source({}), pattern: 'tame'}),
  ].map(({options}) => JSON.stringify(options))
  expect(new Set(keys).size).toBe(3)
})

test('mHC is asked for in every type of streams, and passed over where there is no reply', async () => {
  const {outputs, dropped} = await runStage(modelCandidates({source: source({mhc_post: [{reply: 'x'}]})}), [{root}])
  expect(outputs.map(({task}) => [task.name, task.category, task.element])).toEqual([
    ['mhc_post', 'mhc', 'float16'],
    ['mhc_post', 'mhc', 'bfloat16'],
    ['mhc_post', 'mhc', 'float32'],
  ])
  expect(dropped.map(({detail}) => detail)).toEqual(['a-file holds no reply to tame'])
  expect(await mhcTasks('mhc/*_grad')).toHaveLength(3)
})
