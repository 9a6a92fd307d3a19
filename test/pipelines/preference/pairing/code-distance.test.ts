import {describe, expect, test} from 'vitest'
import {codeDistance, tokenLines} from '../../../../pipelines/preference/pairing/code-distance.ts'

const distance = (one: string, other: string) => codeDistance(tokenLines(one), tokenLines(other))
/** Lines by letters: each letter is a number, which is no name. */
const lines = (letters: string) => [...letters].map((one) => `${one.charCodeAt(0)};`).join('\n')

test('lines of tokens end with a semicolon or a brace, and the last one where the text does', () => {
  const {lines: all, names} = tokenLines('void F(int a) { a = 1;\n\nb = a // why\n+ 2; }\nreturn')
  expect(all.map((line) => line.join(' '))).toEqual(['void F ( int a ) {', 'a = 1 ;', 'b = a + 2 ;', '}', 'return'])
  expect([...names]).toEqual(['void', 'F', 'int', 'a', 'b', 'return'])
  expect(tokenLines('').lines).toEqual([])
})

describe('nothing differs', () => {
  test.each([
    ['layout and comments', 'a = 1; b = 2;', 'a=1; // one\n\n  b = 2;'],
    ['names that the other side lacks', 'a = f(a, 1);', 'x = f(x, 1);'],
    ['nothing', '', ''],
  ])('%s', (_, one, other) => {
    expect(distance(one, other)).toBeUndefined()
    expect(distance(other, one)).toBeUndefined()
  })
})

describe('lines to take out and to put in, and their share of all lines', () => {
  test.each<[string, string, number, number]>([
    ['a = 1;', 'a = 2;', 2, 1],
    // A name that both sides have is the same name.
    ['a = 1; b = 2; f(a);', 'a = 1; b = 2; f(b);', 2, 2 / 6],
    ['a = 1; f(x);', 'a = 1; f(a);', 2, 2 / 4],
    [lines('ab'), lines('abc'), 1, 1 / 5],
    [lines('abc'), lines('ab'), 1, 1 / 5],
    [lines('abc'), lines('xbc'), 2, 2 / 6],
    [lines('abc'), '', 3, 1],
    ['', lines('abc'), 3, 1],
    [lines('abcabba'), lines('cbabac'), 5, 5 / 13],
    [lines('cbabac'), lines('abcabba'), 5, 5 / 13],
    [lines('abcdefgh'), lines('axcdyfgz'), 6, 6 / 16],
    [lines('aaaa'), lines('aa'), 2, 2 / 6],
    [lines('abcd'), lines('efgh'), 8, 1],
    [lines('abab'), lines('baba'), 2, 2 / 8],
    [lines('kitten'), lines('sitting'), 5, 5 / 13],
  ])('%j %j', (one, other, count, share) => {
    const found = distance(one, other)
    expect(found?.lines).toBe(count)
    expect(found?.share).toBeCloseTo(share, 12)
  })
})
