import {beforeAll, describe, expect, test} from 'vitest'
import type {RunTrace, Step} from '../../../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import {capDecision} from '../../../../pipelines/facts/decisions/caps.ts'
import {groundsOf, staticDecisions} from '../../../../pipelines/facts/decisions/static-decisions.ts'
import {reasonOf, type TileLength} from '../../../../pipelines/facts/decisions/tile-length.ts'
import {shareOf} from '../../../../pipelines/facts/decisions/written-share.ts'
import {hostFacts} from '../../../../pipelines/facts/host-facts.ts'
import {kernelFacts} from '../../../../pipelines/facts/kernel-facts.ts'
import {sideOfPair} from '../../../../pipelines/facts/pair-source.ts'
import {decided} from '../../../helpers/decided.ts'
import {runStage} from '../../../helpers/run-stage.ts'
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

test('a length that nothing computes is the largest power of two that fits, or one of many that fit', () => {
  const of = (value: number, isWorked = false, fixed = 32) =>
    reasonOf(
      {...{field: 'tile', value, isRows: false, isRow: false, perUnit: 24, fixed, buffers: [], kept: 0, keeper: ''}},
      isWorked,
    )
  const room = '⌊(196352 − 32) / 24⌋ = 8180'
  expect(of(4096)).toEqual({reason: 'power', room})
  expect(of(2048)).toEqual({reason: 'free', room})
  expect(of(3000)).toEqual({reason: 'free', room})
  expect([of(4096, true), of(8064), of(8192)].map(({reason}) => reason)).toEqual(['none', 'none', 'none'])
  expect(of(8192, false, 0)).toMatchObject({reason: 'none'})
  expect(of(4096, false, 0).room).toBe('⌊196352 / 24⌋ = 8181')
})

test.each([
  [[24, 128], [24, 1], 'rows'],
  [[24, 128], [24], 'results'],
  [[24, 128], [24, 128], 'rows'],
  [[24], [24], 'elements'],
  [[24, 128], [1], 'elements'],
  [[24, 128], [128], 'elements'],
])('from %j to %j cores share %s', (from, to, unit) => {
  const [input, output] = [pair.scenario.inputs[0]!, pair.scenario.outputs[0]!]
  const bytes = (to.reduce((product, one) => product * one, 1) / to[0]!) * 2
  const blocks = Array.from({length: to[0]!}, (_, index) => {
    return {...pair.scenario.trace.blocks[0]!, index, writtenBytes: bytes}
  })
  const one = withTrace({blocks})
  const shapes = {inputs: [{...input, shape: from}], outputs: [{...output, shape: to}]}
  expect(shareOf({...one, scenario: {...one.scenario, ...shapes}})?.unit).toBe(unit)
})

describe('a constant that limits a tile', () => {
  const host = {constants: [['MOST', 64]] as [string, number][], flows: []}
  const tile = (perUnit: number, change: Partial<TileLength> = {}): TileLength => ({
    ...{field: 'tile', value: 8, isRows: false, isRow: false, perUnit, fixed: 0, kept: 0, keeper: ''},
    ...{buffers: [{name: 'a', count: 1, bytes: perUnit}], ...change},
  })
  const capOf = (expression: string, most: number, of: TileLength | undefined, name = 'tile') =>
    capDecision(
      {
        ...{kind: 'arithmetic', name, expression, result: 8},
        values: [
          ['n', 900],
          ['typeBytes', 2],
          ['bufferNum', 2],
        ],
      },
      {...host, constants: [['MOST', most]]},
      of,
    )

  test.each([
    ['is the last power of two that fits', 4096, tile(24), 'cap-power'],
    ['is not the last one', 2048, tile(24), 'cap-unsaid'],
    ['is no power of two', 4100, tile(24), 'cap-unsaid'],
    ['leaves no room for what an interface keeps', 4096, tile(24, {kept: 100_000}), 'cap-unsaid'],
    ['counts rows, which are as long as the call has them', 4096, tile(24, {isRows: true}), 'cap-unsaid'],
    ['is for a tile of which nothing is known', 4096, undefined, 'cap-unsaid'],
  ])('%s', (_, most, of, situation) => {
    expect(capOf('std::min(n, MOST)', most, of)).toMatchObject({situation, values: {limit: most}})
  })

  test.each([
    ['twice of it fits', 2048, 0, 2048 * 24],
    ['twice of it does not', 4100, 0, 0],
    ['it does not fit itself', 4096, 100_000, 0],
  ])('is no matter of memory only where %s', (_, most, kept, needed) => {
    expect(capOf('std::min(n, MOST)', most, tile(24, {kept}))?.values).toMatchObject({needed})
  })

  test('counts bytes where the minimum is divided', () => {
    const {values} = capOf('std::min(n, MOST) / typeBytes', 512, tile(24)) ?? {}
    expect(values).toMatchObject({limit: 512, most: 256, asked: 8, of: 'bytes', least: 'asked', needed: 256 * 24})
    expect(capOf('std::min(CeilDiv(n, MOST), MOST)', 8, tile(24))?.values).toMatchObject({least: 'limit', most: 8})
  })

  test.each([
    ['std::min(n, n + 1)', 'tile'],
    ['n + MOST', 'tile'],
    ['std::min(n, MOST) / bufferNum', 'tile'],
    ['std::min(n, MOST)', 'usedCores'],
  ])('is none: %s of %s', (expression, name) => {
    expect(capOf(expression, 64, tile(24), name)).toBeUndefined()
  })
})

describe('what a tile is cut from', () => {
  const step = (bytes: number, pipe: 'MTE2' | 'MTE3' = 'MTE2'): Step => ({
    ...{pipe, api: 'DataCopyPad', number: 1, place: 0, repeats: 0, waits: []},
    ...(pipe === 'MTE2'
      ? {readBytes: bytes, burstsIn: 1, writtenBytes: 0, burstsOut: 0}
      : {readBytes: 0, burstsIn: 0, writtenBytes: bytes, burstsOut: 1}),
  })
  /** Of a tile of so many elements in a call of [7, 33] halves, where cores write whole rows and copy these lengths. */
  const grounds = async (tileLength: number, lengths: number[], written = [4 * 66, 3 * 66], field = 'tileLength') => {
    const [host, kernel] = [await hostFacts(sideOfPair(pair, 'host')), await kernelFacts(sideOfPair(pair, 'kernel'))]
    const blocks = written.map((writtenBytes, index) => ({...pair.scenario.trace.blocks[0]!, index, writtenBytes}))
    const renamed = {...kernel, buffers: kernel.buffers.map((one) => renamedIn(one, field))}
    const one = withTrace({blocks, tiling: {...pair.scenario.trace.tiling, tileLength, [field]: tileLength}})
    return groundsOf(one, host, renamed, [lengths.map((length) => step(length * 2))])
  }
  const renamedIn = <T extends {bytes: string}>(one: T, field: string): T => ({
    ...one,
    bytes: one.bytes.replace(/\w*tileLength\w*/g, field),
  })
  const tail = async (...given: Parameters<typeof grounds>) =>
    staticDecisions(await grounds(...given)).find(({topic}) => topic === 'tail')

  test('is a row, where copies have the lengths of rows', async () => {
    expect(await tail(16, [16, 1])).toMatchObject({situation: 'row-cut', values: {row: 33, whole: 2, rest: 1}})
    expect(await tail(64, [33])).toMatchObject({situation: 'row-cut', values: {row: 33, whole: 0, rest: 33}})
    expect(await tail(33, [33])).toBeUndefined()
  })

  test('is a share of several rows, where copies have its lengths; it is counted in elements then', async () => {
    const whole = await grounds(100, [100, 32, 99])
    expect(whole).toMatchObject({cut: [132, 99], share: {unit: 'elements', total: 231}})
    expect(await tail(100, [100, 32, 99])).toMatchObject({situation: 'cut', values: {share: 132, whole: 1, rest: 32}})
  })

  test('is not told, where copies have other lengths', async () => {
    expect(await tail(16, [16, 2])).toBeUndefined()
    expect(await grounds(16, [16, 2])).toMatchObject({cut: [], share: {unit: 'rows', total: 7}})
  })

  test('is all columns, where tiles are rows of a strip', async () => {
    const strips = [7 * 16 * 2, 7 * 16 * 2, 7 * 2]
    const found = await grounds(16, [16, 1], strips, 'width')
    expect(found.share).toMatchObject({
      unit: 'columns',
      total: 33,
      sizes: [
        {size: 16, cores: 2},
        {size: 1, cores: 1},
      ],
    })
    expect(staticDecisions(found).find(({topic}) => topic === 'tail')).toMatchObject({
      ...{situation: 'strips', values: {columns: 33, strips: 3, before: 2, rest: 1}},
    })
    const {most, limit} = {most: 9728, limit: '⌊196352 / 20⌋ = 9817, ⌊9817 / 128⌋ × 128 = 9728'}
    const told = (worked: string) => {
      const width = {kind: 'arithmetic' as const, name: 'width', expression: '', values: [], worked, result: 16}
      const {perUnit, ...tile} = found.tile!
      return staticDecisions({...found, tile: {...tile, perUnit: 20}, worked: [width]}).find(
        (one) => one.topic === 'tile',
      )
    }
    expect(told('max(16, min(9728, 16))')).toMatchObject({situation: 'strip', values: {most, limit}})
    expect(told('max(16, min(9600, 16))')?.situation).not.toBe('strip')
  })
})

test('what every core puts into the workspace for the others is no share of the output', () => {
  const share = (written: number[], change: Partial<RunTrace> = {}) => {
    const blocks = written.map((writtenBytes, index) => ({...pair.scenario.trace.blocks[0]!, index, writtenBytes}))
    return shareOf(withTrace({blocks, workspaceBytes: 96, calls: {SyncAll: 3}, ...change}))?.sizes
  }
  const own = [160, 160, 142]
  const sizes = [
    {size: 80, cores: 2},
    {size: 71, cores: 1},
  ]
  expect(share(own)).toEqual(sizes)
  expect(share(own.map((one) => one + 32))).toEqual(sizes)
  expect(
    share(
      own.map((one) => one + 32),
      {calls: {}},
    ),
  ).toBeUndefined()
  expect(share([192, 192, 206])).toBeUndefined()
  expect(share([200, 184, 174])).toBeUndefined()
})

test('where all cores meet is told with the steps on both sides', async () => {
  const text = pair.kernel.text.replace(/(\n\s*CopyIn\([^;]*;)/, '$1 SyncAll();')
  const [found] = await decided([{...pair, kernel: {...pair.kernel, text}}])
  const met = found?.decisions?.find(({topic}) => topic === 'waits')
  expect(met).toMatchObject({situation: 'cores', subject: 'SyncAll', values: {before: 'CopyIn'}})
})
