import {expect, test} from 'vitest'
import {modelTables} from '../../../../eval/bench/multikernelbench/model-tables.ts'
import type {JudgedModel, ModelVerdict, TierVerdict} from '../../../../eval/bench/multikernelbench/verdict.ts'
import {tablesMarkdown} from '../../../../eval/scores/page.ts'
import {golden} from '../../../helpers/golden.ts'

const task = (name: string, category: string) => ({name, category, path: '', root: '', module: ''})
const judged = (name: string, category: string, verdict: ModelVerdict, sample = 0): JudgedModel => ({
  task: task(name, category),
  sampler: {model: 'm', sample},
  reply: 'id',
  verdict,
})
const tier = (name: TierVerdict['tier'], literal: boolean, hardened: boolean): TierVerdict => ({
  tier: name,
  sizes: ['7×1021'],
  calls: 13,
  literal,
  hardened,
  leftOut: [],
})
const notRun = (name: TierVerdict['tier']): TierVerdict => ({
  ...tier(name, true, true),
  sizes: [],
  calls: 0,
  leftOut: ['4096×393216: 6144 MiB'],
})
const modelled = (rooflineMicroseconds: number, microseconds: number) => ({
  modelled: {microseconds, rooflineMicroseconds, bottleneck: 'MTE2', cores: 48},
})
const opened = (tiers: TierVerdict[], others: Partial<Extract<ModelVerdict, {opened: true}>> = {}): ModelVerdict => ({
  opened: true,
  tiers,
  faults: [],
  mutants: [],
  ...others,
})

function ofMhc(verdict: ModelVerdict): JudgedModel {
  const one = judged('mhc_post', 'mhc', verdict)
  return {...one, task: {...one.task, element: 'float16'}}
}

test('tables count every task, with or without a verdict, and every sample by its share', () => {
  const tasks = [
    task('relu', 'activation'),
    task('gelu', 'activation'),
    task('mse_loss', 'loss'),
    task('cumsum', 'math'),
    task('adam', 'optimizer'),
  ]
  const fault = {
    tier: 'odd' as const,
    sizes: '7×1021',
    family: 'ramp',
    hardened: 'mere is 1, at most 0.000122 is right',
  }
  const verdicts = [
    judged('relu', 'activation', opened([notRun('head'), {...tier('odd', true, true), ...modelled(2, 4)}])),
    judged('gelu', 'activation', opened([tier('scaled', true, true), tier('odd', true, false)], {faults: [fault]})),
    judged('mse_loss', 'loss', {opened: false, kind: 'compile-failed', why: 'op_kernel/x.cpp:3: no member'}),
    judged('mse_loss', 'loss', opened([{...tier('scaled', true, true), ...modelled(1, 10)}]), 1),
    judged('adam', 'optimizer', opened([notRun('head')])),
    ofMhc(opened([{...tier('scaled', true, true), ...modelled(3, 4)}, tier('odd', true, false)], {faults: [fault]})),
  ]
  const mutants = [{name: 'zeros', calls: 4, literal: 1, hardened: 4}]
  verdicts[0]!.verdict = {...(verdicts[0]!.verdict as Extract<ModelVerdict, {opened: true}>), mutants}
  const page = {title: 'MultiKernelBench: a-file', notes: ['A note.'], tables: modelTables(tasks, verdicts)}
  golden('test/fixtures/multikernelbench/tables.md', tablesMarkdown(page))
})

test('a fault is told after the number of its behaviour', () => {
  const behaviour = 'SUB-BEH-002'
  const fault = {tier: 'odd' as const, sizes: '7', family: 'own', hardened: 'a view', behaviour} as const
  const verdicts = [
    judged('relu', 'activation', {opened: false, kind: 'refused-source', why: 'torch', behaviour}),
    judged('gelu', 'activation', opened([tier('odd', true, false)], {faults: [fault]})),
  ]
  const shown = modelTables([], verdicts).find(({columns}) => columns.includes('First fault'))
  expect(shown?.rows.map((row) => row.at(-1)).sort()).toEqual([
    'SUB-BEH-002, own at 7: a view',
    'SUB-BEH-002, refused-source: torch',
  ])
})

test('what was never run is not correct', () => {
  const [byCategory] = modelTables([task('adam', 'optimizer')], [judged('adam', 'optimizer', opened([notRun('head')]))])
  expect(byCategory?.rows[0]).toEqual(['optimizer', '1', '100.00', '0.00', '0.00'])
})

test('the denominator of the whole is the number of tasks', () => {
  const tasks = Array.from({length: 52}, (_, at) => task(`t${at}`, 'math'))
  const verdicts = tasks.slice(0, 26).map(({name}) => judged(name, 'math', opened([tier('odd', true, true)])))
  const rows = modelTables(tasks, verdicts)[0]?.rows
  expect(rows?.find(([name]) => name === 'all')).toEqual(['all', '52', '50.00', '50.00', '50.00'])
  expect(rows?.at(-1)?.slice(2, 4)).toEqual(['98.1', '90.4'])
})

test('a size that was left out is told once, whatever number of replies', () => {
  const verdict = opened([notRun('head'), tier('odd', true, true)])
  const one = [judged('adam', 'optimizer', verdict), judged('adam', 'optimizer', verdict, 1)]
  const leftOut = modelTables([task('adam', 'optimizer')], one).find(({title}) => title === 'Not run')
  expect(leftOut?.rows).toEqual([['adam', 'head', '4096×393216: 6144 MiB']])
})

test('efficiency is of the largest size of each task, slowest first, with the middle of all', () => {
  const at = (name: string, ...times: [number, number][]) =>
    judged(
      name,
      'math',
      opened(times.map(([roofline, taken]) => ({...tier('odd', true, true), ...modelled(roofline, taken)}))),
    )
  const tables = (...all: JudgedModel[]) =>
    modelTables([], all).find(({title}) => title === 'Modelled efficiency') ?? {rows: [], note: ''}
  const {rows, note} = tables(at('a', [1, 2], [4, 5]), at('b', [3, 10]), at('c', [2, 4]))
  expect(rows.map(([name, , , , taken, share]) => [name, taken, share])).toEqual([
    ['b', '10.0', '30.00'],
    ['c', '4.0', '50.00'],
    ['a', '5.0', '80.00'],
  ])
  expect(note).toMatch(/^Slowest first; median 50\.00 %, worst 30\.00 % \(b\)\. /)
  expect(tables(at('a', [4, 5]), at('b', [3, 10])).note).toMatch(
    /^Slowest first; median 55\.00 %, worst 30\.00 % \(b\)/,
  )
})

test('a mutant is spared where not every call of it is refused', () => {
  const of = (name: string, hardened: number) =>
    judged(name, 'math', opened([], {mutants: [{name: 'zeros', calls: 4, literal: 1, hardened}]}))
  const table = modelTables([], [of('a', 4), of('b', 3), of('b', 0)]).find(({title}) => title.startsWith('Outputs'))
  expect(table?.rows).toEqual([['zeros', '12', '3', '7', '1']])
})
