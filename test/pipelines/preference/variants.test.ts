import {describe, expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {codeDistance, tokenLines} from '../../../pipelines/preference/pairing/code-distance.ts'
import {allRewrites, variantsOf} from '../../../pipelines/preference/variants.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const answer = task?.answer ?? []
const textOf = (files: readonly SourceFile[]) => files.map(({text}) => text).join('\n')
const linesOf = (files: readonly SourceFile[]) => tokenLines(textOf(files))

test('every rewrite has a name of its own', () => {
  expect(new Set(allRewrites.map(({name}) => name)).size).toBe(allRewrites.length)
  expect(allRewrites.length).toBeGreaterThanOrEqual(30)
})

describe('variants', () => {
  const variants = variantsOf(answer, 6, randomFrom('x'))
  test('are as many as asked, all different, each composed of several rewrites', () => {
    expect(new Set([answer, ...variants.map(({files}) => files)].map(textOf)).size).toBe(7)
    for (const {rewrites} of variants) {
      expect(rewrites.length).toBeGreaterThanOrEqual(5)
      expect(new Set(rewrites).size).toBe(rewrites.length)
    }
  })
  test('are far apart, names and layout aside', () => {
    const all = [answer, ...variants.map(({files}) => files)].map(linesOf)
    for (const [index, one] of all.entries())
      for (const other of all.slice(0, index)) expect(codeDistance(one, other)?.share ?? 0).toBeGreaterThan(0.1)
  })
  test('keep the paths, and what the request asks to keep', () => {
    for (const {files} of variants) {
      expect(files.map(({path}) => path)).toEqual(answer.map(({path}) => path))
      const text = textOf(files)
      expect(text).toMatch(/extern "C" __global__ __aicore__ void scale_shift\(GM_ADDR x, GM_ADDR y, /)
      expect(text).toMatch(/OP_ADD\(ScaleShift\)/)
      expect(text).toMatch(/this->Input\("x"\)/)
    }
  })
  test('depend on their random stream alone', () => {
    expect(variantsOf(answer, 3, randomFrom('y'))).toEqual(variantsOf(answer, 3, randomFrom('y')))
    expect(variantsOf(answer, 3, randomFrom('y'))).not.toEqual(variantsOf(answer, 3, randomFrom('z')))
  })
  test('are none of nothing', () => {
    expect(variantsOf([], 3, randomFrom('x'))).toEqual([])
    expect(variantsOf([{path: 'op_kernel/a.cpp', text: '// EnQue(x);\n'}], 3, randomFrom('x'))).toEqual([])
  })
})

/** The text of one kernel, or else host, file after a rewrite; undefined where it finds no place. */
function rewritten(name: string, text: string, {path = 'op_kernel/a.cpp', seed = 'a'} = {}): string | undefined {
  const rewrite = allRewrites.find((one) => one.name === name)
  if (!rewrite) throw new Error(`no rewrite is called ${name}`)
  return rewrite.apply([{path, text}], randomFrom(seed))?.[0]?.text
}

const inClass = (lines: string) => `class K {\npublic:\n${lines}\n};\n`

describe('one rewrite', () => {
  test.each([
    [
      'address-cast',
      'g.SetGlobalBuffer((__gm__ T*)x + n);\n',
      'g.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x) + n);\n',
    ],
    ['auto-type', 'LocalTensor<T> x = q.DeQue<T>();\n', 'auto x = q.DeQue<T>();\n'],
    [
      'auto-type',
      'const AscendC::LocalTensor<T> x = q.template DeQue<T>();\n',
      'const auto x = q.template DeQue<T>();\n',
    ],
    ['commute-operands', 'Add(z, x, y, n);\n', 'Add(z, y, x, n);\n'],
    ['compare-form', 'uint32_t tail = n;\nif (tail > 0) {}\n', 'uint32_t tail = n;\nif (tail != 0) {}\n'],
    ['compound-assignment', 'f();\nn += step;\n', 'f();\nn = n + step;\n'],
    ['drop-const', '{\n    const uint32_t n = 4;\n', '{\n    uint32_t n = 4;\n'],
    ['remainder-form', 'a = n / k;\nb = n % k;\n', 'a = n / k;\nb = n - a * k;\n'],
    [
      'choice-to-branch',
      '    n_ = a < b ? a : b;\n',
      '    if (a < b) {\n        n_ = a;\n    } else {\n        n_ = b;\n    }\n',
    ],
    [
      'guard-to-block',
      'void F(uint32_t n)\n{\n    if (n == 0) {\n        return;\n    }\n    g(n);\n}\n',
      'void F(uint32_t n)\n{\n    if (n != 0) {\n        g(n);\n    }\n}\n',
    ],
    [
      'loop-to-while',
      '    for (uint32_t i = 0; i < n; ++i) {\n        f(i);\n    }\n',
      '    uint32_t i = 0;\n    while (i < n) {\n        f(i);\n        ++i;\n    }\n',
    ],
    [
      'swap-branches',
      'if constexpr (Wide) {a();} else {b();}\n'.replaceAll('{', '{ '),
      'if constexpr (!Wide) { b();} else { a();}\n',
    ],
    [
      'reorder-tiling-keys',
      'if (TILING_KEY_IS(1)) {\n  a();\n} else if (TILING_KEY_IS(0)) {\n  b();\n}\n',
      'if (TILING_KEY_IS(0)) {\n  b();\n} else if (TILING_KEY_IS(1)) {\n  a();\n}\n',
    ],
    [
      'hoist-bytes',
      '    p.InitBuffer(a, 2, n * sizeof(T));\n    p.InitBuffer(b, n * sizeof(T));\n',
      /^ {4}const uint32_t (\w+) = n \* sizeof\(T\);\n {4}p\.InitBuffer\(a, 2, \1\);\n {4}p\.InitBuffer\(b, \1\);\n$/,
    ],
    [
      'hoist-bytes',
      '    p.InitBuffer(a, n * sizeof(T));\n    p.InitBuffer(b, n * sizeof(T));\n\n'.repeat(2),
      /^ {4}const uint32_t (\w+) = n \* sizeof\(T\);\n(?:.*, \1\);\n){2}\n {4}const uint32_t (?!\1)\w+ = n /,
    ],
    ['brace-on-same-line', 'void F()\n{\n}\n', 'void F() {\n}\n'],
    [
      'without-comments',
      '// SPDX-License-Identifier: X\nf(); // why\n// what\ng();\n',
      '// SPDX-License-Identifier: X\nf();\ng();\n',
    ],
  ] as const)('%s', (name, before, after) => {
    const text = rewritten(name, before)
    if (typeof after === 'string') expect(text).toBe(after)
    else expect(text).toMatch(after)
  })

  test('of the host', () => {
    const host = {path: 'op_host/a.cpp'}
    expect(rewritten('bounds-swapped', 'n = std::min(a, b);\n', host)).toBe('n = std::min(b, a);\n')
    expect(rewritten('rounding-form', 'return (n + k - 1) / k * k;\n', host)).toMatch(/^return \(.*\) \* k;\n$/)
    expect(rewritten('tile-count', 'CeilDiv(n, 4);\n', host)).toMatch(/^CeilDiv\(n, [2368]\);\n$/)
  })

  test.each([
    ['Four tiles a core keep copies busy.', /^(?:2 Two|3 Three|6 Six|8 Eight) tiles a core keep copies busy\.$/],
    [
      'A quarter of a share: 4 tiles.',
      /^(?:2 Half of|3 A third of|6 A sixth of|8 An eighth of) a share: [2368] tiles\.$/,
    ],
    ['Fourteen tiles, 64 of them whole.', /^[2368] Fourteen tiles, 64 of them whole\.$/],
  ])('of the host, and what a comment says of it: %s', (comment, expected) => {
    const before = `    // ${comment}\n    const uint32_t tile = CeilDiv(n, 4);\n`
    const [, told, count] =
      /\/\/ (.*)\n.*, (\d)\);/.exec(rewritten('tile-count', before, {path: 'op_host/a.cpp'}) ?? '') ?? []
    expect(`${count} ${told}`).toMatch(expected)
  })

  test('a method that is called once stands where it was called', () => {
    const text = inClass(
      [
        '    __aicore__ inline void Run(uint32_t n)',
        '    {',
        '        Step(n + 1, n);',
        '    }',
        'private:',
        '    __aicore__ inline void Step(uint32_t first, uint32_t n)',
        '    {',
        '        f(first, n);',
        '    }',
      ].join('\n'),
    )
    // `first` becomes `n + 1`, which would read the parameter `n` of the method itself: they are one here.
    expect(rewritten('merge-method', text.replace('n + 1', 'm'))).toMatch(
      /Run\(uint32_t n\)\n {4}\{\n {8}\{\n {12}uint32_t first = m;\n {12}f\(first, n\);\n {8}\}\n {4}\}\nprivate:\n/,
    )
    expect(rewritten('merge-method', text)).toBeUndefined()
    expect(rewritten('merge-method', text.replace('n + 1', 'm').replace('private:', ''))).toBeUndefined()
    expect(rewritten('merge-method', text.replace('n + 1', 'm').replace('f(first, n)', 'return'))).toBeUndefined()
  })

  test('lines that set up buffers move to a method with what they read', () => {
    const text = inClass(
      [
        '    __aicore__ inline void Init(GM_ADDR x, uint32_t n)',
        '    {',
        '        pipe_.InitBuffer(a_, 2, n * sizeof(T));',
        '        pipe_.InitBuffer(b_, n_);',
        '    }',
      ].join('\n'),
    )
    expect(rewritten('split-method', text)).toMatch(
      /\{\n {8}(\w+)\(n\);\n {4}\}\n\n {4}__aicore__ inline void \1\(uint32_t n\)\n {4}\{\n {8}pipe_\.InitBuffer\(a_/,
    )
  })
})

describe('a rewrite stays away', () => {
  test.each([
    ['commute-operands', 'Sub(z, x, y, n);\n'],
    ['commute-operands', 'Muls(z, x, y, n);\n'],
    ['compare-form', 'int32_t tail = n;\nif (tail > 0) {}\n'],
    ['loop-to-while', '    for (uint32_t i = 0; i < n; ++i) {\n        continue;\n    }\n'],
    ['swap-branches', 'if (TILING_KEY_IS(1)) { a(); } else { b(); }\n'],
    ['reorder-statements', '    a_ = b_;\n    b_ = n;\n'],
    ['reorder-statements', '    q.EnQue(x);\n    q.EnQue(y);\n'],
    ['reorder-members', inClass('    void F()\n    {\n    }\n    uint32_t a = 1;\n    uint32_t b = a;')],
    ['reorder-members', 'struct PlanTilingData {\n    uint32_t total;\n    uint32_t tile;\n    uint32_t rest;\n};\n'],
    ['rename-locals', '#define F(count) count\nuint32_t count = 1;\n'],
    ['rename-locals', 'DataCopyParams p;\nuint16_t blockCount = 1;\np.blockCount = blockCount;\n'],
    [
      'explicit-this',
      'template <typename T>\nclass K {\n    void F()\n    {\n        q_.DeQue<T>();\n    }\n    TQue<A, 1> q_;\n};\n',
    ],
    [
      'explicit-this',
      inClass('    void Init(uint32_t n_)\n    {\n        this->n_ = n_;\n    }\n    uint32_t n_ = 0;'),
    ],
    [
      'explicit-this',
      inClass('    void F()\n    {\n        uint32_t n_ = 1;\n        f(n_);\n    }\n    uint32_t n_ = 0;'),
    ],
    ['choice-to-branch', '    n_ = f(a) < b ? a : b;\n'],
  ])('%s from %j', (name, text) => {
    for (const seed of ['a', 'b', 'c', 'd']) expect(rewritten(name, text, {seed}) ?? text).toBe(text)
  })

  test('rename: what is in strings, in directives and of the kernel entry', () => {
    const text = [
      '#include "tile_length.h"',
      'extern "C" __global__ __aicore__ void tile_length(GM_ADDR tileLength, GM_ADDR tiling) {',
      '    uint32_t tileLength = 0;',
      '    uint32_t totalLength = 0; // totalLength of all, in total',
      '    f("totalLengthText", totalLength);',
      '}',
      '',
    ].join('\n')
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const put = rewritten('rename-locals', text, {seed})
      if (put === undefined) continue
      const [, name] = /uint32_t (\w+) = 0; \/\//.exec(put) ?? []
      expect(put).toBe(text.replaceAll(/\btotalLength\b/g, name ?? ''))
    }
  })

  test('rename: a plain word of a comment or a string is no name', () => {
    const text = 'void F() {\n    uint32_t tail = n; // the tail of all\n    f("of tail", tail);\n}\n'
    const renamed = ['a', 'b', 'c', 'd'].flatMap((seed) => rewritten('rename-locals', text, {seed}) ?? [])
    expect(renamed.length).toBeGreaterThan(0)
    for (const one of renamed) expect(one).toMatch(/ (?!tail)(\w+) = n; \/\/ the tail of all\n {4}f\("of tail", \1\);/)
  })

  test.each([
    [
      'rename-members',
      ['struct Loop {', '    int64_t count = 0;', '};', 'void F(Loop& loop) { loop.count = 1; }', ''],
      'bool F() { return types.count(x) == 0; }\n',
      'count',
    ],
    [
      'rename-locals',
      [],
      'struct Plan {\n    int Find();\n};\nint GetPlatformInfo();\nint Plan::Find() { return c->GetPlatformInfo(); }\n',
      'GetPlatformInfo',
    ],
    [
      'rename-functions',
      [
        'class K {',
        'public:',
        '    __aicore__ inline void GetLength(uint32_t n)',
        '    {',
        '        f(n);',
        '    }',
        '    __aicore__ inline void Run(LocalTensor<T>& x)',
        '    {',
        '        GetLength(x.GetLength());',
        '    }',
        '};',
        '',
      ],
      '',
      'GetLength',
    ],
    ['rename-locals', ['void F() {', '    uint32_t block = 1;', '    f(other::block, block);', '}', ''], '', 'block'],
  ])('%s: what is reached in an object of others keeps its name', (name, kernel, host, kept) => {
    const files = [
      {path: 'op_host/a.cpp', text: host},
      {path: 'op_kernel/a.cpp', text: kernel.join('\n')},
    ]
    const rewrite = allRewrites.find((one) => one.name === name)
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const written = rewrite?.apply(files, randomFrom(seed)) ?? files
      const count = (all: readonly SourceFile[]) => textOf(all).split(new RegExp(`\\b${kept}\\b`)).length
      expect(count(written)).toBe(count(files))
    }
  })

  test('rename: what the operator alone has is renamed wherever it is reached', () => {
    const text = [
      'struct Loop {',
      '    int64_t count = 0;',
      '};',
      'class K {',
      'public:',
      '    __aicore__ inline void GetLength(Loop& loop)',
      '    {',
      '        loop.count = 1;',
      '    }',
      '    __aicore__ inline void Run(Loop& loop)',
      '    {',
      '        this->GetLength(loop);',
      '    }',
      '};',
      '',
    ].join('\n')
    const seeds = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const [name, kept] of [
      ['rename-members', 'count'],
      ['rename-functions', 'GetLength'],
    ] as const) {
      const renamed = seeds.map((seed) => rewritten(name, text, {seed}) ?? text)
      expect(renamed.some((one) => !new RegExp(`\\b${kept}\\b`).test(one))).toBe(true)
      for (const one of renamed) expect([1, 3]).toContain(one.split(new RegExp(`\\b${kept}\\b`)).length)
    }
  })

  test('rename: accessors of a tiling field follow it', () => {
    const files = [
      {path: 'op_host/a_tiling.h', text: 'TILING_DATA_FIELD_DEF(uint32_t, totalLength);\n'},
      {path: 'op_host/a.cpp', text: 'tiling.set_totalLength(n);\n'},
      {path: 'op_kernel/a.cpp', text: 'Init(data.totalLength);\n'},
    ]
    const rewrite = allRewrites.find(({name}) => name === 'rename-tiling-fields')
    const written = ['a', 'b', 'c'].map((seed) => rewrite?.apply(files, randomFrom(seed))).find((one) => one)
    const [, name = ''] = /, (\w+)\)/.exec(written?.[0]?.text ?? '') ?? []
    expect(name).not.toBe('totalLength')
    expect(written?.map(({text}) => text)).toEqual(files.map(({text}) => text.replace('totalLength', name)))
  })
})
