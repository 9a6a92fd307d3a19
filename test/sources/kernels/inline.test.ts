import {describe, expect, test} from 'vitest'
import {inlineIncludes} from '../../../sources/kernels/inline.ts'

function inline(files: Record<string, string>, target = 'op_kernel/a.cpp', until?: string) {
  return inlineIncludes(target, new Map(Object.entries(files).map(([path, text]) => [path, {path, text}])), until)
}

describe('inlineIncludes', () => {
  test('puts each guarded file once, before what needs it, under its path', () => {
    const {text, dependencies, externals} = inline({
      'op_kernel/a.cpp': '#include "kernel_operator.h"\n#include "b.h"\n#include "c.h"\nint a = b + c;\n',
      'op_kernel/b.h': '#ifndef B_H\n#define B_H\n#include "kernel_operator.h"\n#include "c.h"\nint b = c;\n#endif\n',
      'op_kernel/c.h': '#pragma once\n#include <cstdint>\nint c = 1;\n',
    })
    expect(dependencies).toEqual(['op_kernel/c.h', 'op_kernel/b.h'])
    expect(externals).toEqual(['"kernel_operator.h"', '<cstdint>'])
    expect(text.match(/int c = 1;/g)).toHaveLength(1)
    expect(text.startsWith('#include "kernel_operator.h"\n#include <cstdint>\n\n// ===== op_kernel/a.cpp =====')).toBe(
      true,
    )
    expect(text.indexOf('int c')).toBeLessThan(text.indexOf('int b'))
    expect(text).not.toContain('#pragma once')
  })

  test('keeps the conditions around an include, and repeats a file that both branches need', () => {
    const {text} = inline({
      'op_kernel/a.cpp': '#if FAST == 1\n#include "b.h"\n#else\n#include "b.h"\nint other;\n#endif\n',
      'op_kernel/b.h': '#pragma once\nint b;\n',
    })
    expect(text.match(/int b;/g)).toHaveLength(2)
    expect(text.match(/#ifndef INLINED_OP_KERNEL_B_H/g)).toHaveLength(2)
    expect(text.indexOf('#if FAST')).toBeLessThan(text.indexOf('int b;'))
  })

  test('puts a file once for all that stands under the same conditions', () => {
    const {text} = inline({
      'op_kernel/a.cpp':
        '#if FAST\n#include "b.h"\n#include "c.h"\n#if SMALL\n#include "c.h"\n#endif\n#endif\n#include "b.h"\n',
      'op_kernel/b.h': '#pragma once\n#include "base.h"\nint b;\n',
      'op_kernel/c.h': '#pragma once\n#include "base.h"\nint c;\n',
      'op_kernel/base.h': '#pragma once\nint base;\n',
    })
    expect(text.match(/int c;/g)).toHaveLength(1)
    expect(text.match(/int b;/g)).toHaveLength(2)
    expect(text.match(/int base;/g)).toHaveLength(2)
  })

  test('takes no guard for one that leaves code behind it', () => {
    const {text} = inline({
      'op_kernel/a.cpp': '#include "b.h"\n#include "b.h"\n',
      'op_kernel/b.h': '#ifndef B_H\n#define B_H\nint b;\n#endif\nint after;\n',
    })
    expect(text.match(/int after;/g)).toHaveLength(2)
  })

  test('misses what is included in any case, not what a branch for another tool chain may name', () => {
    const {missing} = inline({
      'op_kernel/a.cpp': '#include "gone.h"\n#if SIMULATED\n#include "simulator_hooks.h"\n#endif\nint a;\n',
    })
    expect(missing).toEqual(['gone.h'])
  })

  test('leaves the includes of other chips where they stand', () => {
    const {text, dependencies, missing} = inline({
      'op_kernel/a.cpp':
        '#if __NPU_ARCH__ == 3510\n#include "arch35/b.h"\n#elif __CCE_AICORE__ == 220\n#include "b.h"\n#endif\n',
      'op_kernel/b.h': '#pragma once\nint b;\n',
      'op_kernel/arch35/b.h': '#pragma once\nint other;\n',
    })
    expect(dependencies).toEqual(['op_kernel/b.h'])
    expect(missing).toEqual([])
    expect(text).toContain('#include "arch35/b.h"')
    expect(text).not.toContain('int other;')
  })

  test('leaves an SDK include where a macro before it shapes it', () => {
    const {text} = inline({'op_kernel/a.cpp': '#define K_MAX_SHAPE_DIM 0\n#include "kernel_operator.h"\nint a;\n'})
    expect(text.indexOf('#define K_MAX_SHAPE_DIM 0')).toBeLessThan(text.indexOf('#include "kernel_operator.h"'))
  })

  test('repeats a file without a guard each time, as the preprocessor does', () => {
    const {text} = inline({
      'op_kernel/a.cpp':
        '#define X(n) int n;\n#include "list.inc"\n#undef X\n#define X(n) float f##n;\n#include "list.inc"\n',
      'op_kernel/list.inc': 'X(a) X(b)\n',
    })
    expect(text.match(/X\(a\) X\(b\)/g)).toHaveLength(2)
  })

  test('ends at a cycle that a guard breaks, and reports one that nothing breaks', () => {
    const guarded = (name: string, other: string) =>
      `#ifndef ${name}\n#define ${name}\n#include "${other}"\nint ${name.toLowerCase()};\n#endif\n`
    expect(
      inline({
        'op_kernel/a.cpp': '#include "b.h"\n',
        'op_kernel/b.h': guarded('B', 'c.h'),
        'op_kernel/c.h': guarded('C', 'b.h'),
      }).cycles,
    ).toEqual([])
    expect(
      inline({
        'op_kernel/a.cpp': '#include "b.h"\n',
        'op_kernel/b.h': '#include "c.h"\n',
        'op_kernel/c.h': '#include "b.h"\n',
      }).cycles,
    ).toEqual(['op_kernel/b.h → op_kernel/c.h → op_kernel/b.h'])
  })

  test('reports a local header that nobody has, unless it stands in a branch', () => {
    const {missing, text} = inline({
      'op_kernel/a.cpp': '#include "gone.h"\n#ifdef __CCE_KT_TEST__\n#include "stub_fun.h"\n#endif\n',
    })
    expect(missing).toEqual(['gone.h'])
    expect(text).toContain('#include "stub_fun.h"')
  })

  test('does not read an include out of a comment or a string', () => {
    const {text, missing} = inline({
      'op_kernel/a.cpp': '// #include "gone.h"\n/*\n#include "gone.h"\n*/\nconst char* s = "#include \\"x.h\\"";\n',
    })
    expect(missing).toEqual([])
    expect(text).toContain('// #include "gone.h"')
  })

  test('finds a header by the include folders that build scripts add, when only one fits', () => {
    const files = {
      'op_host/a.cpp': '#include "a_tiling.h"\n#include "math/a/op_kernel/a_keys.h"\n',
      'op_host/op_tiling/a_tiling.h': 'int tiling;\n',
      'op_kernel/a_keys.h': 'int keys;\n',
    }
    expect(inline(files, 'op_host/a.cpp').dependencies).toEqual(['op_host/op_tiling/a_tiling.h', 'op_kernel/a_keys.h'])
  })
})

describe('line by line', () => {
  const text = (files: Record<string, string>, target?: string) => inline(files, target).text

  test.each([
    ['stay where code stands before them', 'int a;\n#include <cstdint>\n', '{a}int a;\n#include <cstdint>\n'],
    ['move up from the first line', '#include <cstdint>\nint a;\n', '#include <cstdint>\n\n{a}int a;\n'],
    [
      'move up where nothing else stands',
      '#include <cstdint>\n',
      '#include <cstdint>\n\n// ===== op_kernel/a.cpp =====\n',
    ],
    ['move up past what is blank', '\n  \n#include <cstdint>\nint a;\n', '#include <cstdint>\n\n{a}\n  \nint a;\n'],
    ['move up past a comment', '// By hand.\n#include "acl.h"\n', '#include "acl.h"\n\n{a}// By hand.\n'],
    [
      'move up past a guard',
      '#ifndef A\n\n#define A\n#include <cstdint>\n#endif\n',
      '#include <cstdint>\n\n{a}#ifndef A\n\n#define A\n#endif\n',
    ],
    [
      'stay behind what a guarded file defines',
      '#ifndef A\n#define A\n#define B\n#include <cstdint>\n#endif\n',
      '{a}#ifndef A\n#define A\n#define B\n#include <cstdint>\n#endif\n',
    ],
  ])('includes of the SDK %s', (_, code, expected) => {
    expect(text({'op_kernel/a.cpp': code})).toBe(expected.replace('{a}', '// ===== op_kernel/a.cpp =====\n'))
  })

  test('in a branch they stay in it, also those of a file that stands there', () => {
    expect(
      text({
        'op_kernel/a.cpp': '#if FAST\n#include "b.h"\n#endif\n',
        'op_kernel/b.h': '#pragma once\n#include <cstdint>\nint b;\n',
      }),
    ).toBe(
      [
        ...['// ===== op_kernel/a.cpp =====', '#if FAST', '// ===== op_kernel/b.h ====='],
        ...['#ifndef INLINED_OP_KERNEL_B_H', '#define INLINED_OP_KERNEL_B_H', '#include <cstdint>', 'int b;', ''],
        ...['#endif', '#endif', ''],
      ].join('\n'),
    )
  })

  test('only a file that says so once, in a branch, gets a macro of its own', () => {
    const named = (include: string, b: string) =>
      text({'op_kernel/a.cpp': include, 'op_kernel/b.h': b}).includes('INLINED_')
    const [plain, branch] = ['#include "b.h"\n', '#if FAST\n#include "b.h"\n#endif\n']
    expect(named(branch, '#pragma once\nint b;\n')).toBe(true)
    expect(named(plain, '#pragma once\nint b;\n')).toBe(false)
    expect(named(branch, '#ifndef B\n#define B\nint b;\n#endif\n')).toBe(false)
    expect(named(branch, 'int b;\n')).toBe(false)
  })

  test('what a kernel and a host may rule out differs', () => {
    const headers = Object.fromEntries(
      ['op_kernel', 'op_host'].flatMap((side) => ['b', 'c'].map((name) => [`${side}/${name}.h`, `int ${name};\n`])),
    )
    const code = '#if __CCE_AICORE__ == 220\n#include "b.h"\n#else\n#include "c.h"\n#endif\n'
    const taken = (target: string) => inline({...headers, [target]: code}, target).dependencies
    expect(taken('op_kernel/a.cpp')).toEqual(['op_kernel/b.h'])
    expect(taken('op_host/a.cpp')).toEqual(['op_host/c.h'])
  })

  test('a file that comes twice is needed once; what the SDK has is not missing, nor is what is missing its', () => {
    expect(
      inline({
        'op_kernel/a.cpp': '#include "kernel_operator.h"\n#include "b.inc"\n#include "b.inc"\n#include "gone.h"\n',
        'op_kernel/b.inc': 'int b;\n',
      }),
    ).toMatchObject({dependencies: ['op_kernel/b.inc'], externals: ['"kernel_operator.h"'], missing: ['gone.h']})
  })

  test('of a text that is too long, what still fits is there', () => {
    const long = `int c;${' '.repeat(4_000_000)}`
    expect(
      inline({
        'op_kernel/a.cpp': '#include "b.h"\n#include "c.h"\n#include "d.h"\nint a;\n',
        ...{'op_kernel/b.h': 'int b;', 'op_kernel/c.h': long, 'op_kernel/d.h': 'int d;'},
      }),
    ).toMatchObject({
      text: '// ===== op_kernel/a.cpp =====\n// ===== op_kernel/b.h =====\nint b;\nint a;\n',
      tooLong: true,
    })
  })
})

test('a text is too long where it has more characters than fit, a hundred for each file counted in', () => {
  const isTooLong = (characters: number) => {
    const text = `${'a'.repeat(999)}\n`.repeat(characters / 1000).concat('a'.repeat(characters % 1000))
    return inlineIncludes('op_kernel/a.h', new Map([['op_kernel/a.h', {path: 'op_kernel/a.h', text}]])).tooLong
  }
  expect([isTooLong(3_999_900), isTooLong(3_999_901)]).toEqual([false, true])
})

describe('inlineIncludes up to a file', () => {
  const files = {
    'op_kernel/a.cpp': '#include "names.h"\n#include "b.h"\n#include "after.h"\nint a;\n',
    'op_kernel/names.h': '#pragma once\nconstexpr int SLOTS = 2;\n',
    'op_kernel/b.h': '#ifndef B_H\n#define B_H\nconstexpr int OWN = 1;\n#include "target.h"\nint b;\n#endif\n',
    'op_kernel/target.h': '#ifndef T_H\n#define T_H\nint t[SLOTS];\n#endif\n',
    'op_kernel/after.h': 'int after;\n',
  }

  test('keeps what stands before it, closes what is open, and leaves the rest', () => {
    const {text, dependencies} = inline(files, 'op_kernel/a.cpp', 'op_kernel/target.h')
    for (const kept of ['SLOTS = 2', 'OWN = 1', 'int t[SLOTS]']) expect(text).toContain(kept)
    for (const left of ['int b;', 'int after;', 'int a;']) expect(text).not.toContain(left)
    expect(text.match(/#endif/g)).toHaveLength(text.match(/#if/g)?.length as number)
    expect(dependencies).toEqual(['op_kernel/names.h', 'op_kernel/b.h'])
  })

  test('closes a namespace or class around it, counted without literals and branches for other chips', () => {
    const around = "namespace lib {\n#if __NPU_ARCH__ == 3510\nclass Other {\n#endif\nclass C {\nchar open = '{';\n"
    const inner = {...files, 'op_kernel/b.h': `${around}#define OPEN {\n#include "target.h"\n};\n}\n`}
    const {text} = inline(inner, 'op_kernel/a.cpp', 'op_kernel/target.h')
    expect(text).toContain('\n};\n};\n#ifndef INLINED_TO_ITS_END')
    expect(text.match(/^\};/gm)).toHaveLength(2)
  })

  test('builds on no file that only leads to it', () => {
    const plain = {...files, 'op_kernel/b.h': '#pragma once\n#include "target.h"\nint b;\n'}
    expect(inline(plain, 'op_kernel/a.cpp', 'op_kernel/target.h').dependencies).toEqual(['op_kernel/names.h'])
  })

  test('says by an error that a branch around it is not taken, or that nothing leads to it', () => {
    const branch = {...files, 'op_kernel/b.h': '#if FAST\n#include "target.h"\n#endif\n'}
    const {text} = inline(branch, 'op_kernel/a.cpp', 'op_kernel/target.h')
    expect(text.indexOf('#define INLINED_TO_ITS_END')).toBeLessThan(text.lastIndexOf('#endif\n#ifndef INLINED_TO'))
    const none = {...files, 'op_kernel/b.h': 'int b;\n'}
    expect(inline(none, 'op_kernel/a.cpp', 'op_kernel/target.h').text).not.toContain('#define INLINED_TO_ITS_END')
  })
})
