import {describe, expect, test} from 'vitest'
import type {ModelledCost} from '../../../../datasets/schema/optimisation.ts'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {tell} from '../../../../pipelines/preference/rewinds/told.ts'
import {toldCases} from '../../../helpers/told-parts.ts'

const work = {
  copiesIn: 8,
  copiesOut: 8,
  vectorInstructions: 8,
  vectorRepeats: 64,
  scalarAccesses: 0,
  tiles: 8,
  drains: 2,
  burstsIn: 8,
  burstsOut: 8,
  waits: 8,
}
const slow: ModelledCost = {
  microseconds: 20,
  launchMicroseconds: 3,
  pipes: {MTE2: 10, V: 5, S: 0, MTE3: 2.5},
  bottleneck: 'MTE2',
  overlap: 'none',
  cores: 4,
  blockDim: 8,
  readBytes: 65536,
  writtenBytes: 65536,
  work,
}
const fast: ModelledCost = {...slow, microseconds: 12, overlap: 'full'}

const kernel = (...lines: string[]) => ({path: 'op_kernel/fold.cpp', text: `${lines.join('\n')}\n`})
const host = {path: 'op_host/fold.cpp', text: 'int n;\n'}

const improvement = {
  operator: 'Fold',
  sizes: 'x of 64 × 1024',
  step: 'single-buffer-in',
  before: {files: [host, kernel('f();', '  pipe.InitBuffer(in_, 1, n);', '}')], cost: slow},
  after: {files: [host, kernel('f();', '  pipe.InitBuffer(in_, 2, n);', '}')], cost: fast},
}
type Improvement = typeof improvement

function told(changes: Partial<Improvement> = {}, language: 'en' | 'zh' = 'en') {
  return tell({...improvement, ...changes}, voice(language, randomFrom('told'))) ?? expect.fail('nothing is told')
}

const costs = (before: Partial<ModelledCost>, after: Partial<ModelledCost> = {}) => ({
  before: {...improvement.before, cost: {...slow, ...before}},
  after: {...improvement.after, cost: {...fast, ...after}},
})
const [limit, place, bound] = [0, 1, 2].map(
  (at) =>
    (changes: Partial<Improvement>, language: 'en' | 'zh' = 'en') =>
      told(changes, language).reasoning.split('\n\n')[at],
) as [Tells, Tells, Tells]
type Tells = (changes: Partial<Improvement>, language?: 'en' | 'zh') => string | undefined

test('a whole step, in both languages', () => {
  const cases = (['en', 'zh'] as const).flatMap((language) => {
    const {prompt, reasoning, answer} = told({}, language)
    return Object.entries({prompt, reasoning, answer}).map(([part, text]) => [`${part}, ${language}`, text])
  })
  toldCases('rewound', Object.fromEntries(cases))
})

test('only files that change are answered with', () => {
  const [, changed] = improvement.after.files
  expect(told().files).toEqual([changed])
  expect(told().answer).toContain('op_kernel/fold.cpp')
  expect(told().answer).not.toContain('op_host/fold.cpp')
  const other = {path: 'op_host/new.cpp', text: ''}
  const after = {...improvement.after, files: [other, ...improvement.after.files]}
  expect(told({after}).files).toEqual([other, changed])
})

test('of a step without a cause nothing is told', () => {
  expect(tell({...improvement, step: 'unheard-of'}, voice('en', randomFrom('told')))).toBeUndefined()
})

describe('what limits it', () => {
  test.each([
    ['MTE2', 'copies from GM (MTE2) take most.'],
    ['MTE3', 'copies to GM (MTE3) take most.'],
    ['V', 'the vector unit takes most.'],
    ['S', 'the scalar unit takes most.'],
  ] as const)('%s', (bottleneck, says) => {
    expect(limit(costs({bottleneck}))).toContain(`for 2.5 µs (modelled), so ${says}`)
  })

  const one = 'There is one tile in a block, so nothing overlaps and the times add up to 20 µs.'
  const all = 'In all the model gives 20 µs, where one after the other they would be 17.5 µs.'
  test.each([
    [0, 'full', one],
    [1, 'none', one],
    [2, 'none', 'Tiles do not overlap, so the times add up: 20 µs for 2 tiles.'],
    [2, 'full', all],
    [2, 'in-part', `${all} A queue with a single block lets tiles overlap only in part.`],
  ] as const)('of %i tiles, overlap %s', (tiles, overlap, says) => {
    const changes = costs({overlap, work: {...work, tiles}})
    expect(limit(changes)?.split('take most. ')[1]).toBe(says)
    expect(limit(changes, 'zh')).toMatch(/最久。.+。$/)
  })
})

describe('the place', () => {
  const at = (before: string[], after: string[]) =>
    place({
      before: {files: [host, kernel(...before)], cost: slow},
      after: {files: [host, kernel(...after)], cost: fast},
    })?.match(/The place is .*/)?.[0]

  test.each([
    [['  f(1);', '  f(2);'], ['  f(3);'], 'The place is `f(1);` in `op_kernel/fold.cpp`.'],
    [['f(1);', '    f(2);'], ['      f(1);'], 'The place is `f(2);` in `op_kernel/fold.cpp`.'],
    [['f(1);', '}'], ['f(1);', 'f(2);'], undefined],
    [['int n;'], ['f(1);'], undefined],
  ])('is the first line with a word in it that is gone: %j → %j', (before, after, says) => {
    expect(at(before, after)).toBe(says)
  })
})

describe('the bound', () => {
  const says = 'By the same rates, mending this alone cannot bring it below 10 µs; the launch comes on top of both.'

  test.each([
    [{microseconds: 10.1}, {microseconds: 10}, says],
    [{microseconds: 10}, {microseconds: 10}, undefined],
    [{microseconds: 20}, {microseconds: 9.9}, undefined],
    [{microseconds: 20, pipes: {MTE2: 0, V: 0, S: 0, MTE3: 0}}, {}, undefined],
  ])('stands where the faster version bears it out: %j %j', (before, after, expected) => {
    expect(bound(costs(before, after))).toBe(expected)
  })

  test('a step that the times do not tell of has none', () => {
    expect(bound({step: 'split-copies'})).toBeUndefined()
  })

  test('in Chinese', () => {
    expect(bound({}, 'zh')).toBe('按同样的速率估算，仅做这一处改进，时间不会低于 10 µs；启动开销两者都另计。')
  })
})
