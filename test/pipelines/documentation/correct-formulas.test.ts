import {expect, test} from 'vitest'
import type {ImageReader, ImageReading, LayoutPiece, PageImage} from '../../../datasets/schema/page-image.ts'
import correctFormulas from '../../../pipelines/documentation/correct-formulas.ts'
import {latexLayout} from '../../../pipelines/documentation/formulas/latex-layout.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'

const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'MIT'}
const markdown = 'dst=src0+src1: ![](f.png)\n\n![](f.png)\n\n![](g.png)'
const open = (file: string, part: Partial<PageImage> = {}): PageImage => ({
  ...{file, path: `/r/${file}`, sha256: 'a'.repeat(64), kind: 'formula', outcome: 'unresolved', reason: 'open'},
  ...part,
})

/** What the stage makes of a page with these images, of which recognition reads this. */
async function corrected(
  images: PageImage[],
  replies: string[],
  layout: LayoutPiece[] | undefined = latexLayout('dst=src0+src1'),
) {
  const llm = replayModel(replies.map((text) => ({text})))
  const read: string[] = []
  const reading: ImageReading = {width: 9, height: 9, text: '', confidence: 1, lines: 1, ...(layout ? {layout} : {})}
  const reader: ImageReader = {
    fingerprint: 'reader',
    bytes: (path) => Promise.resolve(Buffer.from(path)),
    read: (bytes, kind) => {
      read.push(`${kind} ${Buffer.from(bytes).toString()}`)
      return Promise.resolve(reading)
    },
    close: () => Promise.resolve(),
  }
  const page = {origin, title: 'Add', language: 'zh' as const, markdown, images}
  const {outputs, dropped} = await runStage(correctFormulas({images: reader}), [page], {llm})
  return {page: outputs[0]!, dropped, read, asked: llm.requests.map(({messages}) => messages[0]!.content as string)}
}

test('a formula that picture and page bear out stands in the text wherever its picture stood', async () => {
  const {page, dropped, read, asked} = await corrected([open('f.png')], ['<latex>dst=src0+src1</latex>'])
  expect(page.markdown).toBe('dst=src0+src1: $dst=src0+src1$\n\n$$dst=src0+src1$$\n\n![](g.png)')
  const {reason: _, ...rest} = open('f.png')
  const found = {outcome: 'repaired', latex: 'dst=src0+src1', confidence: 1, how: 'text-model'}
  expect(page.images).toStrictEqual([{...rest, ...found}])
  expect([dropped, read]).toEqual([[], ['formula /r/f.png']])
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('Reading: dst=src0+src1\n')
  expect(asked[0]).toContain(`Page: Add\n\n${markdown}`)
})

test('a reply without a formula, or with another, leaves the picture and says why', async () => {
  const {page, dropped} = await corrected(
    [open('f.png'), open('g.png')],
    ['I cannot tell.', '<latex>dst=src0-src1</latex>'],
  )
  expect(page.markdown).toBe(markdown)
  expect(page.images).toEqual([
    open('f.png', {reason: 'reply-without-latex'}),
    open('g.png', {reason: 'picture-disagrees', latex: 'dst=src0-src1'}),
  ])
  expect(dropped).toEqual([
    {reason: 'formula-unresolved', detail: 'a.md: f.png (reply-without-latex)'},
    {reason: 'formula-unresolved', detail: 'a.md: g.png (picture-disagrees)'},
  ])
})

test.each([
  ['a figure', open('f.png', {kind: 'figure'})],
  ['settled', open('f.png', {outcome: 'repaired', how: 'rule', latex: 'a'})],
  ['without bytes', {...open('f.png'), sha256: undefined}],
])('a picture that is %s is not asked for', async (_, image) => {
  const {page, asked} = await corrected([image as PageImage], [])
  expect([page.markdown, asked]).toEqual([markdown, []])
  const beside = await corrected([image as PageImage, open('g.png')], ['<latex> </latex>'])
  expect(beside.asked).toHaveLength(1)
})

test('a picture of which recognition saw nothing is not asked for', async () => {
  const llm = replayModel([])
  const reader: ImageReader = {
    fingerprint: 'reader',
    bytes: () => Promise.resolve(Buffer.from('')),
    read: () => Promise.resolve({width: 9, height: 9, text: '', confidence: 1, lines: 1}),
    close: () => Promise.resolve(),
  }
  const page = {origin, title: 'Add', language: 'zh' as const, markdown, images: [open('f.png')]}
  const {outputs, dropped} = await runStage(correctFormulas({images: reader}), [page], {llm})
  expect(outputs).toEqual([page])
  expect(dropped).toEqual([{reason: 'formula-unresolved', detail: 'a.md: f.png (open)'}])
})

test('the model is shown what was recognised, with its structure', async () => {
  const shown = async (latex: string, part: Partial<LayoutPiece> = {}) => {
    const layout = latexLayout(latex)!.map((piece) => ({...piece, ...part}) as LayoutPiece)
    return /Reading: (.*)/.exec((await corrected([open('f.png')], [''], layout)).asked[0]!)?.[1]
  }
  expect(await shown('a^{b}_{c}\\sqrt{d}\\frac{e}{f}')).toBe('a ^{b} _{c} root(d) (e) / (f)')
  expect(await shown('\\sum_{i}^{n}')).toBe('[sum, above: n, below: i]')
  expect(await shown('\\sum_{i}^{n}', {sign: undefined})).toBe('[tall sign, above: n, below: i]')
})

test('the key of what was done holds the reader and the words of the question', () => {
  const stage = correctFormulas({images: {fingerprint: 'reader'} as ImageReader})
  const {reader, prompt} = stage.options as {reader: string; prompt: {text: string}}
  expect(reader).toBe('reader')
  expect(JSON.stringify(prompt)).toContain('Work out from the page which formula the picture shows')
})
