import {describe, expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {reasonFrom} from '../../helpers/described.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
if (!task) throw new Error('the fixture task is gone')
const {answer, name: operator, origin} = task
const seeds = ['a', 'b', 'c', 'd', 'e', 'f']

/** The answer with some text replaced, in all files. */
const changed = (from: string | RegExp, to: string): SourceFile[] => {
  const files = answer.map((file) => ({...file, text: file.text.replace(from, to)}))
  expect(files).not.toEqual(answer)
  return files
}
const told = (files: readonly SourceFile[], seed = 'a') => reasonFrom({operator, origin, files}, randomFrom(seed))
const toldBySeeds = async (files: readonly SourceFile[]) => Promise.all(seeds.map((seed) => told(files, seed)))

test('goes from the tiling to the kernel, in what the code itself says', async () => {
  const text = (await told(answer)) ?? ''
  const order = ['`perCore`', '`scale_shift`', 'tiling.blockLength', 'DataCopyPad']
  const places = order.map((one) => text.lastIndexOf(one))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(text.indexOf('Now the kernel')).toBeGreaterThan(text.indexOf('`perCore`'))
  const code = answer.map((file) => file.text).join('\n')
  expect(code).toContain('blockLength')
  expect(text).toContain('`blockLength`')
})

test('a wrong decision is told as it stands, and nothing is called a fault', async () => {
  const texts = await toldBySeeds(
    changed(/const uint32_t start = GetBlockIdx\(\) \* [\w.]+;/, 'const uint32_t start = 0;'),
  )
  for (const text of texts) {
    expect(text).toBeDefined()
    expect(text).not.toContain('GetBlockIdx')
    expect(text).not.toMatch(/\b(?:bug|mistake|faulty|incorrect)\b/i)
  }
})

test('the same code and the same choices give the same text', async () => {
  expect(await told(answer)).toBe(await told(structuredClone(answer)))
})

describe('what working code would claim is not said', () => {
  test('that one core does the whole work, where each core takes its block', async () => {
    const texts = await toldBySeeds(changed(/SetBlockDim\([^;]*\);/, 'SetBlockDim(1);'))
    expect(texts.join()).not.toMatch(/single core|only one core/i)
  })
  test('that valid data is written back, where nothing is', async () => {
    const texts = await toldBySeeds(changed(/[ \t]*DataCopyPad\(yGm[^;]*;\n/, ''))
    expect(texts.filter((text) => text !== undefined).length).toBeGreaterThan(3)
    const claim = /\bto `yGm`/
    expect((await toldBySeeds(answer)).join()).toMatch(claim)
    expect(texts.join()).not.toMatch(claim)
  })
})

test('of a side that is not there, nothing is told', async () => {
  expect(await told(answer.filter(({path}) => path.startsWith('op_kernel/')))).toBeUndefined()
  expect(await told(answer.filter(({path}) => path.startsWith('op_host/')))).toBeUndefined()
  expect(await told([])).toBeUndefined()
})
