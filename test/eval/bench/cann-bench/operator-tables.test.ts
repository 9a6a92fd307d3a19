import {expect, test} from 'vitest'
import {operatorTables} from '../../../../eval/bench/cann-bench/benchmark.ts'
import type {CaseVerdict, JudgedOperator, OperatorVerdict} from '../../../../eval/bench/cann-bench/operator-verdict.ts'

const task = (name: string, level: number) => ({
  name,
  category: `level${level}`,
  path: `tasks/level${level}/${name.toLowerCase()}`,
  root: '.',
  content: name,
})
const tasks = [task('Exp', 1), task('Mish', 1), task('Gcd', 2), task('Nms', 3)]
const judged = (at: number, verdict: OperatorVerdict, sample = 0): JudgedOperator => ({
  task: tasks[at]!,
  sampler: {model: 'm', sample},
  reply: `${at}-${sample}`,
  verdict,
})
const ran = (cases: readonly Omit<CaseVerdict, 'case' | 'bytes'>[], leftOut: string[] = []): OperatorVerdict => ({
  opened: true,
  cases: cases.map((one, at) => ({case: String(at + 1), bytes: 8, ...one})),
  leftOut,
})
const wrong = {literal: 'values differ', hardened: 'mere is 1'}

test('levels, operators, behaviours and what was not run', () => {
  const found = operatorTables(tasks, [
    judged(0, ran([{}, {}], ['5: 256 MiB'])),
    judged(1, ran([{}, {hardened: 'other bits'}])),
    judged(1, ran([{}, wrong]), 1),
    judged(2, {opened: false, kind: 'refused-source', why: 'aclnnGcd', behaviour: 'SUB-BEH-003'}),
  ])
  expect(found.map(({title, rows}) => [title, rows])).toEqual([
    [
      'By level',
      [
        ['level1', '2', '2', '100.00', '75.00', '50.00', '92.5', '85.0'],
        ['level2', '1', '1', '0.00', '0.00', '0.00', '0.0', '0.0'],
        ['level3', '1', '0', '0.00', '0.00', '0.00', '0.0', '0.0'],
        ['all', '4', '3', '50.00', '37.50', '25.00', '92.5', '85.0'],
      ],
    ],
    [
      'By operator',
      [
        ['level1/Exp', '0', '2/2', '2/2', '1', '', ''],
        ['level1/Mish', '0', '2/2', '1/2', '0', '', 'case 2: other bits'],
        ['level1/Mish', '1', '1/2', '1/2', '0', '', 'case 2: values differ'],
        ['level2/Gcd', '0', '–', '–', '–', 'SUB-BEH-003', 'refused-source: aclnnGcd'],
      ],
    ],
    ['Forbidden behaviours', [['SUB-BEH-003', 'calls a built-in operator', '1', 'Gcd']]],
    ['Not run', [['level1/Exp', '5: 256 MiB']]],
  ])
})

test('an operator of which no case was run has not passed', () => {
  const [levels] = operatorTables(tasks.slice(0, 1), [judged(0, ran([], ['1: 64 MiB']))])
  expect(levels?.rows[0]).toEqual(['level1', '1', '1', '100.00', '0.00', '0.00', '20.0', '20.0'])
})
