import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../../datasets/schema/decision.ts'
import {decidedIn} from '../../../helpers/file-decided.ts'

const decided = (text: string) => decidedIn('kernel', text, {side: 'kernel', target: {path: 'op_kernel/a.h', text}})
const told = (all: readonly Decision[]) => all.map(({topic, situation}) => `${topic} ${situation}`)
const evidence = (all: readonly Decision[]) => all.every(({because}) => because.length > 0)

const tensors = 'LocalTensor<float> a, LocalTensor<float> b, float s, int n'
const compute = (body: string, members = '') =>
  `class K {\npublic:\nvoid Compute(${tensors}) { ${body} }\nGlobalTensor<float> xGm;\n${members}\n};\n`

const formulas = (all: readonly Decision[]) => all.filter(({topic}) => topic === 'formula')
test.each([
  ['no other function writes', '', 'carried: a = b + s1 * s'],
  ['another function gives its first value', 'Duplicate(t, 0.0f, n);', 'carried: a = b + s1 * s'],
  ['another function fills anew', 'Exp(t, u, n);', 'over-inputs: a = b + s1 * s'],
])('a formula over a buffer that %s', async (_, other, expected) => {
  const before = `void Before() { LocalTensor<float> t = state_.Get<float>(); ${other} }`
  const body = 'LocalTensor<float> s1 = state_.Get<float>(); Muls(s1, s1, s, n); Add(a, b, s1, n);'
  const [one] = formulas(await decided(compute(body, before)))
  expect(`${one?.situation}: ${one?.values['target']} = ${one?.values['expression']}`).toBe(expected)
  const filled = await decided(compute(body.replace('Muls(', 'ReduceMax(s1, b, c, n);\nMuls('), before))
  expect(formulas(filled)[0]?.situation).toBe('over-inputs')
  if (expected.startsWith('carried')) expect(one?.values).toMatchObject({carried: ['s1'], overwritten: []})
})

describe('a sum that grows from tile to tile', () => {
  const growing = (process: string, other = '') => `class K {
    void Process() { LocalTensor<float> sum = sumBuf.Get<float>(); Duplicate(sum, 0.0f, n); ${process} Reduce(sum); }
    void Grow(LocalTensor<float>& sum, int n) {
      LocalTensor<float> a = in.DeQue<float>(); LocalTensor<float> term = termBuf.Get<float>();
      Abs(term, a, n); Add(sum, sum, term, n); ${other} }
    void Reduce(LocalTensor<float>& sum) { ReduceSum(out, sum, work, n); }\n};\n`
  const sumOf = async (text: string) => {
    const one = (await decided(text)).find(({topic}) => topic === 'formula')
    return {situation: one?.situation, ...one?.values}
  }

  test('is carried in each element and reduced once', async () => {
    const found = await sumOf(growing('for (;;) { Grow(sum, n); }'))
    expect(found).toMatchObject({situation: 'lane-sums', carried: ['sum'], reduced: 'ReduceSum'})
    const twice = growing('for (;;) { Grow(sum, n); }').replace('Abs(term, a, n)', 'Mul(term, a, sum, n)')
    expect(await sumOf(twice)).toMatchObject({situation: 'carried', reduced: 'none'})
    for (const other of ['ReduceMax', 'BlockReduceSum']) {
      const text = growing('for (;;) { Grow(sum, n); }').replace('ReduceSum(out', `${other}(out`)
      expect(await sumOf(text)).toMatchObject({situation: 'lane-sums', reduced: 'none'})
    }
  })

  test.each([
    ['it is added to once', growing('Grow(sum, n);')],
    ['a copy fills it', growing('for (;;) { DataCopy(sum, xGm, n); Grow(sum, n); }')],
    ['another function computes it', growing('for (;;) { Exp(sum, x, n); Grow(sum, n); }')],
  ])('is none where %s', async (_, text) => {
    expect(await sumOf(text)).toMatchObject({situation: 'scratch', carried: [], reduced: 'none'})
  })
})

test.each([
  ['Adds(t, b, 0.0f, n); Exp(t, t, n); Muls(a, t, s, n);', 'exp(b) * s', 'Exp, Muls'],
  ['Exp(t, b, n); Muls(t, t, s, n); Adds(a, t, static_cast<float>(0), n);', 'exp(b) * s', 'Exp, Muls'],
  ['Exp(t, b, n); Muls(t, t, s, n); Muls(a, t, 1.0f, n);', 'exp(b) * s', 'Exp, Muls'],
])('an instruction that only copies is no step of a formula: %s', async (body, expression, chain) => {
  const all = await decided(compute(body))
  const [one, ...others] = formulas(all)
  expect({expression: one?.values['expression'], chain: one?.values['chain']}).toEqual({
    expression,
    chain: chain.split(', '),
  })
  expect(others).toEqual([])
  expect(told(all)).toContain('instruction copy')
  const computing = await decided(compute(body.replace(/(?<=, )(?:0\.0f|static_cast<float>\(0\)|1\.0f)/, '2.0f')))
  expect(told(computing)).not.toContain('instruction copy')
})

describe('what a function does beside formulas', () => {
  const inside = (body: string) => `class K {\npublic:\nvoid Process() { ${body} }\n};\n`

  test.each([
    ['pipe.InitBuffer(buf, (n * sizeof(float) + 31) / 32 * 32);', 'rounding-up multiple'],
    ['for (int i = blockIdx_; i < items; i += coreNum_) { row = i / rows; column = i % rows; }', 'division dealt'],
    ['group = blockIdx / groupCores; place = blockIdx % groupCores;', 'division groups'],
    ['end = Min((blockIdx + 1) * share, total) * width;', 'division last-share'],
    ['if (blockIdx < needCoreNum) { Expand(); }', 'division working'],
    ['blockIdx = GetBlockIdx() / 2;', 'division pairs'],
    ['if (isSame(a, b) || blockIdx >= needCoreNum) { return; }', 'division idle'],
    ['start = base + subIdx * share;', 'division halves'],
    [
      'if (a < b) { One(a); Two(a); Three(a, 0); } if (tailA < tailB) { One(a); Two(a); Three(tailA, tailB); }',
      'tail same-steps',
    ],
    ['mm.SetSingleShape(m, n, k); if (a) { mm.SetTensorB(w); } else { mm.SetTensorB(v); }', 'matmul shaped'],
    ['i = MIN(MAX(at, 0), width - 1);', 'tail clamped'],
    ['i = i > 0 ? i : 0; i = i < width ? i : width - 1;', 'tail clamped'],
    ['Duplicate(t, 0.0f, n); for (int i = 0; i < n; i++) { t.SetValue(i * n + j, w); }', 'elements into-zeros'],
    ['for (;;) { sum += w; } for (;;) { if (sum > 0) { v = w / sum; } }', 'elements normalised'],
    ['face = index.GetValue(i); x = vertices.GetValue(3 * face);', 'elements indirect'],
    ['for (int i = 0; i < n; i++) { Load(i, ping); ping = 1 - ping; }', 'waits turns'],
    ['mm.SetTensorA(x); if (a) { mm.SetTensorB(w); } else { mm.SetTensorB(v); }', 'matmul chosen-operand'],
    ['if (a) { mm.IterateAll(y); } else { mm.IterateAll(z); }', 'matmul chosen-target'],
    ['SetAtomicAdd<float>(); Send(i); SetAtomicNone();', 'instruction atomic-steps'],
    ['if (GetSubBlockIdx() == 1) { SyncAll(); return; } First(); SyncAll(); Second();', 'waits cores-idle'],
    ['wDirection(); SyncAll(); hDirection();', 'waits cores'],
    ['Wait<HardEvent::V_S>(); float v = t.GetValue(0); Wait<HardEvent::S_V>();', 'waits fence-after'],
    [
      'First(); CrossCoreSetFlag<2, PIPE_MTE3>(ready); CrossCoreWaitFlag<2, PIPE_FIX>(made); Second();',
      'waits partner-asked',
    ],
    ['CrossCoreWaitFlag<2, PIPE_MTE3>(ready); Work(); CrossCoreSetFlag<2, PIPE_FIX>(made);', 'waits partner-served'],
    [
      'if constexpr (IsSameType<T, half>::value) { Turn(a); Cast(b, a, m, n); } else { Turn(b); }',
      'conversion type-paths',
    ],
  ])('is a decision: %s', async (body, expected) => {
    const all = await decided(inside(body))
    expect(told(all)).toContain(expected)
    expect(evidence(all)).toBe(true)
  })

  describe('of each type', () => {
    const branch = (one: string, other: string) =>
      `if constexpr (IsSameType<T, half>::value) { ${one} } else { ${other} }`
    const first = branch('Cast(b, a, m, n);', 'Muls(b, a, s, n);')
    const last = branch('Cast(a, b, m, n); Turn(a);', 'Turn(a);')
    const whole = ['IsSameType<T, half>::value: Cast, Exp, Cast, Turn', 'else: Muls, Exp, Turn']
    const pathsIn = async (text: string) => {
      const found = (await decided(text)).find(({situation}) => situation === 'type-paths')
      return found && {in: found.subject, paths: found.values['paths']}
    }

    test('is told what runs from the first branch to the last', async () => {
      expect(await pathsIn(inside(`${first} Exp(b, b, n); ${last}`))).toEqual({in: 'Process', paths: whole})
    })

    test.each([
      ['in the order of the calls', 'First(); Exp(b, b, n); Last();'],
      ['in an argument before what takes it', 'First(); Last(Middle(b));'],
      ['under the condition the other way round', 'First(); Exp(b, b, n); Opposite();'],
    ])('helpers count where they are called: %s', async (_, body) => {
      const opposite = 'if constexpr (!IsSameType<T, half>::value) { Turn(a); } else { Cast(a, b, m, n); Turn(a); }'
      const helpers = `void Last(float s) { ${last} }\nvoid Opposite() { ${opposite} }\nvoid First() { ${first} }
        float Middle(LocalTensor<T>& b) { Exp(b, b, n); return b.GetValue(0); }`
      const process = `void Process() { for (;;) { Compute(); } }`
      const text = `class K {\npublic:\n${helpers}\nvoid Compute() { ${body} }\n${process}\n};\n`
      expect(await pathsIn(text)).toEqual({in: 'Compute', paths: whole})
    })

    test.each([
      ['a branch at run time lies on it', `${first} if (n > 0) { Exp(b, b, n); }`],
      ['another type decides as well', `${first} if constexpr (sizeof(U) == 4) { Exp(b, b, n); }`],
    ])('nothing is told where %s', async (_, body) => {
      expect(await pathsIn(inside(body))).toBeUndefined()
    })
  })

  test.each([
    ['loops = (n + 30) / 32;'],
    ['for (int i = first; i < items; i += coreNum_) { row = i / rows; }'],
    ['group = blockIdx / groupCores; place = blockIdx % others;'],
    ['if (blockIdx < tailCoreNum) { Expand(); }'],
    ['start = blockIdx >= big ? one : other;'],
    ['if (a < b) { One(a); Two(a); Three(a, 0); } if (c < d) { One(a); Two(a); Three(c, d); }'],
    ['Duplicate(t, 1.0f, n); for (int i = 0; i < n; i++) { t.SetValue(i * n + j, w); }'],
    ['for (;;) { count += 1; } for (;;) { v = w / count; }'],
    ['face = index.GetValue(i); x = vertices.GetValue(3 * other);'],
    ['i = i > 0 ? i : 0; i = i < width ? i : width;'],
    ['SetAtomicAdd<float>(); SetAtomicNone(); Send(i);'],
    ['if (GetSubBlockIdx() == 1) { SyncAll(); return; } SyncAll(); SyncAll();'],
    ['CrossCoreSetFlag<2, PIPE_MTE3>(ready); Second();'],
    ['if (IsSameType<T, half>::value) { Turn(a); } else { Other(b); }'],
  ])('is none: %s', async (body) => {
    expect(told(await decided(inside(body)))).toEqual([])
  })
})

describe('a file of the device', () => {
  const keysOf = (all: readonly Decision[]) => all.filter(({topic}) => topic === 'keys')

  const masks = (joint: string) =>
    `CompareScalar(m, a, 0.0f, CMPMODE::GE, n); CompareScalar(k, a, s, CMPMODE::LT, n);
     auto m16 = m.ReinterpretCast<uint16_t>(); auto k16 = k.ReinterpretCast<uint16_t>(); ${joint}`

  test('tells what its masks mean together', async () => {
    const all = await decided(compute(masks('And(k16, m16, k16, n);')))
    expect(all.find(({situation}) => situation === 'masks')?.values).toMatchObject({
      target: 'k',
      expression: 'a >= 0 && a < s',
    })
    const others = await decided(compute(masks('Duplicate(m, 1, n); And(k16, m16, k16, n);')))
    expect(told(others)).not.toContain('instruction masks')
  })

  test.each([
    ['for (int r = 0; r < n; ++r) { Add(a[r * pitch], a[r * pitch], b, n); }', 'instruction same-row', true],
    [
      'for (int r = 0; r < n; ++r) { Add(a[r * pitch], a[r * pitch], b[r * pitch], n); }',
      'instruction same-row',
      false,
    ],
    [
      'p = {true, 0, 0, 0}; p.rightPadding = up - n; p.paddingValue = 0; DataCopyPad(a, xGm, q, p);',
      'copies padded',
      true,
    ],
    [
      'p = {false, 0, 0, 0}; p.rightPadding = up - n; p.paddingValue = 0; DataCopyPad(a, xGm, q, p);',
      'copies padded',
      false,
    ],
    ['Duplicate(a, 0.0f, n); for (int i = 0; i < n; i++) { DataCopy(xGm[i * n], a, n); }', 'copies filled-once', true],
    [
      'Duplicate(a, 0.0f, n); for (int i = 0; i < n; i++) { DataCopy(xGm[i * n], a, n); Exp(a, a, n); }',
      'copies filled-once',
      false,
    ],
    [
      'DataCopy(xGm, a, n); SetFlag<HardEvent::MTE3_MTE2>(e); WaitFlag<HardEvent::MTE3_MTE2>(e);',
      'waits flag-read-back',
      true,
    ],
    [
      'DataCopy(xGm, a, n); SetFlag<HardEvent::MTE3_MTE2>(e); WaitFlag<HardEvent::MTE3_MTE2>(e); DataCopy(b, xGm, n);',
      'waits flag-read-back',
      false,
    ],
    ['Exp(a, b, n); SetFlag<HardEvent::V_S>(e); WaitFlag<HardEvent::V_S>(e);', 'waits flag-handed-on', true],
    [
      'Duplicate(a, 0.0f, n); SetFlag<HardEvent::V_S>(e); WaitFlag<HardEvent::V_S>(e); a.SetValue(i, s);',
      'waits flag-refills-auto',
      true,
    ],
    [
      'Duplicate(a, 0.0f, n); SetFlag<HardEvent::V_S>(e); WaitFlag<HardEvent::V_S>(e); b.SetValue(i, s);',
      'waits flag-refills-auto',
      false,
    ],
  ])('decides, or does not: %s', async (body, situation, isDecision) => {
    const all = await decided(compute(body))
    expect(told(all).includes(situation)).toBe(isDecision)
    expect(evidence(all)).toBe(true)
  })

  test('tells keys that a build by type repeats', async () => {
    const arm = (type: string) => `#if ORIG_DTYPE_X == DT_${type}
      if (TILING_KEY_IS(1)) { K<${type}> op; op.Process(); } if (TILING_KEY_IS(2)) { M<${type}> op; op.Process(); }
    #endif
    `
    const text = `extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR t) { ${arm('HALF')} ${arm('FLOAT')} }`
    expect(told(keysOf(await decided(text.replaceAll(' #', '\n#'))))).toEqual(['keys by-key-and-type'])
    const nested = `extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR t) {
      if (TILING_KEY_IS(1)) { if ASCEND_IS_AIV { K<half> op; op.Process(); } }
      else if (TILING_KEY_IS(2)) { if ASCEND_IS_AIV { K<float> op; op.Process(); } } }`
    expect(told(keysOf(await decided(nested)))).toEqual(['keys several'])
  })
})
