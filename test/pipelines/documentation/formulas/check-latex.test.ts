import {describe, expect, test} from 'vitest'
import type {ImageReading, LayoutPiece} from '../../../../datasets/schema/page-image.ts'
import {latexProblem, misfit, shareSeen} from '../../../../pipelines/documentation/formulas/check-latex.ts'
import {latexLayout} from '../../../../pipelines/documentation/formulas/latex-layout.ts'
import {pageFacts} from '../../../../pipelines/documentation/formulas/page-facts.ts'
import {readLayout} from '../../../../pipelines/documentation/formulas/read-layout.ts'
import {settleByRule, settleReply} from '../../../../pipelines/documentation/formulas/settle-formula.ts'

const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'Apache-2.0'}
const page = (title: string, ...markdown: string[]) =>
  pageFacts({origin, title, language: 'zh', markdown: markdown.join('\n\n')})
const declared = (name: string, ...operands: string[]) =>
  `\`\`\`cpp\nvoid ${name}(${operands.map((one) => `const LocalTensor<T>& ${one}`).join(', ')})\n\`\`\``

const add = page('Add', '按元素求和。', declared('Add', 'dst', 'src0', 'src1'))
const norm = page('Norm', '宽度 width，比例 rate，系数 beta，偏差 3.5。', declared('Norm', 'dst', 'src'))

type Run = Extract<LayoutPiece, {kind: 'run'}>
const run = (text: string, other: Partial<Run> = {}): Run => ({
  ...(latexLayout('a')![0] as Run),
  text,
  marks: [...text].length,
  parts: [...text].length,
  confidence: 0.9,
  ...other,
})

describe('a formula fits its page', () => {
  test.each([
    ['dst=src0+src1', undefined],
    ['width+rate', 'names-unknown'],
    ['dst_i=src0_i+src1_i', undefined],
    ['dst=e^{x}+y', undefined],
    ['dst=a', 'names-unknown'],
    ['dst=a_{k}', 'names-unknown'],
    ['dst=src_{kk}', 'names-unknown'],
    ['dst_{k}=src0_{k}+src1_{k}', undefined],
    ['dst=\\sum_{k=1}^{n}src0src1', undefined],
    ['dst=\\sum_{k=1}^{n}k', 'names-unknown'],
    ['dst^{k}=1', 'names-unknown'],
    ['dst=\\frac{src0}{k}+src1', 'names-unknown'],
    ['dst=\\frac{k}{src0}+src1', 'names-unknown'],
    ['dst=\\sqrt{k}', 'names-unknown'],
    ['dst=β', undefined],
    ['dst=βγ', undefined],
    ['dst=\\max(src0,src1)', undefined],
    ['dst=\\exp(src0)+src1', undefined],
    ['dst=\\exp(src0,src1)', 'arity-unfit'],
    ['dst=\\sqrt{(src0,src1)}', 'arity-unfit'],
    ['dst=\\exp(\\max(src0,src1))', undefined],
    ['dst=\\max(\\exp(src0),src1)', undefined],
    ['dst=(src0+src1', 'brackets-unbalanced'],
    ['dst=src0+src1)', 'brackets-unbalanced'],
    ['dst=)src0+src1(', 'brackets-unbalanced'],
    ['dst=(src0)+(src1)', undefined],
    ['dst=src0', 'arity-unfit'],
    ['dst=src0,dst=src1', undefined],
    ['dst=1', undefined],
    ['\\hat{a}', 'notation-unknown'],
  ])('%s: %s', (latex, why) => {
    expect(misfit(latex, add, undefined)).toBe(why)
  })

  test('of sources that only one prototype numbers, all of another may stand', () => {
    const two = page('Two', declared('Two', 'dst', 'src0', 'src1'), declared('Two', 'dst', 'src0', 'src2'))
    expect([misfit('dst=src0+src1', two, undefined), misfit('dst=src0', two, undefined)]).toEqual([
      undefined,
      'arity-unfit',
    ])
    expect(misfit('dst=src', norm, undefined)).toBeUndefined()
  })

  test('a lone letter that the picture shows needs no introduction, but for x and z', () => {
    const seenAs = (text: string) => [run(text)]
    expect(misfit('dst=src0+src1+k', add, seenAs('dst=k'))).toBeUndefined()
    expect(misfit('dst=src0+src1+k', add, seenAs('dst=m'))).toBe('names-unknown')
    expect(misfit('dst=src0+src1+z', add, seenAs('dst=z'))).toBe('names-unknown')
    expect(misfit('dst=src0+src1+X', add, seenAs('dst=X'))).toBe('names-unknown')
    expect(misfit('dst=src0+src1+kk', add, seenAs('dst=kk'))).toBe('names-unknown')
    expect(misfit('dst=src0+src1+k', add, [{kind: 'root', inside: seenAs('k')}])).toBeUndefined()
  })

  test('KaTeX decides, strictly where it is asked to', async () => {
    expect(await latexProblem('a_1', true)).toBeUndefined()
    expect(await latexProblem('\\def\\a{\\a\\a}\\a', false)).toContain('Too many expansions')
    expect([(await latexProblem('输', true)) === undefined, await latexProblem('输', false)]).toEqual([
      false,
      undefined,
    ])
  })

  test('the share of its letters that was seen, wherever they stand', () => {
    expect(shareSeen('abcd', [run('ab'), {kind: 'sup', row: [run('cd')]}])).toBe(1)
    expect(shareSeen('abcd', [run('abcc')])).toBe(0.75)
    expect(shareSeen('ab', [run('mnopqr')])).toBe(0)
    expect(shareSeen('', [])).toBe(1)
    expect(shareSeen('\\hat{a}', [run('a')])).toBe(0)
  })
})

describe('what recognition read', () => {
  test.each([
    ['dst=src', 'dst=src', {}, '\\mathrm{dst}=\\mathrm{src}'],
    ['with confidence', 'dst=src', {confidence: 0.6}, '\\mathrm{dst}=\\mathrm{src}'],
    ['without', 'dst=src', {confidence: 0.59}, undefined],
    ['a mark less', 'dst=src', {marks: 8}, undefined],
    ['a mark more', 'dst=src', {marks: 6}, undefined],
    ['a dotless i', 'i', {parts: 1}, undefined],
    ['a dot where none belongs', 'x', {parts: 2}, undefined],
    ['an equals sign', '=', {parts: 2}, '='],
    ['a minus', '-', {}, '-'],
    ['a dash', 'dst—src', {}, '\\mathrm{dst}-\\mathrm{src}'],
    ['a times', 'dst×src', {}, '\\mathrm{dst}\\times \\mathrm{src}'],
    ['an x between', 'width x rate', {marks: 10}, '\\mathrm{width}\\times \\mathrm{rate}'],
    ['an x between brackets', '(rate)x(rate)', {}, '(\\mathrm{rate})\\times (\\mathrm{rate})'],
    ['two dots of one mark', ':', {parts: 2}, undefined],
    ['a dot of one mark', ':', {parts: 1}, undefined],
    ['an i with its dot', 'i', {parts: 2}, undefined],
    ['max', 'max', {}, '\\max '],
    ['a function that has no command', 'floor', {}, '\\mathrm{floor}'],
    ['an x at the end', 'rate+x', {}, undefined],
    ['an x at the begin', 'x+rate', {}, undefined],
    ['an x behind a sign', '2+x rate', {marks: 7}, undefined],
    ['an x before a sign', '2 x+rate', {marks: 7}, undefined],
    ['small figures', '0+1+2', {}, '0+1+2'],
    ['a figure of the page', '3.5+rate', {}, '3.5+\\mathrm{rate}'],
    ['another figure', '3+rate', {}, undefined],
    ['a function', 'exp(rate)', {}, '\\exp (\\mathrm{rate})'],
    ['a word that looks alike', 'wldth', {}, '\\mathrm{width}'],
    ['a word of nobody', 'weight', {}, undefined],
    ['an operator of nobody', 'rate@2', {}, undefined],
  ] as [string, string, Partial<Run>, string | undefined][])('%s', (_, text, other, latex) => {
    expect(readLayout([run(text, other)], norm)).toBe(latex)
  })

  test('an x is an operand where the page has one', () => {
    const square = page('Square', '输入 x。', declared('Square', 'dst', 'x'))
    expect([readLayout([run('x')], square), readLayout([run('2 x 2', {marks: 3})], square)]).toEqual(['x', undefined])
  })

  test('of two words of the page that look alike, the one that is written is taken', () => {
    const twins = page('Twins', '输入 sum1，输出 suml。')
    const read = (text: string) => readLayout([run(text)], twins)
    expect([read('sum1'), read('suml'), read('sumI')]).toEqual(['\\mathrm{sum1}', '\\mathrm{suml}', undefined])
  })

  test.each([
    [[{kind: 'root', inside: [run('rate')]}], '\\sqrt{\\mathrm{rate}}'],
    [[run('rate'), {kind: 'sup', row: [run('2')]}], '\\mathrm{rate}^{2}'],
    [[run('rate'), {kind: 'sub', row: [run('1')]}], '\\mathrm{rate}_{1}'],
    [[{kind: 'fraction', above: [run('1')], below: [run('rate')]}], '\\frac{1}{\\mathrm{rate}}'],
    [[{kind: 'fraction', above: [run('1')], below: [run('??')]}], undefined],
    [[{kind: 'fraction', above: [], below: [run('rate')]}], undefined],
    [[{kind: 'big', sign: 'sum', above: [run('1')], below: [run('1')]}], undefined],
    [[run('rate'), {kind: 'sup', row: [run('??')]}], undefined],
    [[], undefined],
  ] as [LayoutPiece[], string | undefined][])('%j', (layout, latex) => {
    expect(readLayout(layout, norm)).toBe(latex)
  })
})

function seen(latex: string, change: (one: Run) => Run = (one) => one): LayoutPiece[] {
  const again = (row: readonly LayoutPiece[]): LayoutPiece[] =>
    row.map((piece) => {
      if (piece.kind === 'run') return change(piece)
      if (piece.kind === 'root') return {...piece, inside: again(piece.inside)}
      if (piece.kind === 'fraction' || piece.kind === 'big')
        return {...piece, above: again(piece.above), below: again(piece.below)}
      return {...piece, row: again(piece.row)}
    })
  return again(latexLayout(latex)!)
}
const reading = (layout?: LayoutPiece[]): ImageReading => ({
  width: 9,
  height: 9,
  text: '',
  confidence: 1,
  lines: 1,
  ...(layout && {layout}),
})
const blurred = (one: Run): Run => ({...one, confidence: 0.5})

describe('by rule', () => {
  const settled = (latex: string, change?: (one: Run) => Run, facts = add) =>
    settleByRule(reading(seen(latex, change)), facts)

  test('nothing is settled where nothing was seen', async () => {
    expect(await settleByRule(reading(), add)).toEqual({reason: 'nothing-recognised'})
    expect(await settleByRule(reading([]), add)).toEqual({reason: 'nothing-recognised'})
  })

  test('what was read stands where the page knows its words', async () => {
    expect(await settled('dst=src0+src1')).toEqual({
      latex: '\\mathrm{dst}=\\mathrm{src0}+\\mathrm{src1}',
      confidence: 1,
      how: 'rule',
    })
    expect(await settled('dst_i=src0_i+src1_i', blurred)).toEqual({
      latex: '\\mathrm{dst}_{i}=\\mathrm{src0}_{i}+\\mathrm{src1}_{i}',
      confidence: 1,
      how: 'rule',
    })
  })

  test('a formula of the page is seen in the picture for 0.7 of its marks', async () => {
    const misread = (one: Run) => ({...blurred(one), text: one.text.replace('dst', 'dsu').replace('src0', 'suc0')})
    const confidence = expect.closeTo(11 / 13, 9) as number
    expect(await settled('dst=src0+src1', misread)).toMatchObject({how: 'rule', confidence})
    expect(await settled('dst=src0-src1')).toEqual({
      latex: '\\mathrm{dst}=\\mathrm{src0}-\\mathrm{src1}',
      confidence: 1,
      how: 'rule',
    })
    expect(await settled('dst=src0-src1', blurred)).toEqual({reason: 'no-reading-fits-the-page'})
    expect(await settled('width=a')).toEqual({reason: 'no-reading-fits-the-page'})
  })

  test('two readings that fit as well settle nothing', async () => {
    const open = page('Open', declared('Open', 'dst', 'src'), '```\ndst = abc1 + src\ndst = abd1 + src\n```')
    const either = (one: Run) => ({...blurred(one), text: one.text.replace('abc', 'abm')})
    expect(await settled('dst=abc1+src', either, open)).toEqual({reason: 'several-readings-fit'})
    expect(await settled('dst=abc1+src', blurred, open)).toEqual({reason: 'several-readings-fit'})
  })

  test('what is no formula of the page is refused, however well it fits', async () => {
    const cut = page('Cut', declared('Cut', 'dst', 'src0', 'src1'), '```\ndst = src0 * 2\n```')
    expect(await settled('dst=src0*2', blurred, cut)).toEqual({reason: 'arity-unfit'})
  })
})

describe('a model', () => {
  const says = (latex: string, shown: LayoutPiece[] | undefined, how: 'vision' | 'text-model' = 'vision') =>
    settleReply(latex, how, reading(shown), add)

  test('is believed where the picture has its marks', async () => {
    const latex = 'dst=src0+src1'
    expect(await says(latex, seen(latex))).toEqual({latex, confidence: 1, how: 'vision'})
    expect(await says(latex, seen(latex), 'text-model')).toEqual({latex, confidence: 1, how: 'text-model'})
  })

  test('that saw the picture is believed for half of the marks, at nine tenths', async () => {
    const latex = 'dst=src0+src1'
    const loose = [run('dst='), {kind: 'sup', row: [run('src0+src1')]}] as LayoutPiece[]
    expect(await says(latex, loose)).toEqual({latex, confidence: 0.9, how: 'vision'})
    expect(await says(latex, loose, 'text-model')).toEqual({latex, reason: 'picture-disagrees'})
    expect(await says('xy', [run('x'), {kind: 'sup', row: [run('u')]}])).toEqual({
      latex: 'xy',
      confidence: 0.45,
      how: 'vision',
    })
    expect(await says('xyy', [run('x'), {kind: 'sup', row: [run('uu')]}])).toMatchObject({reason: 'picture-disagrees'})
  })

  test('says LaTeX that fits the page', async () => {
    expect(await says('\\frac{dst', undefined)).toEqual({latex: '\\frac{dst', reason: 'latex-invalid'})
    expect(await says('dst=rate', seen('dst=rate'))).toEqual({latex: 'dst=rate', reason: 'names-unknown'})
    expect(await says('dst=src0+src1', undefined)).toEqual({latex: 'dst=src0+src1', reason: 'picture-disagrees'})
  })

  // Each picture has a mark more on its line, so that only the marks of a clear shape decide.
  test.each([
    ['\\frac{src0}{src1}', '\\frac{src0}{src1}', true],
    ['\\frac{src0}{src1}', 'src0src1', false],
    ['src0src1', '\\frac{src0}{src1}', false],
    ['\\sqrt{src0src1}', '\\sqrt{src0src1}', true],
    ['\\sqrt{src0src1}', 'src0src1', false],
    ['\\sqrt{\\frac{src0}{src1}}', '\\sqrt{src0src1}', false],
    ['\\frac{\\sqrt{src0}}{src1}', '\\frac{src0}{src1}', false],
    ['\\frac{src0}{\\sqrt{src1}}', '\\frac{src0}{src1}', false],
    ['y^{\\sqrt{src0src1}}', 'y^{src0src1}', false],
    ['\\sum_{\\sqrt{src0}}src1', '\\sum_{src0}src1', false],
    ['\\sum^{\\sqrt{src0}}src1', '\\sum^{src0}src1', false],
    ['\\sum src0src1', '\\sum src0src1', true],
    ['\\sum src0src1', '\\prod src0src1', false],
    ['\\sum src0src1', 'src0src1', false],
    ['src0src1', '\\sum src0src1', true],
    ['\\max(src0,src1)', '\\max(src0,src1)', true],
    ['\\max[src0,src1]', '\\max(src0,src1)', false],
    ['y^{[src0,src1]}', 'y^{(src0,src1)}', false],
    ['\\sqrt{[src0,src1]}', '\\sqrt{(src0,src1)}', false],
    ['\\frac{[src0]}{src1}', '\\frac{(src0)}{src1}', false],
    ['\\frac{src0}{[src1]}', '\\frac{src0}{(src1)}', false],
    ['\\sum_{[src0]}src1', '\\sum_{(src0)}src1', false],
    ['\\sum^{[src0]}src1', '\\sum^{(src0)}src1', false],
    ['[src0](src1)', '(src0)[src1]', false],
    ['|src0|src1', 'src0src1', true],
    ['\\sqrt{src0}\\sqrt{src1}', 'src0\\sqrt{src1}', false],
    ['\\sqrt{src0}\\sqrt{src1}', '\\sqrt{src0}\\sqrt{src1}', true],
    ['src0_1\\sqrt{src1}', 'src0_1src1', false],
    ['src0\\frac{\\sqrt{1}}{\\sqrt{2}}src1', 'src0\\frac{\\sqrt{1}}{2}src1', false],
    ['src0\\frac{\\sqrt{1}}{\\sqrt{2}}src1', 'src0\\frac{\\sqrt{1}}{\\sqrt{2}}src1', true],
    ['src0\\sqrt{\\sqrt{1}}src1', 'src0\\sqrt{1}src1', false],
    ['[[src0]src1', '[src0]src1', false],
  ])('a picture of %s, told as %s', async (shown, said, isBelieved) => {
    const layout: LayoutPiece[] = [...seen(`dst=${shown}`), {kind: 'sup', row: [run('u')]}]
    const settled = await says(`dst=${said}`, layout)
    expect('how' in settled).toBe(isBelieved)
  })
})
