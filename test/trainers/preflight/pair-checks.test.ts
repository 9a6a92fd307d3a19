import {describe, expect, test} from 'vitest'
import type {CheckedJob} from '../../../trainers/preflight/checked-job.ts'
import type {Finding} from '../../../trainers/preflight/finding.ts'
import {pairChecks} from '../../../trainers/preflight/pair-checks.ts'
import {rowView} from '../../../trainers/preflight/row-view.ts'
import {readSpec} from '../../../trainers/read-spec.ts'
import type {TrainingRow} from '../../../trainers/training-rows.ts'
import {assistant, dpoRow} from '../checked-jobs.ts'

const plan = {spec: await readSpec('starter-dpo', {'model.name': 'a/b'})}

/** What is said of pairs that are visited so often in all. */
function said(rows: readonly TrainingRow[], {visits = 1, likelihood = 0} = {}): Finding[] {
  const batch = {...plan.spec.hyperparameters, globalBatch: {value: 1}}
  const dpo = {...plan.spec.dpo, likelihoodWeight: {value: likelihood}}
  const job = {plan: {...plan, spec: {...plan.spec, hyperparameters: batch, dpo}, arithmetic: {steps: visits}}}
  const check = pairChecks(job as unknown as CheckedJob)
  for (const [at, row] of rows.entries()) check.look(rowView(row, at + 1, 'dpo'))
  return check.findings()
}

const codes = (...given: Parameters<typeof said>) => said(...given).map(({code}) => code)
const message = (code: string, ...given: Parameters<typeof said>) =>
  said(...given).find((one) => one.code === code)?.message
const many = (count: number, over: (at: number) => TrainingRow = () => ({})) =>
  Array.from({length: count}, (_, at) =>
    dpoRow(at, {changed_lines: 9, ...sides('a'.repeat(99), 'b'.repeat(99)), ...over(at)}),
  )
const sides = (chosen: string, rejected: string) => ({chosen: assistant(chosen), rejected: assistant(rejected)})

test('pairs that are sound have their numbers alone told', () => {
  expect(said(many(10), {visits: 10})).toEqual([
    {
      code: 'pairs',
      severity: 'note',
      message: '10 pairs of 10 tasks: execution-fail 10; 10 visits.',
      fix: '',
    },
  ])
  expect(said([])).toEqual([])
})

test('kinds of pairs are told by strategy, else by their labels, the most frequent first', () => {
  const rows = many(6, (at) => [{strategy: undefined}, {strategy: 'compile-fail'}][Number(at < 4)] ?? {})
  expect(message('pairs', rows)).toBe('6 pairs of 6 tasks: compile-fail 4, green over orange 2; 1 visit.')
})

describe('sides', () => {
  test('of the same text, and of the same code in other words, are faults of their own', () => {
    const code = (comment: string, text = 'int a = 1;') =>
      `<think>\n${comment}\n</think>\n\n\`\`\`cpp\n// ${comment}\n${text}\n\`\`\``
    expect(codes(many(10, (at) => (at === 3 ? sides(code('one'), code('one')) : {})))).toEqual(['sides-equal', 'pairs'])
    const alike = many(10, (at) => (at === 3 ? sides(code('one'), code('two')) : {}))
    expect(codes(alike)).toEqual(['sides-same-code', 'pairs'])
    expect(message('sides-same-code', alike)).toBe(
      '1 row (4 00000000) choose and reject answers that only differ in comments, layout or reasoning.',
    )
    expect(codes(many(10, (at) => (at === 3 ? sides(code('one'), code('one', 'int a = 2;')) : {})))).toEqual(['pairs'])
  })

  test.each([
    ['green', 'orange', true],
    ['green', 'purple', true],
    ['orange', 'purple', true],
    ['green', 'green', false],
    ['orange', 'green', false],
    ['purple', 'orange', false],
    ['blue', 'orange', false],
    ['green', undefined, true],
    [undefined, 'green', true],
  ])('%s may be chosen over %s: %s', (chosen, rejected, sound) => {
    const rows = many(10, (at) => (at === 0 ? {chosen_label: chosen, rejected_label: rejected} : {}))
    expect(codes(rows).includes('labels-reversed')).toBe(!sound)
  })
})

describe('a limit is passed, not met', () => {
  test('three visits to each pair are no repetition, more are', () => {
    expect(codes(many(10), {visits: 30})).toEqual(['pairs'])
    expect(codes(many(10), {visits: 31})).toEqual(['pairs', 'pairs-repeated'])
    expect(message('pairs-repeated', many(10), {visits: 31})).toBe(
      '31 visits (steps × global batch) to 10 pairs: each is seen 3.1 times; beyond 3 times, a model tends to ' +
        'memorise them.',
    )
  })

  test('a fifth of the pairs may be of one task', () => {
    const ofOneTask = (share: number) => many(10, (at) => (at < share ? {task: 'the same'} : {}))
    expect(codes(ofOneTask(2))).toEqual(['pairs'])
    expect(message('task-dominates', ofOneTask(3))).toBe('3 of 10 pairs belong to one task, the same.')
    expect(codes(many(10, () => ({task: 'the only one'})))).toEqual(['pairs'])
    expect(codes(many(2, (at) => ({task: `task ${at}`})))).toContain('task-dominates')
  })

  test('a task without a name is known by its question', () => {
    expect(
      message(
        'task-dominates',
        many(10, (at) => (at < 3 ? {task: undefined, prompt: dpoRow(0)['prompt']} : {})),
      ),
    ).toBe('3 of 10 pairs belong to one task, Task 0.')
  })

  test('half of the pairs may be small edits, or more where likelihood is kept up', () => {
    const close = (count: number, lines = 2) => many(10, (at) => (at < count ? {changed_lines: lines} : {}))
    expect(codes(close(5))).toEqual(['pairs'])
    expect(codes(close(6))).toEqual(['pairs', 'pairs-close'])
    expect(codes(close(10, 3))).toEqual(['pairs'])
    expect(codes(close(6), {likelihood: 0.1})).toEqual(['pairs'])
    expect(message('pairs-close', close(6))).toMatch(/^60 % of the pairs differ in at most 2 lines of code: /)
    expect(codes(many(10, () => ({changed_lines: undefined})))).toEqual(['pairs'])
  })
})

describe('lengths', () => {
  const longer = (count: number, ratio = 1.5) =>
    many(10, (at) => (at < count ? sides('a'.repeat(Math.round(100 * ratio) - 1), 'b'.repeat(99)) : {}))
  const shorter = (count: number, ratio = 1.5) =>
    many(10, (at) => (at < count ? sides('a'.repeat(99), 'b'.repeat(Math.round(100 * ratio) - 1)) : {}))

  test('tell from four fifths of the pairs on, whichever side is the longer', () => {
    expect(codes(longer(8))).toEqual(['pairs'])
    expect(codes(longer(9))).toEqual(['pairs', 'length-tells'])
    expect(codes(shorter(8))).toEqual(['pairs'])
    expect(codes(shorter(9))).toEqual(['pairs', 'length-tells'])
    expect(message('length-tells', longer(9))).toBe(
      'In 90 % of the pairs the chosen reply is longer (1.45 characters chosen for each rejected one): the ' +
        'model may only learn length.',
    )
    expect(message('length-tells', shorter(9))).toContain('the rejected reply is longer (0.70 characters')
  })

  test('that differ by a twentieth are alike', () => {
    expect(codes(longer(10, 1.05))).toEqual(['pairs'])
    expect(codes(longer(10, 1.06))).toEqual(['pairs', 'length-tells'])
    expect(codes(shorter(10, 1.05))).toEqual(['pairs'])
    expect(codes(shorter(10, 1.06))).toEqual(['pairs', 'length-tells'])
  })

  test('tell as well where one side is twice as long on average', () => {
    expect(codes(longer(5, 3))).toEqual(['pairs'])
    expect(codes(longer(5, 3.02))).toEqual(['pairs', 'length-tells'])
    // Five pairs of a quarter and five that are alike: 0.625; eight of a quarter: 0.4.
    expect(codes(shorter(5, 4))).toEqual(['pairs'])
    expect(codes(shorter(8, 4))).toEqual(['pairs', 'length-tells'])
  })

  test('count the end of a text, so that nothing is never divided by nothing', () => {
    expect(message('length-tells', [dpoRow(0, sides('aaa', ''))])).toContain('(4.00 characters chosen')
  })
})

test('replies that no model wrote are counted', () => {
  const written = (count: number) => many(10, (at) => (at < count ? {chosen_sampler: 'mutation'} : {}))
  expect(codes(written(0))).toEqual(['pairs'])
  expect(message('pairs-off-policy', written(1))).toMatch(/^10 % of the chosen replies were not sampled from a model: /)
  expect(codes(many(10, () => ({chosen_sampler: undefined})))).toEqual(['pairs'])
})
