import {cp, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import operatorTasks, {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const task = 'level1/Math/ScaleShift'

async function copyOfTasks(): Promise<string> {
  const root = await temporaryFolder()
  await cp('test/fixtures/tasks', root, {recursive: true})
  return root
}

const load = (folder: TaskFolder) => runStage(operatorTasks(), [folder])

test('reads a whole task in the benchmark layout', async () => {
  const {outputs, dropped} = await load({
    root: 'test/fixtures/tasks',
    repository: 'ascend-cot/fixtures',
    licence: 'Apache-2.0',
  })
  expect(dropped).toEqual([])
  expect(outputs).toHaveLength(1)
  expect(outputs[0]).toMatchObject({
    origin: {repository: 'ascend-cot/fixtures', revision: 'unversioned', path: task, licence: 'Apache-2.0'},
    name: 'ScaleShift',
    level: 1,
    category: 'Math',
    hostTemplate: {path: 'op_host/scale_shift.cpp'},
    kernelTemplate: {path: 'op_kernel/scale_shift.cpp'},
    reference: {kind: 'typescript'},
  })
  expect(outputs[0]?.cases.map((row) => row['shape'])).toEqual(['[5]', '[3, 700]', '[96, 1001]'])
  expect(outputs[0]?.answer.map(({path}) => path)).toEqual([
    'op_host/scale_shift.cpp',
    'op_host/scale_shift_tiling.h',
    'op_kernel/scale_shift.cpp',
  ])
})

test('takes the answer from a folder of operators when the task has none', async () => {
  const root = await copyOfTasks()
  const operators = await temporaryFolder()
  await cp(join(root, task, 'answer/0'), join(operators, 'scale_shift'), {recursive: true})
  await rm(join(root, task, 'answer'), {recursive: true})
  expect((await load({root})).outputs[0]?.answer).toEqual([])
  expect((await load({root, operators})).outputs[0]?.answer).toHaveLength(3)
})

test('refers to the PyTorch module where there is no reference of ours', async () => {
  const root = await copyOfTasks()
  await rm(join(root, task, 'validation/reference.ts'))
  await writeFile(join(root, task, 'validation/module.py'), 'import torch\n')
  expect((await load({root})).outputs[0]?.reference).toEqual({
    kind: 'pytorch',
    path: join(root, task, 'validation/module.py'),
  })
})

test('finds tasks below tasks/ of a checkout', async () => {
  const root = await temporaryFolder()
  await cp('test/fixtures/tasks', join(root, 'tasks'), {recursive: true})
  expect((await load({root})).outputs[0]?.origin.path).toBe(`tasks/${task}`)
})

test.each([
  ['api_desc.md', 'api_desc.md'],
  ['question/op_kernel/scale_shift.cpp', 'question/op_kernel/scale_shift.cpp'],
  ['validation/test_cases.csv', 'validation/test_cases.csv'],
  ['validation/reference.ts', 'validation/reference.ts or validation/module.py'],
])('half a task, without %s, is dropped with what is missing', async (path, named) => {
  const root = await copyOfTasks()
  await rm(join(root, task, path))
  expect(await load({root})).toEqual({
    outputs: [],
    dropped: [{reason: 'task-incomplete', detail: `${task} lacks ${named}`}],
  })
})

// Its older commits describe operators in Chinese and in detail, its newest in English and in general; both are one
// file a task.
test.each([
  [
    'Chinese',
    '# ScaleShift\n\n## 功能描述\n\n### 计算公式\n\n$$\ny = a \\cdot x + b\n$$\n\n## 约束与限制\n\n- 仅支持 ND 格式。\n',
  ],
  [
    'English',
    '# aclnnScaleShift\n\n## Functional Description\n\nA member of the `level1` family.\n\n$$\ny = a x + b\n$$\n',
  ],
])('reads a description in %s as it stands', async (_, description) => {
  const root = await copyOfTasks()
  await writeFile(join(root, task, 'api_desc.md'), description)
  expect((await load({root})).outputs[0]?.description).toBe(description)
})

test('drops broken rows one by one and keeps the task', async () => {
  const root = await copyOfTasks()
  await writeFile(
    join(root, task, 'validation/test_cases.csv'),
    'case_id;shape;dtype;scale;shift\n0;[5;float32;1;0\n1;[6];float32;1\n2;[7];float32;1;0\n',
  )
  const {outputs, dropped} = await load({root})
  expect(outputs[0]?.cases).toEqual([{case_id: '2', shape: '[7]', dtype: 'float32', scale: '1', shift: '0'}])
  expect(dropped).toEqual([
    {
      reason: 'case-malformed',
      detail: expect.stringContaining('test_cases.csv line 2: shape: "[5" is not a Python literal'),
    },
    {reason: 'case-malformed', detail: expect.stringContaining('line 3: saw 4 cells, expected 5')},
  ])
})

test('drops a task without one usable row', async () => {
  const root = await copyOfTasks()
  await writeFile(join(root, task, 'validation/test_cases.csv'), 'case_id;shape;dtype;scale;shift\n')
  expect((await load({root})).dropped.map(({reason}) => reason)).toEqual(['no-usable-case'])
})

test('drops a task whose text is not UTF-8', async () => {
  const root = await copyOfTasks()
  const path = join(root, task, 'question/op_host/scale_shift.cpp')
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.from([0xb0, 0xa1])]))
  expect((await load({root})).dropped).toEqual([
    {reason: 'task-unreadable', detail: `${task}: question/op_host/scale_shift.cpp is not UTF-8`},
  ])
})

test('a missing folder and a folder without tasks are errors that say what to give', async () => {
  const refuse = () => []
  await expect(loadTasks({root: '/no/such/folder'}, refuse)).rejects.toMatchObject({
    code: 'input-missing',
    message: 'No task folder at /no/such/folder.',
  })
  const root = await temporaryFolder()
  await expect(loadTasks({root}, refuse)).rejects.toMatchObject({code: 'input-invalid'})
})
