import {describe, expect, test} from 'vitest'
import {scenarioMacros, withDtypes} from '../../../../pipelines/code/specialise/reduce-kernel.ts'
import {foldBranches} from '../../../../pipelines/code/specialise/fold-branches.ts'
import {holdersGone} from '../../../../pipelines/code/specialise/holders.ts'
import {asPlainClasses} from '../../../../pipelines/code/specialise/one-instance.ts'
import {reachableFrom} from '../../../../pipelines/code/specialise/reachable.ts'
import {resolveConditions} from '../../../../cpp/resolve-conditions.ts'
import {asPlainEntry, withTemplateValues} from '../../../../pipelines/code/specialise/template-entry.ts'
import {tidy} from '../../../../pipelines/code/specialise/tidy.ts'
import {withTilingKey} from '../../../../pipelines/code/specialise/tiling-keys.ts'

const macros = scenarioMacros({x: 'bfloat16', y: 'float32'})
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()

describe('directives', () => {
  test.each([
    ['#if ORIG_DTYPE_X == DT_BF16\na\n#else\nb\n#endif', 'a'],
    ['#if ORIG_DTYPE_X == DT_FLOAT16\na\n#elif ORIG_DTYPE_Y == DT_FLOAT\nb\n#else\nc\n#endif', 'b'],
    ['#if __CCE_AICORE__ == 310\na\n#endif\nb', 'b'],
    ['#ifndef H_\n#define H_\na\n#endif\n#ifndef H_\n#define H_\na\n#endif', 'a'],
    [
      '#if UNKNOWN\na\n#elif __NPU_ARCH__ == 1\nb\n#elif __NPU_ARCH__ == 2201\nc\n#else\nd\n#endif',
      '#if UNKNOWN\na\n#else\nc\n#endif',
    ],
    ['#if __NPU_ARCH__ == 1\na\n#elif UNKNOWN\nb\n#endif', '#if UNKNOWN\nb\n#endif'],
    ['// #if 0\na // why\n/* #endif */', '// #if 0\na // why\n/* #endif */'],
    ['#define MODE 2\n#if MODE == 2\na\n#endif', '#define MODE 2\na'],
    [
      '#if UNKNOWN\n#define MODE 1\n#endif\n#if MODE == 1\na\n#endif',
      '#if UNKNOWN\n#define MODE 1\n#endif\n#if MODE == 1\na\n#endif',
    ],
    ['#if defined(A) && \\\n    __NPU_ARCH__ == 1\na\n#endif\nb', 'b'],
    ['#ifndef N\n#define N 4\n#endif', '#ifndef N\n#define N 4\n#endif'],
  ])('%j', (text, expected) => expect(resolveConditions(text, macros)).toBe(expected))

  test('macros of types become types, but for names of the text', () => {
    expect(withDtypes('K<DTYPE_X, DTYPE_XY> k; ORIG_DTYPE_X', {x: 'bfloat16'})).toBe(
      'K<bfloat16_t, DTYPE_XY> k; DT_BF16',
    )
    expect(withDtypes('#define DTYPE_X half\nDTYPE_X', {x: 'bfloat16'})).toContain('\nDTYPE_X')
  })
})

describe('tiling keys', () => {
  const chain = 'if (TILING_KEY_IS(1)) { a(); } else if (TILING_KEY_IS(TWO)) { b(); }'
  test.each([
    ['a number', chain, 1, 'TILING_KEY_IS(1)', 'false'],
    ['a constant', chain, 2, 'false', 'TILING_KEY_IS(2UL)'],
    ['the key of a kernel without keys', chain.replace('1', '0'), 0, 'true', 'false'],
  ])('by %s', async (_, text, key, first, second) => {
    const found = await withTilingKey(`#define TWO 2UL\nconst int64_t x = 0;\n${text.replace('TWO', '2UL')}`, key)
    expect(found).toContain(`if (${first}) { a(); } else if (${second})`)
  })

  test('that cannot be told apart, or are not taken, stay', async () => {
    const wide = 'if (TILING_KEY_IS(10000000000000000001)) {} else if (TILING_KEY_IS(10000000000000000002)) {}'
    expect(await withTilingKey(wide, 1e19)).toBe(wide)
    expect(await withTilingKey(chain.replace('TWO', '2'), 3)).toBe(chain.replace('TWO', '2'))
    expect(await withTilingKey(chain, 1)).toBe(chain)
  })
})

describe('branches', () => {
  const inF = (body: string) => `void F() {\n${body}\n}`
  test.each([
    ['if (true) { a(); } else { b(); }', 'a();'],
    ['if (false) { a(); } else if (true) { b(); } else { c(); }', 'b();'],
    ['if (false) { a(); }', ''],
    ['if constexpr (std::is_same<half, float>::value) { a(); } else { b(); }', 'b();'],
    ['if constexpr (std::is_same_v<half, half> || n > 2) { a(); }', 'a();'],
    ['if constexpr (IsSameType<int32_t, half>::value && n) { a(); } c();', 'c();'],
    ['if constexpr (sizeof(half) == 2) { a(); }', 'a();'],
    ['if constexpr (MODE == static_cast<int>(Kind::SECOND)) { a(); } else { b(); }', 'b();'],
    ['if (n) { a(); }', 'if (n) { a(); }'],
    ['if (MODE == 1) { a(); }', 'if (MODE == 1) { a(); }'],
    ['if constexpr (std::is_same<T, float>::value) { a(); }', 'if constexpr (std::is_same<T, float>::value) { a(); }'],
    ['if constexpr (!(false)) { int k = 1; f(k); }', 'int k = 1; f(k);'],
    ['int k = 0; if (true) { int k = 1; f(k); }', 'int k = 0; { int k = 1; f(k); }'],
    ['if (true) { K<half> op; op.Run(); } if (false) { K<float> op; op.Run(); }', 'K<half> op; op.Run();'],
  ])('%j', async (body, expected) => {
    const before = 'constexpr int MODE = 1;\nenum class Kind { FIRST = 1, SECOND = 2 };\n'
    const found = await foldBranches(`${before}${inF(body)}`)
    expect(squeezed(found.slice(before.length))).toBe(squeezed(inF(expected)))
  })
})

describe('class templates', () => {
  const generic = 'template <typename T, int N = 2>\nclass K {\npublic:\n  void F() { Get<T>(N); T t; }\n};\n'
  test('with one instance become plain', async () => {
    expect(squeezed(await asPlainClasses(`${generic}void E() { K<half> k; }`))).toBe(
      'class K { public: void F() { Get<half>(2); half t; } }; void E() { K k; }',
    )
  })

  test('with two, or with a parameter of another template, do not', async () => {
    const two = `${generic}void E() { K<half> k; K<float> l; }`
    expect(await asPlainClasses(two)).toBe(two)
    const open = `${generic}template <typename U> void E() { K<U> k; }`
    expect(await asPlainClasses(open)).toBe(open)
  })

  test('take the member that is defined for their arguments', async () => {
    const members = [
      'template <typename T> class K { void F(); void G(); };',
      'template <typename T> void K<T>::F() { a<T>(); }',
      'template <typename T> void K<T>::G() { general(); }',
      'template <> void K<half>::G() { forHalf(); }',
      'template <> void K<float>::G() { forFloat(); }',
      'void E() { K<half> k; }',
    ].join('\n')
    const found = await asPlainClasses(members)
    expect(found).toContain('void K::F() { a<half>(); }')
    expect(found).toContain('void K::G() { forHalf(); }')
    for (const gone of ['forFloat', 'general', 'template']) expect(found).not.toContain(gone)
  })
})

describe('what the entry reaches', () => {
  const text = [
    '#define USED 1',
    '#define SPARE 2',
    '// Of nobody.',
    'constexpr int spare = SPARE;',
    'struct Data { int a; int b; void Never(); };',
    'namespace N {',
    'void Helper(Data d) { d.a = USED; }',
    'void Lost() { Helper({}); }',
    '}',
    'class K {',
    'public:',
    '  K() {}',
    '  void Run() { N::Helper({}); kept_ = 1; }',
    '  void Other() { lost_ = 1; }',
    '  int kept_;',
    '  int lost_;',
    '};',
    'extern "C" __global__ __aicore__ void other(GM_ADDR x) { K k; k.Other(); }',
    'extern "C" __global__ __aicore__ void entry(GM_ADDR x) { K k; k.Run(); }',
  ].join('\n')

  test('stays, and the rest goes with its comment', async () => {
    const found = await reachableFrom(text, 'entry')
    for (const kept of ['#define USED', 'int a; int b;', 'Helper(Data d)', 'K() {}', 'kept_;', 'void entry'])
      expect(found).toContain(kept)
    for (const gone of ['SPARE', 'Of nobody', 'Lost', 'Other', 'lost_', 'void other', 'Never'])
      expect(found).not.toContain(gone)
  })

  test('of one name in two namespaces, that of the one which is named', async () => {
    const of = (name: string) =>
      `namespace ${name} {\nusing namespace S;\nconstexpr int N = 2;\nint Half(int n) { return n / N; }\n` +
      `class Kernel {\npublic:\n  void Run() { Half(4); } // of ${name}\n};\n}\n`
    const entry = 'void entry(GM_ADDR x) { Sparse::Kernel k; k.Run(); }\n'
    const found = await reachableFrom(`${of('Dense')}${of('Sparse')}${entry}`, 'entry')
    expect(squeezed(found)).toBe(squeezed(`namespace Dense { using namespace S; }\n${of('Sparse')}${entry}`))
    const inside = `namespace Dense {\nint Half(int n) { return n; }\nvoid entry(GM_ADDR x) { Half(1); }\n}\n`
    expect(await reachableFrom(inside, 'entry')).toBe(inside)
    expect(await reachableFrom(of('Dense'), '', new Set(['Kernel', 'Run']))).toBe(of('Dense'))
    const registered = 'namespace optiling {\nint Tiling(int n) { return n; }\nREGISTER(Op).Tiling(Tiling);\n}\n'
    expect(await reachableFrom(registered, '', new Set())).toBe(registered)
  })

  test('and what could not be read stays', async () => {
    const torn = `#if UNKNOWN\nvoid Torn() {}\n#endif\n${text}`
    expect(await reachableFrom(torn, 'entry')).toContain('void Torn()')
  })
})

describe('a template over the tiling key', () => {
  const text = [
    'ASCENDC_TPL_ARGS_DECL(Op, ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT16, ASCENDC_TPL_INPUT(0)),',
    '  ASCENDC_TPL_UINT_DECL(mode, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST, 7, WIDE),',
    '  ASCENDC_TPL_BOOL_DECL(fast, 0, 1));',
    'ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT16)));',
    'template <typename D_T, uint32_t mode, bool fast>',
    '__global__ __aicore__ void op(GM_ADDR x) { K<D_T> k; k.Run(mode, fast, k.mode); }',
  ].join('\n')
  // float16 is 1; the second value of the list, in two bits above eight; then one bit.
  const key = 1 + (1 << 8) + (1 << 10)

  test('has the values that the key stands for', () => {
    expect(withTemplateValues(text, 'op', key)).toContain('{ K<half> k; k.Run(WIDE, true, k.mode); }')
    expect(withTemplateValues(text, 'op', 1)).toContain('{ K<half> k; k.Run(7, false, k.mode); }')
  })

  test('is a plain function without them', () => {
    const plain = asPlainEntry(text, 'op', key)
    expect(plain).toBe('extern "C" __global__ __aicore__ void op(GM_ADDR x) { K<half> k; k.Run(WIDE, true, k.mode); }')
  })

  test('stays where the key means nothing', () => {
    expect(withTemplateValues(text, 'op', 3 << 8)).toBe(text)
    expect(withTemplateValues(text, 'op', 5)).toBe(text)
  })
})

describe('objects of constants', () => {
  test('go, with the parameters that passed them on', async () => {
    const text = [
      'class K { void Init(GM_ADDR x, const TilingDataDef* t); };',
      'void K::Init(GM_ADDR x, const TilingDataDef* t) { n = t->n + (*t).m; Next(*t, 1); }',
      'void Next(const TilingDataDef& u, int i) { m = u.m; }',
      'void entry(GM_ADDR x) {\n    TilingDataDef data;\n    K k;\n    k.Init(x, &data);\n}',
    ].join('\n')
    expect(await holdersGone(text)).toBe(
      [
        'class K { void Init(GM_ADDR x); };',
        'void K::Init(GM_ADDR x) { n = TilingDataDef::n + TilingDataDef::m; Next(1); }',
        'void Next(int i) { m = TilingDataDef::m; }',
        'void entry(GM_ADDR x) {\n    K k;\n    k.Init(x);\n}',
      ].join('\n'),
    )
  })

  test('stay where one is kept', async () => {
    expect(await holdersGone('void F(const TilingDataDef* t) { kept = t; }')).toBeUndefined()
  })
})

test('one header for a licence, no marks of files, no empty space', () => {
  const header = (year: number) => `/**\n * Copyright (c) ${year} Somebody\n */\n`
  const text = [
    '#include "kernel_operator.h"\n// ===== a.h =====\n',
    header(2024),
    '/*!\n * \\file a.h\n */\n',
    'namespace A {\n} // namespace A\nusing namespace A;\n',
    header(2025),
    '// a reason\nint b;\n',
  ].join('')
  expect(tidy(text)).toBe(
    '/**\n * Copyright (c) 2024 Somebody\n */\n#include "kernel_operator.h"\n\n// a reason\nint b;\n',
  )
})

test('licences that differ in marks, or in what slipped before them, are one; another holder is another one', () => {
  const wordings = ['/**\n * Copyright (c) Somebody Co., Ltd.\n */', '/**K\n * Copyright (c) Somebody Co Ltd\n */']
  const other = '/**\n * Copyright (c) Nobody Co., Ltd.\n */'
  expect(tidy(`${wordings.join('\n')}\n${other}\nint b;\n`)).toBe(`${wordings[1]}\n${other}\n\nint b;\n`)
})
