import {describe, expect, test} from 'vitest'
import type {Executor} from '../datasets/schema/executor.ts'
import {contentId} from '../engine/ids.ts'
import type {Stage} from '../engine/stage.ts'
import judge, {type JudgeOptions} from '../eval/judge.ts'
import modelledCost from '../eval/modelled-cost.ts'
import compileCheck from '../pipelines/code/compile-check.ts'
import pairTasks from '../pipelines/code/evaluated/pair-tasks.ts'
import scenarios from '../pipelines/code/scenarios/scenarios.ts'
import sideCheck from '../pipelines/code/side-check.ts'
import pairs from '../pipelines/code/specialise/pairs.ts'
import verifyCode from '../pipelines/documentation/verify-code.ts'
import pair, {type PairOptions} from '../pipelines/preference/pair.ts'
import {scriptedExecutor, scriptedIdentity} from './helpers/scripted-executor.ts'

// What shapes a stage's outcomes is part of the key under which they are kept: two settings of it never share one.

const executor = scriptedExecutor({run: () => []})
const newer: Executor = {...executor, identity: {...scriptedIdentity, fingerprint: 'scripted-2'}}
const unused = () => {
  throw new Error('a key is made without any work')
}

function keyOf({name, version, options}: Stage<never, never> | Stage<unknown, unknown>): string {
  return contentId({name, version, options: options ?? null})
}

const asAny = (stage: unknown) => stage as Stage<unknown, unknown>

describe('another executor, and another build of the same one, gives another key', () => {
  const rest = {program: unused, inline: unused, licence: unused}
  const stages: Record<string, (executor: Executor) => unknown> = {
    judge: (one) => judge({executor: one}),
    'modelled-cost': (one) => modelledCost({executor: one}),
    'compile-check': (one) => compileCheck({executor: one}),
    'side-check': (one) => sideCheck({executor: one, ...rest}),
    scenarios: (one) => scenarios({executor: one, ...rest}),
    pairs: (one) => pairs({executor: one, ...rest}),
    'pair-tasks': (one) => pairTasks({executor: one, ...rest}),
    'documentation-verify-code': (one) => verifyCode({executor: one}),
  }
  test.each(Object.entries(stages))('%s', (_, of) => {
    const others: Executor[] = [
      newer,
      {...executor, identity: {...scriptedIdentity, compiler: 'another'}},
      {...executor, identity: {...scriptedIdentity, soc: 'another'}},
    ]
    const keys = [executor, ...others].map((one) => keyOf(asAny(of(one))))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

/** The options that a stage is given by a record, each on its own, beside one that has none of them. */
function expectApart<T>(of: (options: T) => unknown, settings: readonly T[]): void {
  const keys = settings.map((one) => keyOf(asAny(of(one))))
  const twice = keys.flatMap((key, at) => (keys.indexOf(key) < at ? [JSON.stringify(settings[at])] : []))
  expect(twice, 'settings that share the key of another').toEqual([])
}

describe('every option that shapes an outcome changes the key', () => {
  test('judge', () => {
    const pytorch = (identity: string) => ({identity, open: unused})
    expectApart<Partial<JudgeOptions>>(
      (options) => judge({executor, ...options}),
      [
        {},
        {cases: 1},
        {cases: 2},
        {seed: 'a'},
        {seed: 'b'},
        {families: []},
        {families: ['zeros']},
        {families: ['boundary', 'uniform']},
        {sizes: 'pinned'},
        {exempt: {Add: 'why'}},
        {exempt: {'*': 'why'}},
        {tolerant: true},
        {recheck: 'failed'},
        {recheck: 'all'},
        {pytorch: pytorch('2.1')},
        {pytorch: pytorch('2.2')},
      ],
    )
  })

  test('pair', () => {
    expectApart<PairOptions>(pair, [
      {},
      {strategies: ['execution-fail']},
      {strategies: ['compile-fail']},
      {maxPairsPerTask: 7},
      {maxPairsPerChosen: 3},
      {minChangedShare: 0.2},
      {maxLengthRatio: 2},
    ])
  })

  test('scenarios, pairs and pair-tasks', () => {
    const rest = {executor, program: unused, inline: unused, licence: unused}
    expectApart<object>((one) => scenarios({...rest, ...one}), [{}, {columns: 3}, {runs: 3}, {attempts: 39}])
    expectApart<object>((one) => pairs({...rest, ...one}), [{}, {maxBytes: 1}])
    expectApart<object>((one) => pairTasks({...rest, ...one}), [{}, {mostBytes: 1}])
    expectApart<object>((one) => modelledCost({executor, ...one}), [{}, {elements: 1}])
  })

  test('how many work at once does not', () => {
    expect(keyOf(asAny(judge({executor, concurrency: 1})))).toBe(keyOf(asAny(judge({executor, concurrency: 7}))))
  })
})
