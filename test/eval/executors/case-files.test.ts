import {execFileSync} from 'node:child_process'
import {mkdir, rename, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readOutputs} from '../../../eval/executors/case-files.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const spec = {name: 'z', dtype: 'float32', shape: [4]} as const
const bytes = Uint8Array.from({length: 16}, (_, index) => index)

async function caseFolder(): Promise<{folder: string; output: string; elsewhere: string}> {
  const root = await temporaryFolder()
  const folder = join(root, 'case')
  await mkdir(folder)
  await writeFile(join(root, 'elsewhere'), bytes)
  return {folder, output: join(folder, 'output-0.bin'), elsewhere: join(root, 'elsewhere')}
}

describe('outputs of a run', () => {
  test('are read when they are plain files of the right size', async () => {
    const {folder, output} = await caseFolder()
    await writeFile(output, bytes)
    expect(await readOutputs(folder, [{...spec, shape: [4]}])).toEqual([bytes])
  })

  test('are missing when the file is, or has another size', async () => {
    const {folder, output} = await caseFolder()
    expect(await readOutputs(folder, [{...spec, shape: [4]}])).toBeUndefined()
    await writeFile(output, bytes.subarray(4))
    expect(await readOutputs(folder, [{...spec, shape: [4]}])).toBeUndefined()
  })

  test('are not read through a link, to a file or a device', async () => {
    for (const target of ['/dev/zero', undefined]) {
      const {folder, output, elsewhere} = await caseFolder()
      await symlink(target ?? elsewhere, output)
      expect(await readOutputs(folder, [{...spec, shape: [4]}])).toBeUndefined()
    }
  })

  test('are not read from a pipe, which would wait for ever', async () => {
    const {folder, output} = await caseFolder()
    execFileSync('mkfifo', [output])
    expect(await readOutputs(folder, [{...spec, shape: [4]}])).toBeUndefined()
  })

  test('are missing where a pipe or a folder stands, even when nothing is to be read', async () => {
    const {folder, output} = await caseFolder()
    execFileSync('mkfifo', [output])
    expect(await readOutputs(folder, [{...spec, shape: [0]}])).toBeUndefined()
    const other = await caseFolder()
    await writeFile(other.output, '')
    expect(await readOutputs(other.folder, [{...spec, shape: [0]}])).toEqual([new Uint8Array()])
  })

  test('are not read from a folder that was exchanged for a link', async () => {
    const {folder, output} = await caseFolder()
    await writeFile(output, bytes)
    await rename(folder, `${folder}-away`)
    await symlink(`${folder}-away`, folder)
    expect(await readOutputs(folder, [{...spec, shape: [4]}])).toBeUndefined()
  })
})
