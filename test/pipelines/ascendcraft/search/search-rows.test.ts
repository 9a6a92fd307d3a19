import {describe, expect, test} from 'vitest'
import type {Optimisation} from '../../../../datasets/schema/optimisation.ts'
import {languageOf} from '../../../../datasets/voice.ts'
import searchRows from '../../../../pipelines/ascendcraft/search/search-rows.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {programsOf, searched} from './searching.ts'

const {search} = await searched({most: 1000})
const programs = programsOf(search!)
const last = programs.at(-1)!

async function rows(options = {}) {
  const {outputs} = await runStage(searchRows(options), [search!])
  const of = <K extends Optimisation['kind']>(kind: K) =>
    outputs.filter((one): one is Extract<Optimisation, {kind: K}> => one.kind === kind)
  return {samples: of('sample'), pairs: of('pair')}
}
const {samples, pairs} = await rows()

describe('samples', () => {
  test('one for each step, from the one before it', () => {
    expect(samples.map(({before, after}) => [before.microseconds, after.microseconds])).toEqual(
      search!.steps.map(({cost}, at) => [programs[at]!.cost.microseconds, cost.microseconds]),
    )
  })

  test('show the slow code and its figures, and answer with the files that change', () => {
    samples.forEach(({prompt, files, answer}, at) => {
      const old = new Map(programs[at]!.files.map(({path, text}) => [path, text]))
      for (const text of old.values()) expect(prompt).toContain(text.trim())
      expect(files.length).toBeGreaterThan(0)
      for (const {path, text} of files) {
        expect(old.get(path)).not.toBe(text)
        expect(answer).toContain(text.trim())
      }
    })
  })

  test('derive the gain with figures of both', () => {
    expect(samples.map(({step}) => step)).toEqual(expect.arrayContaining(['longer-tiles', 'more-cores']))
    samples.forEach(({reasoning, step}, at) => {
      const [before, after] = [programs[at]!, programs[at + 1]!]
      if (step === 'longer-tiles') for (const {tile} of [before, after]) expect(reasoning).toContain(String(tile))
      if (step === 'more-cores')
        for (const {cost} of [before, after])
          expect(reasoning).toContain(
            `⌊${cost.readBytes} / ${cost.cores}⌋ = ${Math.floor(cost.readBytes / cost.cores)}`,
          )
      if (step === 'double-buffers') expect(reasoning).toMatch(/`together = max\([\d., ]+\) = [\d.]+`/)
      expect(reasoning).toMatch(/[\d.]+ µs → [\d.]+ µs/)
      expect(reasoning).not.toMatch(/undefined|NaN|[{}]/)
    })
  })
})

describe('pairs', () => {
  test('choose the fastest, and refuse an earlier one that is slower by enough', () => {
    expect(pairs.length).toBeGreaterThan(0)
    for (const {chosen, rejected, margin} of pairs) {
      expect(chosen.cost).toEqual(last.cost)
      expect(programs.slice(0, -1).map(({cost}) => cost)).toContainEqual(rejected.cost)
      expect(margin).toBe(rejected.cost.microseconds / chosen.cost.microseconds)
      expect(margin).toBeGreaterThanOrEqual(1.1)
    }
  })

  test('ask for speed at the sizes that costs are of, in the language of the request', () => {
    for (const {prompt, sizes, chosen} of pairs) {
      expect(prompt.split('\n\n').at(-1)).toMatch(/as fast as possible|Speed|fastest|尽可能快|速度|最快/)
      expect(prompt).toContain(sizes)
      expect(languageOf(chosen.reasoning)).toBe(languageOf(search!.task.description))
    }
  })

  test('both sides have reasoning about themselves, the chosen one also about the other', () => {
    for (const {chosen, rejected, margin} of pairs) {
      const ratio = String(Number(margin.toPrecision(3)))
      expect(chosen.reasoning).toContain(ratio)
      expect(rejected.reasoning).not.toBe('')
      expect(rejected.reasoning).not.toMatch(new RegExp(`(?<![\\d.])${ratio.replace('.', '[.]')}(?![\\d.])`))
    }
  })

  test('are as many as asked for, and none below the margin', async () => {
    expect((await rows({mostPairs: 1})).pairs).toHaveLength(1)
    expect((await rows({leastMargin: 1e6})).pairs).toEqual([])
  })
})
