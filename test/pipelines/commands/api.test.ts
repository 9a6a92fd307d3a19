import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {main} from '../../../pipelines/cli.ts'
import {recordedWorld} from '../../helpers/world.ts'

const out = mkdtempSync(join(tmpdir(), 'ascend-cot-api-'))
afterAll(() => rmSync(out, {recursive: true, force: true}))

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main([...args, '--out', out], world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

// The bundled pages.
beforeAll(async () => {
  const {code, said} = await command('run', 'api-index')
  if (code !== 0) throw new Error(said)
}, 60_000)

test('shows what the pages say of an interface', async () => {
  const {code, printed} = await command('api', 'Duplicate')
  expect(code).toBe(0)
  expect(printed).toMatch(/^● Duplicate {2}\(/)
  for (const part of [
    '\n  parameters\n',
    '\n  element types on 910b\n',
    '\n  constraints\n',
    '\n  example\n    Set 1024 half elements to 1:\n    half one = 1.0;\n    AscendC::',
  ])
    expect(printed).toContain(part)
  expect(printed).toContain('count [input]: Number of elements to fill.')
})

test('takes the name as code writes it, in any case, and gives records', async () => {
  const {printed} = await command('api', 'ascendc::duplicate', '--json')
  const entries = JSON.parse(printed) as ApiEntry[]
  expect(entries.map(({name}) => name)).toEqual(['Duplicate'])
})

test('finds what a page declares of its title', async () => {
  const {printed} = await command('api', 'InitBuffer', '--json')
  expect((JSON.parse(printed) as ApiEntry[]).map(({name}) => name)).toEqual(['InitBuffer'])
})

test('leads from an old name to the one that replaces it', async () => {
  const [pages, folder] = [join(out, 'pages'), join(out, 'renamed')]
  mkdirSync(pages)
  const declared = '## 函数原型\n\n```cpp\nvoid Carry(int n);\nvoid Haul(int n);\n```'
  writeFileSync(join(pages, 'Carry.md'), `# Carry\n\nHaul接口废弃，请使用Carry接口。\n\n${declared}\n`)
  const table = '| 原接口名 | 新接口名 |\n|---|---|\n| Lug | Haul |\n'
  writeFileSync(
    join(pages, 'changes.md'),
    `# 接口变更说明\n\n为了让命名更加清晰和易于理解，当前版本相比于前序版本，部分接口命名有变更，具体变更情况请参考以下表格。\n\n${table}`,
  )
  const world = recordedWorld()
  expect(await main(['run', 'api-index', '--docs', pages, '--out', folder], world), world.said.join('\n')).toBe(0)
  const asked = async (name: string) => {
    const shown = recordedWorld()
    await main(['api', name, '--out', folder], shown)
    return shown.printed.join('\n')
  }
  expect((await asked('Lug')).match(/^● \w+|^ {2}instead: .*/gm)).toEqual([
    '● Lug',
    '  instead: Haul',
    '● Haul',
    '  instead: Carry',
  ])
  expect((await asked('haul')).match(/^● \w+/gm)).toEqual(['● Haul', '● Carry'])
  expect((await asked('接口变更说明')).match(/^● \w+/gm)).toEqual(['● Lug', '● Haul'])
  expect((await asked('Carry')).match(/^● \w+/gm)).toEqual(['● Carry'])
})

test('is released in one split, the same bytes again, and not from pages without a licence', async () => {
  const folder = join(out, 'dataset/data/apis')
  const released = async () => {
    const {code, said} = await command('run', 'release-apis')
    expect(code, said).toBe(0)
    expect(readdirSync(folder)).toEqual(['train-00000-of-00001.parquet'])
    return readFileSync(join(folder, 'train-00000-of-00001.parquet'))
  }
  const first = await released()
  rmSync(join(out, 'release-apis'), {recursive: true})
  expect((await released()).equals(first)).toBe(true)
  const world = recordedWorld()
  expect(await main(['run', 'release-apis', '--out', join(out, 'renamed')], world)).toBe(1)
  expect(world.said.join('\n')).toContain('licence-not-allowed 3')
})

test('says what was probably meant', async () => {
  expect(await command('api', 'Duplicat')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Did you mean Duplicate?') as string,
  })
})

test('says how to make an index where there is none', async () => {
  const world = recordedWorld()
  expect(await main(['api', 'Add', '--out', join(out, 'elsewhere')], world)).toBe(1)
  expect(world.said.join('\n')).toContain('ascend-cot run api-index')
})
