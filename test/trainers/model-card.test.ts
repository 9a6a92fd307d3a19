import {describe, expect, test} from 'vitest'
import type {RateScore} from '../../datasets/schema/score.ts'
import {recordOf} from '../../trainers/job-folder.ts'
import type {Lineage} from '../../trainers/lineage.ts'
import {modelCard} from '../../trainers/model-card.ts'
import {planOf, specOf} from '../helpers/job-attempt.ts'

type Card = Parameters<typeof modelCard>[0]

const line = (attempt: number, step: number, loss: number, tokens: number) => ({
  ...{at: 0, attempt, step, total: 8, loss, learningRate: null, gradientNorm: null},
  metrics: {num_tokens: tokens},
})

interface Given extends Partial<Card> {
  spec?: object
  sources?: Lineage['data']['sources']
  curve?: Card['steps'][0]['curve']
}

function cardOf({spec = {}, sources = [], curve = [], ...more}: Given) {
  const record = recordOf(planOf('/jobs/tiny'), null)
  const {id: job, method, engine} = record
  const lineage = {
    ...{job, method, engine, base: {name: '/models/tiny', revision: null}},
    data: {...record.data, source: '/home/x/dataset', unchanged: true, sources, countedRows: null},
  }
  const steps = [{record, spec: specOf({...spec}), curve, seconds: 61}] as const
  return modelCard({title: 'tiny', steps, lineage, measures: undefined, scores: [], ...more})
}

const rate = (value: number) => ({k: 1, value, low: value, high: value, tasks: 9, unknownTasks: 0})
const rates: RateScore = {
  kind: 'rates',
  author: 'job-tiny',
  executor: {name: 'twin', fingerprint: 'f', compiler: 'clang', soc: 'soc'},
  scope: {by: 'all', name: ''},
  ...{tasks: 9, judged: 18, compiled: 9, correct: 3, literal: 3, notCovered: 0},
  ...{compilation: [rate(0.5)], execution: [rate(0.25)], literalExecution: [rate(0.25)]},
}

describe('the card of a model', () => {
  test('shows what eval scored with its executor, and claims no less and no more', () => {
    const card = cardOf({scores: [{run: 'score-npukernelbench-job-tiny', rates}]})
    expect(card).toContain('| score-npukernelbench-job-tiny | 9 | 18 | 1 | 50.00 | 25.00 | twin |')
    expect(card).not.toContain('compile and run was not measured')
    expect(card).toContain('The model itself was not measured.')
    expect(cardOf({})).toContain('None of this proves that a generated kernel is correct')
  })

  test('lists the licences of its rows, and says which of them do not allow any use', () => {
    const source = {repository: 'ops', revision: '0123456789abcdef', rows: 4}
    const permissive = cardOf({sources: [{...source, licence: 'Apache-2.0'}]})
    expect(permissive).toContain('| sft | ops | 0123456789ab | Apache-2.0 | 4 |')
    expect(permissive).not.toContain('Not all of them')
    const restricted = cardOf({sources: [{...source, licence: 'LicenseRef-CANN-OSL-2.0'}]})
    expect(restricted).toContain('Not all of them allow any use: LicenseRef-CANN-OSL-2.0.')
    expect(cardOf({})).toContain('The sources of the rows of `tiny-0123abcd` are unknown')
  })

  test('adds up tokens over attempts, and takes losses over quarters', () => {
    const curve = [
      ...[9, 7, 5, 5].map((loss, at) => line(1, at + 1, loss, 100)),
      ...[3, 3, 2, 0].map((loss, at) => line(2, at + 5, loss, 30)),
    ]
    const card = cardOf({curve})
    expect(card).toContain('| tokens | 130 |')
    expect(card).toContain('| loss | 8.000 → 1.000 |')
    expect(card).not.toContain('| reward')
  })

  test('is of an adapter where one was trained, and under no licence that was not stated', () => {
    const card = cardOf({spec: {tuning: {kind: 'lora'}}})
    expect(card).toMatch(/^---\nlicense: other\nlibrary_name: peft\n/)
    expect(card).toContain('The licence of the base model was not stated')
  })
})
