import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test, vi} from 'vitest'
import {findImages} from '../../../../sources/docs/ocr/find-images.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const reads = vi.hoisted(() => ({open: 0, most: 0, all: 0}))

vi.mock('../../../../engine/input-files.ts', async (original) => {
  const {readInput, ...rest} = await original<typeof import('../../../../engine/input-files.ts')>()
  return {
    ...rest,
    async readInput(...about: Parameters<typeof readInput>) {
      reads.all += 1
      reads.open += 1
      reads.most = Math.max(reads.most, reads.open)
      await new Promise((resolve) => setTimeout(resolve, 1))
      reads.open -= 1
      return readInput(...about)
    },
  }
})

vi.mock('node:fs/promises', async (original) => {
  const {realpath, ...rest} = await original<typeof import('node:fs/promises')>()
  return {
    ...rest,
    realpath(path: string) {
      const code = /broken-(\w+)/.exec(path)?.[1]
      return code === undefined ? realpath(path) : Promise.reject(Object.assign(new Error(code), {code}))
    },
  }
})

test('images of a page are opened one after another, and each file once', async () => {
  const root = await temporaryFolder()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, `${name}.png`), name)
  const names = Array.from({length: 300}, (_, at) => `![](${'abc'[at % 3]}.png?v=${at})`)
  const found = await findImages(names.join('\n\n'), root, 'page.md')
  expect(found).toHaveLength(300)
  expect(new Set(found.map(({sha256}) => sha256)).size).toBe(3)
  expect(reads).toMatchObject({most: 1, all: 3})
})

test('a way that is closed refuses the image, a disk that fails ends the run', async () => {
  const root = await temporaryFolder()
  const outcomeOf = async (name: string) => (await findImages(`![](${name}.png)`, root, 'page.md'))[0]?.outcome
  expect(await outcomeOf('broken-EACCES')).toBe('image-unreadable')
  expect(await outcomeOf('nul%00')).toBe('image-unreadable')
  expect(await outcomeOf('broken-ENOENT')).toBe('image-missing')
  for (const code of ['EIO', 'ESTALE', 'ENOMEM'])
    await expect(outcomeOf(`broken-${code}`)).rejects.toMatchObject({code: 'input-unreadable', scope: 'run'})
})

test.each([
  ['![](zh-cn_formulaimage_1.png) in a line', 'formula'],
  ['![](equation.png) in a line', 'formula'],
  ['![公式1](a.png) in a line', 'formula'],
  ['![Formula](a.png) in a line', 'formula'],
  ['![the formula](a.png) in a line', 'figure'],
  ['计算公式如下：\n\n![](a.png)', 'formula'],
  ['It is defined as\n\n![](a.png)', 'formula'],
  ['计算公式如下：\n\n![](a.png) in a line', 'figure'],
  ['计算公式如下：\n\n![alt](a.png)', 'figure'],
  ['计算公式如下：\n\n![](figure1.png)', 'figure'],
  ['计算公式如下：\n\n![](图1.png)', 'figure'],
  ['计算过程如下：\n\n![](a.png)', 'figure'],
  ['公式在别处。计算过程如下：\n\n![](a.png)', 'figure'],
  [`公式${'甲'.repeat(24)}\n\n![](a.png)`, 'formula'],
  [`公式${'甲'.repeat(25)}\n\n![](a.png)`, 'figure'],
])('%j shows a %s', async (markdown, kind) => {
  expect(await findImages(markdown, await temporaryFolder(), 'page.md')).toMatchObject([{kind}])
})
