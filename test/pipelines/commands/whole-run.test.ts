import {expect, test} from 'vitest'
import {mainJob, mainSettings} from '../../../pipelines/commands/main-job.ts'
import type {Config} from '../../../pipelines/workspace/config.ts'
import {wholeRun} from '../../../pipelines/commands/run-recipes.ts'

const usual = new Map([
  ['a', 10],
  ['b', 20],
  ['c', 30],
])

/** What is left after so many seconds of the recipes before, and of this one. */
function leftAfter(seconds: readonly number[], known: 'known' | 'unknown' = 'known'): string {
  let now = 0
  const whole = wholeRun(['a', 'b', 'c'], known === 'known' ? usual : undefined, () => now)
  for (const [at, took] of seconds.entries()) {
    whole.begin('abc'.charAt(at))
    now += took * 1000
  }
  return whole.left()
}

test('before anything has ended, this machine counts as the usual one', () => {
  expect(leftAfter([0])).toBe('then b, c: about 1:00 left in all')
  expect(leftAfter([4])).toBe('then b, c: about 0:56 left in all')
})

test('what has ended tells the pace of the rest', () => {
  expect(leftAfter([20, 0])).toBe('then c: about 1:40 left in all')
  expect(leftAfter([5, 4])).toBe('then c: about 0:21 left in all')
  expect(leftAfter([10, 40, 0])).toBe('about 0:50 left in all')
})

test('a recipe that takes longer than it should does not take time from the others', () => {
  expect(leftAfter([10, 100])).toBe('then c: about 0:30 left in all')
})

test('what was done before in no time leaves no time', () => {
  expect(leftAfter([0, 0])).toBe('then c: about 0:00 left in all')
})

test('where nothing is known of the times, only the names are told', () => {
  expect(leftAfter([3], 'unknown')).toBe('then b, c')
  expect(leftAfter([3, 3, 3], 'unknown')).toBe('')
})

test('the main job is told with its time, of a part or of all', async () => {
  const [part, all] = [await mainJob(false, {teachers: {}}), await mainJob(true, {teachers: {}})]
  expect(part.recipes).toEqual(all.recipes)
  expect(part.said).toBe(
    '16 recipes on a part of the bundled corpus (`--all` uses the whole): usually about 40 s on two cores',
  )
  expect(all.said).toBe('16 recipes on all of the bundled corpus: usually about 3 min on two cores')
  expect(mainSettings(true)).toEqual({})
  expect(Object.keys(mainSettings(false))).toEqual(['limit', 'samples.candidatesPerTask'])
  for (const recipe of part.recipes) expect(all.seconds.get(recipe)).toBeGreaterThanOrEqual(part.seconds.get(recipe)!)
})

test('documentation is part of it where a teacher can write it', async () => {
  const documentation = {} as Config['teachers'][string]
  const [without, with_] = [await mainJob(true, {teachers: {}}), await mainJob(true, {teachers: {documentation}})]
  expect(without.recipes).not.toContain('documentation')
  expect(with_.recipes).toHaveLength(without.recipes.length + 1)
  expect(with_.recipes).toContain('documentation')
})
