import {planOf, type Buffer} from '../../../../pipelines/ascendcraft/factory/frame.ts'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {decode} from '../../../../datasets/dtype.ts'
import type {CraftDesign} from '../../../../datasets/schema/crafted-operator.ts'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {compareHardened} from '../../../../eval/compare.ts'
import {expectedOutputs, loadReference, prepareCase} from '../../../../eval/reference/typescript.ts'
import {taskOf} from '../../../../pipelines/ascendcraft/factory/craft-task.ts'
import {descriptionText} from '../../../../pipelines/ascendcraft/factory/describe.ts'
import {designDecisions} from '../../../../pipelines/ascendcraft/factory/design-decisions.ts'
import {evaluateLane} from '../../../../pipelines/ascendcraft/factory/evaluate.ts'
import {programOf} from '../../../../pipelines/ascendcraft/factory/tile-program.ts'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import type {CheckedModule} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {tellDecisions} from '../../../../pipelines/telling/tell-decisions.ts'
import {drawnDesigns} from './drawn-designs.ts'

// Program, reference and the plain evaluation of a design come from one description by three ways.

const folder = mkdtempSync(join(tmpdir(), 'ascendcraft-factory-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** The first of each form, strategy, route and depth, and some more. */
const {drawn} = await drawnDesigns(140)

function checkedOf(design: CraftDesign): CheckedModule {
  const read = readProgram(programOf(design).text)
  if (!read.ok) throw new Error(`${design.name}: ${read.faults[0]?.message}\n${programOf(design).text}`)
  return read.checked
}

async function written(design: CraftDesign) {
  const checked = checkedOf(design)
  const {task, files} = taskOf(design, programOf(design), checked, 'test')
  const reference = files.find(({path}) => path.endsWith('reference.ts'))!
  const path = join(folder, reference.path)
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, reference.text)
  return {task, files, checked, reference: await loadReference(path)}
}

describe('a program', () => {
  test.each(drawn.map(({design}) => [design.name, design] as const))(
    '%s gives what its reference gives',
    async (name, design) => {
      const {task, checked, reference} = await written(design)
      for (const [at, row] of task.cases.slice(0, 2).entries()) {
        const operatorCase = prepareCase(reference, row, at === 0 ? 'uniform' : 'boundary', [name])
        const {inputs, attributes, outputs} = operatorCase
        const run = interpret(checked, {inputs, attributes: attributes as Record<string, number>})
        if (!run.ok) throw new Error(`${run.fault.message}\n${programOf(design).text}`)
        const expected = expectedOutputs(reference, row, operatorCase)
        for (const [index, output] of outputs.entries()) {
          const tolerance = reference.tolerance?.[output.dtype]
          const {ok, reason} = compareHardened(output, expected[index]!, run.outputs[index]!.data, tolerance)
          expect(ok, `${output.name}: ${reason}\n${programOf(design).text}`).toBe(true)
        }
      }
    },
  )

  test('is judged by its reference, which agrees with the plain evaluation of its design', async () => {
    const simple = drawn.filter(({design: {form, attributes}}) => form !== 'lookup' && attributes.length === 0)
    for (const {design} of simple.slice(0, 60)) {
      const {task, reference} = await written(design)
      const isRow = design.form === 'rows' || design.form === 'elements' || design.form === 'all'
      const row = {...task.cases[0]!, shape: isRow ? '[1, 9]' : '[9, 1]'}
      const operatorCase = prepareCase(reference, row, 'uniform', [design.name])
      const lane = new Map(operatorCase.inputs.map(({name, dtype, data}) => [name, [...decode(data, dtype)]]))
      const alone = [...lane].map(
        ([name, values]) => [name, values.length === 1 ? Array<number>(9).fill(values[0]!) : values] as const,
      )
      const expected = expectedOutputs(reference, row, operatorCase)
      const seen = evaluateLane(design, new Map(alone))
      for (const [at, values] of expected.entries()) {
        const scale = {float16: 1e-3, bfloat16: 8e-3, float32: 1e-6, int32: 0}[design.outputs[at]!.type as 'int32']
        expect(seen[at], design.name).toHaveLength(values.length)
        for (const [index, value] of values.entries())
          expect(Math.abs(seen[at]![index]! - value), design.name).toBeLessThanOrEqual(
            scale * Math.max(1, Math.abs(value)),
          )
      }
    }
  })

  test('takes no more of UB than there is, and one unit more would', () => {
    for (const {design} of drawn) {
      const {room, taken, perElement, tile, fixed} = programOf(design).plan
      expect(taken).toBe(fixed + perElement * tile)
      expect(taken).toBeLessThanOrEqual(room)
      expect(taken + 128 * perElement).toBeGreaterThan(room)
      expect(tile % 128).toBe(0)
    }
  })
})

describe('decisions of a design', () => {
  test('are told in both languages, each of them', () => {
    const situations = new Set<string>()
    for (const {design} of drawn) {
      const decisions = designDecisions(design, programOf(design))
      for (const one of decisions) situations.add(`${one.topic} ${one.situation}`)
      for (const language of ['en', 'zh'] as const)
        expect(tellDecisions(decisions, voice(language, randomFrom(design.name))), design.name).toHaveLength(4)
    }
    expect([...situations].sort()).toMatchInlineSnapshot(`
      [
        "depth crafted-overlapped",
        "depth crafted-single",
        "division crafted-lookup",
        "division crafted-meeting",
        "division crafted-row-parts",
        "division crafted-row-whole",
        "division crafted-runs",
        "division crafted-strips",
        "division crafted-turns",
        "division crafted-windows",
        "element-type crafted-counted",
        "element-type crafted-narrowed",
        "element-type crafted-raised",
        "element-type crafted-same",
        "element-type crafted-whole",
        "element-type crafted-widened",
        "tile crafted-counted",
      ]
    `)
  })

  test('follow the design: the other depth leaves another tile', () => {
    for (const {design} of drawn) {
      const [, , tile, depth] = designDecisions(design, programOf(design))
      const other = programOf({...design, depth: design.depth === 2 ? 1 : 2}).plan.tile
      expect(depth!.values).toEqual({depth: design.depth, tile: tile!.values['tile'], other})
      expect(other > programOf(design).plan.tile).toBe(design.depth === 2)
    }
  })
})

describe('the description', () => {
  const texts = drawn.map(({design}) => ({
    design,
    text: descriptionText(design, 128, voice('en', randomFrom(design.name))),
  }))

  test('speaks of narrower types only where there are any', () => {
    const told = texts.map(({text}) => /single precision|[Nn]arrower types|in float32|are float32/.test(text))
    const held = drawn.map(({design: {compute, inputs, outputs}}) => {
      return compute === 'float32' && [...inputs, ...outputs].some(({type}) => /float16/.test(type))
    })
    expect(told).toEqual(held)
    expect(new Set(held).size).toBe(2)
  })

  test('takes windows of whole tensors, not of vectors, and writes operators upright', () => {
    const ofWindows = texts.filter(({design}) => design.form === 'windows')
    const [sentences, vectors] = [
      ofWindows.map(({text}) => text.split('\n')[4]),
      ofWindows.map(({design}) => design.inputs),
    ]
    for (const [at, inputs] of vectors.entries())
      for (const {name, layout} of inputs) expect(sentences[at]?.includes(`\`${name}\``)).toBe(layout === 'full')
    expect(vectors.flat().some(({layout}) => layout !== 'full')).toBe(true)
    for (const {text} of texts) expect(text).not.toContain('\\mathrm{\\')
  })
})

test('a tile is no longer than what its buffers leave in whole blocks', () => {
  const long = (name: string, type: ElementType, depth = 1, share = 1): Buffer => ({
    ...{name, type, depth, share, role: 'scratch'},
  })
  const few: Buffer = {name: 'found_ub', type: 'float32', elements: 8, depth: 1, role: 'scratch'}
  const halves = ['x', 'y', 'out'].map((name) => long(name, 'bfloat16', 2))
  const floats = ['work0', 'work1'].map((name) => long(name, 'float32'))
  const masks = ['mask0', 'mask1'].map((name) => long(name, 'uint8', 1, 8))
  const library: Buffer = {name: 'bytes_ub', type: 'uint8', elements: 4096, depth: 1, role: 'scratch'}
  const all = [few, ...halves, ...floats, ...masks, library]
  // 9,088 elements would take 188,192 bytes: each mask of 1,136 bytes takes 1,152.
  expect(planOf(all, 188_160)).toMatchObject({
    perElement: 20.25,
    fixed: 4128,
    tile: 8960,
    longest: 8960,
    taken: 185_568,
  })
  expect(planOf(all, 188_192)).toMatchObject({tile: 9088, longest: 9088})
  expect(planOf(all, 188_192, 2048)).toMatchObject({tile: 2048, longest: 9088})
})
