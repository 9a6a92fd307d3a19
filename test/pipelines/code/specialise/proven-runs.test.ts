import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import type {Execution, Program, RunTrace} from '../../../../datasets/schema/executor.ts'
import type {Scenario} from '../../../../datasets/schema/scenario.ts'
import {ProvenRuns} from '../../../../pipelines/code/specialise/proven-runs.ts'
import {ran, scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'

const never = new AbortController().signal
const programOf = (text: string): Program => ({
  operator: 'Op',
  files: [{path: 'op_kernel/op.cpp', text}],
  dtypes: {x: 'float32'},
})
const program = programOf('whole')
const trace: RunTrace = {...ran([]).trace, blockDim: 4, tilingKey: 2, workspaceBytes: 16, tiling: {rows: 7, cols: 3}}
const scenario: Scenario = {
  dtypes: {x: 'float32'},
  inputs: [{name: 'x', dtype: 'float32', shape: [2], range: [-4, 4]}],
  attributes: {},
  outputs: [{name: 'y', dtype: 'float32', shape: [2]}],
  seed: 's',
  trace,
  digests: [],
}
const bytes = (...values: number[]) => values.map((value) => new Uint8Array([value]))
const digests = (...values: number[]) => bytes(...values).map((one) => createHash('sha256').update(one).digest('hex'))
const runsOf = (script: Script) => {
  const executor = scriptedExecutor(script)
  return {executor, runs: new ProvenRuns(executor, never)}
}
/** What the runs of a program give in turn. */
function inTurn(...results: (Uint8Array[] | Execution)[]): Script {
  const left = [...results]
  return {run: () => left.shift()!}
}
const broken: Execution = {outcome: 'crashed', cause: 'SIGSEGV', log: ''}

describe('digests of the outputs', () => {
  test('are of two seeds; without a second run there are those of the first', async () => {
    const {executor, runs} = runsOf(inTurn(bytes(1, 2), bytes(3, 4), bytes(5), broken))
    expect(await runs.digests(program, scenario)).toEqual({ok: true, digests: [digests(1, 2), digests(3, 4)]})
    expect(await runs.digests(program, scenario)).toEqual({ok: true, digests: [digests(5), undefined]})
    const given = executor.runs.map(({inputs}) => inputs.map(String).join())
    expect([given[0] === given[2], given[1] === given[3], given[0] === given[1]]).toEqual([true, true, false])
  })

  test.each<[said: string, execution: Execution]>([
    ['queue: taken twice', {outcome: 'violated', violation: {rule: 'queue', message: 'taken twice'} as never}],
    ['crashed: SIGSEGV', broken],
    ['launch-failed: no memory', {outcome: 'launch-failed', message: 'no memory'}],
    ['timed-out: ', {outcome: 'timed-out', limitSeconds: 3}],
  ])('there are none where the first run %s', async (detail, execution) => {
    const {runs} = runsOf(inTurn(execution))
    expect(await runs.digests(program, scenario)).toEqual({ok: false, reason: 'does-not-run', detail})
  })

  const failed = (log: string) => ({outcome: 'compile-failed', executor: scriptedIdentity, log}) as never
  test.each<[detail: string, verdict: never]>([
    ['compile-failed: op.cpp:3: error: no such name', failed('note\n  op.cpp:3: error: no such name\n1 error')],
    ['compile-failed: fatal', failed(' fatal\n')],
    [`compile-failed: ${'a'.repeat(300)}`, failed('a'.repeat(301))],
    [
      'not covered: Mmad, Conv3D',
      {outcome: 'not-covered', executor: scriptedIdentity, missing: ['Mmad', 'Conv3D']} as never,
    ],
    ['passed: ', {outcome: 'passed', executor: scriptedIdentity} as never],
  ])('there are none where it does not build: %s', async (detail, verdict) => {
    const {runs} = runsOf({build: () => verdict, run: () => bytes(1)})
    const wanted = {ok: false, reason: 'does-not-build', detail}
    expect(await runs.digests(program, scenario)).toEqual(wanted)
    expect(await runs.same(program, scenario, [digests(1), undefined])).toEqual(wanted)
    expect(await runs.sameTiling(program, scenario, [digests(1), undefined])).toEqual(wanted)
    expect(await runs.printed(program, scenario)).toBe(undefined)
  })
})

describe('another program gives the same', () => {
  const differs = {ok: false, reason: 'not-equal', detail: 'other outputs than before it was reduced'}
  test.each<[name: string, second: Uint8Array[] | Execution, expected: number[] | undefined, proof: object]>([
    ['where both runs agree', bytes(2), [2], {ok: true}],
    ['not where the second differs', bytes(3), [2], differs],
    ['not where the second does not run any more', broken, [2], differs],
    ['where the second never ran', bytes(3), undefined, {ok: true}],
  ])('%s', async (_, second, expected, proof) => {
    const {runs} = runsOf(inTurn(bytes(1), second))
    expect(await runs.same(program, scenario, [digests(1), expected && digests(...expected)])).toEqual(proof)
  })

  test('not where the first differs', async () => {
    const {runs} = runsOf(inTurn(bytes(1), bytes(2)))
    expect(await runs.same(program, scenario, [digests(7), digests(2)])).toEqual(differs)
  })

  const otherTiling = {ok: false, reason: 'not-equal', detail: 'another tiling than before it was reduced'}
  test.each<[name: string, changes: Partial<RunTrace>, proof: object]>([
    ['the same', {}, {ok: true}],
    ['in another order of its fields', {tiling: {cols: 3, rows: 7}}, {ok: true}],
    ['in less memory', {ubPeakBytes: 64, calls: {Add: 2}}, {ok: true}],
    ['of other fields', {tiling: {rows: 8, cols: 3}}, otherTiling],
    ['of another key', {tilingKey: 3}, otherTiling],
    ['on other cores', {blockDim: 5}, otherTiling],
    ['of another workspace', {workspaceBytes: 17}, otherTiling],
  ])('with a tiling %s', async (_, changes, proof) => {
    const {runs} = runsOf({run: () => ({...ran(bytes(1)), trace: {...trace, ...changes}})})
    expect(await runs.sameTiling(program, scenario, [digests(1), digests(1)])).toEqual(proof)
  })

  test('of a tiling that no longer runs, and of other outputs, the first thing that differs is told', async () => {
    const lost = runsOf(inTurn(bytes(1), bytes(1), broken))
    expect(await lost.runs.sameTiling(program, scenario, [digests(1), digests(1)])).toEqual(otherTiling)
    const other = runsOf(inTurn(bytes(2), bytes(1)))
    expect(await other.runs.sameTiling(program, scenario, [digests(1), digests(1)])).toEqual(differs)
  })
})

test('what a run prints, only where it runs', async () => {
  const {runs} = runsOf(inTurn({...ran(bytes(1)), log: 'rows 7\n'}, broken))
  expect(await runs.printed(program, scenario)).toBe('rows 7\n')
  expect(await runs.printed(program, scenario)).toBe(undefined)
})

test('a scenario that broke a rule is run tolerantly, others are not', async () => {
  const {executor, runs} = runsOf({run: () => bytes(1)})
  await runs.printed(program, scenario)
  await runs.printed(program, {...scenario, tolerated: {rule: 'queue', message: 'taken twice'} as never})
  expect(executor.runs.map(({options}) => options.tolerant)).toEqual([false, true])
})

test('a program is built once, and all builds are gone in the end', async () => {
  const {executor, runs} = runsOf({
    build: ({files}) => (files[0]?.text === 'bad' ? ({outcome: 'compile-failed', log: ''} as never) : undefined),
    run: () => bytes(1),
  })
  for (const text of ['whole', 'other', 'bad', 'whole', 'bad']) await runs.digests(programOf(text), scenario)
  expect(executor.builds.map(({files}) => files[0]?.text)).toEqual(['whole', 'other', 'bad'])
  expect(executor.openBuilds()).toBe(2)
  await runs.close()
  expect(executor.openBuilds()).toBe(0)
})
