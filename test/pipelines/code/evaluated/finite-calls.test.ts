import {expect, test} from 'vitest'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import type {DrawnCall} from '../../../../datasets/schema/operator-call.ts'
import {decode, encode} from '../../../../datasets/dtype.ts'
import {finiteCalls} from '../../../../pipelines/code/evaluated/pair-tasks.ts'
import {ran, scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'

const call = (range: [number, number] = [-4, 4], shape = [64]): DrawnCall => ({
  dtypes: {x: 'float32', n: 'int32', axis: 'int64', y: 'float32'},
  inputs: [
    {name: 'x', dtype: 'float32', shape, range},
    {name: 'n', dtype: 'int32', shape: [2], range: [1, 3]},
    {name: 'axis', dtype: 'float32', shape: [1], range: [-4, 4], values: [-2]},
  ],
  attributes: {},
  outputs: [{name: 'y', dtype: 'float32', shape}],
})
const pair: HostKernelPair = {
  origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
  operator: 'Function',
  entry: 'function',
  host: [{path: 'op_host/function.cpp', text: ''}],
  kernel: {path: 'op_kernel/function.cpp', text: ''},
  kept: [],
  scenario: {...call(), seed: 's', digests: [], trace: ran([]).trace},
  executor: scriptedIdentity,
}

async function rangesOf(run: Script['run'], calls: readonly DrawnCall[] = [call()]) {
  const executor = scriptedExecutor({run})
  const found = await finiteCalls([], calls, {pair, executor, signal: new AbortController().signal})
  expect(executor.openBuilds()).toBe(0)
  expect(executor.builds).toHaveLength(1)
  for (const {inputs} of found) {
    expect(inputs.slice(1)).toEqual(call().inputs.slice(1))
  }
  return found.map(({inputs}) => inputs[0]?.range)
}

const of =
  (change: (value: number) => number): Script['run'] =>
  ({inputs}) => [encode(decode(inputs[0]?.data ?? new Uint8Array(), 'float32').map(change), 'float32')]

test.each<[string, (value: number) => number, [number, number]]>([
  ['is real everywhere', Math.sin, [-4, 4]],
  ['is real for positive numbers', Math.log, [0.0625, 4]],
  ['is real between -1 and 1', Math.acos, [-0.9375, 0.9375]],
  ['is real from 1', Math.acosh, [1.0625, 4]],
  ['is real nowhere', () => NaN, [-4, 4]],
  ['overflows', () => Infinity, [-4, 4]],
])('a function that %s is called with values from there', async (_, change, range) => {
  expect(await rangesOf(of(change))).toEqual([range])
})

test('all calls are given one range, and values and integers stay', async () => {
  const onlySmall: Script['run'] = (one, ...rest) =>
    of(one.inputs[0]?.shape[0] === 8 ? Math.acos : Math.sin)(one, ...rest)
  const narrow = [-0.9375, 0.9375]
  expect(await rangesOf(onlySmall, [call(), call([-4, 4], [8])])).toEqual([narrow, narrow])
})

test('a range that the operator does not run in is none', async () => {
  const refusing: Script['run'] = (one, ...rest) => {
    const least = Math.min(...decode(one.inputs[0]?.data ?? new Uint8Array(), 'float32'))
    return least > 0 ? {outcome: 'launch-failed', message: 'm'} : of(Math.acos)(one, ...rest)
  }
  expect(await rangesOf(refusing)).toEqual([[-0.9375, 0.9375]])
})
