import {describe, expect, test} from 'vitest'
import type {RateScore, Score} from '../../../datasets/schema/score.ts'
import {golden} from '../../helpers/golden.ts'
import {scoreHtml, scoreMarkdown, type ScorePage} from '../../../eval/scores/page.ts'
import {scoreTables} from '../../../eval/scores/table.ts'

const executor = {name: 'twin', fingerprint: 'abc', compiler: 'clang 15', soc: 'Ascend910_9392'}
const shared = {author: 'kernel-model', executor}
const rate = (k: number, value: number, unknownTasks = 0) => ({
  k,
  value,
  low: Math.max(0, value - 0.1),
  high: Math.min(1, value + 0.1),
  tasks: 3,
  unknownTasks,
})

const rates = (by: RateScore['scope']['by'], name: string, over: Partial<RateScore> = {}): RateScore => ({
  kind: 'rates',
  ...shared,
  scope: {by, name},
  tasks: 3,
  judged: 30,
  compiled: 12,
  correct: 3,
  literal: 6,
  notCovered: 1,
  compilation: [rate(1, 0.4), rate(10, 0.8)],
  execution: [rate(1, 0.1), rate(10, 0.5)],
  literalExecution: [rate(1, 0.2), rate(10, 0.6)],
  ...over,
})
const page = (lines: readonly Score[]): ScorePage => ({
  title: 'Scores of a test',
  notes: ['One case each.'],
  scores: lines,
})
const failure = (name: 'api-signature-and-overload' | 'syntax-and-structure' | 'accuracy', count: number): Score => ({
  kind: 'failures',
  ...shared,
  scope: {by: 'all', name: ''},
  class: name,
  rule: '',
  count,
  share: count / 27,
})

const scores: Score[] = [
  rates('level', '1'),
  rates('level', '2', {compiled: 0, correct: 0, literal: 0, judged: 10}),
  rates('level', '3', {compiled: 4, correct: 1, literal: 2, judged: 10}),
  rates('all', ''),
  rates('category', '1/Math'),
  failure('api-signature-and-overload', 15),
  failure('syntax-and-structure', 5),
  failure('accuracy', 7),
]

const types = [
  {name: 'L1 (simple)', levels: [1]},
  {name: 'L2/L3 (complex)', levels: [2, 3]},
]

test('a level of no type is a row of its own in the first table', () => {
  const rowsOf = (...args: Parameters<typeof scoreTables>) => scoreTables(...args).tables[0]?.rows.map((row) => row[1])
  expect(rowsOf(scores)).toEqual(['L1', 'L2', 'L3'])
  expect(rowsOf(scores, types.slice(1))).toEqual(['L1', 'L2/L3 (complex)'])
})

test('the first table takes levels 2 and 3 together, and correctness of what compiled', () => {
  expect(scoreTables(scores, types).tables[0]?.rows).toEqual([
    ['kernel-model', 'L1 (simple)', '30', '40.00', '25.00', '50.00'],
    ['kernel-model', 'L2/L3 (complex)', '20', '20.00', '25.00', '50.00'],
  ])
})

test('the second has a row a level and the mean, and three columns a k: the literal rule stands beside ours', () => {
  const table = scoreTables(scores).tables[1]
  expect(table?.columns.slice(5)).toEqual([
    'pass@1 CR (%)',
    'pass@1 ER (%)',
    'pass@1 ER literal (%)',
    'pass@10 CR (%)',
    'pass@10 ER (%)',
    'pass@10 ER literal (%)',
  ])
  expect(table?.rows.map((row) => row[1])).toEqual(['Level 1', 'Level 2', 'Level 3', 'Mean'])
  expect(table?.rows[0]?.slice(5, 8)).toEqual(['40.00 [30.0, 50.0]', '10.00 [0.0, 20.0]', '20.00 [10.0, 30.0]'])
})

describe('what is not known', () => {
  test('is a dash where nothing compiled or too few candidates are there', () => {
    const bare = [
      rates('level', '1', {compiled: 0, correct: 0}),
      rates('all', '', {compilation: [rate(1, 0.4)], execution: [rate(1, 0.1)], literalExecution: []}),
    ]
    expect(scoreTables(bare).tables[0]?.rows[0]?.at(-1)).toBe('–')
    expect(scoreTables(bare).tables[1]?.rows[1]?.slice(7)).toEqual(['–', '–', '–', '–'])
  })
  test('is marked where only some tasks are in a mean', () => {
    const {tables} = scoreTables([rates('all', '', {compilation: [rate(1, 0.4, 2)]})])
    expect(tables[1]?.rows[0]?.[5]).toMatch(/^40\.00\* /)
    expect(tables[1]?.note).toContain('asterisk')
  })
  test('is left out as a column where no executor measures time', () => {
    expect(scoreMarkdown(page(scores))).not.toContain('Speedup (')
    expect(
      scoreMarkdown(page([rates('all', '', {speedup: {value: 1.5, candidates: 3}}), rates('level', '1')])),
    ).toMatch(/Speedup \(×\) \|[\s\S]*1\.50 \|[\s\S]*– \|/)
  })
})

test('failures are listed by class and rule, with shares of all failures', () => {
  const broken: Score = {
    kind: 'failures',
    ...shared,
    scope: {by: 'all', name: ''},
    class: 'rule-violation',
    rule: 'unaligned-address',
    count: 2,
    share: 2 / 29,
  }
  expect(scoreTables([...scores, broken]).tables.at(-1)?.rows).toEqual([
    ['kernel-model', 'api-signature-and-overload', '', '15', '55.56'],
    ['kernel-model', 'syntax-and-structure', '', '5', '18.52'],
    ['kernel-model', 'accuracy', '', '7', '25.93'],
    ['kernel-model', 'rule-violation', 'unaligned-address', '2', '6.90'],
  ])
  expect(scoreTables([rates('all', '')]).tables.map(({title}) => title)).not.toContain('Failures by class')
})

test('shares are among candidates that do not compile, as in Figure 6', () => {
  expect(scoreTables(scores).shares).toEqual([
    {
      author: 'kernel-model',
      executor: 'twin',
      failed: 20,
      classes: [
        {class: 'api-signature-and-overload', count: 15, share: 0.75},
        {class: 'syntax-and-structure', count: 5, share: 0.25},
      ],
    },
  ])
})

test('two executors are never shown as one', () => {
  const other = {...rates('all', ''), executor: {...executor, fingerprint: 'def'}}
  expect(scoreTables([rates('all', ''), other]).tables[1]?.rows.map(([name]) => name)).toEqual([
    'kernel-model (twin abc)',
    'kernel-model (twin def)',
  ])
})

test('one that confirmed is named as such, and parts no author', () => {
  const board = {...executor, name: 'cann-board', fingerprint: 'b'}
  const confirmed = scores.map((score) => ({...score, confirmedBy: board}))
  expect(scoreTables(confirmed).executors).toEqual([executor, {...board, confirms: true}])
  expect(scoreTables(confirmed).tables).toEqual(scoreTables(scores).tables)
  for (const text of [scoreMarkdown(page(confirmed)), scoreHtml(page(confirmed))])
    expect(text).toMatch(/cann-board: .*judged again what the other executor found correct/)
  expect(scoreMarkdown(page(scores))).not.toContain('judged again')
})

test('every form names the executor and says that the twin is no NPU', () => {
  for (const text of [scoreMarkdown(page(scores)), scoreHtml(page(scores))]) {
    expect(text).toContain('clang 15')
    expect(text).toContain('not those of an NPU')
  }
})

test('both forms tell the conditions, and what is not correct with its proof', () => {
  const exceptions = [
    {task: 'RowSum', outcome: 'mismatched', fault: 'answer', proof: 'Line 4 leaves the tail out.', why: '1 of 3 cases'},
    {task: 'RowMax', outcome: 'crashed', fault: 'unexplained', proof: '', why: 'case 0: SIGSEGV'},
  ]
  for (const text of [scoreMarkdown({...page(scores), exceptions}), scoreHtml({...page(scores), exceptions})]) {
    for (const words of [
      'Scores of a test',
      'One case each.',
      'Line 4 leaves the tail out.',
      'unexplained',
      'case 0: SIGSEGV',
    ])
      expect(text).toContain(words)
  }
  expect(scoreMarkdown(page(scores))).not.toContain('Not correct')
})

test('names from outside are escaped in Markdown and HTML', () => {
  const hostile = scores.map((score) => ({...score, author: 'a|b<script>'}))
  expect(scoreMarkdown(page(hostile))).toContain('a\\|b')
  expect(scoreHtml(page(hostile))).not.toContain('<script>')
})

/** Two executors and two authors, tasks that are unknown, and all that a page may hold. */
test('a page in full', () => {
  const other = {name: 'cann', fingerprint: 'def', compiler: 'ccec', soc: 'Ascend910_9392'}
  const lines: Score[] = [
    ...scores,
    rates('level', '1', {author: 'other | model', executor: other, compilation: [rate(1, 0.5, 2)]}),
    {...failure('syntax-and-structure', 2), author: 'other | model', executor: other, share: 1} as Score,
  ]
  const exceptions = [
    {task: 'Add', outcome: 'mismatched', fault: 'answer', proof: 'it adds twice', why: 'case 1:\nwrong'},
    {task: 'Mul', outcome: 'crashed', fault: 'unexplained', proof: '', why: 'SIGSEGV <here>'},
  ]
  const whole = {...page(lines), types, exceptions}
  golden('test/fixtures/told/scores.md', scoreMarkdown(whole))
  const body = scoreHtml(whole).replace(/<style>[^]*?<\/style>/, '<style/>')
  golden('test/fixtures/told/scores.html', body)
  expect(scoreMarkdown(page([]))).not.toContain('emulation')
})
