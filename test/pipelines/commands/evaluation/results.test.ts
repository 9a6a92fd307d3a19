import {describe, expect, test} from 'vitest'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import type {TaskOutcome} from '../../../../pipelines/commands/evaluation/outcomes.ts'
import {costLine} from '../../../../pipelines/commands/evaluation/print.ts'
import {asException, collectResults} from '../../../../pipelines/commands/evaluation/results.ts'

const executor = {name: 'twin', fingerprint: 'f', compiler: 'c', soc: 's'}
const caseOf = (id: string, literal: boolean, hardened = literal, sizes?: 'fresh' | 'fixed') => ({
  case: id,
  literal,
  hardened,
  worstAbsolute: null,
  worstRelative: null,
  reason: literal && hardened ? '' : `wrong ${id}`,
  ...(sizes ? {sizes} : {}),
})

interface Given {
  verdict?: Verdict
  cases?: number
  sample?: number
  drops?: {reason: string; detail: string}[]
  failure?: string
  first?: number
}

const attemptOf = ({verdict, cases = 3, sample, drops = [], failure, first = 0}: Given) => ({
  candidate: {
    task: {
      name: 'Add',
      level: 2,
      category: 'math',
      cases: Array.from({length: cases}, (_, at) => ({case_id: String(first + at)})),
    },
    sampler: sample === undefined ? {kind: 'answer'} : {kind: 'model', model: 'm', sample},
  },
  ...(verdict ? {verdict} : {}),
  drops,
  ...(failure === undefined ? {} : {failure}),
})

const outcomeOf = (attempts: Given[], why?: {reason: string; detail: string}) =>
  ({
    task: {name: 'Add', level: 2, category: 'math'},
    attempts: attempts.map(attemptOf),
    ...(why ? {why} : {}),
  }) as unknown as TaskOutcome

const collected = (outcomes: readonly TaskOutcome[], limit?: number) => collectResults(outcomes, limit)
const one = (given: Given, limit?: number) => collected([outcomeOf([given])], limit)
const correct: Verdict = {outcome: 'correct', cases: [caseOf('0', true, true, 'fresh'), caseOf('1', true)], executor}

describe('one candidate', () => {
  test.each<[Verdict, string, string[], compiled: boolean]>([
    [correct, '', [], true],
    [{outcome: 'compiled', executor}, '', [], true],
    [{outcome: 'not-covered', missing: ['Foo', 'Bar'], executor}, 'Foo, Bar', [], false],
    [
      {
        outcome: 'compile-failed',
        log: 'the log',
        diagnostics: [
          {severity: 'warning', file: 'w', line: 1, column: 1, message: 'unused'},
          {severity: 'error', file: 'a.cpp', line: 7, column: 1, message: 'no x'},
          {severity: 'error', file: 'b.cpp', line: 8, column: 1, message: 'no y'},
          {severity: 'error', file: 'c.cpp', line: 9, column: 1, message: 'no z'},
        ],
        executor,
      },
      'a.cpp:7 no x · b.cpp:8 no y',
      [],
      false,
    ],
    [{outcome: 'compile-failed', log: 'l'.repeat(300), diagnostics: [], executor}, 'l'.repeat(200), [], false],
    [{outcome: 'link-failed', log: 'first\nsecond', executor}, 'first', [], false],
    [{outcome: 'launch-failed', case: '4', message: 'a\nb', executor}, 'case 4: a · b', ['4'], true],
    [{outcome: 'crashed', case: '4', cause: 'SIGSEGV', log: '', executor}, 'case 4: SIGSEGV', ['4'], true],
    [{outcome: 'timed-out', case: '4', limitSeconds: 30, executor}, 'case 4: not finished after 30 s', ['4'], true],
    [
      {
        outcome: 'violated',
        case: '4',
        violation: {rule: 'r', block: 0, api: 'Add', tensor: 'x', message: 'at 4', fix: 'f'},
        executor,
      },
      'case 4, r in Add: at 4',
      ['4'],
      true,
    ],
    [{outcome: 'cheated', rule: 'r', detail: 'zeros', literal: false, executor}, 'r: zeros', [], true],
    [
      {
        outcome: 'mismatched',
        cases: [caseOf('0', true), caseOf('1', true, false), caseOf('2', false), caseOf('3', false, true)],
        executor,
      },
      '3 of 4 cases (2 by the literal rule); case 1: wrong 1',
      ['1', '2', '3'],
      true,
    ],
    [
      {outcome: 'crashed', case: '4', cause: 'SIGSEGV', log: '', cases: [caseOf('2', false)], executor},
      'case 4: SIGSEGV',
      ['2'],
      true,
    ],
  ])('%o', (verdict, why, failing, compiled) => {
    const {results} = one({verdict})
    expect(results).toEqual([
      expect.objectContaining({
        task: 'Add',
        level: 2,
        category: 'math',
        attempt: '',
        outcome: verdict.outcome,
        compiled,
        hardened: verdict.outcome === 'correct',
        why,
        failing,
        reason: '',
        cases: 3,
      }),
    ])
  })

  test('of a model is named by its sample, and by its case where it has one alone', () => {
    expect(one({verdict: correct, sample: 3}).results[0]?.attempt).toBe('sample 3')
    expect(one({verdict: correct, sample: 0, cases: 1, first: 7}).results[0]?.attempt).toBe('sample 0, case 7')
    expect(one({verdict: correct, sample: 0, cases: 2}).results[0]?.attempt).toBe('sample 0')
  })

  test('without a verdict says why', () => {
    const told = (given: Given) => {
      const [result] = one(given).results
      return [result?.outcome, result?.reason, result?.why, result?.cases]
    }
    expect(told({})).toEqual(['not-judged', 'not-reached', 'not-reached', 0])
    expect(told({failure: 'the disk is full'})).toEqual([
      'not-judged',
      'judge-failed',
      'judge-failed: the disk is full',
      0,
    ])
    const drops = [
      {reason: 'too-large', detail: 'case 0'},
      {reason: 'no-usable-case', detail: 'none'},
    ]
    expect(told({drops})).toEqual(['not-judged', 'too-large', 'too-large: case 0', 0])
  })
})

describe('how much was judged', () => {
  test('counts tasks, candidates and cases, up to a limit', () => {
    expect(one({verdict: correct}).coverage).toEqual({
      tasks: 1,
      candidates: 1,
      judged: 1,
      cases: 3,
      casesJudged: 3,
      skipped: {},
      sizes: {fresh: 1},
    })
    expect(one({verdict: correct}, 2).coverage).toMatchObject({cases: 2, casesJudged: 2})
    expect(one({verdict: correct}, 2).results[0]?.cases).toBe(2)
    expect(one({verdict: correct}, 9).coverage).toMatchObject({cases: 3})
  })

  test('and what was left out, by reason', () => {
    const large = {reason: 'too-large', detail: ''}
    const none = {reason: 'no-usable-case', detail: ''}
    const partly = one({verdict: correct, drops: [large, large]})
    expect(partly.coverage).toMatchObject({cases: 3, casesJudged: 1, judged: 1, skipped: {'too-large': 2}})
    expect(partly.results[0]?.cases).toBe(1)
    expect(one({drops: [large, large, large, none]}).coverage).toMatchObject({
      judged: 0,
      casesJudged: 0,
      skipped: {'too-large': 3},
    })
    expect(one({drops: [large, none]}).coverage.skipped).toEqual({'too-large': 1, 'no-usable-case': 2})
    expect(one({drops: [{reason: 'reference-needs-python', detail: ''}]}).coverage.skipped).toEqual({
      'reference-needs-python': 3,
    })
    expect(one({}).coverage.skipped).toEqual({'not-reached': 3})
    expect(one({failure: 'x', drops: [large]}).coverage.skipped).toEqual({'too-large': 1, 'judge-failed': 2})
  })

  test('the most attempts are those at the same cases', () => {
    expect(collected([outcomeOf([{verdict: correct}, {verdict: correct}])]).mostAttempts).toBe(2)
    const byCase = [0, 1, 0, 0].map((first) => ({verdict: correct, cases: 1, first}))
    expect(collected([outcomeOf(byCase)]).mostAttempts).toBe(3)
    expect(collected([outcomeOf([{verdict: correct}]), outcomeOf([{verdict: correct}])]).mostAttempts).toBe(1)
    expect(collected([]).mostAttempts).toBe(0)
  })

  test('a task without a candidate has its reason', () => {
    const {results, coverage} = collected([outcomeOf([], {reason: 'no-answer', detail: 'it has none'})])
    expect(coverage).toMatchObject({tasks: 1, candidates: 0})
    expect(results).toEqual([
      {
        task: 'Add',
        level: 2,
        category: 'math',
        attempt: '',
        outcome: 'not-judged',
        compiled: false,
        literal: false,
        hardened: false,
        cases: 0,
        class: '',
        failing: [],
        reason: 'no-answer',
        why: 'no-answer: it has none',
      },
    ])
  })
})

test('an exception is what was expected to be correct', () => {
  const exception = (given: Given) => asException(one(given).results[0] as Parameters<typeof asException>[0])
  expect(exception({verdict: correct})).toBeUndefined()
  expect(exception({drops: [{reason: 'too-large', detail: ''}]})).toBeUndefined()
  expect(exception({drops: [{reason: 'no-answer', detail: ''}]})).toBeUndefined()
  expect(exception({})).toEqual({task: 'Add', outcome: 'not-judged', cases: []})
  expect(exception({verdict: {outcome: 'crashed', case: '4', cause: 'c', log: '', executor}})).toEqual({
    task: 'Add',
    outcome: 'crashed',
    cases: ['4'],
  })
})

test('what an evaluation took', () => {
  expect(costLine({seconds: 512.34, peakBytes: 0})).toBe('took 512.3 s')
  expect(costLine({seconds: 0, peakBytes: 1.5 * 2 ** 30})).toBe(
    'took 0.0 s; peak memory 1.50 GiB, child processes included',
  )
})
