import {describe, expect, test} from 'vitest'
import type {CheckedJob} from '../../../trainers/preflight/checked-job.ts'
import {count, gib, percent, type Finding} from '../../../trainers/preflight/finding.ts'
import {leaks} from '../../../trainers/preflight/preflight.ts'
import {rowLengths} from '../../../trainers/preflight/row-lengths.ts'
import {rowShape} from '../../../trainers/preflight/row-shape.ts'
import {rowView, type RowCheck} from '../../../trainers/preflight/row-view.ts'
import {thinkBlocks} from '../../../trainers/preflight/think-blocks.ts'
import {readSpec} from '../../../trainers/read-spec.ts'
import type {TrainingRow} from '../../../trainers/training-rows.ts'
import {assistant, dpoRow, sftRow, thought, user} from '../checked-jobs.ts'

const plan = {spec: await readSpec('starter-sft', {})}

type Method = 'sft' | 'dpo' | 'grpo' | 'kto'

function findings(check: RowCheck, rows: readonly TrainingRow[], method: Method = 'sft'): Finding[] {
  for (const [at, row] of rows.entries()) check.look(rowView(row, at + 1, method))
  return check.findings()
}

const jobOf = (spec: object, more: object = {}) =>
  ({plan: {...plan, model: {}, spec: {...plan.spec, ...spec}}, ...more}) as unknown as CheckedJob

describe('the shape of a row', () => {
  const shape = (rows: readonly TrainingRow[], {engine = 'trl', method = 'sft' as Method} = {}) =>
    findings(rowShape(jobOf({engine})), rows, method)
  const codes = (over: TrainingRow, how = {}) => shape([sftRow(0), sftRow(1, over)], how).map(({code}) => code)
  const system = {role: 'system', content: 'Be brief.'}
  const [question, answer] = [...user('Why?'), ...assistant('So.')]

  test.each<[string, unknown, boolean]>([
    ['one turn of a user', [question], true],
    ['a system turn in front', [system, question], true],
    ['three turns', [question, answer, question], true],
    ['a system turn and three', [system, question, answer, question], true],
    ['no turn', [], false],
    ['a system turn alone', [system], false],
    ['a system turn behind', [question, system], false],
    ['two turns', [question, answer], false],
    ['two questions and a third', [question, question, question], false],
    ['an assistant first', [answer, question, answer], false],
    ['a plain text', 'Why?', false],
    ['no cell', undefined, false],
    ['a turn without a text', [{role: 'user'}], false],
    ['a turn of nobody', [{content: 'Why?'}], false],
    ['nothing for a turn', [null], false],
  ])('a prompt of %s is one: %s', (_, prompt, sound) => {
    expect(codes({prompt})).toEqual(sound ? [] : ['turns-malformed'])
  })

  test.each<[string, unknown, boolean]>([
    ['one turn of the assistant', assistant('So.'), true],
    ['two turns', [answer, answer], false],
    ['a turn of the user', user('So.'), false],
    ['a plain text', 'So.', false],
    ['no turn', [], false],
  ])('a reply of %s is one: %s', (_, completion, sound) => {
    expect(codes({completion})).toEqual(sound ? [] : ['turns-malformed'])
  })

  test('MindSpeed-LLM holds a prompt of one turn', () => {
    expect(codes({prompt: [system, question]}, {engine: 'mindspeed-llm'})).toEqual(['turns-lost'])
    expect(codes({prompt: [question]}, {engine: 'mindspeed-llm'})).toEqual([])
    expect(codes({prompt: [system, question]}, {engine: 'ms-swift'})).toEqual([])
  })

  test('an empty prompt, an empty reply and a row that is there twice are told', () => {
    expect(codes({prompt: user(' \n')})).toEqual(['prompt-empty'])
    expect(codes({completion: assistant(thought(' '))})).toEqual(['reply-empty'])
    expect(codes({completion: assistant('')})).toEqual(['reply-empty'])
    expect(codes({completion: assistant(thought('x'))})).toEqual([])
    expect(shape([sftRow(4), sftRow(4), sftRow(4), sftRow(5)])).toEqual([
      {
        code: 'rows-repeated',
        severity: 'warning',
        message: '2 rows (2 00000000, 3 00000000) duplicate an earlier row, which then counts several times.',
        fix: 'Export the data set again: its stage `dedup` removes them.',
      },
    ])
    expect(shape([sftRow(4, {label: true}), sftRow(4, {label: false})])).toEqual([])
  })
})

test(
  'a row is named by its number and the first signs of its id; three are named, of more it is said ' + 'that there are',
  () => {
    const empty = (count: number) =>
      findings(
        rowShape(jobOf({})),
        Array.from({length: count}, (_, at) => sftRow(at, {prompt: user(''), id: undefined})),
      )[0]?.message
    expect(empty(1)).toBe('1 row (1) have an empty prompt.')
    expect(empty(3)).toBe('3 rows (1, 2, 3) have an empty prompt.')
    expect(empty(4)).toBe('4 rows (1, 2, 3, …) have an empty prompt.')
    expect(rowView(sftRow(7, {id: 'abcdefghij'}), 12, 'sft').name).toBe('12 abcdefgh')
  },
)

test('a row is looked at by the columns of its method', () => {
  const columns = (row: TrainingRow, method: Method) => rowView(row, 1, method).replies.map(({column}) => column)
  expect(columns(sftRow(1), 'sft')).toEqual(['completion'])
  expect(columns(dpoRow(1), 'dpo')).toEqual(['chosen', 'rejected'])
  expect(columns(sftRow(1), 'kto')).toEqual(['completion'])
  expect(columns(sftRow(1), 'grpo')).toEqual([])
  expect(rowView({prompt: [...user('a'), ...assistant('b')]}, 1, 'sft')).toMatchObject({
    question: 'a\nb',
    replies: [{column: 'completion', turns: undefined, text: ''}],
  })
})

describe('think blocks', () => {
  const codes = (texts: readonly string[], {thinking = true, method = 'sft' as Method} = {}) => {
    const model = {...plan.spec.model, thinking: {value: thinking}}
    const row =
      method === 'dpo'
        ? dpoRow(0, {chosen: assistant(texts[0] ?? ''), rejected: assistant(texts[1] ?? '')})
        : sftRow(0, {completion: assistant(texts[0] ?? '')})
    return findings(thinkBlocks(jobOf({model, method})), [row], method).map(({code, severity}) => `${code} ${severity}`)
  }

  test.each<[string, string[]]>([
    ['<think>\nBecause.\n</think>\n\nSo.', []],
    ['\n <think>x</think>So.', []],
    ['So.', ['think-missing error']],
    ['<think>\n\n</think>\n\nSo.', ['think-missing error']],
    ['So. <think>x</think>', ['think-malformed error']],
    ['<think>x', ['think-malformed error']],
    ['</think>x<think>', ['think-malformed error']],
    ['<think>x</think>y</think>', ['think-malformed error']],
    ['<think><think>x</think>', ['think-malformed error']],
    ['<think>x<think>', ['think-malformed error']],
    ['</think></think>', ['think-malformed error']],
  ])('%j gives %j', (text, expected) => {
    expect(codes([text])).toEqual(expected)
  })

  test('are plain text to a model that does not think', () => {
    expect(codes(['<think>x</think>So.'], {thinking: false})).toEqual(['think-as-text warning'])
    expect(codes(['<think></think>So.'], {thinking: false})).toEqual(['think-as-text warning'])
    expect(codes(['So.'], {thinking: false})).toEqual([])
  })

  test('on one side tell the better side; on neither they are worth a note', () => {
    expect(codes([thought('a'), thought('b')], {method: 'dpo'})).toEqual([])
    expect(codes([thought('a'), 'b'], {method: 'dpo'})).toEqual(['think-missing note', 'think-one-sided error'])
    expect(codes([thought('a'), thought('b', '')], {method: 'dpo'})).toEqual([
      'think-missing note',
      'think-one-sided error',
    ])
    expect(codes(['a', 'b'], {method: 'dpo'})).toEqual(['think-missing note'])
    expect(codes(['a', '<think></think>b'], {method: 'dpo'})).toEqual(['think-missing note'])
  })

  test('in earlier turns are taken out again', () => {
    const history = (role: string, content: string) =>
      findings(thinkBlocks(jobOf({})), [sftRow(0, {prompt: [...user('a'), {role, content}, ...user('b')]})]).map(
        ({code}) => code,
      )
    expect(history('assistant', thought('x'))).toEqual(['think-in-history'])
    expect(history('assistant', 'x')).toEqual([])
    expect(history('user', thought('x'))).toEqual([])
  })

  test('that miss are told as a share of all rows', () => {
    const model = {...plan.spec.model, thinking: {value: true}}
    const rows = Array.from({length: 40}, (_, at) => sftRow(at, at < 3 ? {completion: assistant('So.')} : {}))
    const [found] = findings(thinkBlocks(jobOf({model, method: 'sft'})), rows)
    expect(found?.message).toMatch(/^3 rows \(1 00000000, 2 00000000, 3 00000000\), 7\.5 % of all, have no reasoning: /)
    expect(found?.message).toMatch(/in front of each, and the model learns not to think\.$/)
  })
})

describe('lengths against the limit', () => {
  /** A token a sign, and two around a turn. */
  const tokens = (prompt: string, reply: string) => prompt.length + reply.length + 2
  const lengths = (sizes: readonly (readonly [prompt: number, reply: string])[], exact = true, limit = 100) => {
    const hyperparameters = {...plan.spec.hyperparameters, maxLength: {value: limit}}
    const rows = sizes.map(([prompt, reply], at) =>
      sftRow(at, {prompt: user('p'.repeat(prompt)), completion: assistant(reply)}),
    )
    return findings(rowLengths(jobOf({hyperparameters}, {chat: {format: {tokens}, exact, template: null}})), rows)
  }
  const reply = (size: number) => 'r'.repeat(size)

  test('are told in full', () => {
    expect(
      lengths([
        [8, reply(10)],
        [8, reply(90)],
        [8, reply(40)],
      ])[0],
    ).toEqual({
      code: 'lengths',
      severity: 'note',
      message: '3 replies, prompt included: 170 tokens, p50 50, p90 100, p99 100, longest 100, limit 100.',
      fix: '',
    })
    expect(lengths([])).toEqual([])
  })

  test('at the limit nothing is lost, one token past it one is', () => {
    expect(lengths([[8, reply(90)]]).map(({code}) => code)).toEqual(['lengths'])
    expect(lengths([[8, reply(91)]])[1]).toEqual({
      code: 'rows-cut',
      severity: 'error',
      message:
        '1 row (1 00000000) are longer than `hyperparameters.maxLength`, 100 tokens: trainers silently truncate ' +
        'them by 1 token in all (1.0 %); 0 would lose `</think>`, 0 would lose the whole reply.',
      fix: 'Use --set hyperparameters.maxLength=1024, or export shorter rows (`export.maxTokens`).',
    })
  })

  test('replies of which nothing is left, or no end of the thought, are counted', () => {
    const cut = (prompt: number, text: string) => lengths([[prompt, text]])[1]?.message.split('; ')[1]
    expect(cut(98, reply(5))).toBe('0 would lose `</think>`, 1 would lose the whole reply.')
    expect(cut(97, reply(5))).toBe('0 would lose `</think>`, 0 would lose the whole reply.')
    expect(cut(8, `${reply(90)}</think>`)).toBe('1 would lose `</think>`, 0 would lose the whole reply.')
    expect(cut(8, `${reply(89)}</think>`)).toBe('0 would lose `</think>`, 0 would lose the whole reply.')
    expect(cut(98, '</think>')).toBe('1 would lose `</think>`, 1 would lose the whole reply.')
  })

  test('by estimate are told as such, and near the limit as a warning', () => {
    const estimated = (size: number) => lengths([[8, reply(size - 10)]], false).map(({code}) => code)
    expect(estimated(80)).toEqual(['lengths', 'lengths-estimated'])
    expect(estimated(81)).toEqual(['lengths', 'lengths-near-limit', 'lengths-estimated'])
    expect(estimated(101)).toEqual(['lengths', 'rows-cut', 'lengths-estimated'])
    expect(lengths([[8, reply(10)]], false)[0]?.message).toContain(': 20 tokens by estimate, p50 20,')
    expect(lengths([[8, reply(1014)]]).at(-1)?.fix).toContain('maxLength=1024,')
    expect(lengths([[8, reply(1015)]]).at(-1)?.fix).toContain('maxLength=2048,')
    expect(lengths([[8, reply(810)]], false)[1]?.fix).toContain('maxLength=2048,')
  })

  test.each<[string, TrainingRow[], boolean, string | undefined]>([
    ['the shortest that does not fit', [{tokens: 60}, {tokens: 50}, {tokens: 9}], true, '49, as the data set counts'],
    ['the longer side of a pair', [{chosen_tokens: 8, rejected_tokens: 70}], true, '69, as the data set counts'],
    ['nothing where a data set does not count', [{}], true, undefined],
    ['an estimate where nobody else can count', [{tokens: 60}], false, '80, also an estimate'],
  ])('beyond the context name the limit by %s', (_, cells, exact, limit) => {
    const method = 'chosen_tokens' in (cells[0] ?? {}) ? 'dpo' : 'sft'
    const rows = cells.map((one, at) => {
      const text = assistant(reply(one['tokens'] === 9 ? 5 : 95))
      return sftRow(at, {prompt: user('p'.repeat(8)), completion: text, chosen: text, rejected: text, ...one})
    })
    const job = jobOf({method}, {chat: {format: {tokens}, exact, template: null}})
    Object.assign(job.plan.model, {shape: {context: 100}})
    const found = findings(rowLengths(job), rows, method).find(({code}) => code === 'context-short')
    expect(found?.severity).toBe('error')
    expect(/data\.maxTokens=([^)]*)\)/.exec(found?.fix ?? '')?.[1]).toBe(limit)
  })

  test('of a reward are those of its prompts', () => {
    const check = rowLengths(jobOf({}, {chat: {format: {tokens}, exact: true, template: null}}))
    expect(findings(check, [sftRow(0, {prompt: user('12345')})], 'grpo')[0]?.message).toContain(
      '1 reply, prompt included',
    )
  })
})

describe('leaks', () => {
  const codes = (over: TrainingRow) =>
    findings(leaks(jobOf({}, {data: {root: '/nowhere'}})), [sftRow(0), sftRow(1, over)]).map(({code}) => code)
  test.each(['contaminated', 'is_contaminated', 'leak', 'leaked', 'benchmark'])('a row says so by its %s', (column) => {
    for (const cell of [true, 'NPUKernelBench', 1])
      expect(codes({[column]: cell}), String(cell)).toEqual(['benchmark-leak', 'not-decontaminated'])
    for (const cell of [false, '', 0, null, undefined])
      expect(codes({[column]: cell}), String(cell)).toEqual(['not-decontaminated'])
  })
  test('or by not having been cleaned', () => {
    expect(codes({decontaminated: false})).toEqual(['benchmark-leak', 'not-decontaminated'])
    for (const cell of [true, undefined, null]) expect(codes({decontaminated: cell})).toEqual(['not-decontaminated'])
  })
})

test('numbers are written as every machine writes them', () => {
  expect([0, 999, 1000, 1234567.8].map(count)).toEqual(['0', '999', '1,000', '1,234,568'])
  expect([0, 0.0123, 0.0999, 0.1, 0.555, 1].map(percent)).toEqual(['0.0 %', '1.2 %', '10.0 %', '10 %', '56 %', '100 %'])
  expect([2 ** 30, 1.5 * 2 ** 30, 9.96 * 2 ** 30, 10 * 2 ** 30, 80.4 * 2 ** 30].map(gib)).toEqual([
    '1.0 GiB',
    '1.5 GiB',
    '10.0 GiB',
    '10 GiB',
    '80 GiB',
  ])
})
