import {describe, expect, test} from 'vitest'
import type {LayoutPiece} from '../../../../datasets/schema/page-image.ts'
import {latexReply} from '../../../../pipelines/documentation/formulas/formula-reply.ts'
import {normalLatex} from '../../../../pipelines/documentation/formulas/latex-form.ts'
import type {PageFacts} from '../../../../pipelines/documentation/formulas/page-facts.ts'
import {readLayout} from '../../../../pipelines/documentation/formulas/read-layout.ts'

const run = (text: string, part: Partial<Extract<LayoutPiece, {kind: 'run'}>> = {}): LayoutPiece => ({
  ...{kind: 'run', text, marks: [...text.replace(/\s/g, '')].length, brackets: '', confidence: 1},
  parts: /^[ij=:;]$/.test(text) ? 2 : [...text].length,
  ...part,
})
const words = new Set(['dst', 'src0', 'src1', 'i', 'n', 'sum_all', '15', 'α'])
const facts = {title: 'Move', words, operands: [], equations: []} satisfies PageFacts
const read = (...layout: LayoutPiece[]) => readLayout(layout, facts)

describe('a formula as it was read', () => {
  test.each([
    ['dst=src0+src1', '\\mathrm{dst}=\\mathrm{src0}+\\mathrm{src1}'],
    ['dst = -src0', '\\mathrm{dst}=-\\mathrm{src0}'],
    ['dst=src0−1', '\\mathrm{dst}=\\mathrm{src0}-1'],
    ['dst=src0—2', '\\mathrm{dst}=\\mathrm{src0}-2'],
    ['dst=src0–0', '\\mathrm{dst}=\\mathrm{src0}-0'],
    ['dst=src0×src1', '\\mathrm{dst}=\\mathrm{src0}\\times \\mathrm{src1}'],
    ['dst=src0*src1', '\\mathrm{dst}=\\mathrm{src0}*\\mathrm{src1}'],
    ['dst=(src0)x(src1)', '\\mathrm{dst}=(\\mathrm{src0})\\times (\\mathrm{src1})'],
    ['dst=src0 x src1', '\\mathrm{dst}=\\mathrm{src0}\\times \\mathrm{src1}'],
    ['src0<src1|n>i', '\\mathrm{src0}<\\mathrm{src1}|n>i'],
    ['n/i,n', 'n/i,n'],
    ['max(n,i)', '\\max (n,i)'],
    ['exp(n)', '\\exp (n)'],
    ['mean(n)', '\\mathrm{mean}(n)'],
    ['sum_all', '\\mathrm{sum\\_all}'],
    ['n=15', 'n=15'],
    ['DST', '\\mathrm{DST}'],
    ['α', 'α'],
  ])('%s is %s', (text, latex) => {
    expect(read(run(text))).toBe(latex)
  })

  test.each(['dst=src2', 'n=3', 'n=1.5', 'n=16', 'x', 'n+x', 'xn', 'n x', 'n?', 'foo(n)'])(
    '%s has what the page does not know',
    (text) => {
      expect(read(run(text))).toBeUndefined()
    },
  )

  test('x is a name where the page has it, and the sign of a product between two operands', () => {
    const own = {...facts, words: new Set([...words, 'x'])}
    expect(readLayout([run('n x i')], own)).toBeUndefined()
    expect(readLayout([run('n+x')], own)).toBe('n+x')
    expect(read(run('n x +'))).toBeUndefined()
    expect(read(run('+ x n'))).toBeUndefined()
    expect(read(run('(n) X i'))).toBe('(n)\\times i')
  })

  test('of two words that look alike none is the one', () => {
    const two = {...facts, words: new Set(['sl', 'si'])}
    expect(readLayout([run('s1')], two)).toBeUndefined()
    expect(readLayout([run('sl')], two)).toBe('\\mathrm{sl}')
    expect(readLayout([run('s1')], {...facts, words: new Set(['sl'])})).toBe('\\mathrm{sl}')
  })

  test('is believed where it was read with confidence, mark for mark', () => {
    expect(read(run('dst', {confidence: 0.6}))).toBe('\\mathrm{dst}')
    expect(read(run('dst', {confidence: 0.59}))).toBeUndefined()
    expect(read(run('dst', {marks: 4}))).toBeUndefined()
    expect(read(run('dst', {marks: 2}))).toBeUndefined()
  })

  test('an i has a dot', () => {
    expect(read(run('i', {parts: 2}))).toBe('i')
    expect(read(run('i', {parts: 1}))).toBeUndefined()
    expect(read(run('n', {parts: 2}))).toBeUndefined()
    expect(read(run('n', {parts: 1}))).toBe('n')
  })

  test('has structure', () => {
    const [n, i] = [run('n'), run('i')]
    expect(read(n, {kind: 'sup', row: [i]})).toBe('n^{i}')
    expect(read(n, {kind: 'sub', row: [i]})).toBe('n_{i}')
    expect(read({kind: 'root', inside: [n]})).toBe('\\sqrt{n}')
    expect(read({kind: 'fraction', above: [n], below: [i]})).toBe('\\frac{n}{i}')
    expect(read({kind: 'fraction', above: [n], below: [{kind: 'root', inside: [i]}]})).toBe('\\frac{n}{\\sqrt{i}}')
    expect(read({kind: 'big', sign: 'sum', above: [n], below: [i]})).toBeUndefined()
    expect(read({kind: 'fraction', above: [n], below: []})).toBeUndefined()
    expect(read({kind: 'fraction', above: [run('foo')], below: [i]})).toBeUndefined()
    expect(read(n, {kind: 'root', inside: [run('foo')]})).toBeUndefined()
    expect(read({kind: 'root', inside: [run('')]})).toBeUndefined()
    expect(read()).toBeUndefined()
  })
})

describe('the normal form of LaTeX', () => {
  test.each([
    ['\\mathrm{dst}_{i}', 'd s t _ i'],
    ['\\left| a \\right|', '| a |'],
    ['\\bigl( a \\Bigr)', '( a )'],
    ['a\\,b\\quad c~d\\ e', 'a b c d e'],
    ['\\dfrac{a}{b}', '\\frac a b'],
    ['\\frac{a+b}{c d}', '\\frac { a + b } { c d }'],
    ['\\frac ab', '\\frac a b'],
    ['\\sqrt{ab}', '\\sqrt { a b }'],
    ['\\sqrt{a}', '\\sqrt a'],
    ['{ab}', 'a b'],
    ['{{a}b}', 'a b'],
    ['x^{ab}', 'x ^ { a b }'],
    ['x_{}', 'x _ { }'],
    ['x^{a}', 'x ^ a'],
    ['x{ab}', 'x a b'],
    ['\\frac{a}{b}{cd}', '\\frac a b c d'],
    ['\\exp x', 'e x p x'],
    ['\\operatorname{max}', 'm a x'],
    ['a\\leq b\\geqslant c\\ast d\\cdots', 'a \\le b \\ge c * d \\ldots'],
    ['\\varepsilon\\_', '\\epsilon _'],
    ['a}b', 'a'],
    ['{a', 'a'],
  ])('of %s is %s', (latex, normal) => {
    expect(normalLatex(latex)).toBe(normal)
  })
})

describe('the formula of a reply', () => {
  test.each([
    ['<latex>y = x</latex>', 'y = x'],
    ['<latex>\n$y$\n</latex>', 'y'],
    ['<latex>$$y$$</latex>', 'y'],
    ['<latex>\\(y\\)</latex>', 'y'],
    ['<latex>\\[ y \\]</latex>', 'y'],
    ['<latex>```latex\ny\n```</latex>', 'y'],
    [`<latex>${'y'.repeat(2000)}</latex>`, 'y'.repeat(2000)],
  ])('%j is %j', (text, latex) => {
    expect(latexReply(text)).toEqual({ok: true, latex})
  })

  test('has an end to its length', () => {
    expect(latexReply(`<latex>${'y'.repeat(2001)}</latex>`)).toEqual({ok: false, reason: 'latex-invalid'})
    expect(latexReply('<latex>$$</latex>')).toEqual({ok: false, reason: 'model-cannot-read-it'})
  })
})
