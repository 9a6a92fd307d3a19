import {describe, expect, test} from 'vitest'
import type {LabelledCandidate, Sampler} from '../../../datasets/schema/candidate.ts'
import type {ErrorClass} from '../../../datasets/schema/error-class.ts'
import type {FailureScore, Score} from '../../../datasets/schema/score.ts'
import {ErrorTally} from '../../../pipelines/report/collect.ts'
import {executor, labelled} from '../preference/records.ts'

const planted: Sampler = {kind: 'mutation', mutation: 'm', detail: 'line 1'}
const model: Sampler = {kind: 'model', model: 'a-model', sample: 0}
const path = 'op_kernel/k.cpp'

function uncompiled(message: string, sampler = planted): LabelledCandidate {
  const diagnostics = [{severity: 'error' as const, file: path, line: 1, column: 2, message}]
  const verdict = {outcome: 'compile-failed' as const, diagnostics, log: '', executor}
  return labelled('purple', message, sampler, {verdict, files: [{path, text: '  f(x);\n'}]})
}
function violated(rule: string, api = 'DeQue', sampler = planted): LabelledCandidate {
  const violation = {rule, block: 0, api, tensor: 'q', message: `${rule} there`, fix: ''}
  return labelled('orange', rule, sampler, {verdict: {outcome: 'violated', case: '1', violation, executor}})
}
const score = (name: ErrorClass, count: number, author = 'b', by: 'all' | 'level' = 'all'): FailureScore => ({
  kind: 'failures',
  author,
  executor,
  scope: {by, name: by === 'all' ? '' : '1'},
  class: name,
  rule: '',
  count,
  share: 0.5,
})
function result(candidates: LabelledCandidate[], lines: Score[] = []) {
  const tally = new ErrorTally()
  for (const one of candidates) tally.add(one)
  return tally.result(lines.length === 0 ? [] : [{run: 'bench', lines, types: []}])
}
const missing = (name: string) => `no matching function for call to '${name}'`

test('nothing is told where nothing failed', () => {
  expect(result([labelled('green', 'g')])).toBeUndefined()
  expect(result([], [score('crash', 1, 'b', 'level')])).toBeUndefined()
})

describe('groups', () => {
  test('are those of each author, by class and rule', () => {
    const found = result([
      violated('deque-empty'),
      uncompiled("expected ';'"),
      violated('deque-empty'),
      violated('tensor-leak'),
      violated('deque-empty', 'DeQue', model),
      labelled('green', 'g'),
    ])
    expect(found?.groups).toEqual([
      {
        run: 'candidates',
        author: 'mutation',
        failures: [
          {class: 'rule-violation', rule: 'deque-empty', count: 2},
          {class: 'syntax-and-structure', rule: '', count: 1},
          {class: 'rule-violation', rule: 'tensor-leak', count: 1},
        ],
      },
      {
        run: 'candidates',
        author: 'a-model',
        failures: [{class: 'rule-violation', rule: 'deque-empty', count: 1}],
      },
    ])
  })

  test('and those that an evaluation counted over all its tasks, by author', () => {
    const lines = [score('crash', 3), score('timeout', 1), score('crash', 9, 'b', 'level'), score('crash', 2, 'c')]
    const other = {kind: 'other', author: 'd', scope: {by: 'all', name: ''}} as unknown as Score
    expect(result([violated('tensor-leak')], [...lines, other])?.groups.slice(1)).toEqual([
      {
        run: 'bench',
        author: 'b',
        failures: [
          {class: 'crash', rule: '', count: 3},
          {class: 'timeout', rule: '', count: 1},
        ],
      },
      {run: 'bench', author: 'c', failures: [{class: 'crash', rule: '', count: 2}]},
    ])
  })
})

describe('examples', () => {
  test('are the first of their kind, with how many there are, whoever wrote them', () => {
    const [kind, ...others] =
      result([violated('deque-empty', 'DeQue', model), violated('deque-empty'), uncompiled(missing('Add'))])
        ?.examples ?? []
    expect(others).toEqual([
      {
        class: 'rule-violation',
        rule: 'deque-empty',
        signature: '',
        api: 'DeQue',
        count: 2,
        outcome: 'violated',
        task: 'ScaleShift',
        author: 'a-model',
        error: {message: 'deque-empty there', file: '', line: 0, column: 0, code: ''},
      },
    ])
    expect(kind).toEqual({
      class: 'api-signature-and-overload',
      rule: '',
      signature: "no matching function for call to 'Add'",
      api: 'Add',
      count: 1,
      outcome: 'compile-failed',
      task: 'ScaleShift',
      author: 'mutation',
      error: {message: missing('Add'), file: path, line: 1, column: 2, code: '  f(x);'},
    })
  })

  const shown = (candidates: LabelledCandidate[]) =>
    result(candidates)?.examples.map(({class: name, rule, api, count}) => `${name} ${rule} ${api} ${count}`)

  test('stand in the order of their classes, the most frequent first, equal ones by their texts', () => {
    expect(
      shown([
        violated('b', 'Add'),
        violated('a', 'Mul'),
        violated('a', 'Add'),
        violated('c'),
        violated('c'),
        uncompiled(missing('Exp')),
      ]),
    ).toEqual([
      'api-signature-and-overload  Exp 1',
      'rule-violation c DeQue 2',
      'rule-violation a Add 1',
      'rule-violation a Mul 1',
      'rule-violation b Add 1',
    ])
  })

  test('are four of each class and rule', () => {
    const names = ['Add', 'Mul', 'Sub', 'Exp', 'Abs']
    const all = names.flatMap((name, at) => Array.from({length: at + 1}, () => violated('a', name)))
    expect(shown([...all, violated('b', 'Add')])).toEqual([
      'rule-violation a Abs 5',
      'rule-violation a Exp 4',
      'rule-violation a Sub 3',
      'rule-violation a Mul 2',
      'rule-violation b Add 1',
    ])
  })
})
