import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {assertFolder} from '../../sources/input-folder.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const words = {holds: 'folder of tasks', fix: 'Give another one.'}

describe('a folder to read', () => {
  test('is one that is there', async () => {
    await expect(assertFolder(await temporaryFolder(), words)).resolves.toBeUndefined()
  })

  test.each([
    ['nothing', 'gone'],
    ['a file', 'a.txt'],
    ['what lies below a file', 'a.txt/below'],
  ])('is missing where there is %s', async (_, name) => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'a.txt'), '')
    const root = join(folder, name)
    await expect(assertFolder(root, words)).rejects.toMatchObject({
      code: 'input-missing',
      message: `There is no folder of tasks at ${root}.`,
      fix: 'Give another one.',
      evidence: {root},
    })
  })

  test('is not called missing where the machine cannot tell', async () => {
    const name = 'a'.repeat(5000)
    await expect(assertFolder(join(await temporaryFolder(), name), words)).rejects.toMatchObject({code: 'ENAMETOOLONG'})
  })
})
