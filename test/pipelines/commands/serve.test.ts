import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {ascendCot} from '../../helpers/command.ts'

async function checkpoint(): Promise<string> {
  const folder = join(await temporaryFolder(), 'a model')
  await mkdir(folder)
  await writeFile(join(folder, 'config.json'), '{}')
  return folder
}

test('a dry run says one line that a shell reads, and starts nothing', async () => {
  const folder = await checkpoint()
  const {code, printed} = ascendCot(folder, ['serve', folder, '--server', 'vllm', '--tensor', '2', '--dry-run'])
  expect(code).toBe(0)
  expect(printed).toContain(`HF_HUB_OFFLINE=1 python3 -m vllm.entrypoints.cli.main serve '${folder}'`)
  expect(printed).toContain('--tensor-parallel-size 2')
})

test('a server, a checkpoint or a job that is not there is named, with what there is', async () => {
  const folder = await checkpoint()
  expect(ascendCot(folder, ['serve', folder, '--server', 'vlm', '--dry-run']).said).toContain('There is no server vlm.')
  expect(ascendCot(folder, ['serve', '/no/model', '--dry-run']).said).toContain(
    '/no/model is not a model: it has no config.json or adapter_config.json.',
  )
  expect(ascendCot(folder, ['serve', 'job:none', '--dry-run', '--out', folder]).said).toContain('There is no job none')
})
