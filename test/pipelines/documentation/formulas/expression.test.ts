import {expect, test} from 'vitest'
import {readExpression, styles, toLatex} from '../../../../pipelines/documentation/formulas/expression.ts'

type Style = (typeof styles)[number]
type Expression = NonNullable<ReturnType<typeof readExpression>>

const plain: Style = {division: 'fraction', power: 'e', times: '\\times ', index: ''}

/** What was read, with all of its brackets. */
function shown(of: Expression): string {
  if (of.kind === 'binary') return `(${shown(of.left)}${of.operator}${shown(of.right)})`
  if (of.kind === 'negative') return `(-${shown(of.of)})`
  if (of.kind === 'call') return `${of.name}<${of.of.map(shown).join(' ')}>`
  return of.index === undefined ? of.text : `${of.text}[${of.index}]`
}

const read = (text: string) => {
  const found = readExpression(text)
  return found && shown(found)
}

test.each([
  ['a+b-c', '((a+b)-c)'],
  ['a-b*c', '(a-(b*c))'],
  ['a*b+c', '((a*b)+c)'],
  ['a/b/c', '((a/b)/c)'],
  ['a*b/c', '((a*b)/c)'],
  ['a^b^c', '(a^(b^c))'],
  ['a**2*b', '((a^2)*b)'],
  ['-a^2', '(-(a^2))'],
  ['-a*b', '((-a)*b)'],
  ['-a+b', '((-a)+b)'],
  ['a^-b', '(a^(-b))'],
  ['(a+b)*c', '((a+b)*c)'],
  ['|a-b|', 'abs<(a-b)>'],
  ['max(a, b+1)', 'max<a (b+1)>'],
  ['sum(x, axis=-1)', 'sum<x>'],
  ['sum(x, axis=-1, keepdims=True)', 'sum<x>'],
  ['sum(x, axis=0, y)', 'sum<x y>'],
  ['np.exp(std::abs(x))', 'exp<abs<x>>'],
  ['numpy.a + torch.b + tf.c + math.d', '(((a+b)+c)+d)'],
  ['x[i] + y[12]', '(x[i]+y[12])'],
  ['β*x − γ×z·w⋅v', '((β*x)-(((γ*z)*w)*v))'],
  ['1.5e-3 + 2. + 1e5', '((1.5e-3+2.)+1e5)'],
  ['_tmp', '_tmp'],
])('%s is read as %s', (text, tree) => {
  expect(read(text)).toBe(tree)
})

test.each([
  '',
  '  ',
  'a+',
  '+a',
  'a b',
  '(a',
  'a)',
  'f(a',
  'f(',
  'f()',
  'f(a,)',
  '|a',
  '-',
  'x[',
  'x[i',
  'x[+]',
  'x[i)',
  'a % b',
])('%j is no expression', (text) => {
  expect(read(text)).toBeUndefined()
})

test('an expression has sixty tokens at the most', () => {
  const sum = (terms: number) => Array.from({length: terms}, () => 'a').join('+')
  expect([read(sum(30)) === undefined, read(`-${sum(30)}`) === undefined, read(sum(31)) === undefined]).toEqual([
    false,
    false,
    true,
  ])
})

const latex = (text: string, style: Partial<Style> = {}, ...operands: string[]) =>
  toLatex(readExpression(text)!, {...plain, ...style}, new Set(operands))

test.each([
  ['12', '12'],
  ['a', 'a'],
  ['dst', '\\mathrm{dst}'],
  ['a_b', '\\mathrm{a\\_b}'],
  ['β+gamma', '\\beta +\\gamma '],
  ['x[i]', 'x_{i}'],
  ['β[i]', '\\beta_{i}'],
  ['a*b', 'a\\times b'],
  ['a/b', '\\frac{a}{b}'],
  ['(a+b)*(c-d)', '(a+b)\\times (c-d)'],
  ['a+b*c', 'a+b\\times c'],
  ['a-(b+c)', 'a-(b+c)'],
  ['a+(b+c)', 'a+b+c'],
  ['a+(b-c)', 'a+b-c'],
  ['a-b*c', 'a-b\\times c'],
  ['(a*b)^2', '(a\\times b)^{2}'],
  ['(-a)^2', '(-a)^{2}'],
  ['a^2', 'a^{2}'],
  ['a^(b+c)', 'a^{b+c}'],
  ['exp(x)^2', '(e^{x})^{2}'],
  ['power(x,2)^2', '(x^{2})^{2}'],
  ['sin(x)^2', '\\sin(x)^{2}'],
  ['-(a+b)', '-(a+b)'],
  ['-(a*b)', '-a\\times b'],
  ['-(-a*b)', '-(-a\\times b)'],
  ['a+(-b)', 'a+(-b)'],
  ['a*(-b)^2', 'a\\times (-b)^{2}'],
  ['a*((-b)/c)', 'a\\times \\frac{-b}{c}'],
  ['a+((b-c)*d)', 'a+(b-c)\\times d'],
  ['a+((-b-c)*d)', 'a+(-b-c)\\times d'],
  ['a+(-b-c)', 'a+(-b-c)'],
  ['exp(x)', 'e^{x}'],
  ['sqrt(x)', '\\sqrt{x}'],
  ['abs(x)', '|x|'],
  ['fabs(x)', '|x|'],
  ['pow(x,y)', 'x^{y}'],
  ['power(x,y)', 'x^{y}'],
  ['pow(x)', '\\mathrm{pow}(x)'],
  ['floor(x)', '\\lfloor x\\rfloor '],
  ['ceil(x)', '\\lceil x\\rceil '],
  ['maximum(x,y)', '\\max(x,y)'],
  ['minimum(x,y)', '\\min(x,y)'],
  ['tanh(x)', '\\tanh(x)'],
  ['erf(x)', '\\mathrm{erf}(x)'],
])('%s is typeset as %s', (text, expected) => {
  expect(latex(text)).toBe(expected)
})

test.each([
  ['a/b', {division: 'slash'}, 'a/b'],
  ['(a+b)/(c+d)', {division: 'slash'}, '(a+b)/(c+d)'],
  ['a/(b*c)', {division: 'slash'}, 'a/(b\\times c)'],
  ['a/(b/c)', {division: 'slash'}, 'a/(b/c)'],
  ['a/b^2', {division: 'slash'}, 'a/b^{2}'],
  ['a*(b/c)', {division: 'slash'}, 'a\\times b/c'],
  ['a*(-b/c)', {division: 'slash'}, 'a\\times (-b/c)'],
  ['exp(x)', {power: 'exp'}, '\\exp(x)'],
  ['exp(x)^2', {power: 'exp'}, '\\exp(x)^{2}'],
  ['a*b', {times: '*'}, 'a*b'],
  ['a*b', {times: '\\cdot '}, 'a\\cdot b'],
  ['a*b', {times: ''}, 'ab'],
  ['2*a', {times: ''}, '2a'],
  ['a*2', {times: ''}, 'a2'],
  ['ab*c', {times: ''}, '\\mathrm{ab}\\times c'],
  ['a*bc', {times: ''}, 'a\\times \\mathrm{bc}'],
  ['a*f(b)', {times: ''}, 'a\\times \\mathrm{f}(b)'],
  ['f(b)*a', {times: ''}, '\\mathrm{f}(b)\\times a'],
  ['a*b*c', {times: ''}, 'abc'],
  ['a*bc*d', {times: ''}, 'a\\times \\mathrm{bc}\\times d'],
  ['(a+b)*c', {times: ''}, '(a+b)c'],
  ['-a*b', {times: ''}, '-a\\times b'],
] as [string, Partial<Style>, string][])('%s in the style %j is %s', (text, style, expected) => {
  expect(latex(text, style)).toBe(expected)
})

test('operands alone take the index of the style, where they have none of their own', () => {
  expect(latex('dst+x+y[j]+s', {index: 'i'}, 'dst', 'x', 'y')).toBe('\\mathrm{dst}_{i}+x_{i}+y_{j}+s')
  expect(latex('dst+s', {}, 'dst')).toBe('\\mathrm{dst}+s')
})

test('there is a style of each kind, what pages use most first', () => {
  expect(styles).toHaveLength(32)
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(32)
  expect(styles[0]).toEqual({division: 'fraction', power: 'e', times: '', index: ''})
})
