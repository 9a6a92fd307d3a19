import {describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../../datasets/schema/candidate.ts'
import {bothReason, partnerFor, Side} from '../../../../pipelines/preference/pairing/partners.ts'
import {labelled} from '../records.ts'

const path = 'op_kernel/scale_shift.cpp'
/** Code of lines that are told apart by their numbers. */
const candidate = (numbers: readonly number[], over: Partial<LabelledCandidate> = {}) =>
  labelled('green', 'x', undefined, {files: [{path, text: numbers.map((one) => `${one};\n`).join('')}], ...over})
const side = (numbers: readonly number[], uses = 0, over: Partial<LabelledCandidate> = {}) => {
  const one = new Side(candidate(numbers, over))
  one.uses = uses
  return one
}
const limits = {maxPairsPerChosen: 2, minChangedShare: 0.25, maxLengthRatio: 1.5}
const model = {kind: 'model', model: 'm', sample: 0} as const

test('both sides reason, and in one manner', () => {
  const reasons = (one: Partial<LabelledCandidate>, other: Partial<LabelledCandidate>) =>
    bothReason(candidate([1], one), candidate([1], other))
  const [yes, no] = [{reasoning: 'So.'}, {reasoning: ''}]
  expect([reasons(yes, yes), reasons(yes, no), reasons(no, yes), reasons(no, no)]).toEqual([true, false, false, false])
  expect([reasons({...yes, sampler: model}, yes), reasons(yes, {...yes, sampler: model})]).toEqual([false, false])
  expect(reasons({...yes, sampler: model}, {...yes, sampler: model})).toBe(true)
})

test('a side is the files that were written, and its tokens are those of its answer, and of its thoughts', () => {
  const one = side([1, 2], 0, {
    files: [
      {path, text: '1;\n'},
      {path: 'other.h', text: '2;\n'},
    ],
    reasoning: 'one two three',
  })
  expect(one.lines.lines).toEqual([['1', ';']])
  expect(one.answer).toContain(path)
  expect(one.answer).not.toContain('other.h')
  expect(one.tokens(true) - one.tokens(false)).toBe(3)
  expect(one.uses).toBe(0)
})

describe('the partner of a worse side', () => {
  const worse = side([1, 2, 3, 4])
  const chosen = (better: readonly Side[], balance = 0, over: Partial<typeof limits> = {}) => {
    const found = partnerFor(worse, better, balance, {...limits, ...over})
    return typeof found === 'string' ? found : better.indexOf(found.side)
  }

  test('is not used up', () => {
    expect(chosen([side([5, 6, 7, 8], 2), side([5, 6, 7, 8], 1)])).toBe(1)
    expect(chosen([side([5, 6, 7, 8], 2), side([5, 6, 7, 9], 3)])).toBe('used-up')
    expect(chosen([])).toBe('used-up')
  })

  test('is the one that differs in fewest lines where pairs are to be near', () => {
    const better = [side([1, 2, 7, 8]), side([1, 2, 3, 5], 1), side([5, 6, 7, 8])]
    expect([chosen(better), chosen(better, 0, {near: true} as object)]).toEqual([2, 1])
    expect(chosen([side([1, 2, 3, 5], 2)], 0, {near: true} as object)).toBe('used-up')
    expect(chosen([side([1, 2, 3, 5])], 0, {minChangedShare: 0.9, near: true} as object)).toBe(0)
    expect(chosen([side([1, 2, 3, 4])], 0, {near: true} as object)).toBe('near-equal')
  })

  test('is far enough from it', () => {
    expect(chosen([side([1, 2, 3, 4])])).toBe('near-equal')
    expect(chosen([side([1, 2, 3, 5])])).toBe(0)
    expect(chosen([side([1, 2, 3, 5])], 0, {minChangedShare: 0.26})).toBe('near-equal')
  })

  test('is about as long', () => {
    const long = side(Array.from({length: 60}, (_, at) => 100 + at))
    expect(chosen([long])).toBe('length-ratio')
    const ratio = long.tokens(false) / worse.tokens(false)
    expect(chosen([long], 0, {maxLengthRatio: ratio})).toBe(0)
    expect(chosen([long], 0, {maxLengthRatio: ratio - 0.001})).toBe('length-ratio')
  })

  test('counts thoughts where both have them', () => {
    const reasoned = {reasoning: 'word '.repeat(300)}
    const found = (mine: Partial<LabelledCandidate>) =>
      partnerFor(side([1, 2, 3, 4], 0, mine), [side([5, 6, 7, 8], 0, reasoned)], 0, limits)
    expect(found({})).toMatchObject({longer: 0})
    expect(found({reasoning: 'So.'})).toBe('length-ratio')
    expect(found({reasoning: 'So.', sampler: model})).toMatchObject({longer: 0})
  })

  const [longer, shorter, equal] = [side([5, 6, 7, 8, 9]), side([5, 6, 7]), side([5, 6, 7, 8])]
  test('keeps better sides from being the longer ones', () => {
    const better = [longer, shorter, equal]
    expect([chosen(better, 0), chosen(better, 1), chosen(better, -1)]).toEqual([2, 1, 0])
    expect([chosen(better, 5), chosen(better, -5)]).toEqual([1, 0])
  })

  test('is then the least used, then the most different', () => {
    const [used, near, far] = [side([5, 6, 7, 8], 1), side([1, 2, 7, 8]), side([1, 6, 7, 8])]
    expect([chosen([used, near, far]), chosen([used, far, near]), chosen([used, near])]).toEqual([2, 1, 1])
  })

  test('is told with how far it is and which one is longer', () => {
    const found = [longer, shorter, equal].map((one) => partnerFor(worse, [one], 0, limits))
    expect(found).toMatchObject([
      {longer: 1, changed: {lines: 9, share: 1}},
      {longer: -1, changed: {lines: 7}},
      {longer: 0, changed: {lines: 8}},
    ])
  })
})
