import {describe, expect, test} from 'vitest'
import type {JudgedCandidate, Sampler} from '../../datasets/schema/candidate.ts'
import type {FailureScore, RateScore, Score} from '../../datasets/schema/score.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import score from '../../eval/score.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import {fixtureTask} from '../pipelines/preference/records.ts'
import {runStage} from '../helpers/run-stage.ts'
import {scriptedIdentity as executor} from '../helpers/scripted-executor.ts'

const base = await fixtureTask()
const correct: Verdict = {outcome: 'correct', cases: [], executor}
const wrong: Verdict = {outcome: 'mismatched', cases: [], executor}
const broken: Verdict = {
  outcome: 'compile-failed',
  log: '',
  executor,
  diagnostics: [{severity: 'error', file: 'k.cpp', line: 1, column: 1, message: "use of undeclared identifier 'x'"}],
}
const unlinked: Verdict = {outcome: 'link-failed', log: '', executor}
const uncovered: Verdict = {outcome: 'not-covered', missing: ['Digamma'], executor}

function attempts(
  name: string,
  level: number,
  category: string,
  verdicts: readonly Verdict[],
  model = 'kernel-model',
): JudgedCandidate[] {
  const task = {...base, name, level, category, origin: {...base.origin, path: `level${level}/${category}/${name}`}}
  const file = {path: 'op_kernel/a.cpp', text: 'void a() {}\n'}
  return verdicts.map((verdict, sample) => ({
    task,
    sampler: {kind: 'model', model, sample} satisfies Sampler,
    prompt: 'p',
    reasoning: '',
    files: [file],
    written: [file.path],
    verdict,
  }))
}

const scored = async (candidates: readonly JudgedCandidate[], ks = [1, 2]) =>
  (await runStage(score({ks}), candidates)).outputs
const ratesOf = (scores: readonly Score[], by: string, name = '', author = 'kernel-model') =>
  scores.find(
    (one): one is RateScore =>
      one.kind === 'rates' && one.scope.by === by && one.scope.name === name && one.author === author,
  )

const many = [
  ...attempts('Sqrt', 1, 'Math', [correct, broken, wrong, correct]),
  ...attempts('Less', 1, 'Comparison', [broken, broken, unlinked, broken]),
  ...attempts('Gelu', 2, 'Activation', [wrong, wrong, wrong, wrong]),
]

describe('rates', () => {
  test('are means over tasks of pass@k, for compiling and for being correct', async () => {
    const scores = await scored(many)
    const all = ratesOf(scores, 'all')
    expect(all).toMatchObject({tasks: 3, judged: 12, compiled: 7, correct: 2, notCovered: 0})
    expect(all?.compilation.map(({value}) => value)).toEqual([(3 / 4 + 0 + 1) / 3, (1 + 0 + 1) / 3])
    expect(all?.execution[0]?.value).toBeCloseTo(1 / 2 / 3, 12)
    expect(all?.execution[1]?.value).toBeCloseTo(5 / 6 / 3, 12)
  })

  test('are given by level, category and task', async () => {
    const scores = await scored(many)
    expect(ratesOf(scores, 'level', '1')).toMatchObject({tasks: 2, judged: 8})
    expect(ratesOf(scores, 'category', '1/Comparison')?.compilation[0]?.value).toBe(0)
    expect(ratesOf(scores, 'task', 'level2/Activation/Gelu')).toMatchObject({compiled: 4, correct: 0})
    expect(scores.filter(({kind, scope}) => kind === 'rates' && scope.by === 'level')).toHaveLength(2)
  })

  test('leave out what the executor could not judge', async () => {
    const scores = await scored(attempts('Sqrt', 1, 'Math', [correct, uncovered, uncovered]))
    expect(ratesOf(scores, 'all')).toMatchObject({judged: 1, correct: 1, notCovered: 2})
    expect(ratesOf(scores, 'all')?.execution.map(({k, value}) => [k, value])).toEqual([[1, 1]])
  })

  test('are unknown for execution where nothing was run, and no 0', async () => {
    const compiled: Verdict = {outcome: 'compiled', executor}
    const scores = await scored(attempts('Sqrt', 1, 'Math', [compiled, compiled, broken]))
    const all = ratesOf(scores, 'all')
    expect(all).toMatchObject({judged: 3, compiled: 2, correct: 0, unrun: 2, execution: [], literalExecution: []})
    expect(all?.compilation[0]?.value).toBeCloseTo(2 / 3, 12)
    const [types, levels] = scoreTables(scores).tables
    expect(types?.rows.map((row) => row.slice(2))).toEqual([['3', '66.67', '–', '–']])
    expect(levels?.rows.map((row) => row.slice(5))).toEqual(
      Array(2).fill([expect.stringMatching(/^66\.67 /), '–', '–', expect.stringMatching(/^100\.00 /), '–', '–']),
    )
    for (const {note} of [types, levels].flatMap((one) => one ?? [])) expect(note).toContain('Or nothing was run')
    expect(scoreTables(await scored(many)).tables[1]?.note).not.toContain('nothing was run')
  })

  test('are kept apart by author and by executor', async () => {
    const other = {...executor, fingerprint: 'scripted-2'}
    const scores = await scored([
      ...many,
      ...attempts('Sqrt', 1, 'Math', [correct], 'other-model'),
      ...attempts('Sqrt', 1, 'Math', [{outcome: 'correct', cases: [], executor: other}]),
    ])
    expect(ratesOf(scores, 'all', '', 'other-model')?.execution[0]?.value).toBe(1)
    expect(
      scores
        .filter(({kind, scope, author}) => kind === 'rates' && scope.by === 'all' && author === 'kernel-model')
        .map((one) => one.executor.fingerprint),
    ).toEqual(['scripted-1', 'scripted-2'])
  })

  test('count each case of a static shape as a task', async () => {
    const [first] = attempts('Sqrt', 1, 'Math', [correct])
    const cases = base.cases.slice(0, 2).map(
      (row): JudgedCandidate => ({
        ...(first as JudgedCandidate),
        task: {...(first as JudgedCandidate).task, cases: [row]},
      }),
    )
    expect(ratesOf(await scored(cases), 'all')).toMatchObject({tasks: 2, judged: 2})
  })

  test('say nothing of speed, as no executor measured it', async () => {
    for (const one of await scored(many)) expect(one).not.toHaveProperty('speedup')
  })

  test('are the same whatever order candidates come in', async () => {
    expect(new Set((await scored([...many].reverse())).map((one) => JSON.stringify(one)))).toEqual(
      new Set((await scored(many)).map((one) => JSON.stringify(one))),
    )
  })
})

test('the literal rule is counted beside the hardened one', async () => {
  const result = (literal: boolean) => ({
    case: '0',
    literal,
    hardened: false,
    worstAbsolute: null,
    worstRelative: null,
    reason: 'y',
  })
  const violation = {rule: 'unaligned-address', block: 0, api: 'Add', tensor: 'x', message: 'm', fix: 'f'}
  const verdicts: Verdict[] = [
    correct,
    {outcome: 'mismatched', cases: [result(true)], executor},
    {outcome: 'mismatched', cases: [result(true), {...result(false), case: '1'}], executor},
    wrong,
    {outcome: 'cheated', rule: 'not-computed', detail: 'the output is constant', literal: true, executor},
    {outcome: 'cheated', rule: 'reads-files', detail: 'op_host/a.cpp line 3: fopen', literal: false, executor},
    {outcome: 'violated', case: '0', violation, executor},
    {outcome: 'violated', case: '0', violation, cases: [result(true)], executor},
    broken,
    uncovered,
  ]
  const all = ratesOf(await scored(attempts('Sqrt', 1, 'Math', verdicts)), 'all')
  expect(all).toMatchObject({judged: 9, compiled: 8, correct: 1, literal: 4})
  expect(all?.literalExecution.map(({k, value}) => [k, value.toFixed(6)])).toEqual([
    [1, (4 / 9).toFixed(6)],
    [2, (1 - (5 * 4) / (9 * 8)).toFixed(6)],
  ])
})

test('a reply without code has a class of its own, whatever the compiler says of what stands in its place', async () => {
  const [first] = attempts('Sqrt', 1, 'Math', [broken])
  const scores = await scored([{...first!, unreadable: 'no banner for op_kernel/sqrt.cpp'}])
  const classes = scores.flatMap((one) => (one.kind === 'failures' && one.scope.by === 'all' ? [one.class] : []))
  expect(classes).toEqual(['no-answer'])
})

test('failures are counted by class, with shares of all failures', async () => {
  const failures = (await scored(many)).filter(
    (one): one is FailureScore => one.kind === 'failures' && one.scope.by === 'all',
  )
  expect(failures.map(({class: name, count, share}) => [name, count, share])).toEqual([
    ['variable-scope-and-lifetime', 4, 0.4],
    ['link', 1, 0.1],
    ['accuracy', 5, 0.5],
  ])
})

test('what a second executor confirmed or refuted is added up with what only the first judged', async () => {
  const board = {...executor, name: 'cann-board', fingerprint: 'board'}
  const by = (verdict: Verdict): Verdict => ({...verdict, executor: board})
  const [sure, refuted, rest] = attempts('Sqrt', 1, 'Math', [by(correct), by(wrong), broken])
  if (!sure || !refuted || !rest) throw new Error('no attempts')
  const asked = [sure, refuted].map((one) => ({...one, confirmation: {first: correct, second: one.verdict}}))
  const scores = await scored([...asked, rest])
  expect(ratesOf(scores, 'all')).toMatchObject({judged: 3, compiled: 2, correct: 1, executor, confirmedBy: board})
  expect(new Set(scores.map((one) => JSON.stringify([one.executor, one.confirmedBy]))).size).toBe(1)
  expect((await scored([rest])).some(({confirmedBy}) => confirmedBy)).toBe(false)
})
