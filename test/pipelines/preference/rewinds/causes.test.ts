import {expect, test} from 'vitest'
import type {ModelledCost} from '../../../../datasets/schema/optimisation.ts'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {causes} from '../../../../pipelines/preference/rewinds/causes.ts'
import {both, toldCases} from '../../../helpers/told-parts.ts'

const cost = {
  cores: 8,
  readBytes: 8200,
  microseconds: 96,
  pipes: {MTE2: 10, V: 3, S: 4, MTE3: 5},
  work: {copiesIn: 3, scalarAccesses: 640, tiles: 12, drains: 24},
} as ModelledCost
const change = (changes: Partial<ModelledCost>) => ({...cost, ...changes})
const causeOf = (step: string) => causes[step] ?? expect.fail(`nothing is told of ${step}`)

test('what holds an operator up and what mends it', () => {
  const told = Object.entries(causes).map(([step, {tells, mends}]) => [
    step,
    both((speaker) => `${tells(cost, speaker)}\n${mends(speaker)}`),
  ])
  toldCases('causes', Object.fromEntries(told))
})

test.each([
  [1, '1 core has something to do', '有任务的核数为 1，'],
  [2, '2 cores have something to do', '有任务的核数为 2，'],
])('cores with work are counted: %i', (cores, en, zh) => {
  const told = (language: 'en' | 'zh') => causeOf('one-core').tells(change({cores}), voice(language, randomFrom('c')))
  expect(told('en')).toContain(`few cores: ${en}, and the chip has 48`)
  expect(told('zh')).toContain(zh)
})

test.each([
  [0, '8200 B'],
  [1, '8200 B'],
  [2, '4.004 KiB'],
  [3, '2733 B'],
])('bytes of a copy, of %i copies: %s', (copiesIn, size) => {
  const few = change({readBytes: 8200, work: {...cost.work, copiesIn}})
  const told = causeOf('smaller-tiles').tells(few, voice('en', randomFrom('c')))
  expect(told).toContain(`copies from GM of ${copiesIn < 2 ? '8.008 KiB' : size} on average`)
})

const pipes = (MTE2: number, V: number, S: number, MTE3: number) => change({pipes: {MTE2, V, S, MTE3}})

test.each([
  ['single-buffer-in', pipes(10, 3, 4, 5), 10],
  ['single-buffer-in', pipes(6, 3, 4, 5), 7],
  ['single-buffer-out', pipes(6, 3, 4, 8), 8],
  ['barrier-in-loop', pipes(6, 3, 4, 7), 7],
  ['split-copies', cost, undefined],
  ['copies-row-by-row', cost, undefined],
  ['smaller-tiles', cost, undefined],
  ['copied-in-twice', pipes(20, 3, 4, 5), 10],
  ['copied-in-twice', pipes(10, 3, 4, 5), 7],
  ['copied-in-twice', pipes(10, 1, 2, 6), 6],
  ['fewer-cores', change({cores: 8, microseconds: 96}), 16],
  ['one-core', change({cores: 1, microseconds: 96}), 2],
  ['one-core', change({cores: 47, microseconds: 48}), 47],
  ['one-core', change({cores: 48}), undefined],
  ['one-core', change({cores: 49}), undefined],
  ['scalar-loop', pipes(1, 2, 9, 3), 3],
  ['scalar-loop', pipes(4, 2, 9, 3), 4],
  ['scalar-loop', pipes(1, 6, 9, 3), 6],
])('without its cause, %s, it takes at least: %#', (step, from, least) => {
  expect(causeOf(step).atLeast(from)).toBe(least)
})
