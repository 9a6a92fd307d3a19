import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'

const out = mkdtempSync(join(tmpdir(), 'ascend-cot-verify-'))
afterAll(() => rmSync(out, {recursive: true, force: true}))

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

const folder = join(out, 'dataset')
const shared = ['--out', out, '--set', `cache=${testCache}`]
const card = (views: string) => command('run', 'card', ...shared, '--set', `export.views=${views}`)

beforeAll(async () => {
  const {code, said} = await command('run', 'kernels', 'release-sft', '--limit', '2', ...shared)
  if (code !== 0) throw new Error(said)
}, 180_000)

describe('verify', () => {
  test('finds a data set with views as it was made, by folder and by output folder', async () => {
    expect((await card('[llama-factory]')).code).toBe(0)
    expect(existsSync(join(folder, 'views/llama-factory/dataset_info.json'))).toBe(true)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('the held-out tasks of the bundled corpus')
    expect(await command('verify', folder)).toMatchObject({code: 0, said: ''})
    expect((await command('verify', '--out', out)).printed).toMatch(/dataset: \d+ files, \d+ rows, everything matches$/)
  })

  test('names file and row, says what to do, and returns 1', async () => {
    const before = readFileSync(join(folder, 'README.md'), 'utf8')
    writeFileSync(join(folder, 'README.md'), before.replace('# Ascend-CoT', '# Another'))
    writeFileSync(join(folder, 'odd\u001b[2J.txt'), '')
    const {code, said, printed} = await command('verify', folder)
    expect(code).toBe(1)
    expect(said).toContain('error: README.md: has ')
    expect(said).toContain('→ Run `ascend-cot run card` again.')
    expect(said).not.toContain('\u001b')
    expect(printed).toContain('2 problems')
    const json = JSON.parse((await command('verify', folder, '--json')).printed) as {problems: {file: string}[]}
    expect(json.problems.map(({file}) => file)).toEqual(['README.md', 'odd\u001b[2J.txt'])
    rmSync(join(folder, 'odd\u001b[2J.txt'))
    expect((await command('verify', folder)).printed).toMatch(/ rows, 1 problem$/m)
  })

  test('finds views gone that are no longer asked for', async () => {
    expect((await card('[]')).code).toBe(0)
    expect(existsSync(join(folder, 'views'))).toBe(false)
    expect((await command('verify', folder)).code).toBe(0)
  })

  test('says that a folder is no data set', async () => {
    expect(await command('verify', join(out, 'kernels'))).toMatchObject({
      code: 1,
      said: expect.stringContaining('has no manifest.json') as string,
    })
  })

  test('a view that does not exist is refused with the names of those that do', async () => {
    const {code, said} = await card('[llamafactory]')
    expect(code).toBe(2)
    expect(said).toMatch(/export\.views.*"messages"\|"llama-factory"/s)
  })
})
