import {expect, test} from 'vitest'
import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'
import {formulasOf} from '../../../pipelines/documentation/formulas/candidates-of.ts'
import {latexProblem, misfit} from '../../../pipelines/documentation/formulas/check-latex.ts'
import {latexReply} from '../../../pipelines/documentation/formulas/formula-reply.ts'
import {normalLatex} from '../../../pipelines/documentation/formulas/latex-form.ts'
import {latexLayout} from '../../../pipelines/documentation/formulas/latex-layout.ts'
import {matchLayout} from '../../../pipelines/documentation/formulas/match-layout.ts'
import {pageFacts} from '../../../pipelines/documentation/formulas/page-facts.ts'
import {readExpression, styles, toLatex} from '../../../pipelines/documentation/formulas/expression.ts'
import {inPlace} from '../../../pipelines/documentation/formulas/in-place.ts'
import {readLayout} from '../../../pipelines/documentation/formulas/read-layout.ts'
import {settleReply} from '../../../pipelines/documentation/formulas/settle-formula.ts'
import {sourceFormulas} from '../../../pipelines/documentation/repair-text.ts'

const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'Apache-2.0'}
const markdown = [
  '按元素求和，伪代码：',
  '```\ndst = np.exp(src0 - max) / sum\n```',
  '```cpp\nvoid Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1)\n```',
].join('\n\n')
const facts = pageFacts({origin, title: 'Add', language: 'zh', markdown})

/** A picture in which recognition read everything right, but for what is said to be read otherwise. */
function seen(latex: string, ...misread: [string, string][]): LayoutPiece[] {
  const reread = (row: LayoutPiece[]): LayoutPiece[] =>
    row.map((piece) => {
      if (piece.kind === 'run')
        return {...piece, confidence: 0.7, text: misread.find(([one]) => one === piece.text)?.[1] ?? piece.text}
      if (piece.kind === 'root') return {...piece, inside: reread(piece.inside)}
      if (piece.kind === 'sup' || piece.kind === 'sub') return {...piece, row: reread(piece.row)}
      if (piece.kind === 'fraction' || piece.kind === 'big')
        return {...piece, above: reread(piece.above), below: reread(piece.below)}
      return piece
    })
  return reread(latexLayout(latex) ?? [])
}

test.each([
  ['what was read as it is', 'dst_i=src0_i+src1_i', 'dst_i=src0_i+src1_i', [], true],
  [
    'italics that were misread',
    'y=\\frac{x}{1+e^{-x}}',
    'y=\\frac{x}{1+e^{-x}}',
    [
      ['x', 'Z'],
      ['1+e', 'l1+€'],
    ],
    true,
  ],
  ['another operand', 'dst=src0-src1', 'dst=src1-src0', [], false],
  ['a sum for a difference', '1+e', '1-e', [], false],
  ['another function', 'y=max(src0,src1)', 'y=min(src0,src1)', [], false],
  ['another factor', '\\frac{2}{\\sqrt{src}}', '\\frac{1}{\\sqrt{src}}', [], false],
  ['an index that has no dot', 'dst_1', 'dst_i', [['1', 'i']], false],
  ['another index', 'dst_j', 'dst_i', [], false],
  ['a mark too many', 'dst=-src', 'dst=src', [['dst=-src', 'dst=src']], false],
  ['a fraction without its bar', 'a/b', '\\frac{a}{b}', [], false],
  ['an exponent on the line', 'e^x', 'ex', [], false],
  ['a floor', 'y=\\lfloor n/y\\rfloor', 'y=(n/y)', [], false],
  ['round brackets', 'y=(n/y)', 'y=\\lfloor n/y\\rfloor', [], false],
  ['square brackets', 'y=[n/y]', 'y=\\lceil n/y\\rceil', [], false],
  ['a ceiling', 'y=\\lceil n/y\\rceil', 'y=\\lceil n/y\\rceil', [['y=⌈n/y⌉', 'y=[n/y]']], true],
  ['a lone floor', '\\lfloor x_i\\rfloor', '\\lceil x_i\\rceil', [], false],
  ['bars', '|x|', '|x|', [], true],
  ['no bars', 'xll', 'x||', [], false],
  ['a sum', 'y=\\sum_{i=1}^{n}x', 'y=\\sum_{i=1}^{n}x', [], true],
  ['a product', 'y=\\prod_{i=1}^{n}x', 'y=\\sum_{i=1}^{n}x', [], false],
] as [string, string, string, [string, string][], boolean][])('a picture with %s', (_, shown, said, misread, isFit) => {
  expect(matchLayout(seen(shown, ...misread), latexLayout(said) ?? []) !== undefined).toBe(isFit)
})

test('candidates come from prototype and pseudo-code, in each way of typesetting', () => {
  const forms = new Set(formulasOf(facts).map(normalLatex))
  const expected = ['dst_i=src0_i+src1_i', 'dst=\\frac{e^{src0-max}}{sum}', 'dst=\\exp(src0-max)/sum', 'y=x+b']
  expect(expected.map((latex) => forms.has(normalLatex(latex)))).toEqual([true, true, true, false])
})

test('candidates are made once for a page', () => {
  expect(formulasOf(facts)).toBe(formulasOf(facts))
})

test('names that every object of the language has are names like others', () => {
  const title = 'Constructor'
  expect(formulasOf(pageFacts({origin, title, language: 'zh', markdown}))).not.toEqual([])
  expect(readExpression('a constructor b')).toBeUndefined()
  const [style] = styles
  const written = ['constructor+x', 'toString(x)'].map((text) => toLatex(readExpression(text)!, style!, new Set()))
  expect(written).toEqual(['\\mathrm{constructor}+x', '\\mathrm{toString}(x)'])
  expect(latexLayout('\\constructor')).toBeUndefined()
  const words = new Set(['constructor'])
  expect(readLayout(latexLayout('constructor') ?? [], {...facts, words})).toBe('\\mathrm{constructor}')
})

test.each([
  ['exp(x)**2', '(e^{x})^{2}'],
  ['pow(x,2)**3', '(x^{2})^{3}'],
  ['a-(-b)', 'a-(-b)'],
  ['a*(-b)', 'a(-b)'],
  ['a+(-b*c)', 'a+(-b\\times c)'],
  ['a-(-b)**2', 'a-(-b)^{2}'],
  ['-(-a)', '-(-a)'],
  ['-a-b', '-a-b'],
  ['(a-b)*c', '(a-b)c'],
  ['a-(b-c)*d', 'a-(b-c)d'],
  ['a-(-b)/c', 'a-\\frac{-b}{c}'],
])('%s is typeset as LaTeX of the same meaning', async (text, latex) => {
  const written = toLatex(readExpression(text)!, styles[0]!, new Set())
  expect(written).toBe(latex)
  expect(await latexProblem(written, true)).toBeUndefined()
})

test.each([
  ['\\sum_{i=1}^{n}', '\\sum_{i=1}^{n}', 'repaired', 'repaired'],
  ['\\prod_{i=1}^{n}', '\\sum_{i=1}^{n}', 'picture-disagrees', 'picture-disagrees'],
  ['open', '\\sum_{i=1}^{n}', 'picture-disagrees', 'repaired'],
])('a picture of %s, a model that says %s', async (shown, said, byText, bySight) => {
  const [picture, latex] = [shown === 'open' ? said : shown, said].map((sign) => `dst=${sign}src0+src1`)
  const layout = seen(picture!).map((piece) =>
    shown === 'open' && piece.kind === 'big' ? {...piece, sign: undefined} : piece,
  )
  const reading = {width: 9, height: 9, text: '', confidence: 1, lines: 1, layout}
  for (const [how, expected] of [
    ['text-model', byText],
    ['vision', bySight],
  ] as const) {
    const settled = await settleReply(latex!, how, reading, facts)
    expect('how' in settled ? 'repaired' : settled.reason).toBe(expected)
  }
})

test('a seeing model that takes a floor for round brackets is not believed', async () => {
  const reading = {width: 9, height: 9, text: '', confidence: 1, lines: 1}
  const layout = seen('dst=\\lfloor src0/src1\\rfloor')
  const settled = await settleReply('dst=(src0/src1)', 'vision', {...reading, layout}, facts)
  expect(settled).toMatchObject({reason: 'picture-disagrees'})
})

test('a formula breaks neither the row of a table nor the markup around it', () => {
  expect(inPlace('|a|<\\|b\\|', false)).toBe('$\\vert a\\vert \\lt \\Vert b\\Vert$')
  expect(inPlace('|a|>b', true)).toBe('$$|a|\\gt b$$')
  expect(normalLatex('\\left\\vert a\\right\\vert')).toBe(normalLatex('\\left|a\\right|'))
})

test.each([
  ['dst_i = src0_i + src1_i', undefined],
  ['\\mathrm{dst} = \\exp(src0 - src1)', undefined],
  ['dst_i = src0_i + src2_i', 'names-unknown'],
  ['dst_i = src0_i', 'arity-unfit'],
  ['dst = \\exp(src0, src1)', 'arity-unfit'],
  ['dst = (src0 + src1', 'brackets-unbalanced'],
  ['\\begin{matrix} dst \\end{matrix}', 'notation-unknown'],
])('whether %s fits its page', (latex, why) => {
  expect(misfit(latex, facts, undefined)).toBe(why)
})

test('forms that look the same are the same', () => {
  expect(normalLatex('\\mathrm{dst}_{i} = \\left|{src}\\right|^{2}')).toBe(normalLatex('dst_i=|src|^2'))
  expect(normalLatex('e^{-x}')).not.toBe(normalLatex('e^-x'))
})

test('KaTeX decides what LaTeX is', async () => {
  expect(await latexProblem('\\frac{a}{b}', true)).toBeUndefined()
  expect(await latexProblem('\\frac{a}{', false)).toContain('KaTeX parse error')
  expect(await latexProblem('输入=x', true)).toContain('unicode')
  expect(await latexProblem('输入=x', false)).toBeUndefined()
})

test.each([
  ['Sure: <latex>$$y = x$$</latex>!', {ok: true, latex: 'y = x'}],
  ['y = x', {ok: false, reason: 'reply-without-latex'}],
  [' ', {ok: false, reason: 'reply-empty'}],
  ['<latex> </latex>', {ok: false, reason: 'model-cannot-read-it'}],
  ['<latex>a</latex> or <latex>b</latex>', {ok: false, reason: 'reply-with-several-formulas'}],
])('the formula in a reply: %s', (text, expected) => {
  expect(latexReply(text)).toEqual(expected)
})

test('formulas of a page are those between dollars, not those of shells', () => {
  const page = '$a_i$ 与 $$\n\\frac{a}{b}\n$$，`$b_i$`、${HOME}、$5 和 $6\n```\n$c_i$\n```'
  expect(sourceFormulas(page)).toEqual(['a_i', '\\frac{a}{b}'])
})
