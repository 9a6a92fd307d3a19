import {describe, expect, test} from 'vitest'
import * as english from '../../../pipelines/documentation/offline/english/english-words.ts'

describe('English words', () => {
  test('names stand in a list as people write it', () => {
    const lists = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]
    expect(lists.map(english.list)).toEqual(['', 'a', 'a and b', 'a, b and c'])
    expect(lists.map(english.listOr)).toEqual(['', 'a', 'a or b', 'a, b or c'])
  })
  test('one is told from several', () => {
    expect([0, 1, 2].map((count) => english.counted(count, 'form'))).toEqual(['0 forms', '1 form', '2 forms'])
    expect([0, 1, 2].map(english.be)).toEqual(['are', 'is', 'are'])
  })
  test('only an ordinary word loses its capital', () => {
    expect(['The sum', 'Sum', 'UB holds', 'GetSize is', 'T', 'dst is', 'Add(x)'].map(english.uncapitalised)).toEqual([
      'the sum',
      'sum',
      'UB holds',
      'GetSize is',
      'T',
      'dst is',
      'Add(x)',
    ])
    expect(['', 'a b'].map(english.capitalised)).toEqual(['', 'A b'])
  })
  test('a sentence has one stop, and a formula none', () => {
    expect(['It is so', 'It is so.', 'y is $x$'].map(english.stopped)).toEqual(['It is so.', 'It is so.', 'y is $x$'])
    expect(english.clause('The sum.')).toBe('the sum')
  })
})
