import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const checkout = 'test/fixtures/multikernelbench'

async function run(...flags: string[]) {
  const [world, out] = [recordedWorld(), await temporaryFolder()]
  const code = await main(['eval', 'multikernelbench', '--out', out, '--set', `cache=${out}/cache`, ...flags], world)
  return {code, said: world.said.join('\n'), out}
}

test.each([
  ['a folder that is no checkout', ['--root', 'test', '--candidates', 'solutions'], 'no checkout of MultiKernelBench'],
  ['answers, which it has not', ['--root', checkout], 'has no answers of its own'],
  ['a file that is not there', ['--root', checkout, '--candidates', 'none.jsonl'], 'There is no none.jsonl'],
  ['an unknown tier', ['--root', checkout, '--candidates', 'solutions', '--tiers', 'odd,large'], 'large is not known'],
  ['an empty tier', ['--root', checkout, '--candidates', 'solutions', '--tiers', 'odd,'], 'an empty name is not known'],
  [
    'a glob that matches nothing',
    ['--root', checkout, '--candidates', 'solutions', '--tasks', 'loss/*'],
    'matches loss/*',
  ],
  [
    'a Python that is none',
    ['--root', checkout, '--candidates', 'solutions', '--python', '/no/such/python'],
    '/no/such/python',
  ],
])('%s is refused before anything is prepared, and nothing is written', async (_, flags, expected) => {
  const {code, said, out} = await run(...flags)
  expect(code).toBe(1)
  expect(said).toContain(expected)
  expect(said).not.toContain('compiling the twin')
  expect(readdirSync(out)).toEqual([])
})

test('a file that holds no reply says which line and what is wrong', async () => {
  const file = join(await temporaryFolder(), 'replies.jsonl')
  writeFileSync(file, '{"task": "relu"}\n')
  const {code, said} = await run('--root', checkout, '--candidates', file)
  expect(code).toBe(1)
  expect(said).toContain('line 1: reply')
  expect(existsSync(join(file, 'evaluate'))).toBe(false)
})
