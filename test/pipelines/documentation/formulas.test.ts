import {expect, test} from 'vitest'
import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'
import {formulasOf} from '../../../pipelines/documentation/formulas/candidates-of.ts'
import {latexProblem, misfit} from '../../../pipelines/documentation/formulas/check-latex.ts'
import {latexReply} from '../../../pipelines/documentation/formulas/formula-reply.ts'
import {normalLatex} from '../../../pipelines/documentation/formulas/latex-form.ts'
import {latexLayout} from '../../../pipelines/documentation/formulas/latex-layout.ts'
import {matchLayout} from '../../../pipelines/documentation/formulas/match-layout.ts'
import {pageFacts} from '../../../pipelines/documentation/formulas/page-facts.ts'
import {sourceFormulas} from '../../../pipelines/documentation/formulas/source-formulas.ts'

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
] as [string, string, string, [string, string][], boolean][])('a picture with %s', (_, shown, said, misread, isFit) => {
  expect(matchLayout(seen(shown, ...misread), latexLayout(said) ?? []) !== undefined).toBe(isFit)
})

test('candidates come from prototype and pseudo-code, in each way of typesetting', () => {
  const forms = new Set(formulasOf(facts).map(normalLatex))
  const expected = ['dst_i=src0_i+src1_i', 'dst=\\frac{e^{src0-max}}{sum}', 'dst=\\exp(src0-max)/sum', 'y=x+b']
  expect(expected.map((latex) => forms.has(normalLatex(latex)))).toEqual([true, true, true, false])
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
