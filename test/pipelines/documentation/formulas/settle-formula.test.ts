import {describe, expect, test} from 'vitest'
import type {LayoutPiece} from '../../../../datasets/schema/page-image.ts'
import {latexLayout} from '../../../../pipelines/documentation/formulas/latex-layout.ts'
import {pageFacts, type PageFacts} from '../../../../pipelines/documentation/formulas/page-facts.ts'
import {settleByRule, settleReply} from '../../../../pipelines/documentation/formulas/settle-formula.ts'
import {cpp} from '../../../helpers/doc-text.ts'

const pageOf = (title: string, markdown: string): PageFacts =>
  pageFacts({origin: {repository: 'r', revision: '1', path: 'a.md', licence: 'MIT'}, title, language: 'zh', markdown})
const add = pageOf(
  'Add',
  cpp('void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1);'),
)

/** The picture of a formula that recognition read as it is; `misread` says what it took for something else. */
function pictureOf(latex: string, misread: Record<string, string> = {}): LayoutPiece[] {
  const again = (row: LayoutPiece[]): LayoutPiece[] =>
    row.map((piece) => {
      if (piece.kind === 'run') return {...piece, confidence: 0.7, text: misread[piece.text] ?? piece.text}
      if (piece.kind === 'root') return {...piece, inside: again(piece.inside)}
      if (piece.kind === 'fraction' || piece.kind === 'big')
        return {...piece, above: again(piece.above), below: again(piece.below)}
      return {...piece, row: again(piece.row)}
    })
  return again(latexLayout(latex)!)
}
const reading = (layout?: LayoutPiece[]) => ({
  ...{width: 9, height: 9, text: '', confidence: 1, lines: 1},
  ...(layout ? {layout} : {}),
})

describe('by rule', () => {
  const settled = async (latex: string, facts = add, misread: Record<string, string> = {}) => {
    const found = await settleByRule(reading(pictureOf(latex, misread)), facts)
    return 'how' in found ? `${found.how} ${found.confidence?.toFixed(2)} ${found.latex}` : found.reason
  }

  test('the formula that the page and its picture bear out is the one', async () => {
    expect(await settled('dst=src0+src1')).toBe('rule 1.00 \\mathrm{dst}=\\mathrm{src0}+\\mathrm{src1}')
    expect(await settled('dst_i=src0_i+src1_i')).toBe(
      'rule 1.00 \\mathrm{dst}_{i}=\\mathrm{src0}_{i}+\\mathrm{src1}_{i}',
    )
  })

  test('where nothing was recognised, or nothing fits, none is', async () => {
    expect(await settleByRule(reading(), add)).toEqual({reason: 'nothing-recognised'})
    expect(await settleByRule(reading([]), add)).toEqual({reason: 'nothing-recognised'})
    expect(await settled('dst=src0-src1-src0-src1', pageOf('Add', ''))).toBe('no-reading-fits-the-page')
  })

  test('a mark that was misread costs certainty', async () => {
    expect(await settled('dst=src0+src1', add, {'dst=src0+src1': 'dsf=src0+src1'})).toBe(
      'rule 0.92 \\mathrm{dst}=\\mathrm{src0}+\\mathrm{src1}',
    )
  })
})

describe('a reply', () => {
  const settle = async (latex: string, how: 'vision' | 'text-model', layout: LayoutPiece[], facts = add) => {
    const found = await settleReply(latex, how, reading(layout), facts)
    return 'how' in found ? `${found.how} ${found.confidence?.toFixed(2)}` : found.reason
  }
  const sum = 'dst=src0+src1'

  test('that the picture bears out is believed', async () => {
    expect(await settleReply(sum, 'text-model', reading(pictureOf(sum)), add)).toEqual({
      ...{latex: sum, confidence: 1, how: 'text-model'},
    })
    expect(await settle(sum, 'vision', pictureOf(sum))).toBe('vision 1.00')
  })

  test('is LaTeX and fits its page', async () => {
    expect(await settleReply('\\frac{a', 'vision', reading(pictureOf(sum)), add)).toEqual({
      reason: 'latex-invalid',
      latex: '\\frac{a',
    })
    expect(await settle('dst=src0+src2', 'vision', pictureOf(sum))).toBe('names-unknown')
    expect(await settle('输入', 'vision', pictureOf(sum))).toBe('latex-invalid')
  })

  test('of a model that saw the picture is believed where most of its marks were seen', async () => {
    // Recognition took the index for a part of the row.
    const flat = pictureOf('dst=src0isrc1i')
    const indexed = 'dst=src0_i+src1_i'
    expect(await settle(indexed, 'vision', flat)).toMatch(/^vision 0\.[89]\d$/)
    expect(await settle(indexed, 'text-model', flat)).toBe('picture-disagrees')
    expect(await settle(indexed, 'vision', pictureOf('a'))).toBe('picture-disagrees')
    expect(await settleReply(indexed, 'vision', reading(), add)).toMatchObject({reason: 'picture-disagrees'})
  })

  test.each([
    ['a fraction bar', '\\frac{dst}{src0+src1}', 'dst/src0+src1'],
    ['a root', '\\sqrt{src0+src1}=dst', 'src0+src1=dst_i'],
    ['two roots', '\\sqrt{\\sqrt{src0+src1}}=dst', '\\sqrt{src0+src1}=dst_i'],
    ['a tall sign', '\\sum src0+src1=dst', '\\prod src0+src1=dst_i'],
    ['a bracket', '\\lfloor src0+src1\\rfloor=dst', '\\lceil src0+src1\\rceil=dst_i'],
    ['a fraction in an index', 'dst_{\\frac{src0}{src1}}', 'dst_{src0/src1}'],
    ['a fraction under a root', '\\sqrt{\\frac{src0}{src1}}=dst', '\\sqrt{src0/src1}=dst_i'],
    ['a fraction over a fraction', '\\frac{\\frac{src0}{src1}}{dst}', '\\frac{src0/src1}{dst}'],
    ['a fraction under a fraction', '\\frac{dst}{\\frac{src0}{src1}}', '\\frac{dst}{src0/src1}'],
    ['a fraction over a tall sign', '\\sum^{\\frac{src0}{src1}}_i dst', '\\sum^{src0/src1}_i dst_i'],
    ['a fraction under a tall sign', '\\sum_{\\frac{src0}{src1}}^i dst', '\\sum_{src0/src1}^i dst_i'],
  ])('is not believed where the picture shows %s that it lacks', async (_, shown, latex) => {
    expect(await settle(latex, 'vision', pictureOf(shown))).toBe('picture-disagrees')
  })

  test('a sign of no clear shape contradicts nothing, and a bar may be a letter', async () => {
    const open = pictureOf('\\sum src0+src1=dst').map((piece) =>
      piece.kind === 'big' ? {...piece, sign: undefined} : piece,
    )
    expect(await settle('\\sum src0+src1=dst_i', 'vision', open)).toMatch(/^vision/)
    expect(await settle('src0+src1=dst_i', 'vision', pictureOf('|src0+src1=dst|'))).toMatch(/^vision/)
  })

  test.each([
    ['(src0)+[src1]=dst', '[src0]+(src1)=dst_i', false],
    ['(src0)+src1=dst', '(src0)+(src1)=dst_i', true],
    ['\\sqrt{(src0)}+src1=dst', '\\sqrt{(src0)}+src1=dst_i', true],
    ['\\frac{(src0)}{[src1]}=dst', '\\frac{(src0)}{[src1]}=dst_i', true],
    ['\\frac{(src0)}{[src1]}=dst', '\\frac{[src0]}{(src1)}=dst_i', false],
    ['\\sum^{(src0)}_{[src1]}dst', '\\sum^{(src0)}_{[src1]}dst_i', true],
    ['\\sum^{(src0)}_{[src1]}dst', '\\sum^{[src0]}_{(src1)}dst_i', false],
  ])('brackets stand in order: %s shown, %s said', async (shown, latex, isBelieved) => {
    expect(await settle(latex, 'vision', pictureOf(shown))).toMatch(isBelieved ? /^vision/ : /^picture-disagrees$/)
  })
})
