import {describe, expect, test} from 'vitest'
import {compareShown, countShown, determinedLength, expand, isAbridged, parsePrinted} from './printed-array.ts'

const exact = {absolute: 0, relative: 0}

describe('arrays as pages print them', () => {
  test('numbers, words and bits in brackets', () => {
    const {runs} = parsePrinted('[[1. -2.5e-01, inf\n -nan True 15(0b00001111)]]')
    expect(runs[0]!.map(({value}) => value)).toEqual([1, -0.25, Number.POSITIVE_INFINITY, Number.NaN, 1, 15])
  })

  test('a gap that touches its neighbours', () => {
    const printed = parsePrinted('[2 4 6... 12]')
    expect([isAbridged(printed), countShown(printed)]).toEqual([true, 4])
    expect(expand(printed, 6)).toEqual([2, 4, 6, 8, 10, 12])
  })

  test.each([
    ['[1 2 3 ... 512]', 512],
    ['[-0.2 -0.1 ... 0.2]', 5],
    ['[2 2 ... 2]', undefined],
    ['[1 5 2 ... 9]', undefined],
    ['[1 2 ...]', undefined],
  ])('%s stands for %s elements', (text, length) => {
    expect(determinedLength(parsePrinted(text))).toBe(length)
  })

  test('what nothing determines repeats what is printed, and the end stands at the end', () => {
    expect(expand(parsePrinted('[7 1 5 ... 9 8]'), 8)).toEqual([7, 1, 5, 7, 1, 5, 9, 8])
  })

  test('one gap that a progression would not fill is no progression', () => {
    expect(expand(parsePrinted('[1 1 3 ... 9]'), 5)).toEqual([1, 1, 3, 1, 9])
  })
})

describe('what is shown is compared at its digits', () => {
  test.each([
    ['[1.41 2.0]', [Math.SQRT2, 2], undefined],
    ['[1.41]', [1.416], 0],
    ['[3]', [3.6], 0],
    ['[1 ... 9]', [1, 5, 9], undefined],
    ['[1 ... 9]', [1, 9, 5], 2],
    ['[1 ... 4 5 ... 9]', [1, 0, 4, 5, 0, 9], undefined],
    ['[1 ... 4 5 ... 9]', [1, 0, 4, 0, 0, 9], 1],
    ['[inf -nan]', [Number.POSITIVE_INFINITY, Number.NaN], undefined],
    ['[nan]', [0], 0],
    ['[1 2]', [1], 1],
  ])('%s against %j', (text, values, index) => {
    expect(compareShown(values, parsePrinted(text), exact).first?.index).toBe(index)
  })

  test('a value within the tolerance counts as near', () => {
    const {near, first} = compareShown([1.002, 5], parsePrinted('[1.000 5]'), {absolute: 0, relative: 2e-3})
    expect([near, first]).toEqual([1, undefined])
  })
})
