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
