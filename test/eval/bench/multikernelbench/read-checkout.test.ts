import {join} from 'node:path'
import {expect, test} from 'vitest'
import {writeWhole} from '../../../../engine/files.ts'
import {isCheckout} from '../../../../eval/bench/load-benchmark.ts'
import benchmark from '../../../../eval/bench/multikernelbench/benchmark.ts'
import {readMultiKernelBench} from '../../../../eval/bench/multikernelbench/read-checkout.ts'
import {Config} from '../../../../pipelines/workspace/config.ts'
import {heldOutTexts} from '../../../../pipelines/workspace/held-out.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const checkout = 'test/fixtures/multikernelbench'

test('a checkout is told by its folders', () => {
  expect(isCheckout(checkout, benchmark)).toBe(true)
  expect(isCheckout('sources/starter/heldout', benchmark)).toBe(false)
})

/** A folder of files that hold their own names. */
async function folderWith(...files: string[]): Promise<string> {
  const root = await temporaryFolder()
  for (const file of files) await writeWhole(join(root, file), file)
  return root
}

test('a checkout has references and what writes prompts, both of them', async () => {
  const [tasks, prompts] = ['reference/a/b.py', 'prompt_generators/c.py']
  expect(isCheckout(await folderWith(tasks, prompts), benchmark)).toBe(true)
  expect(isCheckout(await folderWith(tasks), benchmark)).toBe(false)
  expect(isCheckout(await folderWith(prompts), benchmark)).toBe(false)
})

test('tasks lie one folder deep, examples are named after what they answer, and may be none', async () => {
  const tasks = ['reference/a/12_b_3.py', 'reference/a/b12.py']
  const others = ['reference/c.py', 'reference/a/b/c.py', 'reference/a/_c.py', 'reference/a/c.pyc', 'other/a/b.py']
  const read = await readMultiKernelBench(await folderWith(...tasks, ...others))
  expect(read).toEqual({
    tasks: [
      {path: 'reference/a/12_b_3', category: 'a', name: 'b_3', module: 'reference/a/12_b_3.py'},
      {path: 'reference/a/b12', category: 'a', name: 'b12', module: 'reference/a/b12.py'},
    ],
    examples: [],
  })
  const examples = [
    'prompts/x_model_relu.py',
    'prompts/deep/y_model_b_2.py',
    'prompts/model_c.py',
    'prompts/z_model_d.txt',
  ]
  expect((await readMultiKernelBench(await folderWith(...tasks, ...examples))).examples).toEqual([
    {path: 'prompts/deep/y_model_b_2.py', name: 'b_2', texts: ['prompts/deep/y_model_b_2.py']},
    {path: 'prompts/x_model_relu.py', name: 'relu', texts: ['prompts/x_model_relu.py']},
  ])
})

test('tasks are modules of categories, without number, and examples are files and strings', async () => {
  const {tasks, examples} = await readMultiKernelBench(checkout)
  expect(tasks.map(({path, category, name}) => [path, category, name])).toEqual([
    ['reference/activation/tame', 'activation', 'tame'],
    ['reference/npukernelbench_level0/7_tame_grad', 'npukernelbench_level0', 'tame_grad'],
  ])
  expect(tasks[0]?.module).toContain('torch.log1p')
  expect(examples.map(({path, name}) => [path, name])).toEqual([
    ['prompts/ascendc_direct_launch_model_tame.json', 'tame'],
    ['prompts/ascendc_new_model_tame.py', 'tame'],
  ])
  expect(examples[0]?.texts).toEqual(['import torch', 'int a;'])
  expect(examples[1]?.texts.map((text) => text.trim().split('\n')[0]?.trim())).toEqual([
    'kernel_src =',
    '#include "kernel_operator.h"',
    'import torch',
  ])
})

test('its tasks and examples are held out beside those of other benchmarks', async () => {
  const benchmarks = [checkout, 'sources/starter/heldout']
  const names = (await heldOutTexts(Config.parse({sources: {heldOut: [], benchmarks}}))).map(({name}) => name)
  expect(names).toContain('reference/activation/tame')
  expect(names).toContain('prompts/ascendc_new_model_tame.py')
  expect(names.some((name) => name.startsWith('level'))).toBe(true)
})
