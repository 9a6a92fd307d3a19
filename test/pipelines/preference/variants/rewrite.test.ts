import {describe, expect, test} from 'vitest'
import {randomFrom} from '../../../../engine/random.ts'
import {viewSource} from '../../../../cpp/source-view.ts'
import {
  editsOf,
  fileRewrite,
  indentAt,
  indented,
  someOf,
  startsLine,
  wordsIn,
} from '../../../../pipelines/preference/variants/rewrite.ts'

const random = randomFrom('x')
const edit = (start: number, end: number, text: string) => ({start, end, text})

describe('a rewrite of files', () => {
  const files = ['op_host/a.cpp', 'op_kernel/a.cpp', 'op_hosted/a.cpp', 'other.txt'].map((path) => ({
    path,
    text: 'abcd',
  }))
  const texts = (edits: ReturnType<typeof edit>[], sides: ('op_host' | 'op_kernel')[] = ['op_kernel']) =>
    fileRewrite('x', sides, () => edits)
      .apply(files, random)
      ?.map(({text}) => text)
  test('is made on its sides alone', () => {
    expect(texts([edit(1, 2, 'X')])).toEqual(['abcd', 'aXcd', 'abcd', 'abcd'])
    expect(texts([edit(1, 2, 'X')], ['op_host', 'op_kernel'])).toEqual(['aXcd', 'aXcd', 'abcd', 'abcd'])
  })
  test('takes edits in any order, and of those that overlap the first', () => {
    expect(texts([edit(3, 4, 'D'), edit(0, 1, 'A')])?.[1]).toBe('AbcD')
    expect(texts([edit(0, 2, 'X'), edit(1, 3, 'Y'), edit(2, 3, 'Z')])?.[1]).toBe('XZd')
    expect(texts([edit(0, 1, 'X'), edit(1, 1, 'Y')])?.[1]).toBe('XYbcd')
  })
  test('is none where nothing changes', () => {
    expect(texts([])).toBeUndefined()
    expect(texts([edit(0, 1, 'a')])).toBeUndefined()
  })
})

test('an edit for each match, except in comments and literals, and where nothing is to change', () => {
  const text = 'f(1); // f(2);\nf("3"); f(4); f(5);'
  const edits = editsOf(viewSource('op_kernel/a.cpp', text), {
    'f($$value);': ({hole, text: whole}) => {
      if (hole('value') === '4') return undefined
      return hole('value') === '5' ? whole : 'g($value);'
    },
  })
  expect(edits).toEqual([edit(0, 5, 'g(1);')])
})

describe('some of the edits', () => {
  const edits = Array.from({length: 100}, (_, at) => edit(at, at, ''))
  const chosen = (sure: number, units: number) =>
    someOf(edits.slice(0, 3), {...random, integer: (_, last) => Math.min(sure, last), unit: () => units}).map(
      ({start}) => start,
    )
  test('one at least, which may be any of them', () => {
    expect([chosen(0, 0.9), chosen(2, 0.9), chosen(9, 0.9)]).toEqual([[0], [2], [2]])
    expect(someOf(edits, {...random, integer: (first) => first, unit: () => 0.9})).toEqual([edit(0, 0, '')])
  })
  test('of none there is none, and nothing is drawn', () => {
    const stream = randomFrom('s')
    expect(someOf([], stream)).toEqual([])
    expect(stream.unit()).toBe(randomFrom('s').unit())
  })
  test('the others by a coin that falls on seven of ten', () => {
    expect([chosen(1, 0.69), chosen(1, 0.7)]).toEqual([[0, 1, 2], [1]])
  })
})

describe('lines', () => {
  const text = 'a\n  b c\n\td\n'
  test('indentation is the white space that a line begins with', () => {
    expect([indentAt(text, 0), indentAt(text, 4), indentAt(text, 6), indentAt(text, 9)]).toEqual(['', '  ', '  ', '\t'])
    expect([indentAt(text, 3), indentAt(text, 8)]).toEqual([' ', ''])
  })
  test('a position starts its line where only white space is before it', () => {
    const starts = [0, 2, 4, 5, 6, 8, 9].map((at) => startsLine(text, at))
    expect(starts).toEqual([true, true, true, false, false, true, true])
  })
  test('blank lines are not moved in', () => expect(indented('a\n\n  b\n', '  ')).toBe('  a\n\n    b\n'))
  test('a word is whole', () => expect(wordsIn('a.n + nn_(4)')).toEqual(['a', 'n', 'nn_', '4']))
})
