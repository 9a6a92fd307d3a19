import {describe, expect, test} from 'vitest'
import {findFacts} from '../../../../pipelines/ascendcraft/lower/facts.ts'
import {
  asReal,
  type Dialect,
  negated,
  opposite,
  primary,
  productPower,
  reciprocalCode,
  scalarCode,
} from '../../../../pipelines/ascendcraft/lower/scalar-code.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

/** a and b are whole numbers from 0 on, i and j any; f and g are real; p and q are truths. */
const typeOf = (name: string) => ({f: 'float', g: 'float', p: 'bool', q: 'bool'})[name] ?? 'int'

const dialect = (real: 'float' | 'double'): Dialect => ({
  real,
  nameOf: (name) => name,
  typeOf: typeOf as Dialect['typeOf'],
  facts: findFacts(new Map(), (name) => ({divisor: 1, nonNegative: name === 'a' || name === 'b'})),
  call: ({callee}, given) => primary(`${callee}(${given.map(({text}) => text).join(', ')})`, 'int'),
  shape: ({tensor, kind}, axis) => `${tensor}.${kind}(${axis?.text ?? ''})`,
  floored: (operator, left, right) =>
    primary(`${operator === '%' ? 'Mod' : 'Floor'}(${left.text}, ${right.text})`, 'int'),
  power: (left, right) => productPower(left, right) ?? primary(`pow(${left.text}, ${right.text})`, 'float'),
  infinity: () => 'INFINITY',
})
const codeOf = (text: string, real: 'float' | 'double' = 'float') => scalarCode(expressionOf(text), dialect(real))

describe('a scalar expression in C++, with the parentheses that it needs', () => {
  test.each([
    ['7', 'int 7'],
    ['-7', 'int -7'],
    ['- -7', 'int 7'],
    ['1.5', 'float 1.5f'],
    ['2.0', 'float 2.0f'],
    ['1e-5', 'float 0.00001f'],
    ['1e-10', 'float 1e-10f'],
    ['-1.5', 'float -1.5f'],
    ['float("inf")', 'float INFINITY'],
    ['float("-inf")', 'float -INFINITY'],
    ['True', 'bool true'],
    ['a', 'int a'],
    ['-a', 'int -a'],
    ['-(a + b)', 'int -(a + b)'],
    ['-(-a)', 'int a'],
    ['-(a - b)', 'int -(a - b)'],
    ['not p', 'bool !p'],
    ['not (p and q)', 'bool !(p && q)'],
    ['a + b + i', 'int a + b + i'],
    ['a + (b + i)', 'int a + b + i'],
    ['f + (g + f)', 'float f + (g + f)'],
    ['a - (b - i)', 'int a - (b - i)'],
    ['a - b - i', 'int a - b - i'],
    ['a - (b + i)', 'int a - (b + i)'],
    ['a * (b + i)', 'int a * (b + i)'],
    ['(a + b) * i', 'int (a + b) * i'],
    ['a * b + i', 'int a * b + i'],
    ['a * (b * i)', 'int a * (b * i)'],
    ['a * b * i', 'int a * b * i'],
    ['a // b', 'int a / b'],
    ['a // 8 * 8', 'int a / 8 * 8'],
    ['a % b', 'int a % b'],
    ['a * (b % 8)', 'int a * (b % 8)'],
    ['i // b', 'int Floor(i, b)'],
    ['a // i', 'int Floor(a, i)'],
    ['i % b', 'int Mod(i, b)'],
    ['a // 2.0', 'int Floor(a, 2.0f)'],
    ['f // b', 'int Floor(f, b)'],
    ['a / b', 'float static_cast<float>(a) / static_cast<float>(b)'],
    ['a / 2', 'float static_cast<float>(a) / 2.0f'],
    ['f / (g * 2)', 'float f / (g * 2.0f)'],
    ['f + 1', 'float f + 1.0f'],
    ['1 + f', 'float 1.0f + f'],
    ['a * f', 'float static_cast<float>(a) * f'],
    ['f - a', 'float f - static_cast<float>(a)'],
    ['f < 1', 'bool f < 1.0f'],
    ['a < 1', 'bool a < 1'],
    ['a + 1 < b * 2', 'bool a + 1 < b * 2'],
    // Relations bind more tightly than equalities, in C++ too.
    ['(a < b) == (i < j)', 'bool a < b == i < j'],
    ['(a == b) != p', 'bool (a == b) != p'],
    ['a <= b', 'bool a <= b'],
    ['a >= b', 'bool a >= b'],
    ['a > b', 'bool a > b'],
    ['p and q and a < b', 'bool p && q && a < b'],
    ['p and (q and a < b)', 'bool p && q && a < b'],
    ['p or q or a < b', 'bool p || q || a < b'],
    ['p or (q or a < b)', 'bool p || q || a < b'],
    ['p and q or a < b', 'bool (p && q) || a < b'],
    ['p or q and a < b', 'bool p || (q && a < b)'],
    ['(p or q) and a < b', 'bool (p || q) && a < b'],
    ['1 if p else 2', 'int p ? 1 : 2'],
    ['1 if a < b else f', 'float a < b ? 1.0f : f'],
    ['f if p or q else 1', 'float p || q ? f : 1.0f'],
    ['1 if p else (2 if q else 3)', 'int p ? 1 : (q ? 2 : 3)'],
    ['(1 if p else 2) + 3', 'int (p ? 1 : 2) + 3'],
    ['min(a, b + 1)', 'int min(a, b + 1)'],
    ['tl.extract(x_ub, 0)', 'int extract()'],
    ['tl.item_bytes(tl.float16)', 'int item_bytes()'],
    ['x.shape[a + 1]', 'int x.shape(a + 1)'],
    ['x.numel()', 'int x.count()'],
    ['a ** 1', 'int a'],
    ['a ** 3', 'int a * a * a'],
    ['f ** 4', 'float f * f * f * f'],
    ['f ** 5', 'float pow(f, 5)'],
    ['(a + b) ** 2', 'float pow(a + b, 2)'],
    ['a ** 1 * b', 'int a * b'],
    ['i * a ** 2', 'int i * (a * a)'],
  ])('%s', (text, code) => {
    const found = codeOf(text)
    expect(`${found.type} ${found.text}`).toBe(code)
  })

  test.each([
    ['1.5', '1.5'],
    ['f + 1', 'f + 1.0'],
    ['a / b', 'static_cast<double>(a) / static_cast<double>(b)'],
    ['1 if p else f', 'p ? 1.0 : f'],
  ])('real numbers of the host are double: %s', (text, code) => expect(codeOf(text, 'double').text).toBe(code))

  test('what is no scalar has no code', () => {
    expect(() => codeOf('x_ub[8]')).toThrow('lowering: slice on line 4 is no scalar')
  })
})

describe('parts of expressions', () => {
  test.each([
    ['p', '!p'],
    ['a < b', 'a >= b'],
    ['a <= b', 'a > b'],
    ['a > b', 'a <= b'],
    ['a >= b', 'a < b'],
    ['a == b', 'a != b'],
    ['a != b', 'a == b'],
    ['a + 1 < b', 'a + 1 >= b'],
    ['a == b and p', '!(a == b && p)'],
    ['p and q', '!(p && q)'],
    ['not p', '!!p'],
    ['min(a, b) < 2', 'min(a, b) >= 2'],
  ])('the opposite of %s is %s', (text, code) => expect(opposite(codeOf(text))).toBe(code))

  test.each([
    ['a', '-a'],
    ['-a', 'a'],
    ['a + b', '-(a + b)'],
    ['-(a + b)', '(a + b)'],
    ['3', '-3'],
    ['not p', '-!p'],
  ])('%s, negated, is %s', (text, code) => expect(negated(codeOf(text)).text).toBe(code))

  test.each([
    ['a', '1.0f / static_cast<float>(a)', '1.0 / static_cast<double>(a)'],
    ['f', '1.0f / f', '1.0 / f'],
    ['-f', '1.0f / -f', '1.0 / -f'],
    ['f * g', '1.0f / (f * g)', '1.0 / (f * g)'],
    ['8', '1.0f / 8.0f', '1.0 / 8.0'],
    ['-8', '1.0f / -8.0f', '1.0 / -8.0'],
  ])('1 by %s', (text, float, double) => {
    expect([reciprocalCode(codeOf(text), 'float').text, reciprocalCode(codeOf(text), 'double').text]).toEqual([
      float,
      double,
    ])
  })

  test('a whole number becomes a real one', () => {
    expect(asReal(codeOf('a + b'), 'float').text).toBe('static_cast<float>(a + b)')
    expect(asReal(codeOf('f'), 'float').text).toBe('f')
    expect(asReal(codeOf('12'), 'double')).toMatchObject({text: '12.0', type: 'float'})
  })
})
