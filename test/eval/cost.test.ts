import {describe, expect, test} from 'vitest'
import type {BlockWork, RunTrace} from '../../datasets/schema/executor.ts'
import {randomFrom} from '../../engine/random.ts'
import {atlasA2, modelCost} from '../../eval/cost.ts'

const nothing: BlockWork = {
  copiesIn: 0,
  copiesOut: 0,
  burstsIn: 0,
  burstsOut: 0,
  vectorInstructions: 0,
  vectorRepeats: 0,
  scalarAccesses: 0,
  waits: 0,
  drains: 0,
  tiles: 0,
}

interface Block extends Partial<BlockWork> {
  readBytes?: number
  writtenBytes?: number
}

interface Run {
  blocks: Block[]
  /** Of the queue in and the queue out. */
  buffers?: [number, number]
  calls?: Record<string, number>
  repeats?: Record<string, number>
}

function traceOf({blocks, buffers = [2, 2], calls = {}, repeats}: Run): RunTrace {
  const filled = Math.max(...blocks.map(({tiles = 0}) => tiles))
  const queue = (position: string, count: number) => ({
    name: `${position} queue 0`,
    position,
    count,
    bytes: 1024,
    kind: 'queue' as const,
    filled,
  })
  return {
    blockDim: blocks.length,
    tilingKey: 0,
    workspaceBytes: 0,
    tiling: {},
    buffers: [queue('VECIN', buffers[0]), queue('VECOUT', buffers[1])],
    ubPeakBytes: 0,
    calls,
    repeats,
    blocks: blocks.map(({readBytes = 0, writtenBytes = 0, ...work}, index) => ({
      index,
      readBytes,
      writtenBytes,
      work: {...nothing, ...work},
    })),
  }
}

function costOf(run: Run) {
  const cost = modelCost(traceOf(run))
  if (!cost) throw new Error('no cost')
  return cost
}

/** A block that moves whole tiles of `bytes` in and half of that out, with one instruction a tile. */
function tiled(tiles: number, bytes: number, work: Block = {}): Block {
  return {
    tiles,
    readBytes: tiles * bytes,
    writtenBytes: (tiles * bytes) / 2,
    copiesIn: tiles,
    burstsIn: tiles,
    copiesOut: tiles,
    burstsOut: tiles,
    vectorInstructions: tiles,
    vectorRepeats: (tiles * bytes) / 256,
    ...work,
  }
}

describe('by hand', () => {
  test('one tile takes its steps one after the other', () => {
    const cost = costOf({blocks: [tiled(1, 68_300 * 2, {vectorRepeats: 1828})]})
    expect(cost.pipes.MTE2).toBeCloseTo(0.0607 + 2)
    expect(cost.pipes.V).toBeCloseTo((22 + 1828) / 1850)
    expect(cost.pipes.MTE3).toBeCloseTo(0.0607 + 68_300 / 90_000)
    expect(cost.microseconds).toBeCloseTo(cost.pipes.MTE2 + cost.pipes.V + cost.pipes.MTE3)
    expect(cost).toMatchObject({bottleneck: 'MTE2', overlap: 'none', cores: 1, launchMicroseconds: 20})
  })

  // Steps of 4 tiles: in 2.0607, V 1 and out 0.8196 µs each.
  const tile = {vectorRepeats: 4 * 1828}
  const [copyIn, compute, copyOut] = [2 + 0.0607, 1, 68_300 / 90_000 + 0.0607]
  test.each([
    ['full', [2, 2], 3 * copyIn + (copyIn + compute + copyOut)],
    ['in-part', [1, 2], 3 * (copyIn + compute) + (copyIn + compute + copyOut)],
    ['in-part', [2, 1], 3 * copyIn + (copyIn + compute + copyOut)],
    ['in-part', [1, 1], 3 * (compute + copyIn) + (copyIn + compute + copyOut)],
  ] as const)('overlap %s of queues with %j blocks', (overlap, buffers, microseconds) => {
    const cost = costOf({blocks: [tiled(4, 68_300 * 2, tile)], buffers: [...buffers]})
    expect(cost.overlap).toBe(overlap)
    expect(cost.microseconds).toBeCloseTo(microseconds)
  })

  test('where computing takes longest, a queue out with one block adds the copy out', () => {
    const cost = costOf({blocks: [tiled(4, 68_300 * 2, {vectorRepeats: 4 * (3 * 1850 - 22)})], buffers: [2, 1]})
    expect(cost.microseconds).toBeCloseTo(3 * (3 + copyOut) + (copyIn + 3 + copyOut))
  })

  test('a drain in each tile keeps tiles apart, one drain fills the pipeline once more', () => {
    const drained = (drains: number) => costOf({blocks: [tiled(4, 68_300 * 2, {...tile, drains})]}).microseconds
    expect(drained(4)).toBeCloseTo(4 * (copyIn + compute + copyOut))
    expect(drained(1) - drained(0)).toBeCloseTo(compute + copyOut)
  })

  test('a queue from GM to GM with one block keeps tiles apart', () => {
    const trace = traceOf({blocks: [tiled(4, 68_300 * 2, tile)]})
    const name = 'VECIN_VECOUT queue 0'
    trace.buffers = [{name, position: 'VECIN', count: 1, bytes: 1024, kind: 'queue', filled: 4}]
    expect(modelCost(trace)).toMatchObject({overlap: 'none'})
    expect(modelCost(trace)?.microseconds).toBeCloseTo(4 * (copyIn + compute + copyOut))
  })

  test('cores share the bandwidth', () => {
    const block = tiled(1, 1_600_000, {vectorInstructions: 0, vectorRepeats: 0})
    const cost = costOf({blocks: Array.from({length: 40}, () => block)})
    expect(cost.pipes.MTE2).toBeCloseTo(0.0607 + 40)
    expect(cost.pipes.MTE3).toBeCloseTo(0.0607 + 20)
  })

  test('bursts that are short are charged 512 bytes', () => {
    const cost = costOf({blocks: [{copiesIn: 1, burstsIn: 1000, readBytes: 32_000}]})
    expect(cost.pipes.MTE2).toBeCloseTo(0.0607 + 512_000 / 68_300)
  })

  test('repeats of reductions count twice', () => {
    const block = {readBytes: 32, vectorRepeats: 1850}
    const of = (repeats: Record<string, number>) => costOf({blocks: [block], repeats}).pipes.V
    expect(of({Add: 1850})).toBeCloseTo(1)
    expect(of({ReduceSum: 1850})).toBeCloseTo(2)
    expect(of({WholeReduceMax: 925, Add: 925})).toBeCloseTo(1.5)
  })

  test('the block that takes longest counts, and those beyond the cores come after', () => {
    const [short, long] = [{scalarAccesses: 10}, {scalarAccesses: 1850}]
    expect(costOf({blocks: [short, long, short]}).microseconds).toBeCloseTo(11.3)
    expect(costOf({blocks: Array.from({length: 49}, () => long)}).microseconds).toBeCloseTo(22.6)
    expect(costOf({blocks: [{}, long, {}]})).toMatchObject({cores: 1, blockDim: 3})
    expect(costOf({blocks: [tiled(1, 512), {copiesIn: 1, readBytes: 2048}]})).toMatchObject({cores: 1, blockDim: 2})
  })

  test('what was not counted, did nothing or ran on the cube core has no cost', () => {
    expect(modelCost(traceOf({blocks: [{}]}))).toBeUndefined()
    expect(modelCost(traceOf({blocks: [tiled(1, 512)], calls: {Mmad: 1}}))).toBeUndefined()
    const old = traceOf({blocks: [tiled(1, 512)]})
    expect(modelCost({...old, blocks: [{index: 0, readBytes: 1, writtenBytes: 1}]})).toBeUndefined()
  })
})

/**
 * x + y of 8192 × 8192 half as asc-devkit's Add tuning sample runs it, by the counts of its code: the block with most
 * rows, the time that a profiler gave on Atlas A2 (aiv_time). Cases 5 and 6 go past the L2 cache, which no count shows.
 */
describe('what was published', () => {
  const elements = (cores: number) => Math.ceil(8192 / cores) * 8192
  function add(cores: number, tile: number, work: Block = {}): Block[] {
    const tiles = Math.ceil(elements(cores) / tile)
    const bytes = elements(cores) * 2
    const counts = {copiesIn: 2 * tiles, burstsIn: 2 * tiles, copiesOut: tiles, burstsOut: tiles}
    const vector = {vectorInstructions: tiles, vectorRepeats: bytes / 256}
    const block = {tiles, readBytes: 2 * bytes, writtenBytes: bytes, ...counts, ...vector, ...work}
    return Array.from({length: cores}, () => block)
  }
  const scalar = {vectorInstructions: 0, vectorRepeats: 0, scalarAccesses: 3 * elements(1)}
  test.each([
    {name: '0: scalar, one core', blocks: add(1, 4096, scalar), buffers: 1, published: 1_239_688.63},
    {name: '1: vector, one core', blocks: add(1, 4096), buffers: 1, published: 6909.14},
    {name: '2: 48 cores, 8 KiB copies', blocks: add(48, 4096), buffers: 1, published: 297.14},
    {name: '3: 48 cores, 32 KiB copies', blocks: add(48, 16_384), buffers: 1, published: 261.5},
    {name: '4: double buffered', blocks: add(48, 16_384), buffers: 2, published: 257.56},
  ])('case $name is within 10 %', ({blocks, buffers, published}) => {
    const {microseconds} = costOf({blocks, buffers: [buffers, buffers]})
    expect(microseconds / published).toBeGreaterThan(0.9)
    expect(microseconds / published).toBeLessThan(1.1)
  })
})

describe('what cannot be cheaper', () => {
  const random = randomFrom('cost', 'monotonic')
  const counts = ['copiesIn', 'copiesOut', 'burstsIn', 'burstsOut', 'vectorInstructions', 'vectorRepeats'] as const
  const more = [...counts, 'scalarAccesses', 'drains', 'readBytes', 'writtenBytes'] as const
  const draw = (): Run => {
    const tiles = random.integer(1, 40)
    const block = tiled(tiles, random.integer(1, 2000) * 32, {drains: random.integer(0, 50)})
    const buffers: [number, number] = [random.integer(1, 2), random.integer(1, 2)]
    return {blocks: Array.from({length: random.integer(1, 60)}, () => block), buffers}
  }
  const runs = Array.from({length: 200}, draw)

  test.each(more)('more %s', (key) => {
    for (const run of runs) {
      const [first = {}, ...others] = run.blocks
      const grown = {...first, [key]: (first[key] ?? 0) + random.integer(1, 100_000)}
      expect(costOf({...run, blocks: [grown, ...others]}).microseconds).toBeGreaterThanOrEqual(costOf(run).microseconds)
    }
  })

  test('a queue with one block', () => {
    for (const run of runs) {
      const double = costOf({...run, buffers: [2, 2]}).microseconds
      const [oneIn, oneOut] = [costOf({...run, buffers: [1, 2]}), costOf({...run, buffers: [2, 1]})]
      const single = costOf({...run, buffers: [1, 1]}).microseconds
      for (const {microseconds} of [oneIn, oneOut]) {
        expect(microseconds).toBeGreaterThanOrEqual(double)
        expect(single).toBeGreaterThanOrEqual(microseconds)
      }
    }
  })

  test('fewer cores for the same tiles', () => {
    for (const {buffers} of runs) {
      const [tiles, bytes] = [48, random.integer(1, 1000) * 512]
      const times = [48, 24, 16, 12, 8, 6, 4, 3, 2, 1].map((cores) => {
        const blocks = Array.from({length: cores}, () => tiled(tiles / cores, bytes))
        return costOf({blocks, ...(buffers && {buffers})}).microseconds
      })
      expect(times).toEqual([...times].sort((one, other) => one - other))
    }
  })

  test('a slower chip', () => {
    for (const run of runs) {
      const slower = {...atlasA2, gmBytes: atlasA2.gmBytes / 2, copy: 0.1, vectorStart: 40}
      const cost = modelCost(traceOf(run), slower)?.microseconds ?? 0
      expect(cost).toBeGreaterThanOrEqual(costOf(run).microseconds)
    }
  })
})

describe('by hand, on a chip of round numbers', () => {
  const chip = {
    cores: 4,
    cyclesPerMicrosecond: 10,
    gmBytes: 400,
    readBytes: 200,
    writtenBytes: 50,
    copy: 1,
    shortestBurst: 16,
    vectorStart: 5,
    scalarAccess: 2,
    launch: 7,
  }
  // In: 2 copies and 400 bytes at 200. Out: a copy and 100 bytes at 50. Vectors 40 cycles, scalars 20.
  const block: Block = {
    copiesIn: 2,
    burstsIn: 2,
    readBytes: 400,
    copiesOut: 1,
    burstsOut: 1,
    writtenBytes: 100,
    vectorInstructions: 4,
    vectorRepeats: 20,
    scalarAccesses: 10,
    tiles: 4,
    waits: 3,
  }
  const modelled = (over: Block, {count = 1, ...run}: Partial<Run> & {count?: number} = {}) =>
    modelCost(traceOf({blocks: Array.from({length: count}, () => ({...block, ...over})), ...run}), chip)
  const pipes = {MTE2: 4, V: 4, S: 2, MTE3: 3}

  test('one tile is one step after the other, and all is told', () => {
    expect(modelled({tiles: 1})).toEqual({
      microseconds: 13,
      launchMicroseconds: 7,
      pipes,
      bottleneck: 'MTE2',
      overlap: 'none',
      cores: 1,
      blockDim: 1,
      readBytes: 400,
      writtenBytes: 100,
      work: {
        copiesIn: 2,
        copiesOut: 1,
        burstsIn: 2,
        burstsOut: 1,
        vectorInstructions: 4,
        vectorRepeats: 20,
        scalarAccesses: 10,
        waits: 3,
        drains: 0,
        tiles: 1,
      },
      slowest: {
        ...{readBytes: 400, writtenBytes: 100, copies: 3, vectorInstructions: 4, vectorRepeats: 20},
        ...{drains: 0, tiles: 1},
        copying: 4,
      },
    })
  })

  test.each<[string, [number, number], Block, number, string]>([
    ['two blocks in each queue', [2, 2], {}, (6 * 3 + 13) / 4, 'full'],
    ['one block on the way in', [1, 2], {}, (10 * 3 + 13) / 4, 'in-part'],
    ['one block on the way out', [2, 1], {}, (9 * 3 + 13) / 4, 'in-part'],
    ['one block either way', [1, 1], {}, (10 * 3 + 13) / 4, 'in-part'],
    ['the pipeline fills anew after a drain', [2, 2], {drains: 1}, (6 * 2 + 13 * 2) / 4, 'full'],
    ['all but one drain', [2, 2], {drains: 2}, (6 + 13 * 3) / 4, 'full'],
    ['a drain after each tile', [2, 2], {drains: 3}, 13, 'none'],
    ['more drains than tiles', [2, 2], {drains: 9}, 13, 'none'],
    ['no tile at all', [2, 2], {tiles: 0}, 13, 'none'],
  ])('%s', (_, buffers, over, microseconds, overlap) => {
    expect(modelled(over, {buffers})).toMatchObject({microseconds, overlap, pipes})
  })

  test('a queue that tensors go in and out through lets nothing overlap', () => {
    const trace = traceOf({blocks: [block]})
    const through = (count: number, filled?: number): RunTrace => ({
      ...trace,
      buffers: [{name: 'VECIN_VECOUT queue 0', position: 'VECIN', count, bytes: 1, kind: 'queue', filled}],
    })
    expect(modelCost(through(1, 4), chip)).toMatchObject({microseconds: 13, overlap: 'none'})
    expect(modelCost(through(2, 4), chip)).toMatchObject({microseconds: 7.75, overlap: 'full'})
    // A queue that one tile went through held nothing up.
    expect(modelCost(through(1, 1), chip)).toMatchObject({microseconds: 7.75})
    expect(modelCost(through(1), chip)).toMatchObject({microseconds: 7.75})
    expect(modelCost(through(1, 2), chip)).toMatchObject({microseconds: 13})
    const buffer = {name: 'VECIN buffer', position: 'VECIN', count: 1, bytes: 1, kind: 'buffer', filled: 4} as const
    expect(modelCost({...trace, buffers: [buffer]}, chip)).toMatchObject({microseconds: 7.75})
  })

  test('cores share the bandwidth, and blocks beyond their number wait', () => {
    // A hundred bytes a microsecond for each of four: in 6, out 3, both together 7.
    expect(modelled({}, {count: 4, buffers: [1, 1]})).toMatchObject({
      microseconds: (13 * 3 + 15) / 4,
      pipes: {...pipes, MTE2: 6},
      cores: 4,
      readBytes: 1600,
    })
    expect(modelled({}, {count: 5, buffers: [1, 1]})).toMatchObject({microseconds: (13 * 3 + 15) / 2, cores: 5})
    expect(modelled({}, {count: 8, buffers: [1, 1]})?.microseconds).toBe((13 * 3 + 15) / 2)
    expect(modelled({}, {count: 9, buffers: [1, 1]})?.microseconds).toBe(((13 * 3 + 15) / 4) * 3)
  })

  test('a burst is charged as long as the shortest one', () => {
    expect(modelled({burstsIn: 25})?.pipes.MTE2).toBe(4)
    expect(modelled({burstsIn: 100})?.pipes.MTE2).toBe(2 + 1600 / 200)
    expect(modelled({burstsOut: 6})?.pipes.MTE3).toBe(3)
    expect(modelled({burstsOut: 50})?.pipes.MTE3).toBe(1 + 800 / 50)
  })

  test('repeats of reductions count twice', () => {
    const vector = (repeats: Record<string, number>) => modelled({}, {repeats})?.pipes.V
    expect(vector({Add: 20})).toBe(4)
    expect(vector({ReduceSum: 20})).toBe(6)
    expect(vector({Add: 10, WholeReduceMax: 10})).toBe(5)
    for (const api of ['BlockReduceSum', 'PairReduceSum', 'RepeatReduceSum']) expect(vector({[api]: 1}), api).toBe(6)
    expect(vector({MyReduce: 1})).toBe(4)
    expect(vector({})).toBe(4)
  })

  test('the bottleneck is the pipe that takes longest, of the slowest block', () => {
    expect(modelled({scalarAccesses: 30})).toMatchObject({bottleneck: 'S', pipes: {...pipes, S: 6}})
    expect(modelled({vectorRepeats: 100})?.bottleneck).toBe('V')
    expect(modelled({writtenBytes: 1000})?.bottleneck).toBe('MTE3')
    const both = traceOf({blocks: [block, {...block, scalarAccesses: 100}, block]})
    expect(modelCost(both, chip)).toMatchObject({bottleneck: 'S', cores: 3, work: {scalarAccesses: 120}})
  })

  test('nothing is told of nothing, of a cube core, or of blocks that were not counted', () => {
    const idle = {readBytes: 0, writtenBytes: 0, vectorInstructions: 0, scalarAccesses: 0}
    expect(modelled(idle)).toBeUndefined()
    for (const some of ['readBytes', 'writtenBytes', 'vectorInstructions', 'scalarAccesses'])
      expect(modelled({...idle, [some]: 1}), some).toBeDefined()
    for (const api of ['Mmad', 'IterateAll', 'Fixpipe', 'LoadData', 'REGIST_MATMUL_OBJ'])
      expect(modelled({}, {calls: {Add: 1, [api]: 1}}), api).toBeUndefined()
    expect(modelled({}, {calls: {Add: 1, DataCopy: 1}})).toBeDefined()
    const trace = traceOf({blocks: [block, block]})
    const uncounted = trace.blocks.map(({work, ...one}) => (one.index === 0 ? {...one, work} : one))
    expect(modelCost({...trace, blocks: uncounted}, chip)).toBeUndefined()
    // A block that did nothing is no core at work.
    expect(modelCost(traceOf({blocks: [block, {...block, ...idle}]}), chip)).toMatchObject({cores: 1, blockDim: 2})
  })
})

test('the figures that the vendor publishes of Atlas A2', () => {
  expect(atlasA2).toEqual({
    cores: 48,
    cyclesPerMicrosecond: 1850,
    gmBytes: 1_600_000,
    readBytes: 68_300,
    writtenBytes: 90_000,
    copy: 0.0607,
    shortestBurst: 512,
    vectorStart: 22,
    scalarAccess: 11.3,
    launch: 20,
  })
})
