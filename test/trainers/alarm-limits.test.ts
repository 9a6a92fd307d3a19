import {describe, expect, test} from 'vitest'
import type {Progress} from '../../datasets/schema/job.ts'
import {alarmsOf, type Observed} from '../../trainers/alarms.ts'

const step = (number: number, over: Partial<Progress> = {}): Progress =>
  ({step: number, loss: 0.5, metrics: {}, ...over}) as Progress
const steps = (count: number, over: (number: number) => Partial<Progress> = () => ({}), from = 1) =>
  Array.from({length: count}, (_, at) => step(from + at, over(from + at)))

const alarms = (over: Partial<Observed>) =>
  alarmsOf({method: 'sft', curve: steps(3), silence: null, checkpoints: {every: 1000, last: null}, ...over})
const codes = (over: Partial<Observed>) => alarms(over).map(({code}) => code)

test('a job that goes well raises none', () => {
  expect(alarms({})).toEqual([])
  expect(alarms({curve: []})).toEqual([])
  expect(alarms({curve: [], method: 'dpo'})).toEqual([])
})

test('a loss that is no number is told from its first step on', () => {
  const curve = steps(9, (number) => (number >= 5 ? {loss: null} : {}))
  expect(alarms({curve})).toEqual([
    {
      code: 'loss-not-finite',
      says: 'The loss is not finite since step 5.',
      fix: 'Cancel the job; lower the learning rate, clip gradients more, or use bf16 instead of fp16.',
    },
  ])
})

describe('pairs that are told apart at once', () => {
  const curve = (from: number, to: number, accuracy = 1, name = 'rewards/accuracies') =>
    steps(40, (number) => ({metrics: {[name]: number >= from && number <= to ? accuracy : 0.6}}) as Partial<Progress>)
  const found = (...given: Parameters<typeof curve>) =>
    alarms({method: 'dpo', curve: curve(...given)}).find(({code}) => code === 'accuracy-at-once')?.says

  test('three steps in a row, within the first twenty', () => {
    expect(found(1, 3)).toBe('All pairs are already distinguished at step 1.')
    expect(found(1, 2)).toBeUndefined()
    expect(found(18, 20)).toBe('All pairs are already distinguished at step 18.')
    expect(found(19, 40)).toBeUndefined()
    expect(found(5, 7, 0.999)).toBe('All pairs are already distinguished at step 5.')
    expect(found(5, 7, 0.998)).toBeUndefined()
  })
  test('by either name of the metric, and of a preference alone', () => {
    expect(found(4, 9, 1, 'accuracy')).toBe('All pairs are already distinguished at step 4.')
    expect(found(4, 9, 1, 'something')).toBeUndefined()
    expect(codes({method: 'sft', curve: curve(1, 40)})).toEqual([])
  })
})

describe('chosen replies that become less likely', () => {
  const found = (rewards: readonly number[]) => {
    const curve = rewards.map((reward, at) => step(at + 1, {metrics: {'rewards/chosen': reward}}))
    return alarms({method: 'dpo', curve}).find(({code}) => code === 'chosen-falling')?.says
  }
  const five = (value: number) => Array<number>(5).fill(value)
  test('by half of the reward’s unit at least, and still falling', () => {
    expect(found([...five(0), ...five(-0.4), ...five(-0.6)])).toBe(
      'The chosen replies become less likely than at the start: rewards/chosen is -0.60 and falling.',
    )
    expect(found([...five(0), ...five(-0.4), ...five(-0.5)])).toBeDefined()
    expect(found([...five(0), ...five(-0.4), ...five(-0.49)])).toBeUndefined()
    expect(found([...five(0), ...five(-0.6), ...five(-0.6)])).toBeUndefined()
    expect(found([...five(0), ...five(-0.7), ...five(-0.6)])).toBeUndefined()
  })
  test('after fifteen steps', () => {
    expect(found([...five(-0.4), ...five(-0.6)])).toBeUndefined()
    expect(found([0, 0, 0, 0, ...five(-0.4), ...five(-0.6)])).toBeUndefined()
  })
})

describe('a loss that stays at ln 2', () => {
  const found = (curve: readonly Progress[]) =>
    alarms({method: 'dpo', curve}).find(({code}) => code === 'loss-flat')?.says
  const flat = (count: number, from: number, loss: number | null = Math.LN2) => steps(count, () => ({loss}), from)
  test('for ten steps, from the twentieth on', () => {
    expect(found(flat(10, 20))).toBe('The loss is still ln 2 at step 29: the model and its reference are the same.')
    expect(found(flat(10, 19))).toBeUndefined()
    expect(found(flat(9, 20))).toBeUndefined()
    expect(found(flat(29, 1))).toBeDefined()
    expect(found(flat(28, 1))).toBeUndefined()
    expect(found([...flat(9, 20), step(29, {loss: 0.6})])).toBeUndefined()
  })
  test('to four digits', () => {
    expect(found(flat(10, 20, Math.LN2 + 0.9e-4))).toBeDefined()
    expect(found(flat(10, 20, Math.LN2 - 0.9e-4))).toBeDefined()
    expect(found(flat(10, 20, Math.LN2 + 1.1e-4))).toBeUndefined()
    expect(found(flat(10, 20, null))).toBeUndefined()
  })
})

describe('silence', () => {
  const says = (seconds: number, runs: number, curve = steps(3)) =>
    alarms({silence: {seconds, runs}, curve}).find(({code}) => code === 'silent')?.says
  test('of ten minutes at least', () => {
    expect(says(600, 600)).toBe('It has written nothing for 10 minutes.')
    expect(says(599, 599)).toBeUndefined()
    expect(says(690, 690)).toBe('It has written nothing for 12 minutes.')
    expect(says(600, 600, [])).toBeDefined()
  })
  test('and of ten steps at the job’s own pace', () => {
    // Ten steps in 1000 seconds: a hundred each.
    const curve = steps(11)
    expect(says(1000, 2000, curve)).toBeDefined()
    expect(says(999, 1999, curve)).toBeUndefined()
    // One step alone has no pace.
    expect(says(600, 100_000, steps(1))).toBeDefined()
    expect(says(1000, 1200, steps(2))).toBeUndefined()
    expect(says(2000, 2200, steps(2))).toBeDefined()
    // The steps are counted from the first that is known.
    expect(
      says(
        1000,
        2000,
        steps(11, () => ({}), 500),
      ),
    ).toBeDefined()
  })
})

describe('checkpoints', () => {
  const says = (last: number | null, number: number) =>
    alarms({curve: [step(number)], checkpoints: {every: 50, last}}).find(({code}) => code === 'no-checkpoint')?.says
  test('may be two intervals late', () => {
    expect(says(null, 100)).toBeUndefined()
    expect(says(null, 101)).toBe('Step 101, and no checkpoint yet; expected one every 50 steps.')
    expect(says(50, 150)).toBeUndefined()
    expect(says(50, 151)).toBe('Step 151, and the last checkpoint is from step 50; expected one every 50 steps.')
  })
})
