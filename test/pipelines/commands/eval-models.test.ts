import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import benchmark from '../../../eval/bench/multikernelbench/benchmark.ts'
import {main} from '../../../pipelines/cli.ts'
import {tiersOf} from '../../../pipelines/commands/eval-models.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const checkout = 'test/fixtures/multikernelbench'

async function run(...flags: string[]) {
  const [world, out] = [recordedWorld(), await temporaryFolder()]
  const code = await main(['eval', 'multikernelbench', '--out', out, '--set', `cache=${out}/cache`, ...flags], world)
  return {code, said: world.said.join('\n'), out}
}

test.each([
  [
    'a folder that is no checkout',
    ['--root', 'test', '--candidates', 'solutions'],
    'not a checkout of MultiKernelBench',
  ],
  ['answers, which it has not', ['--root', checkout], 'has no answers of its own'],
  ['a file that is not there', ['--root', checkout, '--candidates', 'none.jsonl'], 'none.jsonl does not exist'],
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
  expect([1, 2]).toContain(code)
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

describe('the sizes that are asked for', () => {
  test.each<[string | undefined, string[]]>([
    [undefined, ['head', 'scaled', 'v0', 'odd']],
    ['head', ['head']],
    ['odd,head', ['head', 'odd']],
    [' v0 , scaled ', ['scaled', 'v0']],
    ['odd,odd', ['odd']],
    ['odd,v0,scaled,head', ['head', 'scaled', 'v0', 'odd']],
  ])('%j are %j, in their own order and each once', (text, tiers) => {
    expect(tiersOf(text, benchmark.tiers)).toEqual(tiers)
  })

  test.each([
    ['', '--tiers : an empty name is not known.'],
    ['odd,,v0', '--tiers odd,,v0: an empty name is not known.'],
    ['Head', '--tiers Head: Head is not known.'],
    ['odd v0', '--tiers odd v0: odd v0 is not known.'],
    ['odd,one,two', '--tiers odd,one,two: one is not known.'],
  ])('%j are refused with the names that there are', (text, message) => {
    const fix = 'Use names of head, scaled, v0, odd.'
    expect(() => tiersOf(text, benchmark.tiers)).toThrow(
      expect.objectContaining({code: 'config-invalid', scope: 'run', message, fix}),
    )
  })
})
