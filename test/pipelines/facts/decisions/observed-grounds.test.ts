import {beforeAll, describe, expect, test} from 'vitest'
import type {Counterfactual} from '../../../../datasets/schema/decision.ts'
import type {RunTrace, Step} from '../../../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import {dtypeBytes, elementCount} from '../../../../datasets/schema/tensor.ts'
import {alternativesOf} from '../../../../pipelines/facts/decisions/alternatives.ts'
import {heldAt} from '../../../../pipelines/facts/decisions/observer.ts'
import {groundsOf, staticDecisions} from '../../../../pipelines/facts/decisions/static-decisions.ts'
import {hostFacts} from '../../../../pipelines/facts/host-facts.ts'
import {kernelFacts} from '../../../../pipelines/facts/kernel-facts.ts'
import {sideOfPair} from '../../../../pipelines/facts/pair-source.ts'
import {decided} from '../../../helpers/decided.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {ran, scriptedExecutor} from '../../../helpers/scripted-executor.ts'
import {pairsStage, ranOperator} from '../../code/specialise/ran-operator.ts'

let pair: HostKernelPair

beforeAll(async () => {
  const {outputs} = await runStage(await pairsStage(), [await ranOperator('Mish', 'float16', [7, 33])])
  pair = outputs[0] as HostKernelPair
}, 120_000)

const withTrace = (change: Partial<RunTrace>): HostKernelPair => ({
  ...pair,
  scenario: {...pair.scenario, trace: {...pair.scenario.trace, ...change}},
})

async function decisionsOf(one: HostKernelPair) {
  const [found] = await decided([one])
  return new Map((found?.decisions ?? []).map((each) => [each.topic, each]))
}

const bytesOf = ({outputs}: Pick<OperatorCase, 'outputs'>) =>
  outputs.map(({shape, dtype}) => elementCount(shape) * dtypeBytes[dtype])

describe('evidence that something leaves the range of its type', () => {
  /** Changes of bounds that are told, where every changed kernel writes these two bytes everywhere. */
  async function told(low: number, high: number): Promise<Counterfactual[]> {
    const filled = (count: number, isOwn: boolean) =>
      new Uint8Array(count).map((_, at) => (isOwn ? 0 : [low, high][at % 2]!))
    const executor = scriptedExecutor({
      run: (call, _, {files}) =>
        bytesOf(call).map((count) =>
          filled(
            count,
            files.some(({text}) => text === pair.kernel.text),
          ),
        ),
    })
    const [found] = await decided([pair], {most: 20, executor})
    const all = (found?.decisions ?? []).filter(({topic}) => topic === 'range').flatMap(({because}) => because)
    return all.filter((one) => one.kind === 'counterfactual')
  }

  test('is an infinity, a NaN or the largest value, not another value', async () => {
    expect((await told(0xff, 0xff)).map(({change}) => change)).toContain('no-bound')
    expect((await told(0x00, 0x7c)).length).toBeGreaterThan(0)
    expect((await told(0xff, 0x7b)).length).toBeGreaterThan(0)
    expect(await told(0x00, 0x3c)).toEqual([])
  }, 120_000)

  test('is not looked for at a bound of the documented formula', () => {
    const bounds = (formula: string) =>
      alternativesOf({...pair, purpose: {text: '', formulas: [formula]}}, undefined)
        .filter(({topic}) => topic === 'range')
        .map(({change}) => change)
    expect(bounds('x_{20} \\cdot \\tanh(x)')).toEqual(['no-bound', 'farther-bound'])
    expect(bounds('\\min(x, 20.0)')).toEqual([])
  })
})

test('the space of a row is no length to change', () => {
  const tile = {
    ...{field: 'tileLength', value: 128, isRows: false, perUnit: 20},
    fixed: 0,
    buffers: [],
    kept: 0,
    keeper: '',
  }
  const ofTiles = (isRow: boolean) =>
    alternativesOf(pair, {...tile, isRow}).filter(({change}) => change === 'larger-tiles').length
  expect([ofTiles(false), ofTiles(true)]).toEqual([1, 0])
})

test('the longest row is one of the units that the host rounds rows up to', async () => {
  const [host, kernel] = [await hostFacts(sideOfPair(pair, 'host')), await kernelFacts(sideOfPair(pair, 'kernel'))]
  const row = {...{field: 'room', value: 768, isRows: false, isRow: true, perUnit: 14}, fixed: 96, kept: 0, keeper: ''}
  const told = (worked: string) => {
    const step = {kind: 'arithmetic' as const, name: 'room', expression: '', values: [], worked, result: 768}
    const grounds = {...groundsOf(pair, host, kernel), tile: {...row, buffers: []}, worked: [step]}
    return staticDecisions(grounds).find(({topic}) => topic === 'tile')
  }
  const limit = '⌊(196352 − 96) / 14⌋ = 14018, ⌊14018 / 128⌋ × 128 = 13952'
  expect(told('⌈768 / 128⌉ × 128')).toMatchObject({situation: 'row', values: {limit}})
  expect(told('768')).toBeUndefined()
})

describe('what inputs hold at a place', () => {
  const numbers = (name: string, shape: number[], first: number) => {
    const values = Array.from({length: elementCount(shape)}, (_, at) => first + at)
    return {name, dtype: 'float32' as const, shape, range: [0, 1] as [number, number], values}
  }
  const x = numbers('x', [2, 3], 0)

  test.each<[string, number[], number[], number | undefined]>([
    ['one row for all', [2, 3], [3], 11],
    ['one row for all, with axes of one', [2, 3], [1, 3], 11],
    ['one a row', [2, 3], [2], 11],
    ['one a row, with an axis of one', [2, 3], [2, 1], 11],
    ['one for all', [2, 3], [1], 10],
    ['one of three axes', [2, 1, 3], [3], 11],
    ['rows or columns alike', [3, 3], [3], undefined],
    ['another shape', [2, 3], [5], undefined],
  ])('%s', (_, shape, other, value) => {
    const output = {name: 'out', dtype: 'float32' as const, shape}
    const inputs = [{...numbers('x', shape, 0)}, numbers('w', other, 10)]
    const call = {...pair.scenario, inputs, outputs: [output], dtypes: {}}
    expect(heldAt(call, output, 4)).toEqual(
      value === undefined
        ? []
        : [
            ['x', 4],
            ['w', value],
          ],
    )
  })

  test('nothing of a reduction', () => {
    const output = {name: 'out', dtype: 'float32' as const, shape: [2]}
    expect(heldAt({...pair.scenario, inputs: [x], outputs: [output], dtypes: {}}, output, 1)).toEqual([])
  })
})

describe('lengths of copies', () => {
  const step = (bytes: Partial<Step>): Step => ({
    ...{pipe: 'MTE3', api: 'DataCopyPad', number: 1, place: 0, readBytes: 0, writtenBytes: 0},
    ...{burstsIn: 0, burstsOut: 0, repeats: 0, waits: []},
    ...bytes,
  })
  const copyOf = async (...steps: Step[]) => {
    const run = (call: OperatorCase) => ({
      ...ran(bytesOf(call).map((count) => new Uint8Array(count))),
      steps: [steps],
    })
    const [found] = await decided([pair], {most: 20, executor: scriptedExecutor({run})})
    return found?.decisions?.find(({topic}) => topic === 'copy')
  }

  test('are those of one run of bytes of an instruction', async () => {
    const whole = step({writtenBytes: 128, burstsOut: 1})
    const rows = step({writtenBytes: 228, burstsOut: 2})
    const copied = await copyOf(whole, rows)
    expect(copied).toMatchObject({situation: 'pad-needed', values: {bytes: 114, elements: 57, more: 3, rest: 18}})
    expect(copied?.values).toMatchObject({direction: 'out', names: [pair.scenario.outputs[0]?.name]})
    const read = step({pipe: 'MTE2', readBytes: 66, burstsIn: 1})
    expect(await copyOf(whole, read)).toMatchObject({situation: 'pad-needed', values: {bytes: 66, direction: 'in'}})
    expect(await copyOf(whole)).toMatchObject({situation: 'pad-spare', values: {bytes: 128}})
    expect((await copyOf(step({api: 'DataCopy', writtenBytes: 6, burstsOut: 1})))?.situation).toBe('observed')
  }, 120_000)

  test('are not told where a core copies several times and nothing says how much at once', async () => {
    const {blocks} = pair.scenario.trace
    const twice = blocks.map((one) => ({...one, work: {...one.work!, burstsOut: 2}}))
    expect((await decisionsOf(pair)).has('copy')).toBe(true)
    expect((await decisionsOf(withTrace({blocks: twice}))).has('copy')).toBe(false)
    const single = blocks.map((one) => ({...one, work: {...one.work!, burstsOut: one.writtenBytes / 2}}))
    expect((await decisionsOf(withTrace({blocks: single}))).get('copy')?.values).toMatchObject({bytes: 2, elements: 1})
  }, 60_000)
})

test('queues overlap by the tiles of the run, each by what came into it', async () => {
  const {blocks, buffers} = pair.scenario.trace
  const tiles = (count: number, filled: number) =>
    withTrace({
      blocks: blocks.map((one) => ({...one, work: {...one.work!, tiles: count}})),
      buffers: buffers.map((one) => (one.position === 'VECIN' ? {...one, filled: count} : {...one, filled})),
    })
  // Queues without evidence are told where a run has several kinds of tiles only.
  const depth = async (one: HostKernelPair) => {
    const executor = scriptedExecutor({
      run: (call) => bytesOf(call).map((count) => new Uint8Array(count)),
    })
    const [found] = await decided([one], {most: 20, executor})
    return found?.decisions?.find(({topic}) => topic === 'depth')
  }
  expect(await depth(tiles(1, 1))).toMatchObject({situation: 'one-tile'})
  expect(await depth(tiles(3, 3))).toMatchObject({values: {queues: ['inQueue_', 'outQueue_'], rounds: 3}})
  expect(await depth(tiles(3, 1))).toMatchObject({values: {queues: ['inQueue_'], rounds: 3}})
}, 60_000)

describe('the scalar unit', () => {
  interface Work {
    tiles: number
    drains: number
    drained?: number
    synced?: number
    writtenBytes?: number
  }
  const waiting = async (operator: string, works: Work[], change = (text: string) => text) => {
    const {outputs} = await runStage(await pairsStage(), [await ranOperator(operator, 'float32', [7, 33])])
    const [own] = outputs as HostKernelPair[]
    const {trace} = own!.scenario
    const blocks = works.map(({writtenBytes = 132, ...work}, index) => ({
      ...{...trace.blocks[0]!, index, writtenBytes},
      work: {...trace.blocks[0]!.work!, drained: undefined, synced: undefined, ...work},
    }))
    const buffers = trace.buffers.map((one) => ({...one, filled: 4}))
    const kernel = {...own!.kernel, text: change(own!.kernel.text)}
    const one = {...own!, kernel, scenario: {...own!.scenario, trace: {...trace, blocks, buffers}}}
    const executor = scriptedExecutor({run: (call) => bytesOf(call).map((count) => new Uint8Array(count))})
    const [found] = await decided([one], {most: 20, executor})
    return found?.decisions?.find(({topic}) => topic === 'depth')
  }

  test.each([
    ['after every tile', [{tiles: 4, drains: 4}], 'drained'],
    ['after all but the last', [{tiles: 4, drains: 3}], 'drained'],
    ['after some', [{tiles: 4, drains: 1}], 'partly'],
    ['never', [{tiles: 4, drains: 0}], 'several'],
    [
      'on a core that writes',
      [
        {tiles: 4, drains: 4},
        {tiles: 9, drains: 0, writtenBytes: 0},
      ],
      'drained',
    ],
    [
      'on the core with most tiles',
      [
        {tiles: 1, drains: 1},
        {tiles: 4, drains: 1},
      ],
      'partly',
    ],
  ])(
    'waits for results %s',
    async (_, works, situation) => {
      const depth = await waiting('RowSoftmax', works)
      expect(depth?.situation).toBe(situation)
      const most = works.filter(({writtenBytes = 1}: {writtenBytes?: number}) => writtenBytes > 0).at(-1)
      expect(depth?.values).toMatchObject({rounds: 4, drains: most?.drains})
    },
    60_000,
  )

  test.each([
    ['before the first tile and after the last', {tiles: 2, drains: 5, drained: 0}, 'several', 0],
    ['between tiles', {tiles: 2, drains: 5, drained: 1}, 'drained', 1],
    ['where a second pass begins', {tiles: 4, drains: 5, drained: 1, synced: 1}, 'several', 0],
    ['in both passes', {tiles: 4, drains: 5, drained: 3, synced: 1}, 'drained', 2],
    ['in one of two passes', {tiles: 4, drains: 5, drained: 2, synced: 1}, 'partly', 1],
    ['between passes of one tile', {tiles: 2, drains: 5, drained: 1, synced: 1}, 'one-tile-a-pass', 0],
  ])(
    'waits %s',
    async (_, work, situation, drains) => {
      expect(await waiting('RowSoftmax', [work])).toMatchObject({situation, values: {drains}})
    },
    60_000,
  )

  test('that reads nothing holds no copy back', async () => {
    expect(await waiting('Mish', [{tiles: 4, drains: 4}])).toMatchObject({situation: 'several', values: {drains: 0}})
  }, 60_000)

  test('that reads what was copied holds a copy back only where it begins at that value', async () => {
    const reading = (from: string) => (text: string) =>
      text.replace(
        /DataCopyPad\((\w+), (\w+)\[/,
        `LocalTensor<float> held = inQueue_.DeQue<float>();\nconst int64_t from = held.GetValue(0);\nDataCopyPad($1, $2[${from} + `,
      )
    const works = [{tiles: 4, drains: 4}]
    expect(await waiting('Mish', works, reading('0'))).toMatchObject({situation: 'several'})
    expect(await waiting('Mish', works, reading('from'))).toMatchObject({situation: 'drained', values: {drains: 4}})
  }, 60_000)
})

test('a tail is that of the largest share, or else is said to be of a smaller one', async () => {
  const tail = async (tileLength: number) =>
    (await decisionsOf(withTrace({tiling: {...pair.scenario.trace.tiling, tileLength}}))).get('tail')
  expect(await tail(128)).toMatchObject({situation: 'cut', values: {share: 16, whole: 0}})
  expect(await tail(16)).toMatchObject({situation: 'cut-smaller', values: {share: 7, largest: 16, whole: 0, rest: 7}})
  expect(await tail(4)).toMatchObject({situation: 'cut-smaller', values: {share: 7, whole: 1, rest: 3}})
}, 60_000)

test('the element that is told is the one that the comparison refuses, not a small one that differs more', async () => {
  // Halves: 2^-14 and 2^-13 differ by all of their value, and within tolerance; 1 and 1.5 do not.
  const filled = (count: number, isOwn: boolean) =>
    new Uint8Array(Uint16Array.from({length: count / 2}, (_, at) => valueAt(at, isOwn)).buffer)
  const valueAt = (at: number, isOwn: boolean) => {
    if (at === 0) return isOwn ? 0x0400 : 0x0800
    return at === 5 && !isOwn ? 0x3e00 : 0x3c00
  }
  const executor = scriptedExecutor({
    run: (call, _, {files}) =>
      bytesOf(call).map((count) =>
        filled(
          count,
          files.some(({text}) => text === pair.kernel.text),
        ),
      ),
  })
  const [found] = await decided([pair], {most: 20, executor})
  const seen = (found?.decisions ?? [])
    .flatMap(({because}) => because)
    .flatMap((one) => (one.kind === 'counterfactual' && 'differ' in one.observed ? [one.observed] : []))
  expect(seen.length).toBeGreaterThan(0)
  for (const one of seen) expect(one).toMatchObject({outcome: 'wrong', index: 5, seen: 1.5, expected: 1, differ: 2})
}, 60_000)

test('blocks of a queue are timed where a longer call has several tiles, and equal times are no overlap', async () => {
  const {trace} = pair.scenario
  const timed = async (tiles: number, isLonger = true) => {
    const run = (call: OperatorCase) => {
      const times = isLonger ? elementCount(call.inputs[0]!.shape) / 231 : 1
      const grown = ({readBytes, writtenBytes}: {readBytes: number; writtenBytes: number}) => ({
        ...{readBytes: readBytes * times, writtenBytes: writtenBytes * times},
      })
      const blocks = trace.blocks.map((one) => ({...one, ...grown(one), work: {...one.work!, tiles}}))
      return {...ran(bytesOf(call).map((count) => new Uint8Array(count))), trace: {...trace, blocks}}
    }
    const own = withTrace({
      blocks: trace.blocks.map((one) => ({...one, work: {...one.work!, tiles: 3}})),
      buffers: trace.buffers.map((one) => ({...one, filled: 3})),
    })
    const [found] = await decided([own], {most: 20, executor: scriptedExecutor({run})})
    const depth = found?.decisions?.find(({topic}) => topic === 'depth')
    const single = depth?.because.find((one) => one.kind === 'counterfactual' && one.change === 'single-blocks')
    return [depth?.situation, single !== undefined && 'modelled' in single]
  }
  expect(await timed(3)).toEqual(['level', true])
  expect(await timed(1)).toEqual(['several', false])
  // More rows to look into are no longer call.
  expect(await timed(3, false)).toEqual(['several', false])
}, 60_000)

test('cores that are launched without work are not counted', async () => {
  const {blocks, blockDim} = pair.scenario.trace
  const idle = {...blocks[0]!, index: blockDim, readBytes: 0, writtenBytes: 0}
  const cores = (await decisionsOf(withTrace({blockDim: blockDim + 1, blocks: [...blocks, idle]}))).get('cores')
  expect(cores).toMatchObject({situation: 'last-short', values: {blocks: 15, full: 14, lessCores: 1}})
}, 60_000)
