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
  ['A<B<c>, D<e + f>>', undefined],
])('the template list of %s closes at %s', (text, close) => expect(templateClose(tokenize(text), 1)).toBe(close))

test('lists in lists close each where it would alone, whichever is asked for first', () => {
  for (const text of ['A<B<c>, D<e>>', 'A<B<c>, D<e', 'A<B<c>, D<e + f>>', 'A<B<c> + d>', 'A<b> > C<d>']) {
    const tokens = tokenize(text)
    const places = tokens.map((_, at) => at)
    const alone = places.map((at) => templateClose([...tokens], at))
    expect(places.map((at) => templateClose(tokens, at))).toEqual(alone)
    const others = [...tokens]
    expect(places.reverse().map((at) => templateClose(others, at))).toEqual(alone.reverse())
  }
  const tokens = tokenize('A<B<c>, D<e')
  expect([1, 3, 8].map((at) => templateClose(tokens, at))).toEqual([undefined, 5, undefined])
})
