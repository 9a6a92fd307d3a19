import {describe, expect, test} from 'vitest'
import benchmark from '../../../../eval/bench/npukernelbench/benchmark.ts'
import type {KnownFault} from '../../../../eval/bench/known-faults.ts'
import type {Candidate} from '../../../../datasets/schema/candidate.ts'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import type {TaskOutcome} from '../../../../pipelines/commands/evaluation/outcomes.ts'
import {collectResults} from '../../../../pipelines/commands/evaluation/results.ts'
import {
  caseLine,
  exceptionRows,
  notesOf,
  sumLine,
  type Summary,
} from '../../../../pipelines/commands/evaluation/summary.ts'
import {executor, fixtureTask} from '../../preference/records.ts'

const base = await fixtureTask()
const file = {path: 'op_kernel/a.cpp', text: 'void a() {}\n'}
const result = (id: string, literal: boolean, hardened = literal) => ({
  case: id,
  literal,
  hardened,
  worstAbsolute: null,
  worstRelative: null,
  reason: hardened ? '' : 'y',
})

const correct: Verdict = {outcome: 'correct', cases: ['0', '1', '2'].map((id) => result(id, true)), executor}
const mismatched: Verdict = {
  outcome: 'mismatched',
  cases: [result('0', true), result('1', false), result('2', true, false)],
  executor,
}
const violated: Verdict = {
  outcome: 'violated',
  case: '1',
  violation: {rule: 'unaligned-address', block: 0, api: 'Add', tensor: 'x', message: 'at 4', fix: 'f'},
  executor,
}

function answered(
  name: string,
  verdict: Verdict | undefined,
  over: Partial<TaskOutcome['attempts'][number]> = {},
): TaskOutcome {
  const task = {...base, name}
  const candidate: Candidate = {
    task,
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    files: [file],
    written: [file.path],
  }
  return {task, attempts: [{candidate, verdict, drops: [], failure: undefined, ...over}], why: undefined}
}

const tooLarge = (id: number) => ({reason: 'too-large', detail: `case ${id}`})
const outcomes: TaskOutcome[] = [
  answered('Right', correct, {drops: [tooLarge(0)]}),
  answered('Wrong', mismatched),
  answered('Unaligned', violated),
  answered('Large', undefined, {
    drops: [tooLarge(0), tooLarge(1), tooLarge(2), {reason: 'no-usable-case', detail: 'none'}],
  }),
  answered('Unwired', undefined, {
    drops: [0, 1, 2].map((id) => ({reason: 'binding-mismatch', detail: `row ${id} passes 4 arguments`})),
  }),
  answered('Broken', undefined, {failure: 'The reference fails.'}),
  {task: {...base, name: 'Bare'}, attempts: [], why: {reason: 'no-answer', detail: 'Bare comes without one'}},
]
const faults: KnownFault[] = [
  {
    task: 'Wrong',
    cases: ['1', '2'],
    verdict: 'mismatched',
    fault: 'reference',
    proof: 'validation/module.py line 9 adds in another order.',
  },
  {
    task: 'Unaligned',
    cases: ['0'],
    verdict: 'violated',
    fault: 'answer',
    proof: 'Not of this case: op_kernel/unaligned.cpp line 3.',
  },
  {
    task: 'Unwired',
    cases: 'all',
    verdict: 'not-judged',
    fault: 'wiring',
    proof: 'validation/pybind.cpp passes 4 arguments, the definition has 6.',
  },
  {
    task: 'Right',
    cases: 'all',
    verdict: 'mismatched',
    fault: 'answer',
    proof: 'It was seen to fail, and does not any more.',
  },
]
const {results, coverage} = collectResults(outcomes)
const exceptions = exceptionRows(results, faults)

describe('exceptions', () => {
  test('are listed with fault and proof where their verdict is known, else as unexplained', () => {
    expect(exceptions.map(({task, outcome, fault, proof}) => [task, outcome, fault, proof])).toEqual([
      ['Wrong', 'mismatched', 'reference', 'validation/module.py line 9 adds in another order.'],
      ['Unaligned', 'violated', 'unexplained', ''],
      ['Unwired', 'not-judged', 'wiring', 'validation/pybind.cpp passes 4 arguments, the definition has 6.'],
      ['Broken', 'not-judged', 'unexplained', ''],
    ])
  })
  test("that do not compile where the checkout is damaged are the answer's fault", () => {
    const damage = {task: 'Torn', path: 'op_host/torn.cpp', line: 7, what: 'a block comment ends that was never opened'}
    const seen = (path: string) => {
      const failed: Verdict = {
        outcome: 'compile-failed',
        log: '',
        executor,
        diagnostics: [{severity: 'error', file: path, line: 5, column: 1, message: 'unknown type name'}],
      }
      return exceptionRows(collectResults([answered('Torn', failed)]).results, [], [damage]).map(({fault, proof}) => [
        fault,
        proof,
      ])
    }
    expect(seen('op_host/torn.cpp')).toEqual([
      ['answer', 'op_host/torn.cpp line 7: a block comment ends that was never opened.'],
    ])
    expect(seen('op_kernel/torn.cpp')).toEqual([['unexplained', '']])
  })
  test('name a case that the literal rule alone refuses', () => {
    const verdict: Verdict = {outcome: 'mismatched', cases: [result('0', true), result('2', false, true)], executor}
    expect(collectResults([answered('Infinite', verdict)]).results[0]?.why).toMatch(
      /^1 of 2 cases \(1 by the literal rule\); case 2: /,
    )
  })
  test('never change a verdict', () => {
    expect(results.map(({task, outcome, hardened, literal}) => [task, outcome, hardened, literal]).slice(0, 3)).toEqual(
      [
        ['Right', 'correct', true, true],
        ['Wrong', 'mismatched', false, false],
        ['Unaligned', 'violated', false, false],
      ],
    )
  })
  test('are summed up', () => {
    expect(sumLine(results, exceptions)).toBe(
      'Answers: 6; judged 3, correct 1 (1 by the literal rule), known faults 2, unexplained 2, not judged 3; tasks without an answer 1',
    )
  })
})

describe('coverage', () => {
  test('counts cases judged and left out, by reason', () => {
    expect(coverage).toEqual({
      tasks: 7,
      candidates: 6,
      judged: 3,
      cases: 18,
      casesJudged: 8,
      skipped: {'too-large': 4, 'binding-mismatch': 3, 'judge-failed': 3},
      sizes: {},
    })
    expect(caseLine(coverage, {allCases: false, maxInputMib: 16})).toBe(
      'Cases: 8 of 18 judged; skipped: 4 with more than 16 MiB of input, 3 binding-mismatch, 3 judge-failed',
    )
    expect(caseLine({...coverage, skipped: {}}, {allCases: true, maxInputMib: 16})).toBe(
      'Cases: 8 of 18 judged; no limit on the size of inputs',
    )
  })
  test('counts only the rows that were asked for', () => {
    expect(
      collectResults([answered('Right', correct), answered('Wrong', undefined, {failure: 'x'})], 2).coverage,
    ).toMatchObject({cases: 4, casesJudged: 2, skipped: {'judge-failed': 2}})
  })
  test('finds the most attempts at one task, each case of a static shape being one', () => {
    const attempt = (row: number) => ({
      ...(answered('Right', correct).attempts[0] as TaskOutcome['attempts'][number]),
      candidate: {
        ...(answered('Right', correct).attempts[0] as TaskOutcome['attempts'][number]).candidate,
        task: {...base, cases: base.cases.slice(row, row + 1)},
      },
    })
    expect(
      collectResults([{task: base, attempts: [attempt(0), attempt(1), attempt(1)], why: undefined}]).mostAttempts,
    ).toBe(2)
  })
})

describe('notes', () => {
  const summary: Summary = {
    request: {root: '/r', candidates: 'answers', tasks: 'level1/*', allCases: false, maxInputMib: 16},
    benchmark,
    sampling: {kind: 'answers'},
    revision: 'abc',
    results,
    coverage,
    scores: [],
    exceptions,
    damaged: [{task: 'Wrong', path: 'op_host/wrong.cpp', line: 7, what: 'a block comment ends that was never opened'}],
    left: ['Tasks and rows that could not be read: task-incomplete 1.'],
  }
  test('name the commit, the damaged answers and what could not be read', () => {
    expect(notesOf(summary)).toEqual([
      'NPUKernelBench at commit abc, 7 tasks that match level1/*.',
      "The candidates are the benchmark's own answers.",
      `${sumLine(results, exceptions)}.`,
      `${caseLine(coverage, summary.request)}.`,
      'The answer of Wrong is damaged in this checkout: op_host/wrong.cpp line 7, a block comment ends that was never opened. At commit f238a63 it is intact.',
      'Tasks and rows that could not be read: task-incomplete 1.',
    ])
  })
  test('count the cases that met other sizes, and those that did not', () => {
    const sizes = (['fresh', 'fresh', 'fixed'] as const).map((kind, id) => ({...result(String(id), true), sizes: kind}))
    const met = collectResults([answered('Right', {outcome: 'correct', cases: sizes, executor})]).coverage
    expect(met.sizes).toEqual({fresh: 2, fixed: 1})
    expect(notesOf({...summary, coverage: met}).join(' ')).toMatch(
      /cases whose runs all ended, 2 were also run on sizes .+ not list; 1 have sizes that the table does not .+\./,
    )
  })
  test('say of a model what it was asked, and what cannot be passed in kernel-only mode', () => {
    const model = (mode: 'full' | 'kernel-only', shape: 'static' | 'dynamic') =>
      notesOf({
        ...summary,
        exceptions: undefined,
        damaged: [],
        left: [],
        sampling: {kind: 'model', profile: 'candidates', samples: 10, evaluation: {mode, shape}},
      }).join(' ')
    expect(model('kernel-only', 'static')).toMatch(
      /static shape: each case is a task of its own, .+; 10 samples a task\. In kernel-only mode .+, 5 tasks/,
    )
    expect(model('full', 'dynamic')).toContain(
      'Mode full, dynamic shape: one candidate serves all cases; 10 samples a task. 6 candidates, 3 of them judged.',
    )
  })

  test('stand in one order, and each only where it has something to say', () => {
    const own = {...coverage, cases: 3, casesJudged: 3, skipped: {}, tasks: 1, candidates: 2, judged: 1}
    const bare = {...summary, revision: 'unversioned', damaged: [], left: [], coverage: own, exceptions: undefined}
    const request = {...summary.request, tasks: '*', allCases: true}
    expect(notesOf({...bare, request})).toEqual([
      'NPUKernelBench at a folder without version control, 1 task.',
      "The candidates are the benchmark's own answers.",
      '2 candidates, 1 of them judged.',
      'Cases: 3 of 3 judged; no limit on the size of inputs.',
    ])
  })

  const modes = {full: {}, noted: {notes: ['A note.', 'Another.']}} as unknown as Summary['benchmark']['modes']
  const fixed = 'static shape: each case is a task of its own'
  const dynamic = 'dynamic shape: one candidate serves all cases'
  test.each<[Exclude<Summary['sampling'], {kind: 'answers'}>, string[]]>([
    [
      {kind: 'model', profile: 'p', samples: 1, evaluation: {mode: 'full', shape: 'static'}},
      [`Mode full, ${fixed}, the first case of each task; 1 sample a task.`],
    ],
    [
      {kind: 'model', profile: 'p', samples: 2, evaluation: {mode: 'full', shape: 'static', cases: 2}},
      [`Mode full, ${fixed}, the first 2 cases of each task; 2 samples a task.`],
    ],
    [
      {kind: 'model', profile: 'p', samples: 2, evaluation: {mode: 'noted', shape: 'dynamic'}},
      [`Mode noted, ${dynamic}; 2 samples a task.`, 'A note.', 'Another.'],
    ],
    [
      {kind: 'model', profile: 'p', samples: 2, evaluation: {mode: 'full', shape: 'dynamic', cases: 1}},
      [`Mode full, ${dynamic}, the first case of each task; 2 samples a task.`],
    ],
    [
      {kind: 'file', path: '/r', evaluation: {mode: 'full', shape: 'static'}},
      [`Mode full, ${fixed}; replies from a file.`],
    ],
    [
      {kind: 'file', path: '/r', evaluation: {mode: 'gone', shape: 'static', cases: 3}},
      [`Mode gone, ${fixed}, the first 3 cases of each task; replies from a file.`],
    ],
  ])('of %j', (sampling, said) => {
    const notes = notesOf({...summary, benchmark: {...benchmark, modes}, sampling})
    expect(notes.slice(1, 1 + said.length)).toEqual(said)
    expect(notes[1 + said.length]).toBe(`${sumLine(results, exceptions)}.`)
  })

  test.each<[Summary['coverage']['sizes'], string | undefined]>([
    [{}, undefined],
    [{fresh: 0}, undefined],
    [{pinned: 1}, '1 had to be served as they are'],
    [
      {unserved: 4, fixed: 3, pinned: 2, fresh: 1},
      [
        '1 were also run on sizes that the table does not list',
        '2 had to be served as they are',
        '3 have sizes that the table does not determine, or a reference that accepts no others',
        "4 have sizes for which the task's own answer accepts no alternatives",
      ].join('; '),
    ],
  ])('of sizes %j', (sizes, said) => {
    const line = notesOf({...summary, coverage: {...coverage, sizes}}).find((note) => note.startsWith('Of the cases'))
    expect(line).toBe(said && `Of the cases whose runs all ended, ${said}.`)
  })
})

test.each<[Record<string, number>, boolean, string]>([
  [{}, false, 'Cases: 1 of 9 judged'],
  [{}, true, 'Cases: 1 of 9 judged; no limit on the size of inputs'],
  [{'too-large': 8}, false, 'Cases: 1 of 9 judged; skipped: 8 with more than 2.5 MiB of input'],
  [
    {rare: 1, 'too-large': 2, often: 5},
    true,
    [
      'Cases: 1 of 9 judged',
      'skipped: 5 often, 2 with more than 2.5 MiB of input, 1 rare',
      'no limit on the size of inputs',
    ].join('; '),
  ],
])('cases left out %j, all asked for: %s', (skipped, allCases, line) => {
  expect(caseLine({...coverage, cases: 9, casesJudged: 1, skipped}, {allCases, maxInputMib: 2.5})).toBe(line)
})
