import {describe, expect, test} from 'vitest'
import type {Progress} from '../../datasets/schema/job.ts'
import {alarmsOf, type Observed} from '../../trainers/alarms.ts'

const quiet: Observed = {method: 'dpo', curve: [], silence: null, checkpoints: {every: 50, last: null}}

function curve(length: number, at: (step: number) => Partial<Progress>): Progress[] {
  const usual = {total: 150, loss: 0.6, learningRate: 1e-6, gradientNorm: 1, metrics: {}}
  return Array.from({length}, (_, index) => ({...usual, step: index + 1, ...at(index + 1)}))
}

const codes = (observed: Partial<Observed>) => alarmsOf({...quiet, ...observed}).map(({code}) => code)

describe('alarms', () => {
  test('are none for a job that goes well, nor for one that has not begun', () => {
    const good = (step: number) => ({
      loss: 0.69 - step / 200,
      metrics: {'rewards/accuracies': 0.5 + step / 300, 'rewards/chosen': 0.01 * step, 'rewards/margins': step / 100},
    })
    expect(codes({curve: curve(60, good), checkpoints: {every: 50, last: 50}})).toEqual([])
    expect(codes({silence: {seconds: 30, runs: 30}})).toEqual([])
  })

  test('a loss that is no number, by the step where it began', () => {
    const [alarm] = alarmsOf({...quiet, curve: curve(9, (step) => (step >= 7 ? {loss: null} : {}))})
    expect(alarm).toMatchObject({code: 'loss-not-finite', says: 'The loss is no number since step 7.'})
  })

  test('pairs that are told apart at once, but not later on', () => {
    const apart = (from: number) => (step: number) => ({metrics: {'rewards/accuracies': step >= from ? 1 : 0.6}})
    expect(codes({curve: curve(20, apart(4))})).toEqual(['accuracy-at-once'])
    expect(codes({curve: curve(40, apart(30))})).toEqual([])
    expect(codes({curve: curve(40, (step) => ({metrics: {'rewards/accuracies': step % 2}}))})).toEqual([])
    expect(codes({curve: curve(20, () => ({metrics: {accuracy: 1}}))})).toEqual(['accuracy-at-once'])
    expect(codes({method: 'sft', curve: curve(20, () => ({metrics: {'rewards/accuracies': 1}}))})).toEqual([])
  })

  test('chosen replies that become less likely and go on to', () => {
    const falling = (slope: number) => curve(30, (step) => ({metrics: {'rewards/chosen': -slope * step}}))
    expect(codes({curve: falling(0.1)})).toEqual(['chosen-falling'])
    expect(codes({curve: falling(0.01)})).toEqual([])
    const recovered = curve(30, (step) => ({
      metrics: {'rewards/chosen': step < 15 ? -0.2 * step : -3 + 0.1 * (step - 15)},
    }))
    expect(codes({curve: recovered})).toEqual([])
  })

  test('a loss that stays where it began', () => {
    expect(codes({curve: curve(30, () => ({loss: Math.LN2}))})).toEqual(['loss-flat'])
    expect(codes({curve: curve(15, () => ({loss: Math.LN2}))})).toEqual([])
    expect(codes({curve: curve(30, (step) => ({loss: Math.LN2 - step / 1000}))})).toEqual([])
  })

  test('silence, by the pace of the job itself', () => {
    const [quick, slow] = [
      {seconds: 700, runs: 1000},
      {seconds: 700, runs: 4000},
    ]
    expect(codes({silence: quick, curve: curve(30, () => ({}))})).toEqual(['silent'])
    expect(codes({silence: slow, curve: curve(30, () => ({}))})).toEqual([])
    expect(codes({silence: {seconds: 590, runs: 1000}, curve: curve(30, () => ({}))})).toEqual([])
    expect(codes({silence: {seconds: 700, runs: 700}})).toEqual(['silent'])
  })

  test('checkpoints that do not come', () => {
    const long = curve(101, () => ({}))
    expect(codes({curve: long})).toEqual(['no-checkpoint'])
    expect(codes({curve: long, checkpoints: {every: 50, last: 50}})).toEqual([])
    expect(codes({curve: curve(100, () => ({}))})).toEqual([])
  })
})
