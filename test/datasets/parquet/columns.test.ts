import {describe, expect, test} from 'vitest'
import {cells, columns} from '../../../datasets/parquet/columns.ts'
import {preferenceCompletions} from '../../../datasets/tokens/chat-turns.ts'
import {qwen3, type ChatFormat} from '../../../datasets/tokens/chat-format.ts'
import type {CotSample, PreferencePair, PreferenceSide} from '../../../datasets/schema/sample.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {dpoRow, executor, kernelSample, pair, sample, sftRow, side} from '../rows.ts'

const perCharacter: ChatFormat = {
  ...qwen3,
  tokens: (prompt, reply) => prompt.length + reply.length,
  vocabulary: {tokenizer: 'letters', fingerprint: 'letters', count: (text) => text.length},
}
const ofSample = (over: Partial<CotSample> = {}) => cells(sftRow(sample(over)), perCharacter)
const ofPair = (over: Partial<PreferencePair> = {}) => cells(dpoRow(pair(over)), perCharacter)

function picked(all: Record<string, unknown>, ...names: string[]): unknown[] {
  for (const name of names) if (!(name in all)) throw new TypeError(`there is no column ${name}`)
  return names.map((name) => all[name])
}

describe('a sample', () => {
  test('in words, has null for all that only code or other kinds have', () => {
    const {id, ...all} = ofSample()
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const nothing = Object.fromEntries(
      Object.entries(all)
        .filter(([, value]) => value === null)
        .map(([name]) => [name, null]),
    )
    expect(Object.keys(nothing).sort()).toEqual(
      [
        ...[
          'asks',
          'compiler',
          'confirmation',
          'contract',
          'counterfactuals',
          'executor',
          'executor_fingerprint',
          'failed_class',
          'failed_outcome',
          'failed_sampler',
        ],
        ...[
          'failed_signature',
          'failed_what',
          'formula',
          'model',
          'modelled_us_after',
          'modelled_us_before',
          'outcome',
        ],
        ...['proof', 'qa', 'role', 'rounds', 'side', 'soc', 'speedup', 'step'],
      ].sort(),
    )
    expect(picked(all, 'kind', 'files', 'language', 'evidence', 'teacher', 'tokenizer')).toEqual([
      ...['documentation', [], 'zh', [], 'offline', 'letters'],
    ])
  })

  test('holds its turns, and counts the tokens of both', () => {
    const all = ofSample({prompt: 'abc', reasoning: 'de', answer: 'f'})
    expect(all['prompt']).toEqual([{role: 'user', content: 'abc'}])
    expect(all['completion']).toEqual([{role: 'assistant', content: '<think>\nde\n</think>\n\nf'}])
    expect(all['tokens']).toBe(3 + '<think>\nde\n</think>\n\nf'.length)
  })

  test('with a verdict says who judged it, by which compiler and for which chip', () => {
    expect(
      picked(
        cells(sftRow(kernelSample())),
        ...['outcome', 'executor', 'executor_fingerprint', 'compiler', 'soc', 'model', 'teacher'],
      ),
    ).toEqual(['compiled', 'twin', 'f00d', 'clang-15', 'Ascend910B1', 'deepseek-reasoner', 'model'])
    const verdict = {outcome: 'compiled' as const, executor: {name: 'twin', fingerprint: 'f'}}
    expect(picked(ofSample({verdict: verdict as never}), 'executor', 'compiler', 'soc')).toEqual(['twin', null, null])
  })

  test('that corrects says what failed, by whom and in how many rounds', () => {
    const failed = {
      outcome: 'mismatched',
      what: '',
      class: 'accuracy',
      signature: 's',
      sampler: {kind: 'model', model: 'm', attempt: 1},
      rounds: 0,
    }
    const names = ['outcome', 'what', 'class', 'signature', 'sampler'].map((name) => `failed_${name}`)
    const all = ofSample({failed} as unknown as Partial<CotSample>)
    expect(picked(all, ...names, 'rounds')).toEqual(['mismatched', '', 'accuracy', 's', 'model', 0])
  })

  test('tells of each text that the writer was shown, lines where there are some', () => {
    const evidence = [
      {repository: 'r', revision: '1', path: 'a.html', lines: [3, 9], licence: 'MIT'},
      {repository: 'r', revision: '1', path: 'b.html', licence: 'MIT'},
    ]
    expect(ofSample({evidence} as Partial<CotSample>)['evidence']).toEqual([
      {repository: 'r', revision: '1', path: 'a.html', lines: '3-9'},
      {repository: 'r', revision: '1', path: 'b.html', lines: null},
    ])
  })
})

describe('the turns of a pair', () => {
  const turns = (chosen: string, rejected: string) =>
    preferenceCompletions(
      pair({chosen: side({reasoning: chosen, answer: 'A'}), rejected: side({reasoning: rejected, answer: 'B'})}),
    )
  const thought = (reasoning: string, answer: string) => `<think>\n${reasoning}\n</think>\n\n${answer}`

  test.each<[string, string, {chosen: string; rejected: string}]>([
    ['x', 'y', {chosen: thought('x', 'A'), rejected: thought('y', 'B')}],
    ['x', '', {chosen: 'A', rejected: 'B'}],
    ['', 'y', {chosen: 'A', rejected: 'B'}],
    ['', '', {chosen: 'A', rejected: 'B'}],
  ])('with reasoning %j and %j', (chosen, rejected, told) => {
    expect(turns(chosen, rejected)).toEqual(told)
  })

  test('set apart by length, and counted with the question', () => {
    const all = ofPair({
      prompt: 'four',
      chosen: side({reasoning: '', answer: 'abc', files: []}),
      rejected: side({reasoning: 'left out', answer: 'abcdefgh', files: []}),
    })
    expect(picked(all, 'length_difference', 'chosen_tokens', 'rejected_tokens')).toEqual([-5, 7, 12])
    expect(picked(all, 'chosen', 'rejected')).toEqual([
      [{role: 'assistant', content: 'abc'}],
      [{role: 'assistant', content: 'abcdefgh'}],
    ])
  })
})

describe('how far a side is from right', () => {
  type Case = [worstAbsolute?: number, worstRelative?: number]
  const cases = (...errors: Case[]) =>
    errors.map(([worstAbsolute, worstRelative], at) => ({
      ...{case: String(at), literal: true, hardened: false, reason: ''},
      ...(worstAbsolute !== undefined && {worstAbsolute}),
      ...(worstRelative !== undefined && {worstRelative}),
    }))
  const errors = (...severities: string[]) =>
    severities.map((severity) => ({severity, file: 'a.cpp', line: 1, column: 1, message: 'm'}))

  test.each<[string, object, unknown[]]>([
    ['one that is right', side().verdict, [null, 0, 0, null]],
    [
      'one that computed wrong numbers',
      {outcome: 'mismatched', cases: cases([1, 0.5], [3, 0.25])},
      [null, 3, 0.5, null],
    ],
    ['one of which some outputs were compared', {outcome: 'mismatched', cases: cases([], [2, 1])}, [null, 2, 1, null]],
    ['one of which none were', {outcome: 'mismatched', cases: cases([])}, [null, null, null, null]],
    ['one that crashed', {outcome: 'crashed', log: ''}, [null, null, null, null]],
    ['one that broke a rule', {outcome: 'violated', violation: {rule: 'ub-bounds'}}, ['ub-bounds', null, null, null]],
    [
      'one that cheated',
      {outcome: 'cheated', rule: 'calls-a-library', evidence: ''},
      ['calls-a-library', null, null, null],
    ],
    [
      'one that does not compile',
      {outcome: 'compile-failed', log: '', diagnostics: errors('error', 'warning', 'note', 'error')},
      [null, null, null, 2],
    ],
    [
      'one that does not compile, without a word',
      {outcome: 'compile-failed', log: '', diagnostics: errors('warning')},
      [null, null, null, 0],
    ],
    ['one that does not link', {outcome: 'link-failed', log: ''}, [null, null, null, null]],
  ])('%s', (_, verdict, told) => {
    const whole: PreferenceSide = {...side(), verdict: {executor, ...verdict} as unknown as Verdict}
    for (const name of ['chosen', 'rejected'] as const) {
      const names = ['rule', 'worst_absolute', 'worst_relative', 'errors'].map((one) => `${name}_${one}`)
      expect(picked(ofPair({[name]: whole}), ...names)).toEqual(told)
    }
  })

  test('beside its whole verdict and its author', () => {
    const all = ofPair({rejected: side({sampler: {kind: 'mutation', mutation: 'm', detail: 'd'}, label: 'orange'})})
    const names = ['label', 'outcome', 'executor', 'executor_fingerprint', 'sampler', 'sampler_detail']
    expect(picked(all, ...names.map((name) => `rejected_${name}`))).toEqual([
      ...['orange', 'correct', 'twin', 'f00d', 'mutation', '{"detail":"d","kind":"mutation","mutation":"m"}'],
    ])
    expect(JSON.parse(String(all['rejected_verdict']))).toEqual(side().verdict)
    expect(picked(all, 'task', 'strategy', 'changed_lines', 'changed_share')).toEqual([
      ...['ScaleCustom', 'compile-fail', 2, 0.2],
    ])
  })
})

test('speed is told where a board timed it beside the answer, and nowhere else', () => {
  const timed = (microseconds: number, answer?: number) => ({
    ...{case: '0', literal: true, hardened: true, worstAbsolute: 0, worstRelative: 0, reason: ''},
    time: {microseconds, spread: 0, repeats: 20, ...(answer && {answer})},
  })
  const board = {...executor, name: 'cann-board'}
  const correct = (...cases: ReturnType<typeof timed>[]): Verdict => ({outcome: 'correct', cases, executor: board})
  const all = ofPair({chosen: side({verdict: correct(timed(10, 20), timed(40, 20))})})
  expect(picked(all, 'chosen_speedup', 'rejected_speedup')).toEqual([1, null])
  expect(picked(ofSample({verdict: correct(timed(10, 20))}), 'speedup')).toEqual([2])
  expect(picked(ofSample({verdict: correct(timed(10))}), 'speedup')).toEqual([null])
})

test('no two columns have one name, and each is told in a sentence', () => {
  for (const own of Object.values(columns)) {
    const names = own.map(({name}) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const {name, meaning} of own) expect(meaning, name).toMatch(/^\S.+[.;]$/s)
  }
  const colours = columns.dpo.find(({name}) => name === 'chosen_label')?.meaning
  expect(colours).toBe('Colour of the better side: `green`, `orange` or `purple`.')
})
