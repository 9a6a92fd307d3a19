import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import type {ImageReader} from '../../../../datasets/schema/page-image.ts'
import {findImages} from '../../../../sources/docs/ocr/find-images.ts'
import {imageReader} from '../../../../sources/docs/ocr/image-reader.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const module = new URL('../../../helpers/moody-reader.ts', import.meta.url)
const go = new AbortController().signal
let open: ImageReader | undefined

const moody = (seconds: number) => (open = imageReader([], {lanes: 1, seconds, idleSeconds: 0.05, module}))

afterEach(() => open?.close())

test.each([
  ['throws', 'the model is missing'],
  ['exits', 'crashed'],
  ['breaks', 'broken for good'],
])('recognition that %s is a failed record, and the next image is read', async (mood, why) => {
  const {read} = moody(30)
  await expect(read(Buffer.from(mood), 'formula', go)).rejects.toMatchObject({
    code: 'executor-failed',
    scope: 'record',
    message: expect.stringContaining(why) as string,
  })
  expect(await read(Buffer.from('text'), 'formula', go)).toMatchObject({text: 'text'})
})

test.each([
  ['hangs', 'image-too-slow', 0.3],
  ['hoards', 'image-too-large', 30],
])(
  'an image over which recognition %s is refused, not its page',
  async (mood, refused, seconds) => {
    expect(await moody(seconds).read(Buffer.from(mood), 'formula', go)).toMatchObject({refused})
  },
  60_000,
)

test('a stopped run waits for no image, neither for the one in work nor for those behind it', async () => {
  const {read} = moody(30)
  const stop = new AbortController()
  const reads = ['hangs', 'a', 'b'].map((mood) => read(Buffer.from(mood), 'formula', stop.signal))
  setTimeout(() => stop.abort(), 100)
  const started = performance.now()
  for (const outcome of await Promise.allSettled(reads))
    expect(outcome).toMatchObject({status: 'rejected', reason: {code: 'interrupted'}})
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('the fingerprint names the installed versions', () => {
  const {version} = createRequire(import.meta.url)('tesseract.js/package.json') as {version: string}
  expect(moody(30).fingerprint).toContain(`tesseract.js ${version},`)
})

test('threads that have nothing to do end, and come back', async () => {
  const {read} = moody(30)
  await read(Buffer.from('a'), 'formula', go)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await read(Buffer.from('b'), 'formula', go)).toMatchObject({text: 'b'})
})

test('a stopped run starts nothing', async () => {
  await expect(moody(30).read(Buffer.from('a'), 'formula', AbortSignal.abort())).rejects.toMatchObject({
    code: 'interrupted',
  })
})

test('finds the images of a page, and tells missing, pointers and what lies outside apart', async () => {
  const outer = await temporaryFolder()
  const root = join(outer, 'docs')
  mkdirSync(join(root, 'figures'), {recursive: true})
  writeFileSync(join(outer, 'secret.png'), 'secret')
  writeFileSync(join(root, 'figures/a (1).png'), 'bytes')
  writeFileSync(join(root, 'figures/p.png'), 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n')
  symlinkSync(outer, join(root, 'figures/out'))
  const markdown = [
    '![](../figures/a%20(1).png) 和 ![](../figures/a%20(1).png)',
    '计算公式如下：\n\n![](../figures/p.png)',
    '<td><img alt="图" src="../figures/gone.png"></td>',
    '![](../../secret.png) ![](../figures/out/secret.png) ![](//host/x.png) ![](/etc/hostname)',
    '```\n![](../figures/in-code.png)\n```',
  ].join('\n\n')
  const found = await findImages(markdown, root, 'api/page.md')
  expect(found.map(({kind, outcome, path}) => [kind, outcome, path])).toEqual([
    ['figure', 'unread', 'figures/a (1).png'],
    ['formula', 'image-is-pointer', undefined],
    ['figure', 'image-missing', undefined],
    ...Array.from({length: 4}, () => ['figure', 'image-elsewhere', undefined]),
  ])
  expect(found[0]?.sha256).toBe('277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9')
})
