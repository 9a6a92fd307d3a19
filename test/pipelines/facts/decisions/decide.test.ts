import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {Counterfactual, Decision, Observation} from '../../../../datasets/schema/decision.ts'
import {CheckedOperatorSource} from '../../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import {elementCount, type Dtype} from '../../../../datasets/schema/tensor.ts'
import {lengthFromMemory, tileLength} from '../../../../pipelines/facts/decisions/tile-length.ts'
import {kernelFacts} from '../../../../pipelines/facts/kernel-facts.ts'
import decide from '../../../../pipelines/facts/decisions/decide.ts'
import {decided} from '../../../helpers/decided.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {scriptedExecutor, type Script} from '../../../helpers/scripted-executor.ts'
import {pairsStage, ranOperator} from '../../code/specialise/ran-operator.ts'

async function pairOf(operator: string, dtype: Dtype, shape: number[]): Promise<HostKernelPair> {
  const {outputs} = await runStage(await pairsStage(), [await ranOperator(operator, dtype, shape)])
  return outputs[0] as HostKernelPair
}

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

const counterfactuals = (decisions: readonly Decision[]): Counterfactual[] =>
  decisions.flatMap(({because}) => because.filter((one) => one.kind === 'counterfactual'))

async function seen(operator: string, dtype: Dtype, shape: number[]): Promise<ReadonlyMap<string, Counterfactual>> {
  const [pair] = await decided([await pairOf(operator, dtype, shape)], {most: 20, executor: await realExecutor()})
  return new Map(counterfactuals(pair?.decisions ?? []).map((one) => [one.change, one]))
}

const refused = (rule: string): Partial<Observation> => ({outcome: 'refused', rule})

describe('what the twin sees', () => {
  test('of Mish in half: bounds, tiles, copies and tails that are decided otherwise', async () => {
    const found = await seen('Mish', 'float16', [7, 33])
    expect(found.get('no-bound')?.observed).toMatchObject({outcome: 'wrong', inputs: 'large', seen: 'NaN'})
    expect(found.get('farther-bound')?.observed).toMatchObject({outcome: 'wrong', inputs: 'large', seen: 'NaN'})
    expect(found.get('larger-tiles')?.observed).toMatchObject(refused('ub-overflow'))
    expect(found.get('plain-copy')?.observed).toMatchObject(refused('unaligned-copy'))
    expect(found.get('whole-tiles')?.observed).toMatchObject(refused('gm-out-of-range'))
    expect(found.get('truncated')?.observed).toMatchObject({outcome: 'close', inputs: 'call', of: 231})
    expect(found.get('single-blocks')?.observed).toMatchObject({outcome: 'equal'})
    const {before, after, elements} = found.get('one-core')?.modelled ?? {before: 0, after: 0, elements: 0}
    expect(after).toBeGreaterThan(5 * before)
    expect(elements).toBeGreaterThan(200_000)
  }, 240_000)

  test('of a softmax: the largest value that is not subtracted', async () => {
    const found = await seen('RowSoftmax', 'float32', [7, 33])
    const shift = found.get('no-shift')?.observed
    expect(shift).toMatchObject({outcome: 'wrong', inputs: 'large', seen: 'NaN'})
    expect(found.get('no-shift')?.values).toEqual({shifts: 1})
    const [[name, held]] = shift && 'at' in shift ? (shift.at as [[string, number]]) : [['', 0]]
    expect(name).toBe('x')
    expect(held).toBeGreaterThan(89)
  }, 240_000)
})

test('what times are modelled by, and how many programs are tried, are part of the key', () => {
  const options = {
    executor: scriptedExecutor({run: () => []}),
    program: () => expect.fail('not built'),
    compared: () => ({ok: true}),
  }
  const keyOf = (most: number, rates: Record<string, number>) =>
    decide({...options, most, rates, modelled: () => undefined}).options
  const keys = [keyOf(4, {vector: 1}), keyOf(5, {vector: 1}), keyOf(4, {vector: 2})]
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(3)
})

test('a program is built where it stands in its repository', async () => {
  const pair = await pairOf('Mish', 'float16', [7, 33])
  const shared = {path: '../../common/tiling_util.cpp', text: 'int Shared() { return 1; }\n'}
  const placed = {...pair, origin: {...pair.origin, path: 'math/mish'}, host: [...pair.host, shared]}
  const executor = scriptedExecutor({run: () => [new Uint8Array(462)]})
  const [found] = await decided([placed], {most: 1, executor})
  // One of the host, one of the kernel.
  const tried = counterfactuals(found?.decisions ?? []).map(({path}) => path.split('/')[0])
  expect(tried.sort()).toEqual(['op_host', 'op_kernel'])
  expect(executor.builds).toHaveLength(3)
  for (const {folder, files} of executor.builds) {
    expect(folder).toBe('math/mish')
    expect(files.map(({path}) => path)).toContain('math/mish/op_kernel/mish.cpp')
    expect(files.find(({text}) => text === shared.text)?.path).toMatch(/^math\/mish\/op_host\/shared\//)
  }
}, 120_000)

test('a call without inputs, as of a range, has no longer one: attributes tell its length', async () => {
  const pair = await pairOf('Mish', 'float16', [7, 33])
  const outputsOf: Script['run'] = ({outputs}) => outputs.map(({shape}) => new Uint8Array(elementCount(shape) * 2))
  const runsOf = async (one: HostKernelPair) => {
    const executor = scriptedExecutor({run: outputsOf})
    await decided([one], {most: 20, executor})
    return executor.runs.length / executor.builds.length
  }
  expect(await runsOf({...pair, scenario: {...pair.scenario, inputs: []}})).toBe(1)
  expect(await runsOf(pair)).toBeGreaterThan(1)
}, 120_000)

describe('without a run', () => {
  test('shares, tiles and arithmetic of the call', async () => {
    const [pair] = await decided([await pairOf('Mish', 'float16', [7, 33])])
    const byTopic = new Map((pair?.decisions ?? []).map((one) => [one.topic, one]))
    expect(counterfactuals(pair?.decisions ?? [])).toEqual([])
    expect(byTopic.get('instructions')?.values['chain']).toEqual([
      ...['Cast', 'Mins', 'Exp', 'Adds', 'Mul', 'Adds', 'Div', 'Mul', 'Cast'],
    ])
    expect(byTopic.get('cores')).toMatchObject({
      situation: 'last-short',
      values: {total: 231, unit: 'elements', share: 16, full: 14, less: 7, blocks: 15, cores: 48},
    })
    expect(byTopic.get('tile')).toMatchObject({
      situation: 'one-tile',
      values: {...{field: 'tileLength', tile: 128, perUnit: 20, used: 2560, rounds: 1}, derived: 'none'},
    })
    const worked = byTopic
      .get('tile')
      ?.because.map((one) => ('worked' in one ? [one.name, one.worked, one.result] : one))
    expect(worked).toContainEqual(['bytesPerElement', '4 × 2 + 3 × 4', 20])
    expect(worked).toContainEqual(['maxTileLength', '⌊9817 / 128⌋ × 128', 9728])
    expect(byTopic.get('copy')).toMatchObject({situation: 'pad-needed', values: {bytes: 14, rest: 14, elements: 7}})
    // An input of as many elements may be wider than the output.
    const executor = scriptedExecutor({run: () => [new Uint8Array(24 * 128 * 2)]})
    const half = await pairOf('Mish', 'float16', [24, 128])
    const inputs = half.scenario.inputs.map((one) => ({...one, dtype: 'float32' as const}))
    const [wide] = await decided([{...half, scenario: {...half.scenario, inputs}}], {most: 20, executor})
    const copied = wide?.decisions?.find(({topic, situation}) => topic === 'copy' && situation === 'pad-spare')
    expect(copied?.values).toMatchObject({bytes: 256, dtype: 'float32'})
    const back = (one: HostKernelPair | undefined) =>
      one?.decisions?.find(({topic}) => topic === 'element-type')?.values['back']
    expect(back(pair)).toBe('yes')
    const outputs = half.scenario.outputs.map((one) => ({...one, dtype: 'float32' as const}))
    expect(back((await decided([{...half, scenario: {...half.scenario, outputs}}]))[0])).toBe('no')
    // An argument is computed before the call that takes it.
    const [standard] = await decided([await pairOf('RowStandardize', 'float32', [7, 33])])
    const chain = standard?.decisions?.find(({topic}) => topic === 'instructions')?.values['chain'] as string[]
    expect(chain.indexOf('Sqrt')).toBeLessThan(chain.lastIndexOf('Muls'))
    expect(byTopic.get('synchronisation')).toMatchObject({
      situation: 'queues',
      values: {queues: ['inQueue_', 'outQueue_']},
    })
    // What is done so everywhere is no decision without evidence.
    expect(byTopic.has('depth')).toBe(false)
  }, 120_000)

  test('a scalar unit that waits for every row leaves nothing to overlap; a queue of one block is none of two', async () => {
    const [pair] = await decided([await pairOf('RowSoftmax', 'float32', [96, 33])], {
      ...{most: 20, executor: await realExecutor()},
    })
    const byTopic = new Map((pair?.decisions ?? []).map((one) => [one.topic, one]))
    expect(byTopic.get('synchronisation')?.situation).toBe('queues-and-scalar')
    const [sum] = await decided([await pairOf('BiasAdd', 'float32', [7, 33])], {
      ...{most: 20, executor: await realExecutor()},
    })
    const depth = sum?.decisions?.find(({topic}) => topic === 'depth')
    expect(depth?.values['queues']).toEqual(['inQueue_', 'outQueue_'])
  }, 240_000)

  test('one core is a merit only where cores would have to exchange what a reduction leaves', async () => {
    const cores = async (operator: string, shape: number[]) => {
      const [pair] = await decided([await pairOf(operator, 'float32', shape)])
      return pair?.decisions?.find(({topic}) => topic === 'cores')
    }
    expect(await cores('Elu', [7])).toMatchObject({situation: 'alone', values: {idle: 47, total: 7}})
    expect(await cores('RowSoftmax', [1, 33])).toMatchObject({situation: 'one'})
  }, 120_000)

  test('instructions of branches that are both in the code are no order', async () => {
    const pair = await pairOf('Mish', 'float16', [7, 33])
    const open = pair.kernel.text.replace(/( +)Mul\(y, x/, '$1if (flag_) { Adds(y, x, 0.0f, count); }\n$1Mul(y, x')
    expect(open).not.toBe(pair.kernel.text)
    const [found] = await decided([{...pair, kernel: {path: pair.kernel.path, text: open}}])
    expect(found?.decisions?.map(({topic}) => topic)).not.toContain('instructions')
  }, 120_000)

  test('what is asked of an attribute is not worked out, by whatever name its place goes', async () => {
    const pair = await pairOf('Elu', 'float32', [7, 33])
    const host = pair.host.map(({path, text}) => ({
      path,
      text: text
        .replace('EluTilingData tiling;', 'EluTilingData tiling;\n    auto attrs = context->GetAttrs();')
        .replace('*context->GetAttrs()->GetAttrPointer<float>(0)', '*(attrs->GetAttrPointer<float>(PLACE))')
        .replace(/\n(static |constexpr )/, '\nconstexpr int PLACE = 0;\n$1'),
    }))
    const {steps: _, ...unwatched} = pair
    const [found] = await decided([{...unwatched, host}])
    const alpha = found?.decisions?.flatMap(({because}) => because).find((one) => 'name' in one && one.name === 'alpha')
    expect(alpha).toMatchObject({expression: expect.stringContaining('PLACE'), result: 1})
    expect(alpha).not.toHaveProperty('worked')
  }, 120_000)

  test('a flag or a barrier beside queues is not left unsaid, and a single queue orders no three pipes', async () => {
    const pair = await pairOf('Mish', 'float16', [7, 33])
    const situationOf = async (change: (text: string) => string) => {
      const [found] = await decided([{...pair, kernel: {path: pair.kernel.path, text: change(pair.kernel.text)}}])
      return found?.decisions?.find(({topic}) => topic === 'synchronisation')?.situation
    }
    expect(await situationOf((text) => text)).toBe('queues')
    expect(await situationOf((text) => text.replace(/( +)(Mins\()/, '$1PipeBarrier<PIPE_V>();\n$1$2'))).toBe(
      'queues-and-flags',
    )
    expect(await situationOf((text) => text.replace('VECIN, BUFFER_NUM', 'VECCALC, BUFFER_NUM'))).toBeUndefined()
  }, 120_000)

  test('the space of a row is the length where rows are not cut', async () => {
    const own = await pairOf('Mish', 'float16', [7, 33])
    const lengthOf = async (sizes: readonly string[], tiling: Record<string, number>) => {
      const set = sizes.map((size, at) => `pipe.InitBuffer(b${at}, ${size});`).join(' ')
      const members = sizes.map((_, at) => `TBuf<QuePosition::VECCALC> b${at};`).join(' ')
      const text = `class K {\npublic:\nvoid Init() { ${set} }\nTPipe pipe; ${members}\n};\n`
      const target = {path: 'op_kernel/a.h', text}
      const facts = await kernelFacts({...source, side: 'kernel', dependencies: [], target})
      const scenario = {...own.scenario, trace: {...own.scenario.trace, tiling}}
      return tileLength({...own, scenario}, facts)
    }
    const sizes = ['room * 4', 'room / 8', '32']
    expect(await lengthOf(sizes, {room: 128})).toMatchObject({field: 'room', isRow: true, perUnit: 4.125, fixed: 32})
    expect(await lengthOf(sizes, {room: 40})).toMatchObject({isRow: true, value: 40})
    // Shorter than a row, longer than the next whole granule, or in no whole blocks.
    for (const room of [32, 168, 36]) expect(await lengthOf(sizes, {room}), String(room)).toBeUndefined()
    expect(await lengthOf(['room * count * 4'], {room: 128, count: 2})).toBeUndefined()
    expect(await lengthOf(['room * 4', 'other * 4'], {room: 128, other: 40})).toBeUndefined()
    expect(await lengthOf(['room * 4', 'tile * 4'], {room: 128, tile: 64})).toMatchObject({field: 'tile', isRow: false})
  }, 60_000)

  test('a tile without arithmetic of its host is derived from what its buffers leave, in whole 128, or not at all', () => {
    const tile = {
      ...{field: 'tile', isRows: false, isRow: false, buffers: [], kept: 0, keeper: ''},
      perUnit: 36,
      fixed: 4096,
    }
    expect(lengthFromMemory({...tile, value: 5248})).toBe('⌊(196352 − 4096) / 36⌋ = 5340, ⌊5340 / 128⌋ × 128 = 5248')
    expect(lengthFromMemory({...tile, value: 5120})).toBe('none')
    expect(lengthFromMemory({...tile, value: 5248, isRows: true})).toBe('none')
    expect(lengthFromMemory({...tile, fixed: 0, perUnit: 40, value: 4864})).toMatch(/^⌊196352 \/ 40⌋ = 4908, /)
  })

  test('bytes that an interface takes for itself are no room for tiles', async () => {
    const [pair] = await decided([await pairOf('Threshold', 'float16', [7, 33])])
    const tile = pair?.decisions?.find(({topic}) => topic === 'tile')
    expect(tile?.values).toMatchObject({fixed: 0, kept: 8192, keeper: 'Select', perUnit: 10.125})
  }, 120_000)
})
