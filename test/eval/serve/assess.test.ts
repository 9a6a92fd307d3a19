import {describe, expect, test} from 'vitest'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {assess, type Asking} from '../../../eval/serve/assess.ts'
import type {Desk, Told} from '../../../eval/serve/desk.ts'
import {evidenceOf, stagesOf} from '../../../eval/serve/evidence.ts'
import type {Read} from '../../../eval/serve/reading.ts'
import {RewardRule} from '../../../eval/serve/reward.ts'

const executor = {name: 'twin', fingerprint: 'f', compiler: 'c', soc: 's'}
const caseOf = (id: string, passed: boolean, worst: number | null = 0) => ({
  case: id,
  literal: true,
  hardened: passed,
  worstAbsolute: worst,
  worstRelative: null,
  reason: passed ? '' : `wrong ${id}`,
})
const error = (line: number) => ({severity: 'error' as const, file: 'a.cpp', line, column: 1, message: `no x${line}`})
const warning = {...error(1), severity: 'warning' as const}
const passed = (run: string, verify: string) => ({extract: 'passed', compile: 'passed', run, verify})

const verdicts: [Verdict, evidence: object, stages: object][] = [
  [
    {outcome: 'compile-failed', diagnostics: [warning, error(1), error(2), error(3), error(4)], log: 'l', executor},
    {errors: [1, 2, 3].map((line) => ({file: 'a.cpp', line, message: `no x${line}`}))},
    {extract: 'passed', compile: 'failed', run: 'skipped', verify: 'skipped'},
  ],
  [
    {outcome: 'compile-failed', diagnostics: [warning], log: ` ${'l'.repeat(2500)} `, executor},
    {log: 'l'.repeat(2000)},
    {extract: 'passed', compile: 'failed', run: 'skipped', verify: 'skipped'},
  ],
  [
    {outcome: 'link-failed', log: 'undefined f', executor},
    {log: 'undefined f'},
    {extract: 'passed', compile: 'failed', run: 'skipped', verify: 'skipped'},
  ],
  [
    {outcome: 'launch-failed', case: '1', message: 'no tiling', executor},
    {case: '1', message: 'no tiling'},
    passed('failed', 'skipped'),
  ],
  [
    {outcome: 'crashed', case: '1', cause: 'SIGSEGV', log: 'x', executor},
    {case: '1', message: 'SIGSEGV', log: 'x'},
    passed('failed', 'skipped'),
  ],
  [
    {outcome: 'timed-out', case: '1', limitSeconds: 9, executor},
    {case: '1', message: 'it ran for more than 9 s'},
    passed('failed', 'skipped'),
  ],
  [
    {
      outcome: 'violated',
      case: '1',
      violation: {rule: 'r', block: 0, api: 'Add', tensor: 'x', message: 'm', fix: 'f'},
      executor,
    },
    {case: '1', rule: 'r', message: 'm', fix: 'f'},
    passed('failed', 'skipped'),
  ],
  [
    {outcome: 'cheated', rule: 'r', detail: 'd', literal: true, executor},
    {rule: 'r', message: 'd'},
    passed('passed', 'failed'),
  ],
  [
    {outcome: 'mismatched', cases: [caseOf('0', true), caseOf('1', false), caseOf('2', false)], executor},
    {case: '1', wrong: 'wrong 1', passed: 1, cases: 3},
    passed('passed', 'failed'),
  ],
  [
    {outcome: 'correct', cases: [caseOf('0', true), caseOf('1', true)], executor},
    {passed: 2, cases: 2},
    passed('passed', 'passed'),
  ],
  [
    {outcome: 'not-covered', missing: ['Foo', 'Bar'], executor},
    {message: 'twin lacks Foo, Bar'},
    {extract: 'passed', compile: 'skipped', run: 'skipped', verify: 'skipped'},
  ],
  [{outcome: 'compiled', executor}, {}, passed('failed', 'skipped')],
]

test.each(verdicts)('what is told of %o', (verdict, evidence, stages) => {
  expect(evidenceOf(verdict)).toEqual({outcome: verdict.outcome, ...evidence})
  expect(stagesOf(verdict)).toEqual(stages)
})

const task = {name: 'Add', answer: [{path: 'a', text: 't'}]} as unknown as OperatorTask
const read = {ok: true, candidate: {task, files: []}} as unknown as Read
const rule = RewardRule.parse({})
const [green] = verdicts.filter(([{outcome}]) => outcome === 'correct').map(([verdict]) => verdict) as [Verdict]

function deskOf(answer: (asked: {seed: string; anew: boolean; isAnswer: boolean}) => Told | Error) {
  const asked: object[] = []
  const desk: Pick<Desk, 'ask'> = {
    ask: ({candidate, seed, anew}) => {
      const isAnswer = candidate.sampler?.kind === 'answer'
      asked.push({seed, anew, isAnswer})
      const told = answer({seed, anew, isAnswer})
      return told instanceof Error ? Promise.reject(told) : Promise.resolve(told)
    },
  }
  return {desk: desk as Desk, asked}
}

const told = (verdict: Verdict, microseconds?: number): Told => ({
  finding: {state: 'judged', verdict, ...(microseconds === undefined ? {} : {microseconds})} as Told['finding'],
  cached: 'stored',
})
const asking: Asking = {seed: '7', priority: 'normal', anew: true}
const said = (answer: Parameters<typeof deskOf>[0], how: Partial<Asking> = {}, by = rule) =>
  assess(deskOf(answer).desk, by, read, {...asking, ...how})

describe('an assessment', () => {
  test('of a right candidate', async () => {
    expect(await said(() => told(green, 12))).toEqual({
      label: 'green',
      reward: 1,
      stages: passed('passed', 'passed'),
      decoy: false,
      error_class: null,
      evidence: {outcome: 'correct', passed: 2, cases: 2},
      metrics: {max_abs_err: 0, modelled_us: 12},
      cached: 'stored',
    })
  })

  test('tells the worst error of all cases, and none that is no number', async () => {
    const worst = async (...errors: (number | null)[]) => {
      const cases = errors.map((one, at) => caseOf(String(at), false, one))
      return (await said(() => told({outcome: 'mismatched', cases, executor}))).metrics.max_abs_err
    }
    expect(await worst(1, 3, 2)).toBe(3)
    expect(await worst(null, 2)).toBe(2)
    expect(await worst(null)).toBe(0)
    expect(await worst(Infinity)).toBeNull()
    const crashed = await said(() => told({outcome: 'crashed', case: '1', cause: 'c', log: '', executor}))
    expect(crashed).toMatchObject({label: 'orange', reward: 0.3, metrics: {max_abs_err: null, modelled_us: null}})
    expect(crashed.error_class).toBe('crash')
  })

  test('of a cheat is a decoy', async () => {
    const cheated: Verdict = {outcome: 'cheated', rule: 'r', detail: 'd', literal: true, executor}
    expect(await said(() => told(cheated))).toMatchObject({
      label: 'orange',
      decoy: true,
      reward: -0.1,
      error_class: 'cheat',
    })
  })

  test('of what the executor lacks has no reward and no class', async () => {
    expect(await said(() => told({outcome: 'not-covered', missing: ['Foo'], executor}))).toMatchObject({
      label: 'not_covered',
      reward: null,
      error_class: null,
      evidence: {message: 'twin lacks Foo'},
    })
  })

  test('of what cannot be read', async () => {
    const {desk, asked} = deskOf(() => told(green))
    expect(await assess(desk, rule, {ok: false, problem: 'no file'} as Read, asking)).toEqual({
      label: 'invalid',
      reward: -0.1,
      stages: {extract: 'failed', compile: 'skipped', run: 'skipped', verify: 'skipped'},
      decoy: false,
      error_class: null,
      evidence: {outcome: 'unreadable', message: 'no file'},
      metrics: {max_abs_err: null, modelled_us: null},
      cached: 'no',
    })
    expect(asked).toEqual([])
  })
})

describe('what says nothing of the candidate', () => {
  const infra = (outcome: string, message: string, cached = 'no') => ({
    label: 'infra_error',
    reward: null,
    stages: {extract: 'passed', compile: 'skipped', run: 'skipped', verify: 'skipped'},
    decoy: false,
    error_class: null,
    evidence: {outcome, message},
    metrics: {max_abs_err: null, modelled_us: null},
    cached,
  })
  test('is a task that cannot be judged, and a tool that failed', async () => {
    const unfit = {finding: {state: 'unfit', reason: 'no-case', detail: 'none'}, cached: 'shared'} as unknown as Told
    expect(await said(() => unfit)).toEqual(infra('no-case', 'none', 'shared'))
    const failed = new PipelineError('executor-failed', 'It fell over.', {fix: 'Mend it.'})
    expect(await said(() => failed)).toEqual(infra('executor-failed', 'It fell over. Mend it.'))
    const words = 'Internal error; the candidate was not judged. Send it again.'
    expect(await said(() => new TypeError('ours'))).toEqual(infra('internal', words))
  })
  test('is time that ran out, and whoever left', async () => {
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    expect(await said(() => new TypeError('x'), {signal: late})).toEqual(
      infra('deadline', 'it was not judged in the given time'),
    )
    for (const reason of [new Error('gone'), 'gone'])
      expect(await said(() => new TypeError('x'), {signal: AbortSignal.abort(reason)})).toEqual(
        infra('client-left', 'the client has disconnected'),
      )
  })
})

describe('a reward for speed', () => {
  const fast = RewardRule.parse({speed: 0.5})
  const timed = (candidate: number | undefined, answer: number | undefined) =>
    said(({isAnswer}) => told(green, isAnswer ? answer : candidate), {}, fast)

  test('compares with the task’s own answer, judged once with the same seed', async () => {
    expect((await timed(5, 10)).reward).toBe(1.5)
    expect((await timed(10, 10)).reward).toBe(1)
    expect((await timed(40, 10)).reward).toBe(0.5)
    const {desk, asked} = deskOf(({isAnswer}) => told(green, isAnswer ? 10 : 5))
    await assess(desk, fast, read, asking)
    expect(asked).toEqual([
      {seed: '7', anew: true, isAnswer: false},
      {seed: '7', anew: false, isAnswer: true},
    ])
  })
  test('asks for no answer where it is not wanted, not timed, or not there', async () => {
    for (const [by, microseconds, own] of [
      [rule, 5, read],
      [fast, undefined, read],
      [fast, 5, {ok: true, candidate: {task: {...task, answer: []}, files: []}} as unknown as Read],
    ] as const) {
      const {desk, asked} = deskOf(() => told(green, microseconds))
      expect((await assess(desk, by, own, asking)).reward).toBe(1)
      expect(asked).toHaveLength(1)
    }
    expect((await timed(5, undefined)).reward).toBe(1)
    const unfit = {finding: {state: 'unfit', reason: 'r', detail: ''}, cached: 'no'} as unknown as Told
    expect((await said(({isAnswer}) => (isAnswer ? unfit : told(green, 5)), {}, fast)).reward).toBe(1)
  })
})
