import {expect, test} from 'vitest'
import type {ModelledCost} from '../../../../datasets/schema/optimisation.ts'
import {proseFault} from '../../../../datasets/gates/row-words.ts'
import {causes} from '../../../../pipelines/preference/rewinds/causes.ts'
import {tell} from '../../../../pipelines/telling/tell-message.ts'
import {nthWording} from '../../../helpers/nth-wording.ts'

const cost = {
  cores: 8,
  readBytes: 8200,
  microseconds: 96,
  pipes: {MTE2: 10, V: 3, S: 4, MTE3: 5},
  work: {copiesIn: 3, scalarAccesses: 640, tiles: 12, drains: 24},
} as ModelledCost
const change = (changes: Partial<ModelledCost>) => ({...cost, ...changes})
const causeOf = (step: string) => causes[step] ?? expect.fail(`nothing is told of ${step}`)

const faster = {
  ...cost,
  cores: 48,
  microseconds: 30,
  pipes: {MTE2: 4, V: 3, S: 0, MTE3: 5},
  readBytes: 4100,
  work: {...cost.work, copiesIn: 1, tiles: 2, drains: 0},
} as ModelledCost

const languages = ['en', 'zh'] as const
const most = 8

test.each(Object.entries(causes))('%s is told with numbers, whatever the words', (step, {values, situation}) => {
  const topic = 'optimisation'
  const name = situation?.(faster) ?? step
  for (const language of languages)
    for (let at = 0; at < most; at += 1) {
      const speaker = nthWording(language, at)
      const text = tell({topic, situation: name, values: values(cost, faster)}, speaker)
      expect(text).toMatch(/\d/)
      expect([text, proseFault(text, language), /[{}]|undefined|NaN/.test(text)]).toEqual([text, undefined, false])
      expect(tell({topic, situation: `${name}-mends`, values: {}}, speaker)).not.toBe('')
    }
})

const english = nthWording('en')
const told = (step: string, before: ModelledCost, after = faster) => {
  const {values, situation} = causeOf(step)
  return tell({topic: 'optimisation', situation: situation?.(after) ?? step, values: values(before, after)}, english)
}

test('cores with work are counted, and all of them are spoken of only where all work', () => {
  expect(told('one-core', change({cores: 1}))).toContain('One core does all the work, and the chip has 48')
  expect(told('one-core', change({cores: 2}))).toContain('2 cores have something to do')
  const some = told('one-core', change({cores: 1}), {...faster, cores: 12})
  expect(some).not.toContain('all of them')
  expect(some).toContain('12 cores')
})

test('copies are those of the side that has fewer then', () => {
  const {work} = faster
  expect(told('split-copies', cost)).toMatch(/3 copies of 2733 B .* MTE2 10 µs .* 4 µs .* 1 copies of 4.004 KiB/)
  const before = change({writtenBytes: 900, work: {...cost.work, copiesIn: 1, copiesOut: 9}})
  const after = {...faster, writtenBytes: 900, work: {...work, copiesOut: 1}}
  expect(told('split-copies', before, after)).toMatch(/9 copies of 100 B .* MTE3 5 µs/)
})

test('counts of all cores are told apart from times of the slowest one', () => {
  for (const step of ['split-copies', 'copies-row-by-row', 'scalar-loop']) {
    expect(told(step, cost)).toMatch(/on all 8 cores.* on the slowest core/)
    expect(told(step, change({cores: 1}))).not.toMatch(/on all|slowest/)
  }
})

test('copies are spoken of with short tiles only where they are fewer then', () => {
  const work = {...cost.work, vectorInstructions: 90}
  const after = {...faster, work: {...faster.work, vectorInstructions: 9}}
  expect(told('smaller-tiles', change({work}), after)).toContain('paid by 3 copies and 90 instructions')
  const same = {...after, work: {...after.work, copiesIn: 3}}
  expect(told('smaller-tiles', change({work}), same)).not.toMatch(/copies|copied/)
})

test('waits are those that the barrier brings', () => {
  expect(told('barrier-in-loop', change({work: {...cost.work, drains: 192}, cores: 8}))).toContain(
    '192 waits in all, 2 per tile',
  )
  const own = {...faster, work: {...faster.work, drains: 96}}
  expect(told('barrier-in-loop', change({work: {...cost.work, drains: 192}, cores: 8}), own)).toContain('96 waits in')
  expect(told('barrier-in-loop', change({work: {...cost.work, drains: 100}}))).toContain('100 waits in all. EnQue')
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
