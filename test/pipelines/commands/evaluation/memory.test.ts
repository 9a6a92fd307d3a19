import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, test} from 'vitest'
import {residentBytes, watchMemory} from '../../../../pipelines/commands/evaluation/memory.ts'

const linux = process.platform === 'linux'

test.runIf(linux)('counts what this process and its children hold', async () => {
  const before = residentBytes()
  expect(before).toBeGreaterThan(2 ** 20)
  const child = spawn(process.execPath, [
    '-e',
    'const held = Buffer.alloc(200 * 2 ** 20, 1); console.log("held"); process.stdin.once("data", () => process.exit(held.length > 0 ? 0 : 1))',
  ])
  await once(child.stdout, 'data')
  const watch = watchMemory()
  expect(watch.stop() - before).toBeGreaterThan(150 * 2 ** 20)
  child.stdin.write('end\n')
  await once(child, 'exit')
})

test('says nothing of a process that is not there', () => {
  expect(residentBytes(2 ** 30)).toBe(0)
})
