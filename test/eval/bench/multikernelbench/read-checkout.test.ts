import {expect, test} from 'vitest'
import {isMultiKernelBench, readMultiKernelBench} from '../../../../eval/bench/multikernelbench/read-checkout.ts'
import {Config} from '../../../../pipelines/workspace/config.ts'
import {heldOutTexts} from '../../../../pipelines/workspace/held-out.ts'

const checkout = 'test/fixtures/multikernelbench'

test('a checkout is told by its folders', () => {
  expect(isMultiKernelBench(checkout)).toBe(true)
  expect(isMultiKernelBench('sources/starter/heldout')).toBe(false)
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
