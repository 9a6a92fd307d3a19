import {describe, expect, test} from 'vitest'
import type {Rate, Score} from '../../../datasets/schema/score.ts'
import {fill} from '../../../trainers/sweep/fill.ts'
import type {ScoredRow} from '../../../trainers/sweep/paper-tables.ts'

const rate = (k: number, value: number): Rate => ({k, value, low: 0, high: 1, tasks: 4, unknownTasks: 0})
const executor = {name: 'twin', fingerprint: 'f', compiler: 'clang', soc: 'soc'}

interface Rates {
  by: 'all' | 'level' | 'task'
  name: string
  compiled: Rate[]
  correct: Rate[]
}

const rates = ({by, name, compiled, correct}: Rates): Score => ({
  kind: 'rates',
  author: 'model',
  executor,
  scope: {by, name},
  tasks: 4,
  judged: 4,
  compiled: 2,
  correct: 1,
  literal: 1,
  notCovered: 0,
  compilation: compiled,
  execution: correct,
  literalExecution: [],
})

const failures = (kind: 'api-signature-and-overload' | 'syntax-and-structure' | 'accuracy', count: number): Score => ({
  kind: 'failures',
  author: 'model',
  executor,
  scope: {by: 'all', name: ''},
  class: kind,
  rule: '',
  count,
  share: 0,
})

/** Compiled at level 1 and 2 and over all, half as often correct. */
const scored = (first: number, second: number, all: number): Score[] => [
  rates({by: 'level', name: '2', compiled: [rate(1, second)], correct: [rate(1, second / 2)]}),
  rates({by: 'level', name: '1', compiled: [rate(1, first), rate(10, 1)], correct: [rate(1, first / 2), rate(10, 1)]}),
  rates({by: 'all', name: '', compiled: [rate(1, all)], correct: [rate(1, all / 2)]}),
]

const row = (name: string, ...scores: Score[][]): ScoredRow => ({name, state: 'running', scores, settings: {}})

describe('tables', () => {
  test('Table 2 has a line for each level in order and one for all, a dash where k has no samples', () => {
    const [ours] = fill(['table-2'], [row('SFT', scored(0.8, 0.4, 0.6))]).tables
    expect(ours?.rows).toEqual([
      ['SFT', 'Level 1', '80.00', '40.00', '100.00', '100.00', '–', '–'],
      ['SFT', 'Level 2', '40.00', '20.00', '–', '–', '–', '–'],
      ['SFT', 'Mean', '60.00', '30.00', '–', '–', '–', '–'],
    ])
  })

  test('of several seeds, the mean and the largest distance from it', () => {
    const seeds = [scored(0.2, 0, 0.1), scored(0.3, 0, 0.2), scored(0.4, 0, 0.2)]
    const [ours] = fill(['table-3'], [row('LoRA', ...seeds)]).tables
    expect(ours?.rows[0]).toEqual(['LoRA', 'Level 1', '30.00 ± 10.00', '15.00 ± 5.00'])
  })

  test('a row without a score says how far it is', () => {
    const [second] = fill(['table-2'], [row('SFT'), row('DPO', scored(1, 1, 1))]).tables
    expect(second?.rows[0]).toEqual(['SFT', 'running', '–', '–', '–', '–', '–', '–'])
    expect(second?.rows).toHaveLength(4)
    const [fourth] = fill(['table-4'], [row('SFT')]).tables
    expect(fourth?.rows).toEqual([['SFT', '–', '–', '–', '–', '–', 'running', '–']])
  })

  test('Table 4 tells what each row changed', () => {
    const settings = {'Negative Strategy': 'compile-fail', LR: '1e-6', 'LR Decay': 'cosine', 'Batch Size': '64'}
    const [ours] = fill(['table-4'], [{...row('a', scored(0, 0, 0.5)), settings}]).tables
    expect(ours?.rows).toEqual([['a', 'compile-fail', '1e-6', 'cosine', '64', '–', '50.00', '25.00']])
  })

  test('the paper stands beside ours where it prints numbers, each row as wide as its head', () => {
    const {tables} = fill(['table-2', 'table-3', 'table-4'], [row('a', scored(0, 0, 0))])
    expect(tables.map(({title}) => title.startsWith('The paper'))).toEqual([false, true, false, true, false, true])
    for (const {columns, rows} of tables) for (const one of rows) expect(one).toHaveLength(columns.length)
  })
})

describe('figures', () => {
  const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

  test('Figures 4 and 5 show both rates, a bar for each level and row that has a value', () => {
    const {figures} = fill(['figure-4'], [row('1.7B', scored(0.5, 0.25, 0)), row('8B', scored(1, 0.75, 0)), row('32B')])
    expect(figures.map(({name}) => name)).toEqual(['figure-4-compilation', 'figure-4-execution'])
    const texts = textsOf(figures[0]?.svg ?? '')
    expect(texts.filter((text) => /^[\d.]+$/.test(text ?? ''))).toEqual(['50', '100', '25', '75'])
    expect(texts.filter((text) => text === 'Level 1')).toHaveLength(2)
  })

  test('Figure 3 leaves out tasks that no row solved', () => {
    const task = (name: string, value: number) =>
      rates({by: 'task', name, compiled: [rate(1, 1)], correct: [rate(1, value)]})
    const {figures} = fill(
      ['figure-3'],
      [row('base', [task('Sqrt', 0), task('Pows', 0)]), row('SFT', [task('Sqrt', 0.5), task('Pows', 0)])],
    )
    const texts = textsOf(figures[0]?.svg ?? '')
    expect(texts.filter((text) => text === 'Sqrt')).toHaveLength(2)
    expect(texts).not.toContain('Pows')
  })

  test('Figure 6 shares candidates that do not compile, and counts no other failure', () => {
    const classes = [failures('api-signature-and-overload', 3), failures('syntax-and-structure', 1)]
    const {figures} = fill(['figure-6'], [row('SFT', [...classes, failures('accuracy', 9)])])
    expect(textsOf(figures[0]?.svg ?? '')).toEqual(expect.arrayContaining(['75', '25']))
    const ofTask = {...failures('syntax-and-structure', 4), scope: {by: 'task' as const, name: 'Sqrt'}}
    const all = fill(['figure-6'], [row('SFT', [...classes, failures('accuracy', 9), ofTask])]).figures
    expect(all).toEqual(figures)
    const none = fill(['figure-6'], [row('SFT', [failures('accuracy', 9)])]).figures
    expect(textsOf(none[0]?.svg ?? '').filter((text) => /^[\d.]+$/.test(text ?? ''))).toEqual([])
    const seeds = fill(['figure-6'], [row('SFT', classes, [failures('api-signature-and-overload', 4)])]).figures
    expect(textsOf(seeds[0]?.svg ?? '')).toEqual(expect.arrayContaining(['87.5', '12.5']))
  })
})
