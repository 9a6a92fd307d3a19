import {expect, test} from 'vitest'
import type {LayoutPiece} from '../../../../datasets/schema/page-image.ts'
import {normalLatex} from '../../../../pipelines/documentation/formulas/latex-form.ts'
import {latexLayout} from '../../../../pipelines/documentation/formulas/latex-layout.ts'
import {latexReply} from '../../../../pipelines/documentation/formulas/formula-reply.ts'
import {sourceFormulas} from '../../../../pipelines/documentation/repair-text.ts'

function shown(row: readonly LayoutPiece[]): string {
  return row.map(shownPiece).join(' ')
}

function shownPiece(piece: LayoutPiece): string {
  if (piece.kind === 'run') return piece.text
  if (piece.kind === 'fraction') return `(${shown(piece.above)} / ${shown(piece.below)})`
  if (piece.kind === 'root') return `root(${shown(piece.inside)})`
  if (piece.kind === 'big') return `${piece.sign}(${shown(piece.below)} to ${shown(piece.above)})`
  return `${piece.kind}(${shown(piece.row)})`
}

test.each([
  ['', ''],
  ['a+b', 'a+b'],
  ['a_i+b^2', 'a sub(i) +b sup(2)'],
  ['a_{i,j}^{n}', 'a sub(i,j) sup(n)'],
  ['\\frac{a}{b}', '(a / b)'],
  ['\\dfrac a b', '(a / b)'],
  ['\\tfrac{a+b}{2}c', '(a+b / 2) c'],
  ['\\sqrt{x}y', 'root(x) y'],
  ['\\sqrt x y', 'root(x) y'],
  ['\\sum_{i=1}^{n}x', 'sum(i=1 to n) x'],
  ['\\prod^n_k x', 'product(k to n) x'],
  ['\\sum x', 'sum( to ) x'],
  ['{ab}c', 'abc'],
  ['\\mathrm{dst}_{i}', 'dst sub(i)'],
  ['\\left(a\\right)\\,~b\\quad c', '(a)bc'],
  ['\\alpha\\le\\beta', 'α≤β'],
  ['\\max(a)\\times\\exp b', 'max(a)×expb'],
  ['\\{a\\_b\\}', '{a_b}'],
])('%s is laid out as %s', (latex, layout) => {
  const found = latexLayout(latex)
  expect(found && shown(found)).toBe(layout)
})

test.each([
  '\\begin{matrix}a\\end{matrix}',
  '\\hat{a}',
  '\\sqrt[3]{x}',
  'a&b',
  'a\\\\b',
  'a}b',
  '\\frac{a}',
  '\\frac{a}{b',
  'a_',
  'a^{b',
  '\\sqrt',
])('%s is not known', (latex) => {
  expect(latexLayout(latex)).toBeUndefined()
})

test('marks, their parts and the brackets among them are counted', () => {
  expect(latexLayout('[i=j|')).toEqual([
    {kind: 'run', text: '[i=j|', marks: 5, brackets: '[|', parts: 8, confidence: 1},
  ])
  expect(latexLayout('\\lfloor a\\rceil\\%:;\\ge\\pm')).toEqual([
    {kind: 'run', text: '⌊a⌉%:;≥±', marks: 8, brackets: '⌊⌉', parts: 13, confidence: 1},
  ])
  expect(latexLayout('(a)\\{b\\}\\lceil\\rfloor]')).toMatchObject([{brackets: '(){}⌈⌋]'}])
  expect(latexLayout('a')).toEqual([{kind: 'run', text: 'a', marks: 1, brackets: '', parts: 1, confidence: 1}])
})

test.each([
  ['\\dfrac{a}{b}', '\\frac a b'],
  ['\\frac{ab}{c}', '\\frac { a b } c'],
  ['\\frac{a}{bc}', '\\frac a { b c }'],
  ['\\sqrt{ab}', '\\sqrt { a b }'],
  ['\\sqrt{a}', '\\sqrt a'],
  ['{ab}c', 'a b c'],
  ['{{ab}}c', 'a b c'],
  ['a_{i}', 'a _ i'],
  ['a_{ij}', 'a _ { i j }'],
  ['a^{ij}', 'a ^ { i j }'],
  ['a^{}', 'a ^ { }'],
  ['a^{b_{cd}}', 'a ^ { b _ { c d } }'],
  ['\\frac{\\sqrt{ab}}{c}', '\\frac { \\sqrt { a b } } c'],
  ['a{bc}{de}', 'a b c d e'],
  ['\\max x', 'm a x x'],
  ['\\left|a\\right|', '| a |'],
  ['\\bigl(a\\Bigr)', '( a )'],
  ['\\varepsilon\\leqslant\\cdots', '\\epsilon \\le \\ldots'],
  ['\\mathrm{dst}\\,=\\quad x', 'd s t = x'],
  ['\\constructor', '\\constructor'],
])('the normal form of %s is %s', (latex, form) => {
  expect(normalLatex(latex)).toBe(form)
})

test.each([
  ['<latex>a=b</latex>', {ok: true, latex: 'a=b'}],
  ['<latex>```latex\na=b\n```</latex>', {ok: true, latex: 'a=b'}],
  ['<latex>$a=b$</latex>', {ok: true, latex: 'a=b'}],
  ['<latex>\\[a=b\\]</latex>', {ok: true, latex: 'a=b'}],
  ['<latex>\\(a=b\\)</latex>', {ok: true, latex: 'a=b'}],
  [`<latex>${'a'.repeat(2000)}</latex>`, {ok: true, latex: 'a'.repeat(2000)}],
  [`<latex>${'a'.repeat(2001)}</latex>`, {ok: false, reason: 'latex-invalid'}],
  ['<latex>$$$$</latex>', {ok: false, reason: 'model-cannot-read-it'}],
  ['<latex>a</latex><latex>a</latex>', {ok: false, reason: 'reply-with-several-formulas'}],
  ['a', {ok: false, reason: 'reply-without-latex'}],
  ['', {ok: false, reason: 'reply-empty'}],
])('the reply %j', (text, expected) => {
  expect(latexReply(text)).toEqual(expected)
})

test.each([
  ['$a_i$ and $$b^2$$ and $c$', ['a_i', 'b^2', 'c']],
  ['$$b^2$$ and $a_i$', ['b^2', 'a_i']],
  ['$hello world of shells$', []],
  ['$12 chars okay$', []],
  ['$abc, 12(3)$', ['abc, 12(3)']],
  ['$a = b ,$', ['a = b ,']],
  ['`$a_i$` $b_i$', ['b_i']],
  ['~~~\n$a_i$\n```\n$b_i$\n~~~\n$c_i$', ['c_i']],
  ['````\n$a_i$\n```\n$b_i$\n````\n$c_i$', ['c_i']],
  ['text\n```\n$a_i$\n```\n`x` $b_i$', ['b_i']],
])('the formulas of %j', (page, formulas) => {
  expect(sourceFormulas(page)).toEqual(formulas)
})
