import {describe, expect, test} from 'vitest'
import {readBanners, readKernel} from '../../../../eval/bench/npukernelbench/benchmark.ts'
import {formatFiles} from '../../../../datasets/operator-reply.ts'

const path = 'op_kernel/add.cpp'
const kernel = (text: string, reasoning = '') => readKernel({reasoning, text}, [path])

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
  const read = (text: string, reasoning = '') => readBanners({reasoning, text}, paths)

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
