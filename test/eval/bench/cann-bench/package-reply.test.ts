import {expect, test} from 'vitest'
import {packageReply, type PackageReply} from '../../../../eval/bench/cann-bench/package-reply.ts'
import {scaling, solution, solved} from './own-packages.ts'

function read(reply: string): PackageReply {
  const found = packageReply(reply)
  if ('fault' in found) throw new Error(found.fault)
  return found
}

test('kernels and bindings are told by what they include, by headers of the package too', () => {
  const {kernels, bindings, module, include, files} = read(solution('exp'))
  expect(kernels).toEqual(['csrc/ops/exp/op_kernel/exp_kernel.cpp'])
  expect(bindings).toEqual(['csrc/ops/exp/op_plugin/exp_plugin.cpp', 'csrc/extension.cpp'])
  expect(module).toBe('_C')
  expect(include).toContain('csrc/common')
  // What a reply need not write.
  expect(files.find(({path}) => path === 'cann_bench/__init__.py')?.text).toBe('from . import _C\n')
})

test('a package may bring its own module and its own way of offering operators', () => {
  const more = {'csrc/own.cpp': '#include <torch/extension.h>\nPYBIND11_MODULE(_other, m) {}\n'}
  const {module, bindings, files} = read(scaling(more))
  expect(module).toBe('_other')
  expect(bindings).toEqual(['csrc/ops/scale/op_plugin/scale_plugin.cpp', 'csrc/own.cpp'])
  expect(files.filter(({path}) => path === 'cann_bench/__init__.py')).toHaveLength(1)
})

test('files may be in fences below their paths', () => {
  const reply = [
    'Here it is.',
    '================== csrc/ops/a/op_kernel/a.cpp ==================',
    '```cpp',
    'int a;',
    '```',
    '=== csrc/ops/a/op_plugin/a.cpp ===',
    '```c++',
    '#include <torch/library.h>',
    '```',
  ].join('\n')
  const {kernels, bindings} = read(reply)
  expect([kernels, bindings]).toEqual([
    ['csrc/ops/a/op_kernel/a.cpp'],
    ['csrc/ops/a/op_plugin/a.cpp', 'csrc/extension.cpp'],
  ])
  expect(read(`\`\`\`json\n${solution('gcd')}\n\`\`\``).kernels).toHaveLength(1)
})

test.each([
  ['no source', 'I cannot do that.', 'no source with a path'],
  ['a path outside', JSON.stringify({sources: [{path: '../a.cpp', content: ''}]}), 'leaves the package'],
  [
    'a path twice',
    JSON.stringify({
      sources: [
        {path: 'a.cpp', content: ''},
        {path: './a.cpp', content: ''},
      ],
    }),
    'two sources',
  ],
])('%s is not a package', (_, reply, why) => {
  expect(packageReply(reply)).toEqual({fault: expect.stringContaining(why) as string})
})

test.each([
  ['import triton\nimport triton.language as tl\n', 'triton'],
  ['  from tilelang import language\n', 'tilelang'],
  ['tritonish = 1\n# import triton in words\n', undefined],
])('the language of kernels in Python is told: %j', (text, language) => {
  expect(read(scaling({'cann_bench/own.py': text})).language).toBe(language)
})

test('there are solutions of ours for most of the 53 operators', () => {
  expect(solved.length).toBeGreaterThanOrEqual(48)
  for (const one of solved) expect(read(solution(one)).kernels, one).toHaveLength(1)
})
