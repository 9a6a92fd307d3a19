import {existsSync} from 'node:fs'
import {mkdir, rename} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {markUsed, temporaryBeside} from '../../engine/files.ts'
import {textId} from '../../engine/ids.ts'
import {testCache} from '../helpers/test-cache.ts'

/**
 * A file that a compiler made, in this test run or an earlier one.
 * @param parts everything that shapes it: the compiler, its flags, every text that it reads
 */
export async function keptBuild(parts: readonly string[], make: (output: string) => Promise<void>): Promise<string> {
  const path = join(testCache, 'twin-programs', textId(JSON.stringify(parts)))
  if (existsSync(path)) {
    markUsed(path)
    return path
  }
  await mkdir(dirname(path), {recursive: true})
  const temporary = temporaryBeside(path)
  await make(temporary)
  await rename(temporary, path)
  return path
}
