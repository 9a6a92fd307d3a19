import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../../datasets/schema/decision.ts'
import {CheckedOperatorSource} from '../../../../datasets/schema/operator.ts'
import {kernelDecisions} from '../../../../pipelines/facts/decisions/kernel-decisions.ts'
import {kernelFacts} from '../../../../pipelines/facts/kernel-facts.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

async function decided(text: string, tiling = {}, widths?: readonly number[]): Promise<Decision[]> {
  const target = {path: 'op_kernel/a.h', text}
  const changed = {...source, side: 'kernel' as const, dependencies: [], target}
  return kernelDecisions(changed, await kernelFacts(changed), tiling, widths)
}

const told = (all: readonly Decision[]) => all.map(({topic, situation}) => `${topic} ${situation}`)
const of = (all: readonly Decision[], topic: Decision['topic']) => all.filter((one) => one.topic === topic)

describe('buffers', () => {
  const kernel = (init: string, members: string) => `class K {\npublic:\nvoid Init() { ${init} }\n${members}\n};\n`
  const queue = (name: string, depth: number) => `TQue<QuePosition::VECIN, ${depth}> ${name};`

  test.each([
    ['pipe.InitBuffer(q, 2, n * 4); pipe.InitBuffer(r, 1, n * 4);', 'bound', {perUnit: 12, most: 16384}],
    [
      'pipe.InitBuffer(q, 2, n * 4); pipe.InitBuffer(r, 1, 1024);',
      'bound-fixed',
      {perUnit: 8, fixed: 1024, most: 24448},
    ],
    [
      'pipe.InitBuffer(q, 2, n * sizeof(DTYPE_X)); pipe.InitBuffer(r, 1, n * 4);',
      'by-type',
      {two: 8, mostTwo: 24576, four: 12, mostFour: 16384},
    ],
  ])('limit a tile: %s', async (init, situation, values) => {
    const [one] = of(await decided(kernel(init, `${queue('q', 2)} ${queue('r', 1)}`)), 'buffers')
    expect(one?.situation).toBe(situation)
    expect(one?.values).toMatchObject(values)
  })

  test('are summed one by one, and what rounding each up costs is told', async () => {
    const init = 'pipe.InitBuffer(q, 2, n * 2); pipe.InitBuffer(p, 2, n * 2); pipe.InitBuffer(r, 5, n * 4);'
    const members = `${queue('q', 2)} ${queue('p', 2)} ${queue('r', 5)}`
    const [one] = of(await decided(kernel(init, members)), 'buffers')
    expect(one?.values).toMatchObject({perUnit: 28, sum: '2 × 2 × 2 + 1 × 5 × 4', holders: ['q', 'p', 'r']})
    expect(one?.values).toMatchObject({quotient: 7021, most: 7016, cut: 5})
    const [whole] = of(await decided(kernel('pipe.InitBuffer(q, 2, n * 4);', queue('q', 2))), 'buffers')
    expect(whole?.values).toMatchObject({quotient: 24576, most: 24576, cut: 0})
  })

  test('of a part that is given the pipe do not limit it alone', async () => {
    const part = (process: string) =>
      `class K {\npublic:\nvoid Init(TPipe& pipe) { pipe.InitBuffer(q, 2, n * 4); }\n${process}\n${queue('q', 2)}\n};\n`
    expect(of(await decided(part('')), 'buffers')).toEqual([])
    expect(of(await decided(part('void Process() { Compute(); }')), 'buffers')).toHaveLength(1)
  })

  test('of two parts of which one gives the other its pipe do not limit either alone', async () => {
    const part = 'class P {\npublic:\nvoid Init(TPipe& pipe) { pipe.InitBuffer(p, m * 4); }\nTBuf<> p;\n};\n'
    const whole = kernel('pipe.InitBuffer(q, 2, n * 4);', queue('q', 2))
    expect(of(await decided(whole), 'buffers')).toHaveLength(1)
    expect(of(await decided(`${part}${whole}`), 'buffers')).toEqual([])
  })

  test.each([
    [[2], 'bound', {perUnit: 8, most: 24576}],
    [[4], 'bound', {perUnit: 12, most: 16384}],
    [[2, 4], 'by-type', {two: 8, four: 12}],
  ])('are those of the only width that an operator takes: %j', async (widths, situation, values) => {
    const init = 'pipe.InitBuffer(q, 2, n * sizeof(DTYPE_X)); pipe.InitBuffer(r, 1, n * 4);'
    const text = kernel(init, `${queue('q', 2)} ${queue('r', 1)}`)
    const [one] = of(await decided(text, {}, widths), 'buffers')
    expect(one?.situation).toBe(situation)
    expect(one?.values).toMatchObject(values)
  })

  test('of a length in bytes have no elements', async () => {
    expect(of(await decided(kernel('pipe.InitBuffer(q, 2, bytesEach);', queue('q', 2))), 'buffers')).toEqual([])
  })

  test('are worked out for the tile of a given call', async () => {
    const text = kernel('pipe.InitBuffer(q, 2, tileLength_ * 4);', queue('q', 2))
    const at = async (tiling: object) => of(await decided(text, tiling), 'buffers')[0]?.values
    expect(await at({tileLength: 2048})).toMatchObject({at: 2048, bytes: 16384})
    expect(await at({tile: 2048})).toMatchObject({at: 0})
    // A mask of 1/8 byte an element takes a whole block, as does an odd length.
    const masked = kernel('pipe.InitBuffer(q, 2, tileLength_ * 4); pipe.InitBuffer(r, 1, tileLength_ / 8);', text)
    const both = masked.replace(text, `${queue('q', 2)} ${queue('r', 1)}`)
    expect(of(await decided(both, {tileLength: 128}), 'buffers')[0]?.values).toMatchObject({bytes: 1024 + 32})
    expect(await at({tileLength: 129})).toMatchObject({bytes: 2 * 544})
  })

  test('of a case, or beside those of another file, have no sum', async () => {
    const members = `${queue('q', 2)}`
    const all = await decided(kernel('if (hasScale) { pipe.InitBuffer(q, 2, n * 4); }', members))
    expect(of(all, 'buffers')).toEqual([])
  })

  test.each([
    [2, 'open'],
    [1, 'single'],
  ])('with %i blocks a queue', async (depth, situation) => {
    const all = await decided(kernel(`pipe.InitBuffer(q, ${depth}, n * 4);`, queue('q', depth)))
    expect(told(of(all, 'depth'))).toEqual([`depth ${situation}`])
  })

  test('that the scalar unit waits between say nothing of overlap', async () => {
    const reading = `${queue('q', 2)} void Read() { s = x.GetValue(0); }`
    expect(of(await decided(kernel('pipe.InitBuffer(q, 2, n * 4);', reading)), 'depth')).toEqual([])
  })
})
