import {describe, expect, test} from 'vitest'
import type {ChatReply} from '../../../engine/llm/model.ts'
import {readBenchmarkReply} from '../../../pipelines/preference/benchmark-reply.ts'
import candidates from '../../../pipelines/preference/candidates.ts'
import {formatFiles} from '../../../pipelines/preference/extract.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {fixtureTask} from './records.ts'

const path = 'op_kernel/add.cpp'
const kernel = (text: string, reasoning = '') => readBenchmarkReply({reasoning, text}, 'kernel-only', [path])

describe('a kernel alone', () => {
  test('is the first cpp block of the tag, or else all of it', () => {
    expect(kernel('Here:\n<kernel_impl>\n```cpp\nvoid a();\n```\n```cpp\nvoid b();\n```\n</kernel_impl>')).toEqual({
      ok: true,
      files: [{path, text: 'void a();\n'}],
    })
    expect(kernel('<kernel_impl>void a();</kernel_impl>')).toEqual({ok: true, files: [{path, text: 'void a();\n'}]})
  })
  test('quoted in the reasoning wins over the real one', () => {
    expect(
      kernel('<kernel_impl>void real();</kernel_impl>', 'I shall write <kernel_impl>void quoted();</kernel_impl>'),
    ).toEqual({ok: true, files: [{path, text: 'void quoted();\n'}]})
  })
  test('opened while thinking runs on into the answer', () => {
    expect(kernel('```cpp\nvoid real();\n```\n</kernel_impl>', 'then <kernel_impl> it is')).toEqual({
      ok: true,
      files: [{path, text: 'void real();\n'}],
    })
  })
  test('gets a tiling parameter behind every workspace, helpers of the kernel included', () => {
    const reply = kernel(
      '<kernel_impl>void help(GM_ADDR workspace);\nvoid add(GM_ADDR x, GM_ADDR workspace)</kernel_impl>',
    )
    expect(reply.ok && reply.files[0]?.text).toBe(
      'void help(GM_ADDR workspace, GM_ADDR tiling);\nvoid add(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)\n',
    )
    const other = kernel('<kernel_impl>void add(GM_ADDR x, GM_ADDR workSpace, GM_ADDR tiling)</kernel_impl>')
    expect(other.ok && other.files[0]?.text).toBe('void add(GM_ADDR x, GM_ADDR workSpace, GM_ADDR tiling)\n')
  })
  test.each([
    ['no tag', 'void a();'],
    ['an open tag', '<kernel_impl>void a();'],
    ['an empty tag', '<kernel_impl>\n</kernel_impl>'],
    ['an empty block', '<kernel_impl>```cpp\n```</kernel_impl>'],
  ])('is refused with %s', (_, text) => {
    expect(kernel(text).ok).toBe(false)
  })
})

describe('a whole operator', () => {
  const files = [
    {path: 'op_host/add_tiling.h', text: 'int a;\n'},
    {path: 'op_host/add.cpp', text: 'int b;\n'},
    {path, text: 'void add(GM_ADDR workspace, GM_ADDR tiling) {}\n'},
  ]
  const paths = files.map((file) => file.path)
  const read = (text: string, reasoning = '') => readBenchmarkReply({reasoning, text}, 'full', paths)

  test('is three banners, in any order, and workspace stays as it is', () => {
    expect(read(formatFiles([...files].reverse()))).toEqual({ok: true, files})
  })
  test('takes the first of two banners, also from the reasoning', () => {
    expect(read(formatFiles(files), formatFiles([{path, text: 'void quoted();'}]))).toMatchObject({
      ok: true,
      files: [{}, {}, {path, text: 'void quoted();\n'}],
    })
  })
  test('needs all three, each with a block at once below it', () => {
    expect(read(formatFiles(files.slice(0, 2)))).toMatchObject({ok: false, problem: expect.stringContaining(path)})
    expect(read(formatFiles(files).replace('```cpp', '\n```cpp')).ok).toBe(false)
  })
})

describe('candidates for evaluation', async () => {
  const task = await fixtureTask()
  const reply = (text: string, reasoning = ''): Partial<ChatReply> => ({text, reasoning, finishReason: 'stop'})
  const good = '<kernel_impl>\nextern "C" void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {}\n</kernel_impl>'

  test('of a static shape are asked for case by case, each a task with one row', async () => {
    const llm = replayModel(Array.from({length: 4}, () => reply(good)))
    const {outputs} = await runStage(
      candidates({count: 2, evaluation: {mode: 'kernel-only', shape: 'static', cases: 2}}),
      [task],
      {llm},
    )
    expect(outputs.map((one) => one.task.cases.map((row) => row['case_id']))).toEqual([['0'], ['0'], ['1'], ['1']])
    expect(outputs[0]?.prompt).toContain('0;[5];float32')
    expect(outputs[0]?.prompt).not.toContain('1;[3, 700]')
  })
  test('keep the given host file, and show the signature cut after workspace', async () => {
    const {outputs} = await runStage(
      candidates({count: 1, evaluation: {mode: 'kernel-only', shape: 'dynamic'}}),
      [task],
      {llm: replayModel([reply(good)])},
    )
    expect(outputs[0]?.files.map(({path: file}) => file)).toEqual([task.hostTemplate.path, task.kernelTemplate.path])
    expect(outputs[0]?.files[0]).toEqual(task.hostTemplate)
    expect(outputs[0]?.files[1]?.text).toContain('GM_ADDR workspace, GM_ADDR tiling)')
    expect(outputs[0]?.prompt).toContain('GM_ADDR workspace)')
    expect(outputs[0]?.prompt).not.toContain('GM_ADDR tiling')
    expect(outputs[0]?.written).toEqual([task.kernelTemplate.path])
  })
  test('keep a reply without code as a failed attempt', async () => {
    const {outputs, dropped} = await runStage(
      candidates({count: 1, evaluation: {mode: 'full', shape: 'dynamic'}}),
      [task],
      {llm: replayModel([reply('No.')])},
    )
    expect(dropped).toEqual([])
    expect(outputs[0]?.files.at(-1)?.text).toBe(
      '#error "no readable answer: no banner with a cpp block for op_host/scale_shift_tiling.h"\n',
    )
  })
})
