import {describe, expect, test} from 'vitest'
import {finder, installedPath, isOnceOnly, readIncludes, sharedKernelHeader} from '../../../sources/kernels/includes.ts'
import {inlineIncludes} from '../../../sources/kernels/inline.ts'

describe('includes of a file', () => {
  const kinds = (text: string) =>
    readIncludes('op_kernel/a.cpp', text, (name) => (name === 'own.h' ? 'op_kernel/own.h' : undefined)).map(
      ({name, kind}) => `${name} ${kind}`,
    )

  test.each([
    ['"own.h"', 'own.h local'],
    ['<own.h>', 'own.h local'],
    ['"gone.h"', 'gone.h missing'],
    ['"sub/gone.h"', 'sub/gone.h missing'],
    ['<vector>', 'vector system'],
    ['"vector"', 'vector system'],
    ['"cstdarg"', 'cstdarg system'],
    ['"stdarg.h"', 'stdarg.h system'],
    ['"stdargs.h"', 'stdargs.h missing'],
    ['"error_manager/error_manager.h"', 'error_manager/error_manager.h sdk'],
    ['<cstdint.h>', 'cstdint.h system'],
    ['<sys/stat.h>', 'sys/stat.h system'],
    ['<other/thing.hpp>', 'other/thing.hpp sdk'],
    ['"kernel_operator.h"', 'kernel_operator.h sdk'],
    ['"lib/matmul_intf.h"', 'lib/matmul_intf.h sdk'],
    ['"my_kernel_operator.h"', 'my_kernel_operator.h missing'],
    ['"acl/acl.h"', 'acl/acl.h sdk'],
  ])('%s', (operand, found) => {
    expect(kinds(`#include ${operand}\n`)).toEqual([found])
  })

  test('stand under conditions, their file’s own guard apart', () => {
    const text = [
      '#ifndef A_H',
      '#define A_H',
      '#include "a"',
      '#if  X == 1',
      '#include "b"',
      '#elif Y',
      '#include "c"',
      '#else',
      '#include "d"',
      '#endif',
      '#ifdef  Z',
      '#ifndef W',
      '  #  include "e"',
      '#endif',
      '#endif',
      '// #include "f"',
      '#else',
      '#include "g"',
      '#endif',
    ].join('\n')
    expect(
      readIncludes('x.h', text, () => undefined).map(({name, line, conditions, quoted}) => [
        name,
        line,
        conditions,
        quoted,
      ]),
    ).toEqual([
      ['a', 2, [], true],
      ['b', 4, ['X == 1'], true],
      ['c', 6, ['Y at x.h:5'], true],
      ['d', 8, ['!(Y at x.h:5)'], true],
      ['e', 12, ['defined(Z)', '!defined(W)'], true],
      ['g', 17, [], true],
    ])
  })

  test('are active where the macros leave their branch', () => {
    const text = '#if X\n#include "a"\n#else\n#include "b"\n#endif\n'
    const active = (value: number) =>
      readIncludes('x.h', text, () => undefined, new Map([['X', value]])).map((one) => one.active)
    expect([active(1), active(0)]).toEqual([
      [true, false],
      [false, true],
    ])
  })
})

describe('where an include leads', () => {
  const find = (name: string, from: string, ...paths: string[]) => finder(paths)(name, from)

  test('beside the file, then from the usual folders', () => {
    expect(find('b.h', 'op_kernel/a.cpp', 'op_host/b.h', 'op_kernel/b.h')).toBe('op_kernel/b.h')
    expect(find('../c/b.h', 'op_kernel/x/a.cpp', 'op_kernel/c/b.h')).toBe('op_kernel/c/b.h')
    expect(find('b.h', 'op_kernel/x/a.cpp', 'op_kernel/b.h', 'op_host/b.h')).toBe('op_kernel/b.h')
    expect(find('b.h', 'src/a.cpp', 'op_host/b.h')).toBe('op_host/b.h')
    expect(find('common/b.h', 'op_kernel/a.cpp', '../common/b.h')).toBe('../common/b.h')
    expect(find('common/b.h', 'op_kernel/a.cpp', '../../../common/b.h')).toBe('../../../common/b.h')
  })

  test('by its ending, where one file has it, of the same side before others', () => {
    expect(find('b.h', 'op_host/a.cpp', 'op_host/op_tiling/b.h')).toBe('op_host/op_tiling/b.h')
    expect(find('b.h', 'op_host/a.cpp', 'op_host/x/b.h', 'op_kernel/x/b.h')).toBe('op_host/x/b.h')
    expect(find('b.h', 'op_host/a.cpp', 'op_host/x/b.h', 'op_host/y/b.h')).toBeUndefined()
    expect(find('b.h', 'other/a.cpp', 'op_host/x/b.h', 'op_kernel/y/b.h')).toBeUndefined()
    expect(find('../../b.h', 'op_host/a.cpp', 'op_host/op_tiling/b.h')).toBe('op_host/op_tiling/b.h')
    expect(find('b.h', 'op_host/a.cpp', 'op_host/op_tiling/ab.h')).toBeUndefined()
  })

  test('from the top of the repository, and to its shared headers', () => {
    expect(find('math/add/op_kernel/b.h', 'op_host/a.cpp', 'op_kernel/b.h')).toBe('op_kernel/b.h')
    expect(find('math/add/b.h', 'op_host/a.cpp', '../add/b.h')).toBe('../add/b.h')
    expect(find('../inc/b.h', 'op_kernel/a.cpp', '../../common/inc/op_kernel/b.h')).toBe(
      '../../common/inc/op_kernel/b.h',
    )
    expect(find('inc/b.h', 'op_kernel/a.cpp', '../../common/inc/op_kernel/c.h')).toBeUndefined()
    const shared = ['../../common/inc/op_kernel/c.h', '../../common/inc/op_kernel/b.h']
    expect(find('../inc/b.h', 'op_kernel/x/a.cpp', ...shared)).toBe(shared[1])
    expect(find('../inc/d.h', 'op_kernel/x/a.cpp', ...shared)).toBeUndefined()
  })

  test('of installed kernels', () => {
    expect(installedPath('b.h', 'op_kernel/a.cpp')).toBe('op_kernel/b.h')
    expect(installedPath('../mul/b.h', 'op_kernel/a.cpp')).toBe('../mul/op_kernel/b.h')
    expect(installedPath('b.h', '../mul/op_kernel/a.h')).toBe('../mul/op_kernel/b.h')
    expect(installedPath('../add/b.h', '../mul/op_kernel/x/a.h')).toBe('../mul/op_kernel/add/b.h')
    expect(installedPath('b.h', '../../common/inc/op_kernel/a.h')).toBe('../inc/op_kernel/b.h')
    expect(installedPath('../../b.h', 'op_kernel/a.cpp')).toBeUndefined()
    expect(installedPath('../b.h', 'op_kernel/a.cpp')).toBeUndefined()
    expect(installedPath('b.h', 'op_host/a.cpp')).toBeUndefined()
    expect([
      sharedKernelHeader('../inc/b.h'),
      sharedKernelHeader('../../inc/x/b.h'),
      sharedKernelHeader('inc/b.h'),
    ]).toEqual(['common/inc/op_kernel/b.h', 'common/inc/op_kernel/x/b.h', undefined])
  })

  test('once only, by a pragma or a guard', () => {
    expect([
      isOnceOnly('#pragma once\nint a;'),
      isOnceOnly('#ifndef A\n#define A\nint a;\n#endif\n'),
      isOnceOnly('int a;'),
      isOnceOnly('// #pragma once\n'),
    ]).toEqual(['pragma', 'guard', undefined, undefined])
  })
})

describe('a file with all that it includes', () => {
  const inline = (files: Record<string, string>, target = 'op_kernel/a.cpp') =>
    inlineIncludes(target, new Map(Object.entries(files).map(([path, text]) => [path, {path, text}])))

  test('is its text and theirs, in place, the whole of it', () => {
    const found = inline({
      'op_kernel/a.cpp':
        '// First\n#pragma once\n#include "kernel_operator.h"\n#include "b.h"\nint a;\n#include ' +
        '<cmath>\n#if X\n#include "acl/acl.h"\n#include "gone.h"\n#include "b.h"\n#endif\n',
      'op_kernel/b.h':
        '#ifndef B\n#define B\n\n#include <vector>\n#include "lost.h"\n#define C 1\n#include <map>\n#endif\n',
    })
    expect(found).toEqual({
      text: [
        '#include "kernel_operator.h"',
        '#include <vector>',
        '#include "lost.h"',
        '',
        '// ===== op_kernel/a.cpp =====',
        '// First',
        '// ===== op_kernel/b.h =====',
        '#ifndef B',
        '#define B',
        '',
        '#define C 1',
        '#include <map>',
        '#endif',
        '',
        'int a;',
        '#include <cmath>',
        '#if X',
        '#include "acl/acl.h"',
        '#include "gone.h"',
        '#endif',
        '',
      ].join('\n'),
      dependencies: ['op_kernel/b.h'],
      externals: ['"kernel_operator.h"', '<vector>', '<map>', '<cmath>', '"acl/acl.h"'],
      missing: ['lost.h'],
      cycles: [],
      tooLong: false,
    })
  })

  test('without externals begins with itself', () => {
    expect(inline({'op_kernel/a.cpp': 'int a;\n\n'}).text).toBe('// ===== op_kernel/a.cpp =====\nint a;\n')
  })

  test('has a file without a guard each time, a guarded one once for the same conditions', () => {
    const count = (text: string, b: string, word: string) =>
      inline({'op_kernel/a.cpp': text, 'op_kernel/b.h': b}).text.split(word).length - 1
    expect(count('#include "b.h"\n#include "b.h"\n', 'int b;\n', 'int b;')).toBe(2)
    expect(count('#include "b.h"\n#include "b.h"\n', '#pragma once\nint b;\n', 'int b;')).toBe(1)
    expect(count('#if X\n#include "b.h"\n#endif\n#include "b.h"\n', '#pragma once\nint b;\n', 'int b;')).toBe(2)
    expect(count('#include "b.h"\n#if X\n#include "b.h"\n#endif\n', '#pragma once\nint b;\n', 'int b;')).toBe(1)
    expect(
      count(
        '#if X\n#include "b.h"\n#endif\n',
        '#pragma once\nint b;\n',
        '#ifndef INLINED_OP_KERNEL_B_H\n#define INLINED_OP_KERNEL_B_H\n',
      ),
    ).toBe(1)
    expect(count('#if X\n#include "b.h"\n#endif\n', '#ifndef B\n#define B\nint b;\n#endif\n', 'INLINED')).toBe(0)
    expect(count('#include "b.h"\n', '#pragma once\nint b;\n', 'INLINED')).toBe(0)
  })

  test('tells cycles that no guard breaks', () => {
    expect(
      inline({
        'op_kernel/a.cpp': '#include "b.h"\n',
        'op_kernel/b.h': '#include "c.h"\n',
        'op_kernel/c.h': '#include "b.h"\n',
      }).cycles,
    ).toEqual(['op_kernel/b.h → op_kernel/c.h → op_kernel/b.h'])
    expect(
      inline({'op_kernel/a.cpp': '#include "b.h"\n', 'op_kernel/b.h': '#pragma once\n#include "b.h"\n'}).cycles,
    ).toEqual([])
  })

  test('stops where headers multiply each other', () => {
    const times = (count: number) =>
      inline({'op_kernel/a.cpp': '#include "b.h"\n'.repeat(count), 'op_kernel/b.h': ' '.repeat(1_400_000)}).tooLong
    expect([times(2), times(3)]).toEqual([false, true])
  })

  test('leaves the branches of other chips as they are', () => {
    const files = {
      'op_kernel/a.cpp': '#if __CCE_AICORE__ == 200\n#include "b.h"\n#endif\n',
      'op_kernel/b.h': 'int b;\n',
    }
    expect(inline(files)).toMatchObject({
      dependencies: [],
      text: `// ===== op_kernel/a.cpp =====\n${files['op_kernel/a.cpp']}`,
    })
  })
})
