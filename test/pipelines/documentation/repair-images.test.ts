import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {DocPage} from '../../../datasets/schema/document.ts'
import {imageReferences} from '../../../datasets/page-images.ts'
import type {ImageReader, ImageReading, PageImage} from '../../../datasets/schema/page-image.ts'
import correctFormulas from '../../../pipelines/documentation/correct-formulas.ts'
import repairImages from '../../../pipelines/documentation/repair-images.ts'
import {imageReader} from '../../../sources/docs/ocr/image-reader.ts'
import documentationPages from '../../../sources/docs/pages.ts'
import {formulaPicture, textPicture} from '../../helpers/formula-picture.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {teacherAt, chatServer} from '../../helpers/teacher.ts'

let root = ''
let images: ImageReader
let pages: DocPage[] = []

const prototype = (name: string, sources: string) =>
  `## 函数原型\n\n\`\`\`cpp\nvoid ${name}(const LocalTensor<T>& dst, ${sources}, const int32_t& count)\n\`\`\`\n`
const one = 'const LocalTensor<T>& src'
const two = 'const LocalTensor<T>& src0, const LocalTensor<T>& src1'

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ascend-cot-test-'))
  mkdirSync(join(root, 'figures'))
  const picture = (name: string, latex: string) =>
    writeFileSync(join(root, 'figures', `zh-cn_formulaimage_${name}.png`), formulaPicture(latex, 18))
  const page = (title: string, prose: string, body: string, sources: string) =>
    writeFileSync(
      join(root, `${title}.md`),
      `# ${title}\n\n## 功能说明\n\n${prose}：\n\n${body}\n\n${prototype(title, sources)}`,
    )
  const ref = (name: string) => `![](figures/zh-cn_formulaimage_${name}.png)`
  picture('0001', 'dst_i = \\sqrt{src_i}')
  page('Sqrt', '按元素做开方，计算公式如下', ref('0001'), one)
  // The page says product, the picture shows a sum.
  picture('0002', 'dst_i = src0_i + src1_i')
  page('Mul', '按元素求积，计算公式如下', ref('0002'), two)
  writeFileSync(
    join(root, 'figures/zh-cn_formulaimage_0003.png'),
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
  )
  writeFileSync(join(root, 'figures/damaged.png'), formulaPicture('x', 18).subarray(0, 80))
  const gone = [
    ref('0003'),
    ref('0004'),
    '![](../outside.png)',
    '![](https://host/a.png)',
    '<img src="figures/damaged.png">',
  ]
  page('Exp', '按元素取自然指数，计算公式如下', gone.join('\n\n'), one)
  const lines = ['The custom operator was built.', 'Its kernel took two seconds.', 'The output lies in the folder.']
  writeFileSync(join(root, 'figures/console.png'), textPicture(lines, 14))
  page('Build', '编译时屏幕上会打印下面这些内容，表示成功', '![](figures/console.png)', one)
  images = imageReader([root], {lanes: 1, idleSeconds: 1})
  pages = (await runStage(documentationPages(), [{root, licence: 'Apache-2.0'}])).outputs
})

afterAll(async () => {
  await images.close()
  rmSync(root, {recursive: true, force: true})
})

const pageOf = (title: string) => [pages.find((one) => one.title === title) as DocPage]

test('puts a formula into the page that page and picture agree on', async () => {
  const {outputs, dropped} = await runStage(repairImages({images}), pageOf('Sqrt'))
  expect(outputs[0]?.images).toMatchObject([{kind: 'formula', outcome: 'repaired', how: 'rule'}])
  expect(outputs[0]?.images?.[0]?.confidence).toBeGreaterThan(0.7)
  expect(outputs[0]?.markdown).toContain('$$\\mathrm{dst}_{i}=\\sqrt{\\mathrm{src}_{i}}$$')
  expect(outputs[0]?.markdown).not.toContain('formulaimage')
  expect(dropped).toEqual([])
}, 60_000)

test('never puts a formula into the page that the picture does not show', async () => {
  const {outputs, dropped} = await runStage(repairImages({images}), pageOf('Mul'))
  expect(outputs[0]?.images).toMatchObject([{outcome: 'unresolved', reason: 'no-reading-fits-the-page'}])
  expect(outputs[0]?.images?.[0]?.text).toMatch(/src/)
  expect(outputs[0]?.markdown).toBe(pageOf('Mul')[0]?.markdown)
  expect(dropped).toEqual([])
  const last = await runStage(correctFormulas({images}), outputs)
  expect(last.dropped).toEqual([{reason: 'formula-unresolved', detail: expect.stringContaining('Mul.md') as string}])
}, 60_000)

test('names what is missing, and passes the page on as it is', async () => {
  const {outputs, dropped} = await runStage(repairImages({images}), pageOf('Exp'))
  const outcomes = ['image-is-pointer', 'image-missing', 'image-elsewhere', 'image-elsewhere', 'image-unreadable']
  expect(outputs[0]?.images?.map(({outcome}) => outcome)).toEqual(outcomes)
  expect(outputs[0]?.markdown).toBe(pageOf('Exp')[0]?.markdown)
  expect(dropped.map(({reason}) => reason)).toEqual(outcomes)
})

test('puts the text of a picture below it, marked', async () => {
  const {outputs} = await runStage(repairImages({images}), pageOf('Build'))
  expect(outputs[0]?.images).toMatchObject([{kind: 'text', outcome: 'repaired', how: 'ocr'}])
  expect(outputs[0]?.markdown).toContain(
    '![](figures/console.png)\n\n> 图中文字（识别）：\n> The custom operator was built.\n> Its kernel took two seconds.',
  )
}, 60_000)

test.each([
  ['few words', {text: 'A B', confidence: 0.9, lines: 2}],
  ['doubtful words', {text: 'A B\nC D\nE F', confidence: 0.6, lines: 3}],
])('keeps a figure of %s as it is', async (_, read) => {
  const reader: ImageReader = {
    ...images,
    read: async () => ({width: 9, height: 9, ...read}),
  }
  const {outputs} = await runStage(repairImages({images: reader}), pageOf('Build'))
  expect(outputs[0]?.images).toMatchObject([{kind: 'figure', outcome: 'figure-kept'}])
  expect(outputs[0]?.markdown).toBe(pageOf('Build')[0]?.markdown)
})

/** A page of its own, and how a reader is used that finds this in every image. */
function pageWith(markdown: string, images: PageImage[], read: ImageReading) {
  const used = {bytes: 0, read: 0, held: 0, most: 0}
  const reader: ImageReader = {
    fingerprint: 'test',
    async bytes() {
      used.bytes += 1
      used.held += 1
      used.most = Math.max(used.most, used.held)
      return Buffer.from('bytes')
    },
    async read() {
      used.read += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      used.held -= 1
      return read
    },
    close: async () => {},
  }
  const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'Apache-2.0'}
  return {page: {origin, title: 'Add', language: 'zh' as const, markdown, images}, reader, used}
}

const unread = (file: string, path: string, kind: PageImage['kind'] = 'figure'): PageImage => ({
  file,
  path,
  kind,
  outcome: 'unread',
  sha256: '0'.repeat(64),
})
const screenshot = {width: 9, height: 9, text: 'A B\nC D\nE F', confidence: 0.9, lines: 3}

test('images of a page are read one after another, and each file once', async () => {
  const found = Array.from({length: 30}, (_, at) => unread(`${at % 5}.png?v=${at}`, `${at % 5}.png`))
  const {page, reader, used} = pageWith(found.map(({file}) => `![](${file})`).join('\n\n'), found, screenshot)
  const {outputs} = await runStage(repairImages({images: reader}), [page])
  expect(used).toEqual({bytes: 5, read: 5, held: 0, most: 1})
  expect(outputs[0]?.images?.map(({file, outcome}) => [file, outcome])).toEqual(
    found.map(({file}) => [file, 'repaired']),
  )
  const open = found.map((image): PageImage => ({...image, kind: 'formula', outcome: 'unresolved'}))
  const formulas = pageWith(page.markdown, open, {...screenshot, layout: []})
  await runStage(correctFormulas({images: formulas.reader}), [formulas.page], {
    llm: replayModel(open.map(() => ({text: ''}))),
  })
  expect(formulas.used.most).toBe(1)
})

test.each([
  ['- one\n  ![](a.png)', '- one\n  ![](a.png)\n\n  > 图中文字（识别）：\n  > A B\n  > C D\n  > E F'],
  ['- ![](a.png)', '- ![](a.png)\n\n  > 图中文字（识别）：\n  > A B\n  > C D\n  > E F'],
  ['> ![](a.png)', '> ![](a.png)\n>\n> > 图中文字（识别）：\n> > A B\n> > C D\n> > E F'],
  ['![](a.png)![](a.png)', '![](a.png)![](a.png)'],
  ['| ![](a.png) |', '| ![](a.png) |'],
])('a text stands below its image where that stays in its list or quotation: %j', async (markdown, expected) => {
  const {page, reader} = pageWith(markdown, [unread('a.png', 'a.png')], screenshot)
  const {outputs} = await runStage(repairImages({images: reader}), [page])
  expect(outputs[0]?.markdown).toBe(expected)
})

test('an image with round brackets in its name may be alone, two images are not', () => {
  const isAlone = (line: string) => imageReferences(line).map((one) => one.isAlone)
  expect(isAlone('![](figures/Copy(A2).png)')).toEqual([true])
  expect(isAlone('![](a.png)![](b.png)')).toEqual([false, false])
})

test('an image that recognition is too slow for leaves the rest of its page', async () => {
  const {page, reader} = pageWith('![](a.png)', [unread('a.png', 'a.png')], screenshot)
  const slow: ImageReader = {...reader, read: async () => ({refused: 'image-too-slow', detail: 'more than 60 s'})}
  const {outputs, dropped} = await runStage(repairImages({images: slow}), [page])
  expect(outputs).toMatchObject([{markdown: '![](a.png)', images: [{outcome: 'image-too-slow'}]}])
  expect(dropped.map(({reason}) => reason)).toEqual(['image-too-slow'])
})

const said = (latex: string) => replayModel([{text: `Here: <latex>${latex}</latex>`}])

test.each([
  ['dst_i = src0_i + src1_i', 'repaired', undefined],
  ['dst_i = src0_i + bias_i', 'unresolved', 'names-unknown'],
  ['dst_i = src0_i + src0_i', 'unresolved', 'arity-unfit'],
  ['\\frac{dst_i = src0_i + src1_i', 'unresolved', 'latex-invalid'],
  ['dst_i = \\frac{src0_i}{src1_i}', 'unresolved', 'picture-disagrees'],
  ['', 'unresolved', 'model-cannot-read-it'],
])(
  'takes a seeing model at its word only where page and picture agree: %s',
  async (latex, outcome, reason) => {
    const {outputs} = await runStage(repairImages({images}), pageOf('Mul'), {llm: said(latex)})
    expect(outputs[0]?.images?.[0]?.outcome).toBe(outcome)
    expect(outputs[0]?.images?.[0]?.reason).toBe(reason)
    expect(outputs[0]?.markdown.includes(`$$${latex}$$`)).toBe(outcome === 'repaired')
  },
  60_000,
)

test('shows the model the picture, and asks once for the same bytes', async () => {
  const server = await chatServer([], {reply: () => ({content: '<latex>dst_i=src0_i+src1_i</latex>', reasoning: ''})})
  const {model} = await teacherAt(server)
  for (let times = 0; times < 2; times += 1) {
    const {outputs} = await runStage(repairImages({images}), pageOf('Mul'), {llm: model})
    expect(outputs[0]?.images).toMatchObject([{outcome: 'repaired', how: 'vision'}])
  }
  expect(server.served).toHaveLength(1)
  const [message] = server.served[0]?.body.messages ?? []
  const url = `data:image/png;base64,${formulaPicture('dst_i = src0_i + src1_i', 18).toString('base64')}`
  expect(message?.content).toEqual([
    {type: 'text', text: expect.stringContaining('按元素求积') as string},
    {type: 'image_url', image_url: {url}},
  ])
}, 60_000)

test('a model without sight corrects what recognition read, where the picture bears it out', async () => {
  const {outputs: open} = await runStage(repairImages({images}), pageOf('Mul'))
  const right = await runStage(correctFormulas({images}), open, {llm: said('dst_i = src0_i + src1_i')})
  expect(right.outputs[0]?.images).toMatchObject([{outcome: 'repaired', how: 'text-model'}])
  expect(right.outputs[0]?.images?.[0]).not.toHaveProperty('reason')
  expect(right.dropped).toEqual([])
  expect(right.outputs[0]?.markdown).toContain('$$dst_i = src0_i + src1_i$$')
  const wrong = await runStage(correctFormulas({images}), open, {llm: said('dst_i = src0_i \\times src1_i')})
  expect(wrong.outputs[0]?.images).toMatchObject([{outcome: 'unresolved', reason: 'picture-disagrees'}])
  expect(wrong.outputs[0]?.markdown).toBe(open[0]?.markdown)
  expect(wrong.dropped.map(({reason}) => reason)).toEqual(['formula-unresolved'])
}, 60_000)

test('an image that changed since its page was read is a failure of the world', async () => {
  const changed = pageOf('Sqrt').map((page) => ({
    ...page,
    images: page.images?.map((image) => ({...image, sha256: '0'.repeat(64)})),
  }))
  await expect(runStage(repairImages({images}), changed)).rejects.toMatchObject({
    code: 'input-unreadable',
    scope: 'record',
  })
})
