import {describe, expect, test} from 'vitest'
import type {ExceptionRow} from '../../../../eval/scores/page.ts'
import type {RateScore, Score} from '../../../../datasets/schema/score.ts'
import {costLine, printSummary} from '../../../../pipelines/commands/evaluation/print.ts'
import type {Result} from '../../../../pipelines/commands/evaluation/results.ts'
import type {Summary} from '../../../../pipelines/commands/evaluation/summary.ts'
import {recordedWorld} from '../../../helpers/world.ts'

const result = (level: string, category: string, over: Partial<Result> = {}): Result =>
  ({
    task: 'Add',
    level,
    category,
    outcome: 'correct',
    compiled: true,
    literal: true,
    hardened: true,
    class: '',
    why: '',
    reason: undefined,
    ...over,
  }) as unknown as Result

const results = [
  result('1', 'Math'),
  result('2', 'Loss', {compiled: false, literal: false, hardened: false, outcome: 'compile-failed'}),
  result('1', 'Math', {literal: false, hardened: false, outcome: 'mismatched'}),
  result('1', 'Math', {hardened: false, outcome: 'mismatched'}),
  result('2', 'Loss', {outcome: 'not-judged', compiled: false, literal: false, hardened: false}),
]

function printed(over: Partial<Summary>): string {
  const world = recordedWorld()
  const summary: Summary = {
    request: {root: '/r', candidates: 'answers', tasks: '*', allCases: false, maxInputMib: 16},
    benchmark: {title: 'A benchmark', modes: {}} as unknown as Summary['benchmark'],
    sampling: {kind: 'answers'},
    revision: 'unversioned',
    results,
    coverage: {tasks: 5, candidates: 5, judged: 4, cases: 5, casesJudged: 4, skipped: {}, sizes: {}},
    scores: [],
    exceptions: [],
    damaged: [],
    left: [],
    ...over,
  }
  printSummary(summary, world.terminal)
  return world.printed.join('\n')
}

const notes = [
  '',
  'A benchmark at a folder without version control, 5 tasks.',
  "The candidates are the benchmark's own answers.",
]

test('own answers are counted by level and category, those that were judged', () => {
  expect(printed({})).toBe(
    [
      '',
      'level  category  judged  compiled  literal  hardened',
      '1      Math           3         3        2         1',
      '2      Loss           1         0        0         0',
      '       all            4         3        2         1',
      ...notes,
      'Answers: 5; judged 4, correct 1 (2 by the literal rule), known faults 0, unexplained 0, not judged 1.',
      'Cases: 4 of 5 judged.',
    ].join('\n'),
  )
})

test('what is not correct is listed with what was seen and the proof of its fault', () => {
  const exceptions: ExceptionRow[] = [
    {task: 'Add', outcome: 'mismatched', fault: 'answer', proof: 'It adds twice.', why: 'x'.repeat(240)},
    {task: 'Mul', outcome: 'crashed', fault: 'unexplained', proof: '', why: 'y'.repeat(241)},
  ]
  const lines = printed({exceptions}).split('\n')
  expect(lines.slice(5, 11)).toEqual([
    '',
    'Not correct:',
    'task  outcome     at fault     seen',
    `Add   mismatched  answer       ${'x'.repeat(240)}`,
    `Mul   crashed     unexplained  ${'y'.repeat(240)}…`,
    '  Add (answer): It adds twice.',
  ])
  expect(lines.slice(11, 14)).toEqual(notes)
})

test('replies have tables of scores, without intervals, and a note under the last that it holds for', () => {
  const executor = {name: 'twin', fingerprint: 'abc', compiler: 'clang', soc: 'Ascend910B1'}
  const rate = (k: number) => ({k, value: 0.5, low: 0.25, high: 0.75, tasks: 3, unknownTasks: 0})
  const of = (by: RateScore['scope']['by'], name: string): Score => ({
    kind: 'rates',
    author: 'model',
    executor,
    scope: {by, name},
    tasks: 3,
    judged: 3,
    compiled: 2,
    correct: 1,
    literal: 1,
    notCovered: 0,
    compilation: [rate(1)],
    execution: [rate(1)],
    literalExecution: [rate(1)],
  })
  const text = printed({
    coverage: {tasks: 3, candidates: 5, judged: 4, cases: 5, casesJudged: 4, skipped: {}, sizes: {}},
    sampling: {
      kind: 'file',
      path: '/replies.jsonl',
      evaluation: {mode: 'direct', shape: 'static'},
    } as unknown as Summary['sampling'],
    scores: [of('all', 'all'), of('level', '1'), of('category', 'Math')],
    exceptions: undefined,
  })
  expect(text).toBe(
    [
      '',
      'Compilation, and correctness of what compiled',
      'Model  Task type  Candidates  Compiled (%)  Correct of compiled (%)  Literally correct of compiled (%)',
      'model  L1         3           66.67         50.00                    50.00',
      'Shares of candidates, not means over tasks. A dash: no candidates.',
      '',
      'Pass@k by level',
      'Model  Level    Tasks  Candidates  Not covered  pass@1 CR (%)  pass@1 ER (%)  pass@1 ER literal (%)',
      'model  Mean     3      3           0            50.00          50.00          50.00',
      'model  Level 1  3      3           0            50.00          50.00          50.00',
      '',
      'Pass@k by category',
      'Model  Category  Tasks  Candidates  Not covered  pass@1 CR (%)  pass@1 ER (%)  pass@1 ER literal (%)',
      'model  Math      3      3           0            50.00          50.00          50.00',
      'Means over tasks of unbiased pass@k. CR: it compiles and links. ER: fully correct, by the hardened check ' +
        "and by the benchmark's own, literal rule. A dash: fewer than k candidates. " +
        'No speedup: no executor here measures time.',
      '',
      'A benchmark at a folder without version control, 3 tasks.',
      'Mode direct, static shape: each case is a task of its own; replies from a file.',
      '5 candidates, 4 of them judged.',
      'Cases: 4 of 5 judged.',
    ].join('\n'),
  )
})

test('a category may be called by several words, and one of another level is another', () => {
  const named = [result('1', 'Matrix Multiply'), result('1', 'Matrix'), result('2', 'Matrix Multiply')]
  expect(printed({results: named}).split('\n').slice(0, 6)).toEqual([
    '',
    'level  category         judged  compiled  literal  hardened',
    '1      Matrix Multiply       1         1        1         1',
    '1      Matrix                1         1        1         1',
    '2      Matrix Multiply       1         1        1         1',
    '       all                   3         3        3         3',
  ])
})

test.each([
  [239, ''],
  [240, ''],
  [241, '…'],
])('of what was seen, %d characters long, at most 240 are shown', (length, end) => {
  const row: ExceptionRow = {task: 'Add', outcome: 'crashed', why: 'x'.repeat(length), fault: 'answer', proof: ''}
  const line = printed({exceptions: [row]})
    .split('\n')
    .find((text) => text.startsWith('Add '))
  expect(line).toBe(`Add   crashed  answer    ${'x'.repeat(Math.min(length, 240))}${end}`)
})

describe('what it cost', () => {
  test.each([
    [{seconds: 512.34, peakBytes: 0}, 'took 512.3 s'],
    [{seconds: 0, peakBytes: 1.5 * 2 ** 30}, 'took 0.0 s; peak memory 1.50 GiB, child processes included'],
    [{seconds: 1, peakBytes: 1}, 'took 1.0 s; peak memory 0.00 GiB, child processes included'],
  ])('%j: %s', (cost, line) => {
    expect(costLine(cost)).toBe(line)
  })
})

describe('why candidates failed', () => {
  const failed = (name: string, why: string, attempt = '') => result('1', 'Math', {class: name, why, attempt})
  const of = (results: readonly Result[]) =>
    printed({results, sampling: {kind: 'file', path: '/r', evaluation: {mode: 'm', shape: 'static'}}}).split('\n')

  test('is told by class, the most frequent first, each with its first candidate and where the rest is', () => {
    const some = [
      failed('accuracy', 'case 0: off by 1', 'sample 2, case 0'),
      result('1', 'Math'),
      ...['a.cpp:7 no x', 'a.cpp:8 no y'].map((why) => failed('variable-scope-and-lifetime', why)),
    ]
    const lines = of(some)
    const start = lines.indexOf('Why candidates failed:')
    expect(lines.slice(start - 1, start + 5)).toEqual([
      '',
      'Why candidates failed:',
      'class                        candidates  example',
      'variable-scope-and-lifetime           2  Add: a.cpp:7 no x',
      'accuracy                              1  Add, sample 2, case 0: case 0: off by 1',
      'The reason of every candidate is in score.json (results[].why).',
    ])
  })

  test.each([
    [6, '1 more class, and the reason of every candidate is in score.json (results[].why).'],
    [7, '2 more classes, and the reason of every candidate is in score.json (results[].why).'],
  ])('is told of five of %i classes', (count, last) => {
    const lines = of(Array.from({length: count}, (_, at) => failed(`class-${at}`, 'why')))
    expect(lines.filter((line) => line.startsWith('class-'))).toHaveLength(5)
    expect(lines).toContain(last)
  })

  test('is not told where none failed, or of own answers, which have a list of their own', () => {
    expect(of([result('1', 'Math')])).not.toContain('Why candidates failed:')
    expect(printed({results: [failed('accuracy', 'off')]})).not.toContain('Why candidates failed:')
  })
})
