import {mkdirSync} from 'node:fs'
import {expect, onTestFinished, test, vi} from 'vitest'
import {cacheFolder} from '../../../pipelines/workspace/cache-folder.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** Paths of the working folder are as in a folder of this test's own. */
async function inFolder(): Promise<string> {
  const [before, folder] = [process.cwd(), await temporaryFolder()]
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  return folder
}

test.each([
  [{XDG_CACHE_HOME: '/c', HOME: '/home/u'}, '/c/ascend-cot'],
  [{XDG_CACHE_HOME: 'c', HOME: '/home/u'}, '/home/u/.cache/ascend-cot'],
  [{XDG_CACHE_HOME: '', HOME: '/home/u'}, '/home/u/.cache/ascend-cot'],
  [{HOME: '/home/u'}, '/home/u/.cache/ascend-cot'],
  [{HOME: ''}, '.ascend-cot'],
  [{}, '.ascend-cot'],
])('the cache of %j is %s', async (env, expected) => {
  await inFolder()
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux')
  onTestFinished(() => void vi.restoreAllMocks())
  expect(cacheFolder(env)).toBe(expected)
  expect((await readConfig({env})).cache).toBe(expected)
  expect((await readConfig({env, flags: {cache: 'mine'}})).cache).toBe('mine')
})

test('on macOS it is in the library, and one that is there already stays', async () => {
  await inFolder()
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin')
  onTestFinished(() => void vi.restoreAllMocks())
  expect(cacheFolder({HOME: '/Users/u'})).toBe('/Users/u/Library/Caches/ascend-cot')
  mkdirSync('.ascend-cot')
  expect(cacheFolder({HOME: '/Users/u', XDG_CACHE_HOME: '/c'})).toBe('.ascend-cot')
})
