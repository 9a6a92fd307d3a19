import {expect, test} from 'vitest'
import {streamOf} from '../../cpp/brackets.ts'
import {matchesOf, pattern} from '../../cpp/pattern.ts'
import {tokenize} from '../../cpp/tokens.ts'

/** Each match with what its holes take. */
function found(code: string, ...patterns: Parameters<typeof pattern>[0][]) {
  const stream = streamOf(tokenize(code, 'operators'))
  const text = (from: number, to: number) =>
    stream.tokens
      .slice(from, to)
      .map((one) => one.text)
      .join(' ')
  return [
    ...matchesOf(
      stream,
      patterns.map((one) => pattern(one)),
    ),
  ].map(({from, to, holes}) =>
    [text(from, to), ...Object.entries(holes).map(([name, taken]) => `${name}=${text(taken.from, taken.to)}`)].join(
      ' | ',
    ),
  )
}

test.each([
  ['a = f(b);', 'a = f ( b )', 'a = f($x)', 'x=b'],
  ['a = f( /* one */ b );', 'f ( b )', 'f($x)', 'x=b'],
  ['f(a + g(b, c))', 'f ( a + g ( b , c ) )', 'f($$x)', 'x=a + g ( b , c )'],
  ['f(a, b)', 'f ( a , b )', 'f($$x, $y)', 'x=a | y=b'],
  ['f()', 'f ( )', 'f($$$x)', 'x='],
  ['while (a) { b; c; }', '{ b ; c ; }', '{ $$$x }', 'x=b ; c ;'],
  ['a = (b + c - 1) / c;', '( b + c - 1 ) / c', '($x + $y - 1) / $y', 'x=b | y=c'],
])('%s has %s for %s', (code, whole, form, holes) => expect(found(code, form)).toEqual([`${whole} | ${holes}`]))

test.each([
  ['a = (b + c - 1) / d;', '($x + $y - 1) / $y'],
  ['a; b', '$$x b'],
  ['(a) b', '$$x ) $$y c'],
  ['"f(x)"', 'f($x)'],
  ['f(a + b)', 'f($x)'],
])('%s has nothing for %s', (code, form) => {
  expect(found(code, form).filter((one) => one.startsWith(code.slice(0, 1)))).toEqual([])
})

test('of several patterns the first that fits is taken, and matches do not overlap', () => {
  expect(found('++i; i++; ++i++;', '++$i', '$i++')).toEqual(['++ i | i=i', 'i ++ | i=i', '++ i | i=i'])
})

test('a hole may take some words alone', () => {
  const stream = streamOf(tokenize('int a; long b;'))
  const form = pattern('$type $name;', {type: new Set(['int']), name: (text) => text < 'b'})
  expect([...matchesOf(stream, [form])].map(({from}) => from)).toEqual([0])
})

test('an anonymous hole takes something else at each place', () => {
  expect(found('f(a, b); f(a, a);', 'f($_, $_)')).toHaveLength(2)
})
