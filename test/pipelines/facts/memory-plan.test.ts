import {describe, expect, test} from 'vitest'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {memoryPlans, reportedUbBytes, ubBytes, type MemoryPlan} from '../../../pipelines/facts/memory-plan.ts'

/** A kernel class that sets up the given memory, and before it whatever else the file has. */
async function plansOf(members: string, init: string, before = ''): Promise<MemoryPlan[]> {
  const text = `${before}
class Own {
public:
  __aicore__ inline void Init(uint32_t tile, uint32_t rows, bool wide) { ${init} }
private:
  TPipe pipe;
  ${members}
};`
  const source = {side: 'kernel', role: 'kernel', dtypes: {}, target: {path: 'k.cpp', text}, dependencies: []}
  return memoryPlans(await kernelFacts(source as unknown as OperatorSource))
}

const queues = ['TQue<TPosition::VECIN, 2> in;', 'TQue<TPosition::VECOUT, 1> out;', 'TBuf<TPosition::VECCALC> work;']
const usedIn = (init: string) => queues.filter((one) => init.includes(/(\w+);/.exec(one)?.[1] ?? '')).join(' ')
const set = (name: string, size: string, count = 1) => `pipe.InitBuffer(${name}, ${count}, ${size});`
const buf = (name: string, size: string) => `pipe.InitBuffer(${name}, ${size});`

const plan = async (init: string, members = usedIn(init)) => (await plansOf(members, init))[0] as MemoryPlan

test('a vector core has 192 KiB, of which tiling is told all but what the library keeps', () => {
  expect(ubBytes).toBe(192 * 1024)
  expect(reportedUbBytes).toBe(ubBytes - 256)
})

describe('the largest tile', () => {
  test('fits beside what is fixed, with all that grows with it', async () => {
    const found = await plan(
      set('in', 'tile * sizeof(float)', 2) + set('out', 'tile * sizeof(half)') + buf('work', '1000'),
    )
    expect(found).toMatchObject({
      owner: 'Own',
      fixed: 1024,
      perUnit: 10,
      lengths: ['tile'],
      // One more would take another block in each of three: 1024 + 3 × 32 bytes behind 195520.
      most: 19552,
      certain: true,
      isReset: false,
      isBase: false,
      bases: [],
      byCase: [],
      sizes: ['tile * sizeof(float)', 'tile * sizeof(half)', '1000'],
      unread: [],
    })
    expect(found.parts.map(({buffer, count, factor, lengths}) => [buffer.name, count, factor, lengths])).toEqual([
      ['in', 2, 4, ['tile']],
      ['out', 1, 2, ['tile']],
      ['work', 1, 1024, []],
    ])
  })

  test.each([
    ['sizes are of different lengths', set('in', 'tile * 4') + set('out', 'rows * 4')],
    ['a size is not read', set('in', 'tile * 4') + set('out', 'Align(tile)')],
    ['a buffer is set up on a condition', `${set('in', 'tile * 4')} if (wide) { ${set('out', 'tile * 4')} }`],
    ['nothing depends on a tile', set('in', '256')],
    ['what is fixed leaves nothing', set('in', 'tile * 4') + buf('work', '196608')],
    ['the pipe gives its memory back', `${set('in', 'tile * 4')} pipe.Reset();`],
  ])('is not known where %s', async (_, init) => expect((await plan(init)).most).toBeUndefined())

  test('is known as long as one block is left', async () => {
    expect((await plan(set('in', 'tile * 32') + buf('work', '196576'))).most).toBe(1)
  })
})

test('fixed memory is given in blocks of 32 bytes', async () => {
  for (const [asked, given] of [
    [1, 32],
    [32, 32],
    [33, 64],
  ])
    expect((await plan(set('in', String(asked), 3))).fixed).toBe(3 * (given as number))
})

test('a count that is not a number leaves the buffer unread', async () => {
  const found = await plan('pipe.InitBuffer(in, rows, 256); pipe.InitBuffer(out, 1, 64);')
  expect(found.unread.map(({name}) => name)).toEqual(['in'])
  expect([found.fixed, found.perUnit]).toEqual([64, 0])
})

test('buffers of a condition are named, and only they', async () => {
  const found = await plan(`${set('in', '64')} if (wide) { ${set('out', '64')} }`)
  expect([found.byCase, found.certain]).toEqual([['out'], false])
})

test('memory outside of the unified buffer is not part of the plan', async () => {
  const cube = 'TQue<TPosition::A1, 1> left; TQue<TPosition::VECIN, 1> in;'
  expect((await plan(set('left', '4096') + set('in', '64'), cube)).fixed).toBe(64)
})

describe('a class that builds on another', () => {
  const base = (templates: string, type: string) => `
template <${templates}> class Base {
public:
  __aicore__ inline void InitBase(uint32_t tile) { pipe.InitBuffer(inner, 1, tile * sizeof(${type})); }
protected:
  TPipe pipe;
  TBuf<TPosition::VECCALC> inner;
};`
  const plans = async (text: string) => {
    const source = {side: 'kernel', role: 'kernel', dtypes: {}, target: {path: 'k.cpp', text}, dependencies: []}
    return memoryPlans(await kernelFacts(source as unknown as OperatorSource))
  }
  const own = (bases: string, init: string) => `
class Own : ${bases} {
public:
  __aicore__ inline void Init(uint32_t tile) { ${init} }
private:
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 1> out;
};`
  const queued = 'pipe.InitBuffer(in, 2, tile * 2); pipe.InitBuffer(out, 1, 100);'

  test('counts its memory, with the types that it gives the base', async () => {
    const [inner, outer] = await plans(base('typename T', 'T') + own('public Base<float>', queued))
    expect(inner).toMatchObject({owner: 'Base', isBase: true, bases: []})
    expect(outer).toMatchObject({
      owner: 'Own',
      isBase: false,
      bases: ['Base'],
      certain: true,
      fixed: 128,
      perUnit: 8,
      most: Math.floor((ubBytes - 128) / 8),
      sizes: ['tile * 2', '100', 'tile * sizeof(float)'],
    })
    expect(outer?.parts.map(({buffer}) => buffer.name)).toEqual(['in', 'out'])
  })

  test('gives only the types that stand in its base, each to its own parameter', async () => {
    const given = async (bases: string) =>
      (await plans(base('typename A, typename T, int N', 'T') + own(bases, queued)))[1]?.sizes[2]
    expect(await given('public Base<half, int64_t, 4>')).toBe('tile * sizeof(int64_t)')
    expect(await given('public AscendC::Base<Pair<half, half>, float, 4>')).toBe('tile * sizeof(float)')
    expect(await given('public Base<half>')).toBe('tile * sizeof(T)')
  })

  test('is bound by what its base does: memory given back, or asked for on a condition', async () => {
    const reset = base('typename T', 'T').replace('tile * sizeof(T));', 'tile * sizeof(T)); pipe.Reset();')
    const whole = (await plans(reset + own('public Base<float>', queued)))[1]
    expect(whole).toMatchObject({isReset: true, certain: false, fixed: 128, perUnit: 8})
    expect(whole?.most).toBeUndefined()
    const branched = base('typename T', 'T').replace('pipe.Init', 'if (tile > 1) pipe.Init')
    expect((await plans(branched + own('public Base<float>', queued)))[1]).toMatchObject({
      isReset: false,
      certain: false,
      byCase: ['inner'],
    })
  })

  test('has the memory of the bases of its base, but not that of other files', async () => {
    const middle = base('typename T', 'T') + own('public Base<float>, public Elsewhere', queued)
    const last =
      'class Last : public Own { public: void Init() { pipe.InitBuffer(b, 64); } TBuf<TPosition::VECCALC> b; };'
    const [, own2, top] = await plans(middle + last)
    expect(own2).toMatchObject({isBase: true, bases: ['Base']})
    expect(top).toMatchObject({isBase: false, bases: ['Own', 'Base'], fixed: 128 + 64})
  })
})

test('two classes of one file have plans of their own, and a Reset of one is not of the other', async () => {
  const other = 'class Other { void Init() { pipe.InitBuffer(b, 64); pipe.Reset(); } TBuf<TPosition::VECCALC> b; };'
  const plans = await plansOf('TBuf<TPosition::VECCALC> work;', 'pipe.InitBuffer(work, 32); list.Reset();', other)
  expect(plans.map(({owner, isReset, isBase, fixed}) => [owner, isReset, isBase, fixed])).toEqual([
    ['Other', true, false, 64],
    ['Own', false, false, 32],
  ])
})
