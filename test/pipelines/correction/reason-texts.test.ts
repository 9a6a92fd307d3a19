import {expect, test} from 'vitest'
import {proseFault} from '../../../datasets/gates/row-words.ts'
import {golden} from '../../helpers/golden.ts'
import {cases} from './told-cases.ts'
import {missing, reasonsOf} from './told-reasons.ts'

type Given = Parameters<typeof reasonsOf>[2]

/** Steps that lie beside those of told-cases.ts: a word less or more, and there is another reason or none. */
const beside: [failed: string, right: string, given?: Given][] = [
  // Arguments.
  ['if (a, b) { }', 'if (a) { }'],
  ['Adds(y, x, 1, count, x);', 'Adds(y, x, 1, count);'],
  ['Adds(y, x, 1, count, y, 3);', 'Adds(y, x, 1, count);'],
  ['One(x, 1);', 'One(x);'],
  ['None(x);', 'None();'],
  ['None();', 'None(x);'],
  ['None();', 'None(x, y);'],
  ['One(x);', 'One(x, y, count);'],
  ['One(x);', 'One(y, x, count);'],
  ['Mul(y, count, x);', 'Mul(y, x, count);'],
  ['Sub(y, s, t, count);', 'Sub(y, t, s, count);'],
  ['Sub(count, s, t, y);', 'Sub(y, s, t, count);'],
  ['Strange(y, s, t);', 'Strange(y, t, s);'],
  ['DataCopy(x, xGm_, count);', 'DataCopy(xGm_, x, count);'],
  ['DataCopy(x, count, y);', 'DataCopy(x, y, count);'],
  ['Mul(y, {x, x});', 'Mul(y, x, x);'],
  ['Mul(y, {x, s}, count);', 'Mul(y, x, x, count);'],
  ['Mul({y, x}, x, count);', 'Mul(y, x, x, count);'],
  ['Adds(y, x, 1, 128, 4, {1, 1, 8, 8});', 'Adds(y, x, 1, count);'],
  ['Adds(y, x, 1, 128, 4, 8);', 'Adds(y, x, 1, count);'],
  ['Adds(y, x, 1, 128, 4, {1, 1, 8, 8}, 0);', 'Adds(y, x, 1, count);'],
  ['Adds(y, x, 2, 128, 4);', 'Adds(y, x, 1, count);'],
  ['Other(y, x, 1, 128, 4);', 'Other(y, x, 1, count);'],
  ['Adds(x.GetPhyAddr(), x, 1, count);', 'Adds(x, x, 1, count);'],
  ['Adds(*x, x, 1, count);', 'Adds(x, x, 1, count);'],
  ['Adds(x.GetValue(0), x, 1, count);', 'Adds(x, x, 1, count);'],
  ['Adds(x.GetValue(1), x, 1, count);', 'Adds(x, x, 1, count);'],
  ['Adds(buf_, x, 1, count);', 'Adds(y, x, 1, count);'],
  ['Adds(count, x, 1, count);', 'Adds(y, x, 1, count);'],
  ['Adds(y, x, x, count);', 'Adds(y, x, count, count);'],
  ['DataCopyPad(x, y, p);', 'DataCopyPad(xGm_, y, p);'],
  // Statements too many.
  ['TPipe p; TPipe q;', ''],
  ['FreeTensor(x); FreeTensor(x);', 'FreeTensor(x);'],
  ['inQueue_.FreeTensor(z);\nf();\ng();\ninQueue_.FreeTensor(z);', 'inQueue_.FreeTensor(z);\nf();\ng();'],
  ['outQueue_.EnQue(z); outQueue_.EnQue(z);', 'outQueue_.EnQue(z);'],
  ['SetFlag<E>(0); SetFlag<E>(0); WaitFlag<E>(0);', 'SetFlag<E>(0); WaitFlag<E>(0);'],
  ['SetFlag<E>(0); WaitFlag<E>(0); WaitFlag<E>(0);', 'SetFlag<E>(0); WaitFlag<E>(0);'],
  ['f(x); f(x);', 'f(x);'],
  ['SetFlag<E>(1); SetFlag<E>(0); WaitFlag<E>(0);', 'SetFlag<E>(0); WaitFlag<E>(0);'],
  ['SetFlag<E>(1);', ''],
  ['SetFlag<E>(1); inQueue_.DeQue<T>();', 'inQueue_.DeQue<T>();'],
  ['SetAtomicNone();', ''],
  ['SetAtomicMax();', ''],
  ['CrossCoreSetFlag(3);', ''],
  ['CrossCoreSetFlag(3); SyncAll();', 'SyncAll();'],
  ['CrossCoreSetFlag(3); CrossCoreWaitFlag(3);', 'CrossCoreWaitFlag(3);'],
  ['for (int i = 0; i < 2; ++i) { CrossCoreSetFlag(3); }', ''],
  ['for (int i = 0; i < 2; ++i) { Other(3); }', ''],
  ['for (int i = 0; i < 2; ++i) { f(); g(); }', ''],
  ['auto z = inQueue_.AllocTensor<T>();', ''],
  ['auto z = inQueue_.AllocTensor<T>(); f(z);', 'f(z);'],
  ['inQueue_.AllocTensor<T>();', ''],
  ['auto z = inQueue_.Get<T>();', ''],
  ['z = inQueue_.DeQue<T>(); z = inQueue_.DeQue<U>();', 'z = inQueue_.DeQue<T>();'],
  ['z = inQueue_.DeQue<T>(); z = midQueue_.DeQue<T>();', 'z = inQueue_.DeQue<T>();'],
  ['inQueue_.FreeTensor(z);\nf(z);\ninQueue_.FreeTensor(z);', 'f(z);\ninQueue_.FreeTensor(z);'],
  ['inQueue_.FreeTensor(z);\nf(w);\ninQueue_.FreeTensor(z);', 'f(w);\ninQueue_.FreeTensor(z);'],
  ['midQueue_.EnQue(z);\nf();\nmidQueue_.FreeTensor(z);', 'midQueue_.EnQue(z);\nf();'],
  ['midQueue_.EnQue(w); midQueue_.FreeTensor(z);', 'midQueue_.EnQue(w);'],
  ['x.EnQue();', '', missing('EnQue')],
  ['x.Shape();', '', {errors: ["no member named 'Shape' in 'AscendC::LocalTensor<float>'"]}],
  ['x.EnQue();', '', {errors: ["no member named 'EnQue' in 'AscendC::LocalTensor<float>'"]}],
  ['buf_.Size();', '', {errors: ["no member named 'Size' in 'AscendC::TBuf<>'"]}],
  ['inQueue_.Size();', '', {errors: ["no member named 'Size' in 'TQue'"]}],
  ['xGm_.Shape();', '', {errors: ["no member named 'Shape' in 'GlobalTensor'"]}],
  ['DataCopy(x, y, 8);', ''],
  ['DataCopy(x, xGm_, 8);', ''],
  ['DataCopy(xGm_, x, 8);', ''],
  ['DataCopy(xGm_[1], y, 8); DataCopy(xGm_, x, 8);', 'DataCopy(xGm_[1], y, 8);'],
  ['DataCopy(xGm_[1], y, 8); DataCopy(xGm_, y, 8);', 'DataCopy(xGm_[1], y, 8);'],
  ['DataCopy(xGm_, y, 8); DataCopy(xGm_, y, 16);', 'DataCopy(xGm_, y, 8);'],
  ['DataCopy(a, b, 8);', ''],
  ['DataCopyPad(xGm_, x, p);', ''],
  // Statements that are missing.
  ['', 'using namespace AscendC;'],
  ['', '#include "kernel_operator.h"'],
  ['', 'outQueue_.EnQue(y);'],
  ['', 'y = outQueue_.AllocTensor<T>();'],
  ['', 'x = inQueue_.DeQue<T>();'],
  ['', 'pipe.InitBuffer(buf_, n);'],
  ['', 'xGm_.SetGlobalBuffer(a, n);'],
  ['', 'SetFlag<HardEvent::V_S>(0);'],
  ['', 'WaitFlag<HardEvent::V_S>(0);'],
  ['', 'PipeBarrier<PIPE_V>();'],
  ['', 'SyncAll();'],
  ['', 'DataCopyPad(xGm_, y, p);'],
  ['', 'DataCopyPad(x, xGm_, p, q);'],
  ['', 'context->SetBlockDim(cores);'],
  ['', 'context->SetTilingKey(1);'],
  ['', 'return ge::GRAPH_SUCCESS;'],
  ['', 'GET_TILING_DATA(t, tiling);'],
  ['', 'op.Process();'],
  ['', 'a = 1;'],
  ['', 'Adds(y, x, 1, count);\nMuls(y, y, 2, count);'],
  ['', 'inQueue_.FreeTensor(z);\noutQueue_.EnQue(z);\nmidQueue_.FreeTensor(z);\nf();'],
  ['Help(1);', 'Help(1);\nvoid Help(int n) {\nf(n);\n}'],
  ['', 'void Help(int n) {\nf(n);\n}'],
  // Other calls.
  ['inQueue_.EnQue(y);', 'outQueue_.EnQue(y);'],
  ['midQueue_.DeQue<T>();', 'inQueue_.DeQue<T>();'],
  ['x = inQueue_.DeQue<T>();', 'x = inQueue_.AllocTensor<T>();'],
  ['Add(y, x, 1, count);', 'Adds(y, x, 1, count);'],
  ['Add(y, x, x, count);', 'Mul(y, x, x, count);'],
  ['Add(y, x, s, count);', 'Adds(y, x, s, count);', {errors: ['no matching function']}],
  ['Add(y, x, 1, count);', 'Adds(y, x, 1, count);', {errors: ['no matching function']}],
  ['DataCopy(xGm_, y, p);', 'DataCopyPad(xGm_, y, p);'],
  ['DataCopy(xGm_, y, count);', 'DataCopyPad(xGm_, y, p);'],
  ['DataCopy(xGm_, x, count);', 'DataCopyPad(xGm_, y, p);'],
  // Expressions.
  ['DataCopyPad(xGm_[start * 4], y, p);', 'DataCopyPad(xGm_[start], y, p);'],
  ['DataCopyPad(xGm_[start - 1], y, p);', 'DataCopyPad(xGm_[start], y, p);'],
  ['DataCopyPad(xGm_[other], y, p);', 'DataCopyPad(xGm_[start], y, p);'],
  ['Adds(x[1], x, 1, count);', 'Adds(x, x, 1, count);'],
  ['Adds(y, f[8], 1, count);', 'Adds(y, f, 1, count);'],
  ['Adds(x[8], y, 1, count);', 'Adds(x, y, 1, count);'],
  ['DataCopyExtParams p{2, 8, 0, 0, 0};', 'DataCopyExtParams p{1, 8, 0, 0, 0};'],
  ['DataCopyExtParams p{1, 8 / 2, 0, 0, 0};', 'DataCopyExtParams p{1, 8, 0, 0, 0};'],
  ['DataCopyExtParams p{1, n + 32, 0, 0, 0};', 'DataCopyExtParams p{1, n, 0, 0, 0};'],
  ['DataCopyExtParams p{1, n * 2, 0, 0, 0};', 'DataCopyExtParams p{1, n, 0, 0, 0};'],
  ['DataCopyExtParams p{1, m, 0, 0, 0};', 'DataCopyExtParams p{1, n, 0, 0, 0};'],
  ['DataCopyExtParams p{1, 8, 2, 3, 0};', 'DataCopyExtParams p{1, 8, a, b, 0};'],
  ['DataCopyPadExtParams<T> p{true, 0, 0, 0};', 'DataCopyPadExtParams<T> p{false, 0, 3, 0};'],
  ['DataCopyPadExtParams<T> p{true, 2, 0, 0};', 'DataCopyPadExtParams<T> p{true, 0, 0, 0};'],
  ['xGm_.SetGlobalBuffer(a - 1, n);', 'xGm_.SetGlobalBuffer(a, n);'],
  ['xGm_.SetGlobalBuffer(b, n);', 'xGm_.SetGlobalBuffer(a, n);'],
  ['Cast(y, x, RoundMode::CAST_ODD, count);', 'Cast(y, x, RoundMode::CAST_RINT, count);'],
  ['Cast(y, x, RoundMode::CAST_NONE, count);', 'Cast(y, x, RoundMode::CAST_ODD, count);'],
  ['pipe.InitBuffer(inQueue_, 2, n * 2);', 'pipe.InitBuffer(inQueue_, 2, n);'],
  ['pipe.InitBuffer(inQueue_, 1, n);', 'pipe.InitBuffer(inQueue_, 2, n);'],
  ['ReduceSum(y, x, x, count / 2);', 'ReduceSum(y, x, x, count);'],
  ['context->SetBlockDim(cores / 2);', 'context->SetBlockDim(cores);'],
  ['context->SetBlockDim(48);', 'context->SetBlockDim(cores);'],
  // Types and values.
  ['LocalTensor<half> x = inQueue_.DeQue<half>();', 'LocalTensor<float> x = inQueue_.DeQue<float>();'],
  ['GlobalTensor<T> z = buf_.Get<T>();', 'LocalTensor<T> z = buf_.Get<T>();'],
  ['TQue<QuePosition::VECIN, 1> q;', 'TQue<QuePosition::VECOUT, 1> q;'],
  ['const float s = 0;\ns += 1;', 'float s = 0;\ns += 1;'],
  ['float16 v = 1;', 'half v = 1;', {errors: ["unknown type name 'float16'"]}],
  ['uint32_t n = count;', 'uint32_t n = static_cast<uint32_t>(count);'],
  ['if (a > b) { }', 'if (a < b) { }'],
  ['if (a == b) { }', 'if (a != b) { }'],
  ['if (a) { }', 'if (!a) { }'],
  ['for (int i = 1; i < n; ++i) {}', 'for (int i = 0; i < n; ++i) {}'],
  ['for (int i = 0; i < n; i += 2) {}', 'for (int i = 0; i < n; ++i) {}'],
  ['sum = v;', 'sum += v;'],
  ['n = tiling.tile;', 'n = tiling.length;'],
  ['n = x->GetDim(2);', 'n = x->GetDim(1);'],
  ['n = x->GetDim(a + 1);', 'n = x->GetDim(a);'],
  ['n = std::min(a, b);', 'n = std::max(a, b);'],
  ['t.set_length(a);', 't.set_length(b);'],
  ['t.set_a(b);', 't.set_a(a);'],
  ['a_ = 1;', 'a_ = 2;'],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile;\nuint32_t a = x *\n2;\nuint32_t b = 7;\nTILING_DATA_FIELD_DEF(uint32_t, tile);' +
      '\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length;\nuint32_t a = x *\n2;\nuint32_t b = 7;\nTILING_DATA_FIELD_DEF(uint32_t, ' +
      'tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'f(tiling.tile);\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'f(tiling.length);\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(a);',
    'n_ = tiling.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(a);',
  ],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(length);',
    'n_ = tiling.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(length);',
  ],
  ['n_ = tiling.tile;\nFIELD(tile);\nt.set_length(b);', 'n_ = tiling.length;\nFIELD(tile);\nt.set_length(b);'],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(b);',
    'n_ = tiling.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(b);',
  ],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = plan.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = otherTiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile + 1;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length + 1;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile + tiling.cores;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length + tiling.cores;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.cores + tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.cores + tiling.length;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  [
    'n_ = tiling.tile;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
    'n_ = tiling.length + tiling.cores;\nTILING_DATA_FIELD_DEF(uint32_t, tile);\nt.set_tile(a);\nt.set_length(b);',
  ],
  ['if (start >= n || GetBlockIdx() == 0) { return; }', 'if (start >= n) { return; }'],
  ['if (start >= n || GetBlockIdx() == 1) { return; }', 'if (start >= n) { return; }'],
  ['for (int i = 0; i <= m; ++i) {}', 'for (int i = 0; i < n; ++i) {}'],
  ['for (int i = 0; i + tile < n; i += tile) {}', 'for (int i = 0; i < n; i += tile) {}'],
  ['for (int i = 0; i + 1 < n; i += tile) {}', 'for (int i = 0; i < n; i += tile) {}'],
  ['for (int i = 0; i + 2 < n; ++i) {}', 'for (int i = 0; i < n; ++i) {}'],
  ['if constexpr (a >= b) { }', 'if constexpr (a < b) { }'],
  ['if (a <= b) return;', 'if (a > b) return;'],
  ['while (a <= b) { }', 'while (a > b) { }'],
  ['n = tile;', 'n = i == turns - 1 ? tail : tile;'],
  ['n = tile;', 'n = i == turns ? other : tile;'],
  ['n = tile;', 'n = rest > tile ? tile : rest;'],
  ['m = tile;', 'n = last ? rest : tile;'],
  ['n = tiles;', 'n = last ? rest : tile;'],
  ['f(y, 1);\nSetFlag<E>(0);\ng(y, 2);\nh(y, 3);', 'SetFlag<E>(0);\nf(y, 1);\ng(y, 2);\nh(y, 3);'],
  ['WaitFlag<E>(0);\ng(y, 2);\nh(y, 3);\nSetFlag<E>(0);', 'SetFlag<E>(0);\nWaitFlag<E>(0);\ng(y, 2);\nh(y, 3);'],
  ['WaitFlag<E>(0);\nSetFlag<E>(0);\ng(y, 2);', 'SetFlag<E>(0);\ng(y, 2);\nWaitFlag<E>(0);'],
  ['g(y, 2);\nWaitFlag<E>(0);\nh(y, 3);', 'g(y, 2);\nh(y, 3);\nWaitFlag<E>(0);'],
  ['f(z, 1);\ng(z, 1);\ninQueue_.FreeTensor(z);', 'inQueue_.FreeTensor(z);\nf(z, 1);\ng(z, 1);'],
  ['f(z, 1);\ng(z, 1);\ninQueue_.EnQue(z);', 'inQueue_.EnQue(z);\nf(z, 1);\ng(z, 1);'],
  ['inQueue_.EnQue(z);\nf(w, 1);\ng(w, 1);', 'f(w, 1);\ng(w, 1);\ninQueue_.EnQue(z);'],
  ['if (a) {\nuint32_t n = 1;\nf(n);\n}\ng(n);', 'uint32_t n = 1;\nf(n);\ng(n);', missing('n')],
  ['if (a) {\nuint32_t n = 1;\nf(n);\n}\ng(m);', 'uint32_t n = 1;\nf(n);\ng(m);', missing('n')],
  ['if (a) {\nuint32_t n = 1;\nf(n);\n}\ng(n);', 'uint32_t n = 1;\nf(n);\ng(n);', missing('m')],
  ['g(n);\nif (a) {\nuint32_t n = 1;\nf(n);\n}', 'g(n);\nuint32_t n = 1;\nf(n);', missing('n')],
  // Order.
  ['b(); a(); c();', 'a(); b(); c();'],
  ['inQueue_.EnQue(z); DataCopy(z, xGm_, 8); f();', 'DataCopy(z, xGm_, 8); inQueue_.EnQue(z); f();'],
  ['SetFlag<E>(0); f(); g(); WaitFlag<E>(0);', 'f(); g(); SetFlag<E>(0); WaitFlag<E>(0);'],
  ['WaitFlag<E>(0); f(); g(); SetFlag<E>(0);', 'SetFlag<E>(0); f(); g(); WaitFlag<E>(0);'],
  ['inQueue_.FreeTensor(z); f(z); g(z);', 'f(z); g(z); inQueue_.FreeTensor(z);'],
  ['f(z); g(z); z = inQueue_.DeQue<T>();', 'z = inQueue_.DeQue<T>(); f(z); g(z);'],
  ['f(n); g(n); uint32_t n = 1;', 'uint32_t n = 1; f(n); g(n);'],
  ['{ f(); g(); }', 'f(); g();'],
  ['if (GetBlockIdx() == 0) { uint32_t n = 1; } f(n);', 'uint32_t n = 1; f(n);'],
  ['if (a) { f(); } g();', 'f(); g();'],
]

const line = (text: string) => text.replaceAll('\n', ' ⏎ ')
const languages = ['en', 'zh'] as const
const told = (failed: string, right: string, given: Given) =>
  languages.map((language) => reasonsOf(failed, right, {...given, language}))

test('what is said of a step, with all its words', () => {
  const lines = beside.flatMap(([failed, right, given]) => {
    const [english = [], chinese = []] = told(failed, right, given)
    const words = english.flatMap((reason, at) => [
      reason ? `${reason.fromCode ? '  ' : '? '}${reason.fault} ${reason.why}`.trimEnd() : '  nothing',
      ...(reason ? [`  ${chinese[at]?.fault} ${chinese[at]?.why}`.trimEnd()] : []),
    ])
    return ['', `- ${line(failed)}`, `+ ${line(right)}`, ...words]
  })
  golden('test/fixtures/told/reasons.txt', `${lines.slice(1).join('\n')}\n`)
  expect(beside.length).toBeGreaterThan(100)
})

test.each(cases)('both languages say of %s the same, each in its own words', (_, failed, right, __, given) => {
  const [english = [], chinese = []] = told(failed, right, given)
  expect(chinese.map((reason) => reason && Boolean(reason.fromCode))).toEqual(
    english.map((reason) => reason && Boolean(reason.fromCode)),
  )
  for (const [at, reason] of english.entries()) {
    const other = chinese[at]
    if (!reason || !other) continue
    expect(namesIn(`${other.fault} ${other.why}`)).toEqual(namesIn(`${reason.fault} ${reason.why}`))
    expect(reason.fault).not.toMatch(/\p{Script=Han}/u)
    expect(other.fault).toMatch(/\p{Script=Han}/u)
  }
})

test.each(languages)('every wording in %s is whole', (language) => {
  const steps: [string, string, Given?][] = [
    ...cases.map(([, failed, right, _, given]) => [failed, right, given] as const),
    ...beside,
  ].map(([...step]) => step)
  for (const [failed, right, given] of steps) {
    const [first, ...others] = [0, 1, 2, 3].map((at) => reasonsOf(failed, right, {...given, language, at}))
    for (const other of others)
      for (const [at, reason] of (first ?? []).entries()) {
        const [one, text] = [reason, other[at]].map((each) => (each ? `${each.fault} ${each.why}` : ''))
        expect([failed, Boolean(text)]).toEqual([failed, Boolean(one)])
        expect(proseFault(text ?? '', language)).toBeUndefined()
        if (language === 'en') expect(text?.replace(/`[^`]*`/g, 'C')).not.toMatch(/(?:^|[.] )[a-z]/)
        expect(text?.replace(/`[^`]*`/g, '')).not.toMatch(/undefined|NaN|\{\w+[,}]|[\u4e00-\u9fff][,;:]/)
      }
  }
})

const namesIn = (text: string) => [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name))].sort()
