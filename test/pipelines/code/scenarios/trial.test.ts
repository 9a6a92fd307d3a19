import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import type {Build, ExecuteOptions, Execution, Executor, RunTrace} from '../../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import type {TensorSpec} from '../../../../datasets/schema/tensor.ts'
import type {Checked} from '../../../../pipelines/code/formulas/checked-call.ts'
import type {Call} from '../../../../pipelines/code/scenarios/drawn-call.ts'
import {Trial, type Drawn, type Subject} from '../../../../pipelines/code/scenarios/trial.ts'

const trace = {blockDim: 1, blocks: [{index: 0, readBytes: 4, writtenBytes: 4}]} as unknown as RunTrace
const output = (shape: number[], name = 'y'): TensorSpec => ({name, dtype: 'int16', shape})
const call = (...outputs: TensorSpec[]): Call => ({
  inputs: [{name: 'x', dtype: 'int16', shape: [2], range: [1, 1]}],
  attributes: {axis: 1},
  outputs,
})

type Ran = Partial<Extract<Execution, {outcome: 'ran'}>>
type Writes = (name: string, spec: TensorSpec, how: ExecuteOptions) => number[]

/** Elements that stand in an output before: another pattern for each poison. */
const before = ({poison}: ExecuteOptions) => (poison === 'zero' ? 0 : 0x7f)

/** A device that writes elements, from the first on; 0 leaves what stood there. */
function writing(elements: Writes, more: Ran = {}) {
  return ({outputs}: OperatorCase, how: ExecuteOptions): Execution => ({
    outcome: 'ran',
    outputs: outputs.map((spec) => {
      const count = spec.shape.reduce((product, size) => product * size, 1)
      const bytes = new Uint8Array(2 * count).fill(before(how))
      for (const [at, value] of elements(spec.name, spec, how).slice(0, count).entries())
        if (value !== 0) bytes.set([value, 1], 2 * at)
      return bytes
    }),
    trace,
    cpuSeconds: 0,
    log: '',
    ...more,
  })
}

async function served(
  execute: (one: OperatorCase, how: ExecuteOptions) => Execution,
  outputs: TensorSpec[] = [output([4])],
  {
    base = [2, 3],
    tolerant = false,
    drawn,
    checked = {outcome: 'agrees'},
    input,
    inferred,
  }: {
    base?: number[]
    tolerant?: boolean
    drawn?: Drawn
    checked?: Checked
    input?: Call['inputs'][number]
    inferred?: Subject['inferred']
  } = {},
) {
  const calls: {shapes: string; how: ExecuteOptions}[] = []
  const executor = {
    async execute(_: Build, one: OperatorCase, how: ExecuteOptions) {
      calls.push({shapes: one.outputs.map(({name, shape}) => `${name} ${shape.join('×')}`).join(', '), how})
      return execute(one, how)
    },
  } as unknown as Executor
  const signal = new AbortController().signal
  const given = {executor, build: {} as Build, dtypes: {x: 'int16' as const}, seed: 's', signal}
  const trial = new Trial({...given, ...(inferred && {inferred}), check: () => checked})
  return {calls, end: await trial.serve({...call(...outputs), ...(input && {inputs: [input]})}, base, tolerant, drawn)}
}

const fill = (count: number, value = 5) => Array<number>(count).fill(value)
const all: Writes = () => fill(64)

test('a call that writes all of its outputs is a scenario, run over two patterns and in either order', async () => {
  const {calls, end} = await served(writing(all))
  expect(calls).toEqual([
    {shapes: 'y 4', how: {tolerant: false}},
    {shapes: 'y 4', how: {tolerant: false, poison: 'zero'}},
    {shapes: 'y 4', how: {tolerant: false, order: 'reverse'}},
  ])
  const bytes = Uint8Array.from([5, 1, 5, 1, 5, 1, 5, 1])
  expect(end).toEqual({
    ok: true,
    scenario: {
      dtypes: {x: 'int16'},
      inputs: call().inputs,
      attributes: {axis: 1},
      outputs: [output([4])],
      call: {contract: 'none'},
      formula: 'agrees',
      seed: 's',
      trace,
      digests: [createHash('sha256').update(bytes).digest('hex')],
    },
  })
})

test('what a tolerant run went past is told', async () => {
  const tolerated = {rule: 'r', block: 0, api: 'Add', tensor: 'y', message: 'm', fix: 'f'} as const
  const {calls, end} = await served(writing(all, {tolerated}), undefined, {tolerant: true})
  expect(calls.every(({how}) => how.tolerant === true)).toBe(true)
  expect(end).toMatchObject({ok: true, scenario: {tolerated}})
})

test('a call that goes past a tensor is none, though a device goes on', async () => {
  const tolerated = {rule: 'gm-out-of-range', block: 0, api: 'DataCopy', tensor: 'x', message: 'm', fix: 'f'} as const
  const {end} = await served(writing(all, {tolerated}), undefined, {tolerant: true})
  expect(end).toEqual({ok: false, outcome: 'unserved', message: 'm, which is tolerated'})
})

test('values that their type does not hold are not handed over', async () => {
  const given = (dtype: 'float16' | 'int8' | 'float32', ...values: number[]) =>
    served(writing(all), undefined, {input: {name: 'x', dtype, shape: [values.length], range: [0, 1], values}})
  for (const one of [given('float16', 65536), given('int8', -200), given('int8', 0.5)])
    expect((await one).end).toMatchObject({ok: false, message: expect.stringMatching(/does not hold the values of x/)})
  for (const one of [given('float16', 65504, -Infinity), given('float32', 65536), given('int8', -128)])
    expect((await one).end.ok).toBe(true)
})

test('a call whose outputs are not right is none, and what they were is kept', async () => {
  const detail = 'y: element 0 is 261, expected 1'
  const {end} = await served(writing(all), undefined, {checked: {outcome: 'disagrees', detail}})
  expect(end).toEqual({ok: false, outcome: 'disagrees', message: detail})
  expect((await served(writing(all), undefined, {checked: {outcome: 'agrees'}})).end).toMatchObject({
    scenario: {formula: 'agrees'},
  })
})

describe('an output gets the shape of what was written', () => {
  test.each<[count: number, base: number[], shape: number[]]>([
    [2, [2, 3], [2, 1]],
    [3, [2, 3], [3]],
    [5, [2, 3], [5]],
    [1, [2, 3], [2, 1].slice(1)],
  ])('%i elements about %j', async (count, base, shape) => {
    const {end} = await served(
      writing(() => fill(count)),
      [output([2, 4])],
      {base},
    )
    expect(end).toMatchObject({ok: true, scenario: {outputs: [{shape}]}})
  })

  test.each<[what: string, given: Record<string, number[]>, shape: number[]]>([
    ['that inference gives', {y: [2]}, [2]],
    ['of its own place where inference gives another count', {y: [6]}, [2, 1]],
    ['of its own place where inference gives another output', {z: [2]}, [2, 1]],
  ])('the shape %s', async (_, given, shape) => {
    const inferred = () => new Map(Object.entries(given))
    const {end} = await served(
      writing(() => fill(2)),
      [output([2, 4])],
      {base: [2, 3], inferred},
    )
    expect(end).toMatchObject({ok: true, scenario: {outputs: [{shape}]}})
  })

  test('that no formula gives, where inference does', async () => {
    const end = async (shape: number[]) => {
      const given = {base: [2, 3], inferred: () => new Map([['y', shape]]), checked: {outcome: 'none'} as const}
      return (
        await served(
          writing(() => fill(2)),
          [output([2, 4])],
          given,
        )
      ).end
    }
    expect(await end([2])).toMatchObject({ok: true, scenario: {outputs: [{shape: [2]}]}})
    expect(await end([3])).toMatchObject({ok: false, message: 'no source tells the shape of an output'})
  })

  test('one that is not written is left out, others stay', async () => {
    const {end} = await served(
      writing((name) => (name === 'y' ? fill(64) : [])),
      [output([4]), output([4], 'z')],
    )
    expect(end).toMatchObject({ok: true, scenario: {outputs: [output([4])]}})
  })

  test('one that is too short is doubled, along its last axis', async () => {
    const needs =
      (length: number) =>
      (one: OperatorCase, how: ExecuteOptions): Execution => {
        const short = one.outputs.find(({name, shape}) => name === 'y' && (shape.at(-1) ?? 1) < length)
        const violation = {rule: 'gm-out-of-range', block: 0, api: 'A', tensor: 'y', message: 'past', fix: 'f'} as const
        return short ? {outcome: 'violated', violation} : writing(all)(one, how)
      }
    expect((await served(needs(6), [output([2, 3]), output([2], 'z')])).end).toMatchObject({
      ok: true,
      scenario: {outputs: [{shape: [2, 6]}, {shape: [2]}]},
    })
    expect((await served(needs(2), [output([])])).end).toMatchObject({ok: true, scenario: {outputs: [{shape: [2]}]}})
    const {calls, end} = await served(needs(999), [output([1])])
    expect(calls.map(({shapes}) => shapes)).toEqual(['y 1', 'y 2', 'y 4', 'y 8'])
    expect(end).toEqual({ok: false, outcome: 'unserved', message: 'no shape of the outputs fits what is written'})
  })
})

describe('a call is refused', () => {
  const violation = (tensor: string, rule: string) => () =>
    ({outcome: 'violated', violation: {rule, block: 0, api: 'A', tensor, message: 'not so', fix: 'f'}}) as Execution
  const gaps: Writes = () => [5, 0, 5, 5]
  const random: Writes = (_, __, {order}) => fill(64, order === 'reverse' ? 6 : 5)
  test.each<[name: string, execute: Parameters<typeof served>[0], outcome: string, message: string]>([
    ['that has a gap', writing(gaps), 'unserved', 'a part of an output is not written'],
    ['that writes nothing', writing(() => []), 'unserved', 'nothing is written to any output'],
    ['that depends on the order of blocks', writing(random), 'unserved', 'outputs depend on the order of blocks'],
    [
      'whose blocks wrote nothing',
      writing(all, {trace: {...trace, blocks: [{index: 0, readBytes: 4, writtenBytes: 0}]}}),
      'unserved',
      'nothing is written',
    ],
    ['that breaks another rule', violation('y', 'alignment'), 'violated', 'alignment: not so'],
    ['that goes past another tensor', violation('w', 'gm-out-of-range'), 'violated', 'gm-out-of-range: not so'],
    ['that goes past what it was handed', violation('x', 'gm-out-of-range'), 'violated', 'gm-out-of-range: not so'],
    ['that is not launched', () => ({outcome: 'launch-failed', message: 'no'}), 'launch-failed', 'no'],
    ['that crashes', () => ({outcome: 'crashed', cause: 'SIGSEGV', log: 'l'}), 'crashed', 'SIGSEGV'],
    ['that takes too long', () => ({outcome: 'timed-out', limitSeconds: 7}), 'timed-out', 'more than 7 s'],
    ['that gives too few outputs', writing(all, {outputs: []}), 'unserved', 'a part of an output is not written'],
  ])('%s', async (_, execute, outcome, message) => {
    const own = [output([4]), ...(message.startsWith('gm') ? [output([2], 'x')] : [])]
    expect((await served(execute, own)).end).toEqual({ok: false, outcome, message})
  })

  test.each(['zero', 'reverse'])('that crashes in its run of %s alone', async (which) => {
    const crash: Execution = {outcome: 'crashed', cause: 'SIGABRT', log: ''}
    const execute = (one: OperatorCase, how: ExecuteOptions) =>
      how.poison === which || how.order === which ? crash : writing(all)(one, how)
    expect((await served(execute)).end).toEqual({ok: false, outcome: 'crashed', message: 'SIGABRT'})
  })
})

describe('a call of which no core reads a part', () => {
  const half = writing(all, {inputs: [{name: 'x', readBytes: 2}]})
  const unread = [{tensor: 'x', held: 4, read: 2}]
  const drawn = (contract: Drawn['origin']['contract']): Drawn => ({origin: {contract}, isWhole: true})

  test('is refused where it was guessed or made from a page, and told where people wrote it', async () => {
    expect((await served(half)).end).toMatchObject({ok: false, message: '2 of 4 bytes of x are read'})
    expect((await served(half, undefined, {drawn: drawn('page')})).end).toMatchObject({ok: false})
    expect((await served(half, undefined, {drawn: drawn('example')})).end).toMatchObject({ok: true, scenario: {unread}})
    const place = {path: 'tests/ut/op_host/test_add_tiling.cpp', line: 3}
    const ofTiling: Drawn = {origin: {contract: 'example', place}, isWhole: true}
    expect((await served(half, undefined, {drawn: ofTiling})).end).toMatchObject({ok: false})
  })

  test('says nothing of what is read whole, or not counted', async () => {
    const whole = writing(all, {inputs: [{name: 'x', readBytes: 4}]})
    for (const device of [whole, writing(all, {inputs: []})]) {
      const {end} = await served(device)
      expect(end.ok && end.scenario.unread).toBeUndefined()
    }
  })
})

test('outputs that a contract tells keep their shapes', async () => {
  const told: Drawn = {origin: {contract: 'example'}, isWhole: true}
  const {end} = await served(
    writing(() => fill(2)),
    [output([2, 4])],
    {drawn: told},
  )
  expect(end).toMatchObject({ok: false, message: 'an output is longer than what is written'})
})
