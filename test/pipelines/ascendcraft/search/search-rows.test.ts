import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../../datasets/schema/decision.ts'
import type {Optimisation} from '../../../../datasets/schema/optimisation.ts'
import type {FoundProgram} from '../../../../datasets/schema/searched-operator.ts'
import {languageOf} from '../../../../datasets/voice.ts'
import searchRows from '../../../../pipelines/ascendcraft/search/search-rows.ts'
import {gainsOf, stepDecisions} from '../../../../pipelines/ascendcraft/search/step-decisions.ts'
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
      const [old, now] = [before.cost.slowest!, after.cost.slowest!]
      const moved = (one: typeof old) => one.readBytes + one.writtenBytes
      if (step === 'longer-tiles') {
        for (const {tile} of [before, after]) expect(reasoning).toContain(String(tile))
        expect(reasoning).toContain(` / (${old.copies} - ${now.copies}) = `)
      }
      if (step === 'more-cores')
        expect(reasoning).toContain(
          `ratio = ${moved(old)} / ${moved(now)} = ${Number((moved(old) / moved(now)).toPrecision(3))}`,
        )
      expect(reasoning).toMatch(/[\d.]+ µs → [\d.]+ µs/)
      expect(reasoning).not.toMatch(/undefined|NaN|[{}]/)
    })
  })
})

describe('why a step is faster', () => {
  const [start, , ...others] = programs as [FoundProgram, ...FoundProgram[]]
  const step = search!.steps[0]!
  const changed = (program: FoundProgram, cost: object, design: object = {}): FoundProgram => ({
    ...program,
    cost: {...program.cost, ...cost},
    design: {...program.design, ...design},
  })
  const share = (readBytes: number) => ({...step.cost.slowest!, readBytes, writtenBytes: 0})
  const told = (decisions: readonly Decision[], situation: string) =>
    decisions.find((one) => one.situation === `searched-${situation}`)

  test('the largest share counts, not the mean: 47 of 48 cores have 22 rows', () => {
    const before = changed(start, {cores: 12, slowest: share(85 * 4100), readBytes: 1020 * 4100})
    const after = changed(step, {cores: 47, slowest: share(22 * 4100), readBytes: 1020 * 4100})
    expect(told(stepDecisions('cores', before, after), 'fewer-bytes')?.because).toMatchObject([
      {worked: '348500 / 90200', result: 3.86},
    ])
  })

  test('a price of a copy is told where only copies are fewer', () => {
    const [before, after] = [
      {slowest: {...share(4096), copies: 60}, pipes: {MTE2: 8, V: 1, S: 0, MTE3: 2}},
      {slowest: {...share(4096), copies: 20}, pipes: {MTE2: 6, V: 1, S: 0, MTE3: 1.6}},
    ]
    const of = (...sides: [object, object]) =>
      stepDecisions('division', changed(start, sides[0]), changed(step, sides[1]))
    expect(told(of(before, after), 'fewer-copies')?.because).toMatchObject([
      {worked: '(10 - 7.6) / (60 - 20)', result: 0.06},
    ])
    expect(told(of(before, {...after, slowest: {...after.slowest, readBytes: 2048}}), 'fewer-copies')).toBeUndefined()
    expect(told(of(before, {...after, slowest: {...after.slowest, copies: 60}}), 'fewer-copies')).toBeUndefined()
    // Longer tiles that are dealt less evenly: the difference in time is not that of the starts alone.
    const larger = of(before, {...after, slowest: {...after.slowest, readBytes: 8192}})
    expect(larger.slice(1).map(({situation, because}) => [situation, because])).toEqual([['searched-larger-share', []]])
  })

  test('second blocks give the time of the model, and say what bounds it', () => {
    const pipes = {MTE2: 3.67, V: 0.822, S: 0, MTE3: 3.67}
    const slowest = {...share(4096), tiles: 20, drains: 0, copying: 6.1}
    const after = changed(step, {pipes, slowest, overlap: 'full'}, {depth: 2})
    const one = told(stepDecisions('depth', start, after), 'double')
    expect(one?.values['limit']).toBe('bandwidth')
    expect(one?.because).toMatchObject([{result: 8.16}, {worked: '(1 × 8.16 + 19 × 6.1) / 20', result: 6.2}])
    const limits = [{copying: 3.67}, {copying: 0.5}].map((part) => {
      const other = changed(
        step,
        {pipes: {...pipes, V: 3}, slowest: {...slowest, ...part}, overlap: 'full'},
        {depth: 2},
      )
      return told(stepDecisions('depth', start, other), 'double')?.values['limit']
    })
    expect(limits).toEqual(['copying', 'computing'])
  })

  test('after each wait of the scalar unit the pipes fill anew', () => {
    const slowest = {...share(4096), tiles: 22, drains: 10, copying: 7.4}
    const pipes = {MTE2: 7.12, V: 4.99, S: 0.0672, MTE3: 5.22}
    const one = told(
      stepDecisions('depth', start, changed(step, {pipes, slowest, overlap: 'full'}, {depth: 2})),
      'double',
    )
    expect(one?.values['fills']).toBe(11)
    expect(one?.because.at(-1)).toMatchObject({worked: '(11 × 17.4 + 11 × 7.4) / 22', result: 12.4})
  })

  test('where a single block remains nothing is promised', () => {
    const after = changed(step, {overlap: 'in-part'}, {depth: 2})
    const decisions = stepDecisions('depth', start, after)
    expect(decisions.map(({situation, because}) => [situation, because])).toEqual([['searched-double-in-part', []]])
  })

  test('copies in that gain less than their bytes share the bandwidth of GM', () => {
    const pipes = {MTE2: 8, V: 8, S: 0, MTE3: 0}
    const before = changed(start, {cores: 12, slowest: {...share(4000), copies: 40}, pipes})
    const faster = (MTE2: number, cores = 48) =>
      changed(step, {cores, slowest: {...share(1000), copies: 10}, pipes: {MTE2, V: 2, S: 0, MTE3: 0}})
    expect(gainsOf(before, faster(4)).map(({situation}) => situation)).toEqual([
      'searched-fewer-bytes',
      'searched-shared',
    ])
    for (const other of [faster(2), faster(4, 12)]) expect(told(gainsOf(before, other), 'shared')).toBeUndefined()
  })

  test('or their copies are as many as before, each with its start', () => {
    const before = changed(start, {cores: 12, slowest: share(4000), pipes: {MTE2: 8, V: 8, S: 0, MTE3: 0}})
    const slowest = {...share(1000), copies: share(4000).copies}
    const after = changed(step, {cores: 48, slowest, pipes: {MTE2: 4, V: 2, S: 0, MTE3: 0}})
    const one = told(gainsOf(before, after), 'starts')
    expect(one).toMatchObject({values: {before: slowest.copies, after: slowest.copies, share: 4, gained: 2}})
    expect(told(gainsOf(before, after), 'shared')).toBeUndefined()
  })

  test('programs that were searched have all of it, and older ones without the slowest core say less', () => {
    const {slowest: _, ...cost} = step.cost
    expect(stepDecisions('cores', start, {...step, cost})).toHaveLength(1)
    expect(others.every((one) => one.cost.slowest)).toBe(true)
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
