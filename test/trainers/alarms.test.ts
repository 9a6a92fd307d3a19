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
    expect(alarm).toMatchObject({code: 'loss-not-finite', says: 'The loss is not finite since step 7.'})
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

describe('where an alarm begins', () => {
  const ends = (observed: Partial<Observed>, code: string) => codes(observed).some((one) => one === code)

  test('pairs told apart in three steps of the first twenty, at 999 of 1000', () => {
    const apart = (steps: readonly number[], accuracy = 1) =>
      curve(30, (step) => ({metrics: {'rewards/accuracies': steps.includes(step) ? accuracy : 0.5}}))
    expect(ends({curve: apart([18, 19, 20])}, 'accuracy-at-once')).toBe(true)
    expect(ends({curve: apart([19, 20, 21])}, 'accuracy-at-once')).toBe(false)
    expect(ends({curve: apart([18, 19])}, 'accuracy-at-once')).toBe(false)
    expect(ends({curve: apart([1, 2, 3], 0.999)}, 'accuracy-at-once')).toBe(true)
    expect(ends({curve: apart([1, 2, 3], 0.9989)}, 'accuracy-at-once')).toBe(false)
    expect(ends({curve: curve(9, (step) => (step > 1 ? {metrics: {accuracy: 1}} : {}))}, 'accuracy-at-once')).toBe(true)
    expect(alarmsOf({...quiet, curve: apart([5, 6, 7])})[0]?.says).toMatch(/step 5\.$/)
  })

  test('chosen rewards of fifteen steps, below a half and below the five before', () => {
    const chosen = (values: readonly number[]) =>
      curve(values.length, (step) => ({metrics: {'rewards/chosen': values[step - 1] as number}}))
    const fall = (late: number, before: number, length = 15) =>
      chosen([...Array.from({length: length - 10}, () => 0), ...Array(5).fill(before), ...Array(5).fill(late)])
    expect(ends({curve: fall(-0.6, -0.5)}, 'chosen-falling')).toBe(true)
    expect(ends({curve: fall(-0.6, -0.5, 14)}, 'chosen-falling')).toBe(false)
    expect(ends({curve: fall(-0.5, -0.4)}, 'chosen-falling')).toBe(true)
    expect(ends({curve: fall(-0.49, -0.4)}, 'chosen-falling')).toBe(false)
    expect(ends({curve: fall(-0.75, -0.75)}, 'chosen-falling')).toBe(false)
    // A window is five steps: older and newer values do not count.
    const once = chosen([...Array(9).fill(0), -9, ...Array(5).fill(-1)])
    expect(ends({curve: once}, 'chosen-falling')).toBe(false)
  })

  test('a loss of ln 2 in ten steps from step 20 on', () => {
    const still = (from: number, length = 40, off = 0) =>
      curve(length, (step) => ({loss: step >= from ? Math.LN2 + off : 0.5}))
    expect(ends({curve: still(20, 29)}, 'loss-flat')).toBe(true)
    expect(ends({curve: still(19, 28)}, 'loss-flat')).toBe(false)
    expect(ends({curve: still(31)}, 'loss-flat')).toBe(true)
    expect(ends({curve: still(32)}, 'loss-flat')).toBe(false)
    expect(ends({curve: still(1, 40, 0.9e-4)}, 'loss-flat')).toBe(true)
    expect(ends({curve: still(1, 40, 1.1e-4)}, 'loss-flat')).toBe(false)
    const [alarm] = alarmsOf({...quiet, curve: still(20, 35)})
    expect(alarm?.says).toContain('at step 35')
  })

  test('silence of ten minutes, or of ten steps', () => {
    const silent = (seconds: number, runs: number, steps = 11) =>
      ends({silence: {seconds, runs}, curve: curve(steps, () => ({}))}, 'silent')
    expect(silent(600, 700)).toBe(true)
    expect(silent(599, 700)).toBe(false)
    // Ten steps in 1000 seconds: a step takes 100.
    expect(silent(1000, 2000)).toBe(true)
    expect(silent(999, 2000)).toBe(false)
    expect(silent(600, 9000, 1)).toBe(true)
    expect(alarmsOf({...quiet, silence: {seconds: 630, runs: 630}})[0]?.says).toContain('for 11 minutes')
  })

  test('two distances without a checkpoint', () => {
    const late = (step: number, last: number | null) =>
      ends({curve: curve(step, () => ({})), checkpoints: {every: 10, last}}, 'no-checkpoint')
    expect([late(20, null), late(21, null), late(30, 10), late(31, 10)]).toEqual([false, true, false, true])
    const told = (last: number | null) =>
      alarmsOf({...quiet, curve: curve(99, () => ({})), checkpoints: {every: 10, last}})[0]?.says
    expect(told(null)).toContain('no checkpoint yet')
    expect(told(5)).toContain('the last checkpoint is from step 5')
  })
})
