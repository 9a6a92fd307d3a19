import {describe, expect, test} from 'vitest'
import type {ModelledCost} from '../../../../datasets/schema/optimisation.ts'
import {tell} from '../../../../pipelines/preference/rewinds/told.ts'
import {nthWording} from '../../../helpers/nth-wording.ts'
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
  return tell({...improvement, ...changes}, nthWording(language)) ?? expect.fail('nothing is told')
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
  expect(tell({...improvement, step: 'unheard-of'}, nthWording('en'))).toBeUndefined()
})

describe('what limits it', () => {
  test.each([
    ['MTE2', {MTE2: 10, V: 5, S: 0, MTE3: 2.5}, 'The longest is MTE2 (copies from GM).'],
    ['MTE3', {MTE2: 2, V: 5, S: 0, MTE3: 25}, 'The longest is MTE3 (copies to GM).'],
    ['V', {MTE2: 2, V: 5, S: 0, MTE3: 2.5}, 'The longest is the vector unit.'],
    ['S', {MTE2: 2, V: 5, S: 6, MTE3: 2.5}, 'The longest is the scalar unit.'],
    // To the digits that are shown.
    ['MTE2', {MTE2: 6.3912, V: 5, S: 0, MTE3: 6.3909}, 'equal, at 6.39 µs: MTE2 (copies from GM) and MTE3'],
  ] as const)('%s of %j', (bottleneck, pipes, says) => expect(limit(costs({bottleneck, pipes}))).toContain(says))

  test('of a step about one pipe that pipe and the whole, of one about cores none', () => {
    expect(limit({step: 'split-copies'})).toBe(
      'Of the 20 µs that the model gives the slowest core, MTE2 (copies from GM) accounts for 10 µs. ' +
        'Tiles do not overlap, so the times add up: 20 µs for 8 loads of a tile.',
    )
    const tied = costs({pipes: {MTE2: 6.3912, V: 5, S: 0, MTE3: 6.3909}})
    expect(limit({step: 'split-copies', ...tied})).toContain(
      'MTE2 (copies from GM) and MTE3 (copies to GM) take 6.39 µs each',
    )
    expect(limit({step: 'one-core'})).toMatch(/^(?:The (?:work|host)|One core)/)
  })

  const one = 'There is one tile in a block, so nothing overlaps and the times add up to 20 µs.'
  const all = 'In all the model gives 20 µs, compared with 17.5 µs'
  test.each([
    [0, 'full', one],
    [1, 'none', one],
    [2, 'none', 'Tiles do not overlap, so the times add up: 20 µs for 2 loads of a tile.'],
    [2, 'full', `${all} if everything ran in sequence.`],
    [2, 'in-part', `${all} in sequence; a queue with a single block makes two of the pipes take turns.`],
  ] as const)('of %i tiles, overlap %s', (tiles, overlap, says) => {
    const changes = costs({overlap, work: {...work, tiles}})
    expect(limit(changes)?.split('(copies from GM). ')[1]).toBe(says)
    expect(limit(changes, 'zh')).toMatch(/最久。.+。$/)
  })
})

describe('the place', () => {
  const at = (before: string[], after: string[]) =>
    place({
      before: {files: [host, kernel(...before)], cost: slow},
      after: {files: [host, kernel(...after)], cost: fast},
    })?.match(/The lines? (?:is|are) `.*/)?.[0]

  test.each([
    [['  f(1);', '  f(2);'], ['  f(3);'], 'The lines are `f(1);` and `f(2);`, in `op_kernel/fold.cpp`.'],
    [['f(1);', '    f(2);'], ['      f(1);'], 'The line is `f(2);`, in `op_kernel/fold.cpp`.'],
    [['f(2);', `f(${'a'.repeat(90)});`], ['f(1);'], 'The line is `f(2);`, in `op_kernel/fold.cpp`.'],
    [['f(1);', '}'], ['f(1);', 'f(2);'], undefined],
    [['int n;'], ['f(1);'], undefined],
  ])('is the lines with a word in them that are gone: %j → %j', (before, after, says) => {
    expect(at(before, after)).toBe(says)
  })
})

describe('what a step is worth', () => {
  const says = 'The time cannot go below 10 µs, because the other work remains; the launch comes on top.'
  const none = expect.not.stringContaining('cannot go below')

  test.each([
    [{microseconds: 10.1}, {microseconds: 10}, expect.stringContaining(says)],
    [{microseconds: 10}, {microseconds: 10}, none],
    [{microseconds: 20}, {microseconds: 9.9}, none],
    [{microseconds: 20, pipes: {MTE2: 0, V: 0, S: 0, MTE3: 0}}, {}, none],
  ])('has a bound where the faster version bears it out: %j %j', (before, after, expected) => {
    expect(bound(costs(before, after))).toEqual(expected)
  })

  test('a step that the times do not tell of has none', () => expect(bound({step: 'split-copies'})).toEqual(none))

  test('is told with both times, in either language', () => {
    expect(bound({})).toContain('from 20 µs to 12 µs, 60 % of what it was.')
    expect(bound({}, 'zh')).toContain('从 20 µs 降到 12 µs，即原来的 60%。')
  })

  test.each([
    ['full', {}, ''],
    ['in-part', {}, 'The queue with a single block is unchanged here; a second block could save at most another 2 µs.'],
    ['none', {}, 'That tiles do not overlap is a separate issue for a further step, which could gain up to 2 µs.'],
    ['none', {microseconds: 10.4}, ''],
    ['none', {work: {...work, tiles: 1}}, ''],
    [
      'full',
      {bottleneck: 'V', pipes: {MTE2: 3, V: 11, S: 0, MTE3: 2}},
      'After that the limit is the vector unit, with 11 µs.',
    ],
  ] as const)('and what it leaves, overlap %s %j', (overlap, more, left) => {
    const told = bound({...costs({}, {overlap, ...more}), step: 'split-copies'})
    expect(told?.split(/(?<=% of what it was\.)/)[1]?.trim() ?? '').toBe(left)
  })
})
