import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import type {Candidate} from '../../../../datasets/schema/candidate.ts'
import {PipelineError} from '../../../../engine/errors.ts'
import {loneModule} from '../../../../eval/bench/multikernelbench/lone-module.ts'
import type {Alone, Oracle} from '../../../../eval/bench/multikernelbench/oracle/oracle.ts'
import {elementCount} from '../../../../datasets/schema/tensor.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

type Sizes = Record<string, number | number[]>

interface Formula {
  sizes?: Sizes
  /** Shapes of the inputs. */
  shapes?: (sizes: Sizes) => number[][]
  /** Of an element of the first input. */
  value?: (x: number) => number
  /** Sizes that it refuses. */
  refuses?: (sizes: Sizes, family: string) => boolean
  alone?: Alone
}

const failure = (byModule: boolean) =>
  new PipelineError('executor-failed', 'The reference m.py failed: ValueError', {
    fix: 'Check it.',
    evidence: {fault: 'ValueError', byModule},
  })

/** As the process with torch answers, for a formula of one input. */
async function oracleOf({
  sizes: own = {rows: 4096, columns: 6144},
  shapes = ({rows, columns}) => [[rows as number, columns as number]],
  value = (x) => 2 * x,
  refuses = () => false,
  alone,
}: Formula = {}) {
  const folder = await temporaryFolder()
  const asked: Parameters<Oracle['case']>[0][] = []
  const drawn: Record<string, (at: number) => number> = {
    own: (at) => 0.25 + (at % 8) / 8,
    infinite: (at) => (at === 0 ? Infinity : 1),
    nan: (at) => (at === 0 ? NaN : 1),
  }
  let count = 0
  const put = async (values: Float64Array, spec: {dtype: 'float32'; shape: number[]}, isDouble = false) => {
    const file = join(folder, String((count += 1)))
    await mkdir(folder, {recursive: true})
    await writeFile(file, isDouble ? new Uint8Array(values.buffer) : encode(values, spec.dtype))
    return {...spec, file}
  }
  const oracle: Pick<Oracle, 'alone' | 'case' | 'describe'> = {
    alone: () => Promise.resolve(alone ?? {missing: [], weights: [], sizes: own}),
    describe: ({constants = {}}) =>
      Promise.resolve(shapes({...own, ...(constants as Sizes)}).map((shape) => ({shape, dtype: 'float32', bytes: 4}))),
    async case(drawing) {
      asked.push(drawing)
      const sizes = {...own, ...(drawing.setting.constants as Sizes)}
      if (refuses(sizes, drawing.family)) throw failure(true)
      const [shape = []] = shapes(sizes)
      const draw = drawn[drawing.family] ?? ((at: number) => (at % 2 === 0 ? 1 : -1) * (1 + at / 7))
      const x = Float64Array.from({length: elementCount(shape)}, (_, at) => draw(at))
      const spec = {dtype: 'float32' as const, shape}
      return {
        ...{made: [], called: ['x'], attributes: {}},
        inputs: [{name: 'x', ...(await put(x, spec))}],
        outputs: [await put(x.map(value), spec, true)],
      }
    },
  }
  return {asked, module: await loneModule(oracle, 'm.py')}
}

const candidateOf = (cases: Candidate['task']['cases']) => ({task: {cases}}) as unknown as Candidate

async function sourceOf(formula?: Formula) {
  const {asked, module} = await oracleOf(formula)
  const {rows} = await module.calls()
  const source = await module.open(candidateOf(rows), rows, () => undefined)
  return {asked, rows, source}
}

describe('a module by itself', () => {
  test('has small rows of its sizes: its own made smaller, then odd ones', async () => {
    const {module} = await oracleOf()
    const {rows, cases, shapes} = await module.calls()
    expect(rows).toHaveLength(4)
    expect(rows[0]).toEqual({case_id: '0', rows: '256', columns: '192'})
    for (const {rows: height, columns} of rows) expect(Number(height) * Number(columns)).toBeLessThanOrEqual(1 << 16)
    expect(
      rows.slice(1).every(({rows: height, columns}) => Number(height) % 2 === 1 || Number(columns) % 2 === 1),
    ).toBe(true)
    expect(shapes).toBe('x: float32[256, 192]\ny: float32[256, 192]; an output')
    // Two kinds of values each.
    expect(cases).toHaveLength(8)
  })

  test('has no rows that it refuses', async () => {
    const {module} = await oracleOf({refuses: ({columns}) => (columns as number) % 3 !== 0})
    const {rows} = await module.calls()
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({columns}) => Number(columns) % 3 !== 0)).toEqual([])
  })

  test('with sizes in a list has them in brackets', async () => {
    const shapes = ({shape}: Sizes) => [shape as number[]]
    const {rows, source} = await sourceOf({sizes: {shape: [8, 32]}, shapes})
    expect(rows[0]).toEqual({case_id: '0', shape: '[8, 32]'})
    const {operatorCase} = await source.prepare(rows[0]!, 'normal', ['s'])
    expect(operatorCase.inputs[0]!.shape).toEqual([8, 32])
  })

  test.each<[string, Formula, string]>([
    ['has weights', {alone: {missing: [], weights: ['linear.weight'], sizes: {}}}, 'has weights: linear.weight'],
    ['lacks its class', {alone: {missing: ['Model', 'get_inputs']}}, 'does not define Model and get_inputs'],
  ])('that %s is refused', async (_, formula, words) => {
    await expect(oracleOf(formula)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining(words) as string,
    })
  })

  test('that computes no small call is refused', async () => {
    const {module} = await oracleOf({refuses: () => true})
    await expect(module.calls()).rejects.toMatchObject({
      code: 'input-invalid',
      fix: expect.stringContaining('rows = 64'),
    })
  })

  test.each([failure(false), new PipelineError('disk-full', 'The disk is full.', {fix: 'Make room.'})])(
    'is not taken to refuse a size where the machine fails: $code',
    async (error) => {
      const {module} = await oracleOf({
        refuses: () => {
          throw error
        },
      })
      await expect(module.calls()).rejects.toBe(error)
    },
  )

  test.each<[string, Formula]>([
    ['that refuses them', {refuses: (_, family) => family === 'normal'}],
    ['whose answers are no numbers then', {value: Math.log}],
  ])('has no calls with signed values, %s', async (_, formula) => {
    const {module} = await oracleOf(formula)
    const {rows, cases} = await module.calls()
    expect(cases).toHaveLength(rows.length)
  })

  test('that fails at once is a fault of the module; a machine that fails is not', async () => {
    const failing = (error: Error) =>
      loneModule({alone: () => Promise.reject(error)} as unknown as Oracle, 'm.py').catch((one: unknown) => one)
    expect(await failing(failure(true))).toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('ValueError'),
    })
    const lost = failure(false)
    expect(await failing(lost)).toBe(lost)
  })
})

describe('the cases of a module by itself', () => {
  test('compare with its answer in float64, up to 1e-4', async () => {
    const {rows, source} = await sourceOf()
    const {operatorCase, compare} = await source.prepare(rows[0]!, 'normal', ['s'])
    const right = decode(operatorCase.inputs[0]!.data, 'float32').map((x) => 2 * x)
    const findingOf = async (values: Float64Array) =>
      (await compare([encode(values, 'float32')], {literal: false})).hardened
    expect(await findingOf(right)).toMatchObject({ok: true})
    expect(await findingOf(right.map((one, at) => (at === 3 ? one * 1.001 : one)))).toMatchObject({
      ok: false,
      first: {index: 3},
    })
  })

  test('draw other values only where the answer is a number', async () => {
    const families = async (value: (x: number) => number) => {
      const {asked, rows, source} = await sourceOf({value})
      const before = asked.length
      await source.prepare(rows[0]!, 'uniform', ['s'])
      await source.prepare(rows[0]!, 'nan', ['s'])
      return asked.slice(before).map(({family}) => family)
    }
    expect(await families((x) => 2 * x)).toEqual(['normal', 'normal', 'nan'])
    expect(await families(Math.log)).toEqual(['normal', 'own', 'normal', 'own'])
    const {asked, rows, source} = await sourceOf()
    await source.prepare(rows[0]!, 'pierced', ['s'])
    expect(asked.at(-1)!.family).toBe('infinite')
  })

  test('give the same values for the same seed, and others for another', async () => {
    const {asked, rows, source} = await sourceOf()
    const before = asked.length
    for (const seed of ['a', 'a', 'b']) await source.prepare(rows[0]!, 'uniform', [seed])
    const seeds = asked.slice(before).map(({seed}) => seed)
    // What was drawn once is not asked again.
    expect([seeds.length, new Set(seeds).size]).toEqual([2, 2])
  })

  test('have other sizes, and longer ones, that the module computes', async () => {
    const {module} = await oracleOf({refuses: ({rows: height}) => (height as number) % 2 === 0})
    const row = {case_id: '0', rows: '33', columns: '61'}
    const source = await module.open(candidateOf([row]), [row], () => undefined)
    const fresh = await source.fresh(row, ['s'])
    expect(fresh).toMatchObject({case_id: '0'})
    expect(fresh).not.toEqual(row)
    expect(Number(fresh!['rows']) % 2).toBe(1)
    const grown = await source.grown!(row, 1 << 21)
    expect(Number(grown!['rows']) * Number(grown!['columns']) * 8).toBeGreaterThanOrEqual(1 << 21)
  })

  test('a cell that is no number is refused, with its case', async () => {
    const {module} = await oracleOf()
    const row = {case_id: '7', rows: 'many', columns: '3'}
    await expect(module.open(candidateOf([row]), [row], () => undefined)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/case 7: many is no value/),
    })
  })

  test('rows that the module refuses are left out, with its words', async () => {
    const {module} = await oracleOf({refuses: ({rows: height}) => (height as number) % 2 === 1})
    const rows = ['7', '8'].map((height) => ({case_id: height, rows: height, columns: '3'}))
    const skipped: string[] = []
    const source = await module.open(candidateOf(rows), rows, (row, reason, detail) =>
      skipped.push(`${row['case_id']} ${reason} ${detail}`),
    )
    expect(source.rows).toEqual([rows[1]])
    expect(skipped).toEqual(['7 refused-by-module ValueError'])
  })

  test('values that the module refuses are not in its domain', async () => {
    const {asked, rows, source} = await sourceOf({refuses: (_, family) => ['normal', 'infinite'].includes(family)})
    for (const family of ['uniform', 'infinite'] as const) {
      await source.prepare(rows[0]!, family, ['s'])
      expect(asked.at(-1)!.family).toBe('own')
    }
  })
})
