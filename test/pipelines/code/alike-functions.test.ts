import {expect, test} from 'vitest'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import alikeFunctions from '../../../pipelines/code/alike-functions.ts'
import {runStage} from '../../helpers/run-stage.ts'

const formula = (target: string, chain: string[]): Decision => ({
  ...{topic: 'formula', situation: 'in-place', subject: target, values: {target, chain}},
  because: [{kind: 'fact', code: `${target} = 1`}],
})
const origin = {repository: 'r', revision: '1', path: 'a.cpp', licence: 'Apache-2.0'}
const sample = (over: Partial<CotSample> = {}): CotSample => ({
  ...{kind: 'kernel', side: 'kernel', asks: 'function', prompt: 'p', reasoning: 'r', answer: 'a', files: []},
  ...{language: 'en', origin, teacher: {kind: 'offline'}, stages: {}},
  decisions: [formula('y', ['Exp', 'Adds'])],
  ...over,
})
const other: Partial<CotSample> = {decisions: [formula('z', ['Exp', 'Adds'])], language: 'zh'}

test.each<[what: string, more: Partial<CotSample>, kept: number]>([
  ['names and language apart, two are kept', other, 2],
  ['other instructions are another function', {decisions: [formula('y', ['Exp', 'Muls'])]}, 4],
  ['so is one with a decision more', {decisions: [formula('y', ['Exp', 'Adds']), formula('y', ['Ln'])]}, 4],
  ['so is one of another repository', {origin: {...origin, repository: 's'}}, 4],
  ['files stay', {asks: 'file'}, 4],
  ['what a model wrote stays', {teacher: {kind: 'model', model: 'm'}}, 4],
  ['functions without decisions stay', {decisions: []}, 4],
])('%s', async (_, more, kept) => {
  const given = [sample(), sample(more), sample(), sample(more)]
  const {outputs, dropped} = await runStage(alikeFunctions(), given)
  expect(outputs).toEqual(given.slice(0, kept))
  expect(dropped.map(({reason}) => reason)).toEqual(Array.from({length: 4 - kept}, () => 'alike'))
})

test('as many as are asked for', async () => {
  const {outputs, dropped} = await runStage(alikeFunctions({most: 1}), [sample(), sample(other)])
  expect(outputs).toHaveLength(1)
  expect(dropped[0]?.detail).toBe('a.cpp: 1 that decide the same are kept')
})
