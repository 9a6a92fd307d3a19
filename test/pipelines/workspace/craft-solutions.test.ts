import {cpSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect, test} from 'vitest'
import {sizesOf} from '../../../eval/bench/multikernelbench/tiers.ts'
import {craftSolutions} from '../../../pipelines/workspace/craft-solutions.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const strings = /^(?:project_json|host_tiling|host_operator|kernel|python_bind|model)_src = /gm

test('each of the 52 tasks has a solution, in six strings that are named after it', async () => {
  const source = await craftSolutions()
  const categories = 'activation loss math normalization optimizer reduce pooling'.split(' ')
  expect(Object.keys(sizesOf)).toHaveLength(52)
  for (const name of Object.keys(sizesOf)) {
    const replies = await source.repliesTo([name, ...categories.map((category) => `${category}/${name}`)])
    expect(replies, name).toHaveLength(1)
    expect(replies[0]?.reply.match(strings), name).toHaveLength(6)
    expect(replies[0]?.reply, name).toContain(`custom_ops_lib.${name}_custom(`)
    expect(replies[0]?.reply, name).toContain(`m.def("${name}_custom"`)
  }
})

test.each([
  ['float16', 'half'],
  ['bfloat16', 'bfloat16_t'],
  ['float32', 'float'],
] as const)('mHC has one for streams of %s', async (element, cpp) => {
  const [reply] = await (await craftSolutions()).repliesTo(['mhc/mhc_post'], element)
  expect(reply?.reply.match(strings)).toHaveLength(6)
  expect(reply?.reply).toContain(`GlobalTensor<${cpp}> xGm`)
})

test('another task has none', async () => {
  expect(await (await craftSolutions()).repliesTo(['tame', 'activation/tame'])).toEqual([])
})

test('another text is another source, and a program that is none says which', async () => {
  const folder = await temporaryFolder()
  cpSync('pipelines/ascendcraft/library/solutions/loss', join(folder, 'loss'), {recursive: true})
  const url = pathToFileURL(`${folder}/`)
  const {id} = await craftSolutions('solutions', url)
  expect((await craftSolutions('solutions', url)).id).toBe(id)
  writeFileSync(join(folder, 'loss/mse_loss.py'), 'x = 1\n')
  const changed = await craftSolutions('solutions', url)
  expect(changed.id).not.toBe(id)
  await expect(changed.repliesTo(['loss/mse_loss'])).rejects.toMatchObject({
    code: 'input-invalid',
    message: expect.stringContaining('loss/mse_loss cannot be lowered') as string,
  })
  rmSync(join(folder, 'loss/mse_loss.py'))
  await expect(craftSolutions('solutions', url)).rejects.toThrow('it has a model and no program')
})
