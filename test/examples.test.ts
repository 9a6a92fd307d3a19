import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {commandAfterCommand, type Commands} from './helpers/command.ts'
import {temporaryFolder} from './helpers/temporary.ts'
import {testCache} from './helpers/test-cache.ts'

const home = mkdtempSync(join(tmpdir(), 'ascend-cot-examples-'))
let commands: Commands
beforeAll(async () => {
  commands = await commandAfterCommand()
})
afterAll(() => {
  commands.close()
  rmSync(home, {recursive: true, force: true})
})

interface Count {
  stage: string
  read: number
  written: number
  reasons: Record<string, number>
}

/** Runs an example behind the recipes that it reads, from another folder, and gives its counts by stage. */
async function countsOf(
  recipes: readonly string[],
  example: string,
  {limit = '2', more = []}: {limit?: string; more?: readonly string[]} = {},
): Promise<Record<string, Count>> {
  const runs = join(home, [...recipes, limit].join('-'))
  const common = ['--out', runs, '--set', `cache=${testCache}`]
  if (!existsSync(runs)) {
    const few = ['--limit', limit, '--set', 'samples.candidatesPerTask=4']
    const read = await commands.run(home, ['run', ...recipes, ...few, ...common])
    expect(read.code, read.said).toBe(0)
  }
  const folder = await temporaryFolder()
  const ran = await commands.run(folder, ['run', resolve(`examples/${example}.ts`), ...common, ...more])
  expect(ran.code, ran.said).toBe(0)
  const {counts} = JSON.parse(readFileSync(join(runs, example, 'run.json'), 'utf8')) as {counts: Count[]}
  return Object.fromEntries(counts.map((count) => [count.stage, count]))
}

test('short-answers keeps some answers and drops the long ones with a reason', async () => {
  const {'short-ones': count} = await countsOf(['api-index', 'worked'], 'short-answers', {limit: '8'})
  expect(count?.written).toBeGreaterThan(0)
  expect(count?.written).toBeLessThan(count?.read ?? 0)
  expect(count?.reasons).toEqual({'answer-too-long': (count?.read ?? 0) - (count?.written ?? 0)})
})

test('questions-by-page makes one record of each page', async () => {
  const {'by-page': count} = await countsOf(['api-index', 'worked'], 'questions-by-page', {limit: '8'})
  expect(count?.written).toBeGreaterThan(1)
  expect(count?.read).toBeGreaterThan(count?.written ?? 0)
})

test('other-chip judges what was green, and only that', async () => {
  const counts = await countsOf(['candidates'], 'other-chip', {more: ['--set', 'executor.soc=Ascend910B4']})
  expect(counts['green-ones']?.reasons).toHaveProperty('not-green')
  expect(counts['green-ones']?.written).toBeGreaterThan(0)
  expect(counts['label']?.read).toBe(counts['green-ones']?.written)
})
