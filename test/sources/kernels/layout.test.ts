import {describe, expect, test} from 'vitest'
import {
  chips,
  definedKernels,
  findOperators,
  isForeignPath,
  isOtherLibrary,
  isSideFile,
  isSkipped,
  isSourceFile,
  operatorName,
  usesForeignApi,
} from '../../../sources/kernels/layout.ts'

test('operators lie in folders of sides, by path, whatever order they come in', () => {
  const paths = [
    'math/mul/op_kernel/mul.cpp',
    'math/add/op_kernel/arch35/add.h',
    'math/add/op_kernel/add_apt.cpp',
    'math/add/op_kernel/add.cpp',
    'math/add/op_host/add_def.cpp',
    'math/add/op_host/op_api/aclnn_add.cpp',
    'math/add/op_host/config/ascend910b/add.json',
    'math/add/op_host/config/ascend910_93/add.json',
    'math/add/op_host/config/ascend910b/more.json',
    'math/add/op_api/aclnn.h',
    'math/add/README.md',
    'math/add/tests/op_host/add_test.cpp',
    'math/op_host',
  ]
  const found = findOperators(paths)
  expect(found).toEqual({
    operators: [
      {
        path: 'math/add',
        host: ['math/add/op_host/add_def.cpp'],
        kernel: ['math/add/op_kernel/add.cpp'],
        foreign: ['math/add/op_kernel/add_apt.cpp', 'math/add/op_kernel/arch35/add.h'],
        api: ['math/add/op_api/aclnn.h', 'math/add/op_host/op_api/aclnn_add.cpp'],
        chips: ['ascend910_93', 'ascend910b'],
      },
      {path: 'math/mul', host: [], kernel: ['math/mul/op_kernel/mul.cpp'], foreign: [], api: [], chips: []},
    ],
    libraries: [],
    loose: [],
  })
  expect(findOperators([...paths].reverse())).toEqual(found)
})

test('a folder may be the project itself, and one with chips alone is none', () => {
  expect(findOperators(['op_kernel/add.asc']).operators).toMatchObject([{path: '', kernel: ['op_kernel/add.asc']}])
  expect(findOperators(['add/op_host/config/ascend910b/add.json'])).toEqual({operators: [], libraries: [], loose: []})
  const chipsOf = (path: string) => findOperators(['add/op_kernel/a.cpp', path]).operators[0]?.chips
  expect(chipsOf('add/op_host/config/add.json')).toEqual([])
  expect(chipsOf('add/op_host/config/ascend910b/add.json')).toEqual(['ascend910b'])
  expect(chipsOf('add/op_host/conf/ascend910b/add.json')).toEqual([])
})

test('sources outside of operators may be launched directly', () => {
  expect(findOperators(['b/main.cpp', 'a/add.asc', 'a/arch35/add.cpp', 'a/op_kernel.cpp', 'a/x.py']).loose).toEqual([
    'a/add.asc',
    'a/op_kernel.cpp',
    'b/main.cpp',
  ])
})

test('high-level APIs of the SDK lie by family and API', () => {
  const paths = [
    'sdk/impl/adv_api/detail/activation/gelu/gelu_common_impl.h',
    'sdk/impl/adv_api/detail/activation/gelu/sub/gelu_v220_impl.h',
    'sdk/impl/adv_api/tiling/activation/gelu_tiling_impl.cpp',
    'sdk/include/adv_api/activation/gelu_tiling.h',
    'sdk/include/adv_api/activation/sigmoid_utils.h',
    'sdk/impl/adv_api/detail/activation/gelu_base.h',
    'sdk/impl/adv_api/detail/hccl/impl/x.h',
    'sdk/impl/adv_api/detail/activation/gelu/gelu_3510_impl.h',
    'sdk/include/other/gelu.h',
  ]
  expect(findOperators(paths)).toEqual({
    operators: [],
    libraries: [
      {path: 'sdk/impl/adv_api/detail/activation', api: 'gelu', files: [paths[5]]},
      {path: 'sdk/impl/adv_api/detail/activation/gelu', api: 'gelu', files: [paths[0], paths[1]]},
      {path: 'sdk/impl/adv_api/tiling/activation', api: 'gelu', files: [paths[2]]},
      {path: 'sdk/include/adv_api/activation', api: 'gelu', files: [paths[3]]},
      {path: 'sdk/include/adv_api/activation', api: 'sigmoid', files: [paths[4]]},
    ],
    loose: [
      'sdk/impl/adv_api/detail/activation/gelu/gelu_3510_impl.h',
      'sdk/impl/adv_api/detail/hccl/impl/x.h',
      'sdk/include/other/gelu.h',
    ],
  })
})

describe('paths', () => {
  test.each([
    ['a.cpp', true],
    ['a.inc', true],
    ['a.asc', true],
    ['a.cppx', false],
    ['a.py', false],
  ])('%s is a source: %s', (path, is) => {
    expect(isSourceFile(path)).toBe(is)
  })

  test.each([
    ['tests/a.cpp', true],
    ['x/Build/a.cpp', true],
    ['x/op_graph/y/a.cpp', true],
    ['x/test.cpp', false],
    ['tests', false],
    ['testing/a.cpp', false],
  ])('%s is skipped: %s', (path, is) => {
    expect(isSkipped(path)).toBe(is)
  })

  test.each([
    ['a/arch35/b.h', true],
    ['a/b_arch35.h', true],
    ['a/regbase/b.h', true],
    ['a/b_apt.cpp', true],
    ['a/apt.cpp', false],
    ['a/arch352/b.h', false],
    ['gemm/tile/ascend950/copy.hpp', true],
    ['examples/43_ascend950_basic_matmul/basic.cpp', true],
    ['op_kernel/dispatch_a5.h', true],
    ['op_kernel/fused_a5/entry.h', true],
    ['op_kernel/a5w4.h', false],
  ])('%s is for another chip: %s', (path, is) => {
    expect(isForeignPath(path)).toBe(is)
  })

  test('lie beside operators or in a high-level API', () => {
    expect(
      ['a/op_host/b.cpp', 'a/impl/adv_api/b.h', 'a/include/adv_api/b.h', 'a/b.cpp', 'op_host', 'a/src/adv_api/b.h'].map(
        isSideFile,
      ),
    ).toEqual([true, true, true, false, false, false])
    expect(
      [
        'impl/adv_api/hccl/b.h',
        'impl/adv_api/a_3510.h',
        'impl/adv_api/a_v220.h',
        'hccl/b.h',
        'hccl/impl/adv_api/b.h',
        'impl/adv_api/x_c310.h',
      ].map(isOtherLibrary),
    ).toEqual([true, true, false, false, false, true])
  })
})

test('kernels are those that a text defines', () => {
  expect(definedKernels('extern "C" __global__ __aicore__ void add(GM_ADDR a) {\n}')).toEqual(['add'])
  expect(definedKernels('__global__ void __aicore__ add(int a, F(b)) {\n}\n__global__ void add(int c) { }')).toEqual([
    'add',
  ])
  expect(definedKernels('__global__ __launch_bounds__(4) [aicore] void mul() {}')).toEqual(['mul'])
  expect(definedKernels('__global__ void add(int a);\nvoid sub(int a) {}')).toEqual([])
  expect([
    usesForeignApi('RegTensor<half> a;'),
    usesForeignApi('MyRegTensor a;'),
    usesForeignApi('LocalTensor a;'),
  ]).toEqual([true, false, false])
})

test('names', () => {
  expect([operatorName('add_custom'), operatorName('add'), operatorName('reduce_sum_v2')]).toEqual([
    'AddCustom',
    'Add',
    'ReduceSumV2',
  ])
  expect(chips).toEqual(['ascend910b', 'ascend910_93'])
})
