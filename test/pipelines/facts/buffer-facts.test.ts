import type {BufferFact} from '../../../datasets/schema/code-facts.ts'
import {expect, test} from 'vitest'
import {kernelOf} from '../../helpers/told-parts.ts'

const buffers = async (body: string, members: string, rest = ''): Promise<BufferFact[]> =>
  (await kernelOf(`constexpr int depth = 3;\nclass K { public: void Init() { ${body} } ${members} };\n${rest}`)).buffers

/** `x` as it is set up on a condition, where the core's place is known. */
async function isCertain(condition: string, before = ''): Promise<boolean | undefined> {
  const body = `${before} if (${condition}) { pipe.InitBuffer(x, 64); }`
  return (await buffers(body, 'TBuf<> x;'))[0]?.certain
}

test('queues and plain memory are what their declarations and set-ups say', async () => {
  const body =
    'pipe.InitBuffer(in, 2, n * 4); pipe.InitBuffer(work, 256); pipe->InitBuffer(out, 1, n); other.Init(list);'
  const members = `TQue<TPosition::VECIN, depth> in; TBuf<TPosition::A1> work;
    AscendC::TQueBind<TPosition::VECOUT, 1> out;
    TQue<QuePosition::VECIN, depth> later; TQue<Own, rest> loose; TBuf<> plain; LocalTensor<half> list;`
  expect(await buffers(body, members)).toEqual([
    {name: 'in', kind: 'queue', position: 'VECIN', count: '2', bytes: 'n * 4', certain: true, owner: 'K'},
    {name: 'work', kind: 'buffer', position: 'A1', count: '1', bytes: '256', certain: true, owner: 'K'},
    {name: 'out', kind: 'queue', position: 'VECOUT', count: '1', bytes: 'n', certain: true, owner: 'K'},
    {name: 'later', kind: 'queue', position: 'VECIN', count: '3', bytes: '', certain: true, owner: 'K'},
    {name: 'loose', kind: 'queue', position: 'VECCALC', count: 'rest', bytes: '', certain: true, owner: 'K'},
    {name: 'plain', kind: 'buffer', position: 'VECCALC', count: '1', bytes: '', certain: true, owner: 'K'},
  ])
})

test('memory set up in two ways is of one case or the other', async () => {
  const twice = async (a: string, b: string) =>
    (await buffers(`pipe.InitBuffer(x, ${a}); pipe.InitBuffer(x, ${b});`, 'TQue<TPosition::VECIN, 1> x;'))[0]?.certain
  expect(await twice('1, 64', '1, 64')).toBe(true)
  expect(await twice('1, 64', '2, 64')).toBe(false)
  expect(await twice('1, 64', '1, 128')).toBe(false)
})

test('a condition makes a case, unless every core that has work meets it', async () => {
  const place = 'uint32_t from = GetBlockIdx() * share;'
  const index = 'uint32_t block = AscendC::GetBlockIdx(); uint32_t from = block * share; uint32_t to = from + share;'
  expect(await isCertain('wide')).toBe(false)
  expect(await isCertain('ASCEND_IS_AIC')).toBe(true)
  expect(await isCertain('g_coreType == AscendC::AIV')).toBe(true)
  for (const condition of ['from < total', 'from >= total', 'from != 0', 'this->from > 0', '!(from >= total)'])
    expect([condition, await isCertain(condition, place)]).toEqual([condition, true])
  expect(await isCertain('to > total', index)).toBe(true)
  expect(await isCertain('from < total && wide', place)).toBe(false)
  expect(await isCertain('block < formerCores', index)).toBe(false)
  expect(await isCertain('other < total', place)).toBe(false)
  expect(await isCertain('from < total')).toBe(false)
})

test('each class has the memory that it sets up, also of what a base declares, and names it once', async () => {
  const rest = 'class L : public K { void Set() { pipe.InitBuffer(mine, 64); pipe.InitBuffer(x, 32); } TBuf<> mine; };'
  const members = '#if A\nTBuf<> x;\n#else\nTBuf<TPosition::A1> x;\n#endif\n'
  const found = await buffers('pipe.InitBuffer(x, 128);', members, rest)
  expect(found.map(({owner, name, position, bytes}) => [owner, name, position, bytes])).toEqual([
    ['K', 'x', 'VECCALC', '128'],
    ['L', 'mine', 'VECCALC', '64'],
  ])
})
