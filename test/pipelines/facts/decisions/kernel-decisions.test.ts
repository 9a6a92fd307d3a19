import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../../datasets/schema/decision.ts'
import {CheckedOperatorSource} from '../../../../datasets/schema/operator.ts'
import {kernelDecisions} from '../../../../pipelines/facts/decisions/kernel-decisions.ts'
import {readsOf} from '../../../../pipelines/facts/decisions/waits.ts'
import {kernelFacts} from '../../../../pipelines/facts/kernel-facts.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

async function decided(text: string): Promise<Decision[]> {
  const target = {path: 'op_kernel/a.h', text}
  const changed = {...source, side: 'kernel' as const, dependencies: [], target}
  return kernelDecisions(changed, await kernelFacts(changed))
}

const tensors = 'LocalTensor<float> a, LocalTensor<float> b, LocalTensor<float> c, float s, int n'
const compute = (body: string, members = '') =>
  `class K {\npublic:\nvoid Compute(${tensors}) { ${body} }\n${members}\n};\n`
const of = (all: readonly Decision[], topic: Decision['topic']) => all.filter((one) => one.topic === topic)
const told = (all: readonly Decision[]) => all.map(({topic, situation}) => `${topic} ${situation}`)
const evidence = (all: readonly Decision[]) => all.every(({because}) => because.length > 0)

describe('a formula', () => {
  const formula = async (body: string) => {
    const [one] = of(await decided(compute(body)), 'formula')
    return one && `${one.situation}: ${one.values['target']} = ${one.values['expression']}`
  }

  test.each([
    ['Adds(a, b, s, n); Muls(a, a, 2.0f, n);', 'in-place: a = (b + s) * 2'],
    ['Muls(a, b, -1.0f, n); Adds(a, a, 1.0f, n);', 'in-place: a = 1 - b'],
    ['Adds(a, b, -s, n); Abs(a, a, n);', 'in-place: a = |b - s|'],
    ['Mul(a, b, b, n); Muls(d, b, s, n); Sub(a, a, d, n);', 'scratch: a = b * b - b * s'],
    ['Sub(d, a, b, n); Div(a, a, d, n);', 'scratch: a = a / (a - b)'],
    ['Muls(c, c, s, n); Add(a, b, c, n);', 'over-inputs: a = b + c * s'],
    ['Exp(d, b, n); Ln(a, d, n);', 'through: a = ln(exp(b))'],
    ['LocalTensor<float> d = a; Exp(d, b, n); Ln(a, d, n);', 'in-place: a = ln(exp(b))'],
    ['Exp(c, b, n); Adds(a, c, 1.0f, n); Div(a, c, a, n);', 'shared: a = u / (u + 1)'],
    ['Abs(a, b, n); Muls(a, a, 1.0f / s, n);', 'in-place: a = |b| / s'],
    // One running value needs no second place: the other operand stands in its own tensor.
    ['Add(d, b, c, n); Mul(d, d, c, n); Muls(a, d, s, n);', 'through: a = (b + c) * c * s'],
    ['Add(d, b, c, n); Abs(a, d, n); Mul(a, a, d, n);', 'shared: a = |u| * u'],
    ['Add(d, u0, c, n); Abs(a, d, n); Mul(a, a, d, n);', 'shared: a = |v| * v'],
    ['Add(d, wLocal, uLocal, n); Abs(a, d, n); Mul(a, a, d, n);', 'shared: a = |v| * v'],
    ['Add(d, b, c, n); Abs(a, d, n); Mul(a, a, d, n); Add(e, b, c, n); Muls(e, e, s, n);', 'named: a = |u| * u'],
    ['Cast(a, b, RoundMode::CAST_FLOOR, n); Muls(a, a, s, n); Adds(a, a, s, n);', 'in-place: a = floor(b) * s + s'],
    ['Axpy(a, b, s, n); Exp(a, a, n);', 'in-place: a = exp(a + b * s)'],
    ['Muls(a, b, s, n); Adds(a, a, s, n); Cast(a, a, RoundMode::CAST_RINT, n);', 'in-place: a = rint(b * s + s)'],
    // Members of one object are tensors of their own.
    ['Sub(t.w, t.right, t.left, n); Maxs(t.w, t.w, 0.0f, n);', 'in-place: t.w = max(t.right - t.left, 0)'],
    ['Adds(t.x, t.a, 0.0f, n); Sub(t.w, t.b, t.x, n); Maxs(t.w, t.w, s, n);', 'in-place: t.w = max(t.b - t.a, s)'],
  ])('is put together of instructions: %s', async (body, expected) => {
    expect(await formula(body)).toBe(expected)
  })

  test.each([
    ['one instruction', 'Exp(a, b, n);'],
    ['another branch', 'if (n > 8) { Exp(a, b, n); } Ln(a, a, n);'],
    ['a scalar that changes in between', 'Muls(a, b, s, n);\ns = s + 1;\nAdds(a, a, s, n);'],
    ['an unknown call in between', 'Exp(a, b, n); Change(a); Ln(a, a, n);'],
    ['a member that is set anew in between', 'Sub(t.w, t.r, t.l, n);\nt.w = t.h;\nMaxs(t.w, t.w, s, n);'],
    ['parts of one member', 'Sub(t.w, t.r, t.l, n); Maxs(t.w, t.w[8], s, n);'],
    ['an unknown rounding', 'Muls(a, b, s, n); Cast(a, a, mode, n);'],
    ['other lengths', 'Exp(a, b, n); Ln(a, a, n * 2);'],
    ['a part of what was written', 'Exp(a, b, n); Ln(c, a[8], n);'],
  ])('is not made across %s', async (_, body) => {
    expect(await formula(body)).toBeUndefined()
  })

  test.each([
    ['if (fast) { Exp(a, b, n); Ln(a, a, n); }', 'fast'],
    ['if (fast) { n = 8; } else { Exp(a, b, n); Ln(a, a, n); }', '!(fast)'],
    ['switch (mode) { case 3: Exp(a, b, n); Ln(a, a, n); break; }', 'mode == 3'],
    [`if (${'very'.repeat(20)}) { Exp(a, b, n); Ln(a, a, n); }`, undefined],
    ['Exp(a, b, n); Ln(a, a, n);', 'none'],
  ])('is told with the branch that it holds in, or not at all: %s', async (body, where) => {
    expect(of(await decided(compute(body)), 'formula')[0]?.values['where']).toBe(where)
  })

  test('that others follow in the same way is told once', async () => {
    const all = await decided(compute('Muls(a, b, s, n); Adds(a, a, s, n); Muls(c, b, 2.0f, n); Adds(c, c, 1.0f, n);'))
    expect(of(all, 'formula').map(({values}) => [values['target'], values['alike']])).toEqual([['a', ['c']]])
  })
})

describe('a wait', () => {
  const buffers = 'GlobalTensor<float> xGm;'
  const waits = async (body: string) =>
    of(await decided(compute(body, buffers)), 'waits').map(
      ({situation, values: {tensor, first, next}}) => `${situation} ${first} ${tensor} ${next}`,
    )

  test.each([
    ['Exp(a, b, n); PipeBarrier<PIPE_V>(); Ln(c, a, n);', 'barrier-reads Exp a Ln'],
    [
      'DataCopy(a, xGm, n); SetFlag<HardEvent::MTE2_V>(e); WaitFlag<HardEvent::MTE2_V>(e); Exp(b, a, n);',
      'flag-reads DataCopy a Exp',
    ],
    [
      'DataCopy(xGm, a, n); SetFlag<HardEvent::MTE3_V>(e); WaitFlag<HardEvent::MTE3_V>(e); Exp(a, b, n);',
      'flag-overwrites DataCopy a Exp',
    ],
    [
      'Exp(a, b, n); SetFlag<HardEvent::V_S>(e); WaitFlag<HardEvent::V_S>(e); s = a.GetValue(0);',
      'flag-reads-auto Exp a GetValue',
    ],
  ])('is told by the tensor that both touch: %s', async (body, expected) => {
    expect(await waits(body)).toEqual([expected])
  })

  test.each([
    ['a tensor that one pipe reads and then writes', 'Exp(c, a, n); PipeBarrier<PIPE_V>(); Ln(a, b, n);'],
    ['no tensor in common', 'Exp(a, b, n); PipeBarrier<PIPE_V>(); Ln(c, c, n);'],
    ['another barrier before the reader', 'Exp(a, b, n); PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_V>(); Ln(c, a, n);'],
    ['two arms of a branch', 'if (n) { Exp(a, b, n); } else { PipeBarrier<PIPE_V>(); Ln(c, a, n); }'],
    ['a flag that nobody waits for', 'DataCopy(a, xGm, n); SetFlag<HardEvent::MTE2_V>(e); Exp(b, a, n);'],
  ])('is not told with %s', async (name, body) => {
    const found = await waits(body)
    expect(found).toEqual(name.startsWith('another') ? ['barrier-reads Exp a Ln'] : [])
  })

  const helper = 'float Read(LocalTensor<float> r) { Sync<HardEvent::V_S>(); return r.GetValue(0); }'
  const scalar = async (body: string, members = '') =>
    of(await decided(compute(body, members)), 'waits').map(
      ({situation, values: {first, tensor, by, more}}) => `${situation} ${first} ${tensor} ${by} ${more}`,
    )

  test.each([
    ['ReduceSum(a, b, c, n); s = a.GetValue(0);', '', 'scalar-auto ReduceSum a a.GetValue(0) 0'],
    [
      'ReduceSum(a, b, c, n); Sync<HardEvent::V_S>(); s = a.GetValue(0);',
      '',
      'scalar-before ReduceSum a Sync<HardEvent::V_S> 0',
    ],
    ['ReduceMax(a, b, c, n); s = Read(a); Exp(a, b, n); s = Read(a);', helper, 'scalar-helper ReduceMax a Read(a) 1'],
  ])('of the scalar unit for a result of the vector unit: %s', async (body, members, expected) => {
    expect(await scalar(body, members)).toEqual([expected])
  })

  test.each([
    ['s = a.GetValue(0); ReduceSum(a, b, c, n);', ''],
    ['ReduceSum(a, b, c, n); s = b.GetValue(0);', ''],
    ['ReduceSum(a, b, c, n); s = Read(a);', 'float Read(LocalTensor<float> r) { return r.GetSize(); }'],
  ])('of the scalar unit is not told where it reads nothing that was written: %s', async (body, members) => {
    expect(await scalar(body, members)).toEqual([])
  })

  test('is that of the barrier nearest to the reader', async () => {
    const all = await decided(compute('Exp(a, b, n); PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_V>(); Ln(c, a, n);'))
    expect(of(all, 'waits').map(({values}) => values['more'])).toEqual([0])
  })

  test('counts no pair that an earlier barrier has set in order already', async () => {
    const barrier = 'PipeBarrier<PIPE_V>();'
    const all = await decided(
      compute(`Exp(a, b, n); ${barrier} Ln(c, a, n); ${barrier} Abs(d, a, n); ${barrier} Relu(e, a, n);`),
    )
    expect(of(all, 'waits').map(({values}) => values['more'])).toEqual([0])
  })

  test('of many is told once with their number', async () => {
    const all = await decided(
      compute('Exp(a, b, n); PipeBarrier<PIPE_V>(); Ln(c, a, n); PipeBarrier<PIPE_V>(); Abs(b, c, n);'),
    )
    expect(of(all, 'waits').map(({values}) => values['more'])).toEqual([1])
  })
})

describe('the scalar unit reads', () => {
  const taken = 'LocalTensor<float> v = inQueue.DeQue<float>();'
  test.each([
    [`${taken} s = v.GetValue(0); Muls(a, b, s, n);`, 'copied'],
    [`${taken} WaitFlag<HardEvent::MTE2_S>(id); s = v.GetValue(0);`, 'flagged'],
    [`${taken} Exp(v, v, n); s = v.GetValue(0);`, 'computed'],
    [`${taken} s = v.GetValue(0); Exp(v, v, n);`, 'copied'],
    [`${taken} ReduceSum(a, v, c, n); s = a.GetValue(0);`, 'computed'],
    [`${taken} s = v.GetValue(0); ReduceSum(a, v, c, n); s = a.GetValue(0);`, 'computed'],
    ['Exp(a, b, n);', 'none'],
  ])('what a copy brought, or what the vector unit wrote: %s', async (body, expected) => {
    const target = {path: 'op_kernel/a.h', text: compute(body)}
    expect(readsOf(await kernelFacts({...source, side: 'kernel', dependencies: [], target}))).toBe(expected)
  })
})

describe('a choice of instruction', () => {
  test.each([
    ['Muls(a, b, -1.0f, n); Adds(a, a, s, n);', 'subtract-from'],
    ['Adds(a, b, -s, n);', 'no-subs'],
    ['Mul(a, b, b, n);', 'square'],
    ['Mins(a, b, 6.0f, n); Maxs(a, a, 0.0f, n);', 'clamp'],
    ['Mins(a, b, LIMIT, n); Maxs(a, a, 0.0f, n);', 'clamp'],
    ['Mins(a, b, s, n); Maxs(a, a, 0.0f, n);', 'clamp-open'],
    ['Maxs(a, b, 0.0f, n); Mins(a, a, s, n);', 'clamp-open'],
    ['Compare(m, a, a, CMPMODE::EQ, n);', 'nan-test'],
    ['Cast(i, a, RoundMode::CAST_FLOOR, n); Cast(a, i, RoundMode::CAST_NONE, n);', 'integer-part'],
    ['Muls(a, b, 1.0f / s, n);', 'reciprocal-factor'],
    ['Gather(a, b, i, 0, n);', 'byte-offsets'],
    ['CompareScalar(m, a, s, CMPMODE::GT, n);', 'whole-repeats'],
    ['Select(a, m, b, s, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);', 'select-float'],
    ['Select(i, m, i, s, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);', 'select'],
    ['ReduceMax(a, b, c, n);', 'reduction'],
    ['Rsqrt(a, b, n);', 'approximate'],
    ['Duplicate(a, s, n); Sub(a, a, b, n);', 'fill'],
    ['Adds(a, a, s, n); Mul(a, a, b, n); Adds(a, a, s, n); Mul(a, a, b, n);', 'horner'],
    ['TransDataTo5HD<half>(to, from, params);', 'transpose'],
  ])('is explained by a rule: %s', async (body, situation) => {
    const all = of(await decided(compute(body)), 'instruction')
    expect(told(all)).toContain(`instruction ${situation}`)
    const ruled = all.filter((one) => one.situation !== 'horner')
    expect(ruled.every(({because}) => because.some(({kind}) => kind === 'rule'))).toBe(true)
  })

  test.each([
    ['Muls(a, b, 2.0f, n); Adds(a, a, s, n);'],
    ['Adds(a, a, s, n); Mul(a, a, b, n); Adds(a, a, s, n); Mul(a, a, c, n);'],
    ['Adds(a, b, s, n);'],
    ['Mul(a, b, c, n);'],
    ['ReduceSum(a, b, c, n);'],
    ['Mins(a, b, s, n); Maxs(c, b, 0.0f, n);'],
    ['Compare(m, a, b, CMPMODE::GT, n2, 8, p);'],
    ['Muls(a, b, 1.0f / 2.0f, n);'],
    ['Duplicate(a, s, n); Sub(a, b, a, n);'],
  ])('is none where the rule does not apply: %s', async (body) => {
    expect(of(await decided(compute(body)), 'instruction')).toEqual([])
  })
})

describe('a copy', () => {
  const copies = async (body: string) =>
    of(
      await decided(
        compute(body, 'GlobalTensor<float> xGm; static constexpr int N = 48; static constexpr int M = 20;'),
      ),
      'copies',
    )

  test.each([
    [
      'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}; DataCopyPad(a, xGm, p, q);',
      'bytes-in',
      {length: 'n * sizeof(float)'},
    ],
    ['DataCopyPad(xGm, a, {1, (uint16_t)(n * 4), 0, 0});', 'bytes-out', {length: 'n * 4'}],
    [
      'DataCopyParams p; p.blockCount = rows; p.blockLen = n; p.srcStride = 0; p.dstStride = 0; DataCopyPad(a, xGm, p, q);',
      'rows-in',
      {count: 'rows'},
    ],
    ['DataCopyExtParams p{rows, n, 0, gap * 4, 0}; DataCopyPad(xGm, a, p);', 'rows-gap-out', {global: 'gap * 4'}],
    [
      'if (n % 8 == 0) { DataCopy(a, xGm, params); } else { DataCopyPad(a, xGm, given, q); }',
      'by-alignment',
      {condition: 'n % 8 == 0', holds: 'yes'},
    ],
    ['DataCopy(a, xGm, n);', 'count', {count: 'n'}],
    ['DataCopy(a, xGm, N);', 'count-whole', {number: 48, blocks: 3}],
    ['DataCopy(a, xGm, M);', 'count', {count: 'M'}],
  ])('says in which units it is told how much: %s', async (body, situation, values) => {
    const all = await copies(body)
    expect(told(all)).toEqual([`copies ${situation}`])
    expect(all[0]?.values).toMatchObject(values)
  })

  test.each([
    ['DataCopy(a, xGm, n);', {direction: 'in', tensors: ['xGm']}],
    ['DataCopy(yGm, a, n);', {direction: 'out', tensors: ['yGm']}],
    ['DataCopy(yGm, a, n); DataCopy(a, xGm, n);', {direction: 'both', tensors: ['xGm'], outs: ['yGm']}],
    [
      'if (n % 8 == 0) { DataCopy(yGm, a, n); } else { DataCopyPad(yGm, a, {1, n, 0, 0}); }',
      {direction: 'out', tensors: ['yGm']},
    ],
  ])('names the tensor and the direction: %s', async (body, values) => {
    const [one] = await copies(body)
    expect(one?.values).toMatchObject(values)
  })

  test.each([
    ['DataCopyExtParams p{1, n, 0, 0, 0}; p.blockLen = 8; p.blockLen = 16; DataCopyPad(a, xGm, p, q);'],
    ['DataCopyPad(a, xGm, given, q);'],
  ])('whose length is not settled is not told: %s', async (body) => {
    expect(await copies(body)).toEqual([])
  })

  const both = (form: string, out: string) =>
    copies(`DataCopyPad(a, xGm, {${form}, 0, 0}, q); DataCopyPad(yGm, a, {${out}, 0, 0});`)
  test.each([
    ['1, n', '1, n', 'bytes-both', {length: 'n', lengthOut: 'n', same: 'yes'}],
    ['1, n', '1, m', 'bytes-both', {length: 'n', lengthOut: 'm', same: 'no'}],
    ['rows, n', 'rows, n', 'rows-both', {count: 'rows', countOut: 'rows', same: 'yes'}],
    ['rows, n', 'half, n', 'rows-both', {countOut: 'half', same: 'no'}],
  ])('in and out in one form is told once: %s and %s', async (form, out, situation, values) => {
    const all = await both(form, out)
    expect(told(all)).toEqual([`copies ${situation}`])
    expect(all[0]?.values).toMatchObject({...values, tensors: ['xGm'], outs: ['yGm']})
  })

  test('in two forms is told twice, and beside a choice between two neither again', async () => {
    expect(told(await both('1, n', 'rows, n'))).toEqual(['copies bytes-in', 'copies rows-out'])
    const choice = 'if (n % 8 == 0) { DataCopy(a, xGm, n); } else { DataCopyPad(a, xGm, {1, n, 0, 0}, q); }'
    expect(told(await copies(choice))).toEqual(['copies by-alignment'])
  })

  test('of other lengths is not told with the first', async () => {
    const [one] = await copies('DataCopyPad(a, xGm, {1, n, 0, 0}, q); DataCopyPad(b, yGm, {1, m, 0, 0}, q);')
    expect(one?.values).toMatchObject({length: 'n', tensors: ['xGm']})
  })
})

describe('what the scalar unit settles', () => {
  const inside = (body: string, rest = '') => `class K {\npublic:\nvoid Process() { ${body} }\n${rest}\n};\n`

  test.each([
    ['offset = GetBlockIdx() * share;', 'division offset'],
    [
      'for (int i = GetBlockIdx(); i < tiles; i += GetBlockNum()) { offset = i * tile; Copy(offset); }',
      'division in-turn',
    ],
    ['for (int i = GetBlockIdx(); i < tiles; i += 1) { offset = i * tile; Copy(offset); }', 'division offset'],
    ['core = GetBlockIdx(); rows = base + (core < extra ? 1 : 0);', 'division remainder'],
    ['core = GetBlockIdx(); start = base * core + (core < extra ? core : extra);', 'division remainder-start'],
    ['core = GetBlockIdx(); if (core < big) { start = core * more + 1; }', 'division case'],
    ['blockIdx = GetBlockIdx(); if (blockIdx >= used) { return; }', 'division idle'],
    ['loops = (n + tile - 1) / tile;', 'rounding-up pieces'],
    ['aligned = (n + 16 - 1) / 16 * 16;', 'rounding-up multiple'],
    ['if (start + width > total) { width = total - start; }', 'tail border'],
    ['for (int i = 0; i < loops; i++) { if (i == loops - 1) { count = rest; } Copy(count); }', 'tail last-pass'],
    ['for (int i = 0; i < n; i++) { count = i < n - 1 ? tile : rest; Copy(count); }', 'tail open'],
    ['for (int i = 0; i < n; i++) { y.SetValue(at[i], x.GetValue(i)); }', 'elements scattered'],
    ['for (int i = 0; i < n; i++) { if (x.GetValue(i) > 0) { y.SetValue(i, 1.0f); } }', 'elements by-value'],
    ['First(); SyncAll(); Second();', 'waits cores'],
    ['user = GetUserWorkspace(workspace);', 'workspace user'],
    ['mm.SetTensorA(x); mm.SetTensorB(w); mm.SetTail(m, n); mm.IterateAll(y);', 'matmul with-tail'],
    ['mm.SetSingleShape(m, n, k); mm.SetTensorA(x); mm.SetTensorB(w); mm.IterateAll(y);', 'matmul sized'],
  ])('is a decision: %s', async (body, expected) => {
    const all = await decided(inside(body))
    expect(told(all)).toContain(expected)
    expect(evidence(all)).toBe(true)
  })

  test.each([
    ['group = GetBlockIdx() % groups;'],
    ['loops = (n + tile - 1) / step;'],
    ['if (start + width > total) { width = total; }'],
    ['for (int i = 0; i < n; i++) { lastCore = i < n - 1 ? 0 : 1; }'],
    ['for (int i = 0; i < n; i++) { y.SetValue(i, x.GetValue(i)); }'],
    ['SyncAll();'],
    ['for (int i = 0; i < n; i++) { y.SetValue(at[i], 1.0f); s += x.GetValue(i); }'],
    ['mm.SetTensorA(x); if (a) { mm.SetTensorB(w); } if (b) { mm.SetTensorB(v); } mm.IterateAll(y);'],
    ['perCore = (n + coreNum - 1) / coreNum;'],
    ['offset = GetBlockIdx() * share; offset += GetBlockIdx();'],
  ])('is none: %s', async (body) => {
    expect(told(await decided(inside(body)))).toEqual([])
  })

  test('a division that rounds up is worked out on numbers', async () => {
    const [one] = of(await decided(inside('loops = (n + 64 - 1) / 64;')), 'rounding-up')
    expect(one?.values).toMatchObject({size: 64, some: 149, sum: 212, result: 3, plain: 2})
  })
})

describe('a conversion', () => {
  const conversions = async (body: string) => told(of(await decided(compute(body)), 'conversion'))
  const up =
    'LocalTensor<half> h = q.DeQue<half>(); LocalTensor<float> w = buf.Get<float>(); LocalTensor<int32_t> i;' +
    'Cast(w, h, RoundMode::CAST_NONE, n);'

  test.each([
    [`${up} Cast(h, w, RoundMode::CAST_RINT, n);`, ['route']],
    ['if (IsSameType<T, bfloat16_t>::value) { Cast(a, b, RoundMode::CAST_NONE, n); }', ['bfloat16']],
    [`${up} Cast(i, w, RoundMode::CAST_TRUNC, n);`, ['trunc-whole']],
    [`${up.replaceAll('half', 'bfloat16_t')} Cast(h, w, RoundMode::CAST_RINT, n);`, ['bfloat16', 'rint']],
    ['Cast(h, k, RoundMode::CAST_NONE, n); Cast(k, h, RoundMode::CAST_RINT, n);', []],
    ['LocalTensor<half> h; LocalTensor<int32_t> k; Cast(h, k, RoundMode::CAST_RINT, n);', []],
  ])('is told by what it keeps: %s', async (body, situations) => {
    expect(await conversions(body)).toEqual(situations.map((one) => `conversion ${one}`))
  })
})

test('variants go by tiling key, or by a field of the tiling', async () => {
  const entry = (one: string, other: string) =>
    `extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR t) { if (${one}) { K<half> op; op.Init(x); op.Process(); }
      else if (${other}) { K<float> op; op.Init(x); op.Process(); } }`
  const [byKey] = of(await decided(entry('TILING_KEY_IS(1)', 'TILING_KEY_IS(2)')), 'keys')
  expect([byKey?.situation, byKey?.values['variants']]).toEqual(['several', ['K<half>', 'K<float>']])
  const [byField] = of(await decided(entry('tiling.dtype == 1', 'tiling.dtype == 2')), 'keys')
  expect([byField?.situation, byField?.values['field']]).toEqual(['by-field', 'tiling.dtype'])
})

test('of many decisions there are ten, of every topic some', async () => {
  const body =
    'Muls(a, b, -1.0f, n); Adds(a, a, s, n); Mul(c, b, b, n); Rsqrt(a, b, n); Compare(m, a, a, CMPMODE::EQ, n);' +
    'ReduceSum(a, b, c, n); Gather(a, b, i, 0, n); Muls(a, b, 1.0f / s, n); Adds(a, b, -s, n); Mins(a, b, s, n);' +
    'Maxs(a, a, 0.0f, n); Select(a, m, b, s, SELMODE::VSEL_TENSOR_SCALAR_MODE, n); PipeBarrier<PIPE_V>(); Exp(c, a, n);'
  const all = await decided(compute(body))
  expect(all).toHaveLength(10)
  expect(new Set(all.map(({topic}) => topic))).toEqual(new Set(['formula', 'instruction', 'waits']))
})
