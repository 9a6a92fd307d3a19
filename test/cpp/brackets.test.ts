import {expect, test} from 'vitest'
import {itemsBetween, partnersOf, templateClose} from '../../cpp/brackets.ts'
import {tokenize} from '../../cpp/tokens.ts'

test.each([
  ['f(a[0])', [-1, 6, -1, 5, -1, 3, 1]],
  ['a ) ( b', [-1, -1, -1, -1]],
  ['( { ) }', [3, 2, 1, 0]],
])('partners of %s', (text, partners) => expect([...partnersOf(tokenize(text))]).toEqual(partners))

test.each([
  ['a, f(b, c), {d, e}', ['a', 'f ( b , c )', '{ d , e }']],
  ['A<b, c>(d), e < f, g > h', ['A < b , c > ( d )', 'e < f', 'g > h']],
  ['a,, b', ['a', '', 'b']],
  ['', []],
])('items of %s', (text, items) => {
  const tokens = tokenize(text)
  const found = itemsBetween(tokens, partnersOf(tokens), {from: 0, to: tokens.length})
  expect(
    found.map(({from, to}) =>
      tokens
        .slice(from, to)
        .map((one) => one.text)
        .join(' '),
    ),
  ).toEqual(items)
})

test.each([
  ['A<b>', 3],
  ['A<b, C<d>>', 8],
  ['a < b>', undefined],
  ['A<b + c>', undefined],
  ['A<b;', undefined],
])('the template list of %s closes at %s', (text, close) => expect(templateClose(tokenize(text), 1)).toBe(close))
