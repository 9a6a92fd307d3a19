import {describe, expect, test} from 'vitest'
import {movesOf, startOf} from '../../../../pipelines/ascendcraft/search/design-moves.ts'
import {programOf} from '../../../../pipelines/ascendcraft/factory/tile-program.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {design, knobsOf, programsOf, searched, timeOf} from './searching.ts'

describe('moves', () => {
  test('change one thing, and always the program', () => {
    const moves = movesOf({...design, bounds: {tile: 512, cores: 8}})
    expect(new Set(moves.map(({knob}) => knob))).toEqual(new Set(['depth', 'tile', 'cores', 'division']))
    for (const {knob, design: one} of moves) {
      const changed = [
        ...(one.depth === design.depth ? [] : ['depth']),
        ...(one.bounds?.tile === 512 ? [] : ['tile']),
        ...(one.bounds?.cores === 8 ? [] : ['cores']),
        ...(one.strategy === design.strategy ? [] : ['division']),
      ]
      expect(changed).toEqual([knob])
    }
  })

  test('a bound is in the program, and no tile is longer than the unified buffer allows', () => {
    const {plan} = programOf(design)
    const both = programOf({...design, bounds: {tile: 512, cores: 8}}).text
    for (const one of ['tile = 512', 'min(8, ']) expect(both).toContain(one)
    expect(programOf({...design, bounds: {tile: 512}}).plan).toMatchObject({tile: 512, longest: plan.tile})
    expect(programOf({...design, bounds: {cores: 8}}).text).toContain('min(8, ')
    expect(programOf({...design, bounds: {tile: 1 << 20}}).plan.tile).toBe(plan.tile)
  })

  test('the first design follows from the seed', () => {
    const starts = ['a', 'b', 'c', 'd', 'e'].map((seed) => startOf(design, randomFrom(seed)))
    expect(startOf(design, randomFrom('a'))).toEqual(starts[0])
    expect(new Set(starts.map((one) => JSON.stringify(one))).size).toBeGreaterThan(1)
  })
})

describe('a search', () => {
  test('takes steps that are faster by enough, each from the one before it', async () => {
    const {search} = await searched()
    const programs = programsOf(search!)
    expect(search!.steps.length).toBeGreaterThan(0)
    search!.steps.forEach((step, at) => {
      const before = programs[at]!
      expect(step.gain).toBeGreaterThanOrEqual(1.1)
      expect(step.gain).toBe(before.cost.microseconds / step.cost.microseconds)
      expect(movesOf(before.design).map((one) => one.design)).toContainEqual(step.design)
      expect(step.because).not.toEqual([])
    })
  })

  test('ends where no neighbour is faster by enough', async () => {
    const {search} = await searched({most: 1000})
    const last = search!.steps.at(-1)!
    expect(knobsOf(last.files).cores).toBe(48)
    for (const {design: one} of movesOf(last.design))
      expect(await timeOf(one)).toBeGreaterThan(last.cost.microseconds / 1.1)
  })

  test('models so many programs at most, and none twice', async () => {
    const {search, dropped} = await searched({most: 3})
    expect(search?.tried ?? 3).toBeLessThanOrEqual(3)
    expect(dropped.length + (search ? 1 : 0)).toBe(1)
  })

  test('passes over what is not correct, however fast', async () => {
    const isWrong = (files: Parameters<typeof knobsOf>[0]) => knobsOf(files).cores === 48
    const {search} = await searched({seed: 'b', refuses: isWrong, most: 1000})
    for (const {files} of search!.steps) expect(knobsOf(files).cores).toBeLessThan(48)
    const {search: none, dropped} = await searched({refuses: () => true})
    expect(none).toBeUndefined()
    expect(dropped.map(({reason}) => reason)).toEqual(['not-green'])
  })

  test('starts anew where the first division does not serve every case', async () => {
    let asked = 0
    const {search} = await searched({refuses: () => (asked += 1) === 1, most: 1000})
    expect(search?.steps.length).toBeGreaterThan(0)
    expect(search!.start.program).not.toBe((await searched({most: 1000})).search!.start.program)
  })

  test('finds nothing where enough is more than there is', async () => {
    const {search, dropped} = await searched({leastGain: 1000})
    expect(search).toBeUndefined()
    expect(dropped.map(({reason}) => reason)).toEqual(['no-faster-design'])
  })

  test('the same seed gives the same search', async () => {
    expect((await searched()).search).toEqual((await searched()).search)
  })
})
