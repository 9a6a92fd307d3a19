import {describe, expect, test} from 'vitest'
import type {TaskCase} from '../../datasets/schema/task.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import {randomFrom} from '../../engine/random.ts'
import {golden} from '../helpers/golden.ts'
import {firstFresh, firstGrown, freshRows, isSameRegime, type CallShape} from '../../eval/fresh-row.ts'

function call(shapes: number[][], {values = {}, dtype = 'float32'}: {values?: object; dtype?: Dtype} = {}): CallShape {
  return {tensors: shapes.map((shape, index) => ({name: String(index), dtype, shape})), values: {...values}}
}

/** Some rows for each of several seeds. */
function drawn(cells: TaskCase, shape: CallShape, table: TaskCase[] = []): TaskCase[] {
  return ['a', 'b', 'c', 'd', 'e'].flatMap((seed) =>
    [...freshRows({case_id: '7', ...cells}, {call: shape, table, random: randomFrom(seed)})]
      .slice(0, 12)
      .map(({row}) => row),
  )
}

const numbers = (row: TaskCase, column: string) => JSON.parse(row[column] ?? '') as number[]

describe('rows of other sizes', () => {
  test('differ from their row, follow from the seed, and keep everything but sizes', () => {
    const rows = drawn({shape: '[3, 700]', dtype: 'float16', scale: '0.5', axis: '-1'}, call([[3, 700]]))
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      expect(row['shape']).not.toBe('[3, 700]')
      expect({...row, shape: ''}).toEqual({case_id: '7', shape: '', dtype: 'float16', scale: '0.5', axis: '-1'})
    }
    expect(drawn({shape: '[3, 700]'}, call([[3, 700]]))).toEqual(drawn({shape: '[3, 700]'}, call([[3, 700]])))
    expect(new Set(rows.map(({shape}) => shape)).size).toBeGreaterThan(10)
  })

  test('take an empty list for no shape, which keeps nothing from changing', () => {
    expect(drawn({shapes: '[[48, 16], []]'}, call([[48, 16]]))).not.toEqual([])
  })

  test.each([[1000], [48], [1024], [32], [17], [333], [2], [8192], [12]])('keep the alignment of %i', (size) => {
    const rows = drawn({shape: `[${size}]`}, call([[size]]))
    expect(rows.length).toBeGreaterThan(4)
    for (const row of rows) {
      const [other = 0] = numbers(row, 'shape')
      for (const unit of [8, 16, 32]) expect(other % unit === 0, `${size} → ${other}`).toBe(size % unit === 0)
      expect(other).toBeGreaterThan(1)
    }
  })

  test('keep a size a multiple of the smallest one that may stand for another', () => {
    const rows = drawn({shape: '[24, 8]'}, call([[24, 8]]))
    const sizes = rows.map((row) => numbers(row, 'shape'))
    expect(sizes.filter(([, unit = 0]) => unit !== 8)).not.toEqual([])
    expect(sizes.filter(([size = 0, unit = 1]) => size % unit !== 0)).toEqual([])
  })

  test('keep sizes that are equal equal, and those that are one', () => {
    const cells = {x1_shape: '[48, 1, 128]', x2_shape: '[1, 128]', n: '48'}
    for (const row of drawn(
      cells,
      call([
        [48, 1, 128],
        [1, 128],
      ]),
    )) {
      const [rows, one, columns] = numbers(row, 'x1_shape')
      expect(one).toBe(1)
      expect(numbers(row, 'x2_shape')).toEqual([1, columns])
      expect(row['n']).toBe(String(rows))
    }
  })

  test('keep a product a product', () => {
    for (const row of drawn({shape: '[16, 2048]', n: '32768'}, call([[16, 2048]]))) {
      const [rows = 0, columns = 0] = numbers(row, 'shape')
      expect(Number(row['n'])).toBe(rows * columns)
    }
  })

  test('stay on their side of the numbers that are no sizes, and divisible by them', () => {
    const rows = drawn({shape: '[4, 64, 5]', num_groups: '16', end: '[60]'}, call([[4, 64, 5], [64]]))
    for (const row of rows) {
      const [, channels = 0] = numbers(row, 'shape')
      expect(channels % 16).toBe(0)
      expect(channels).toBeGreaterThan(60)
      expect([row['num_groups'], row['end']]).toEqual(['16', '[60]'])
    }
    expect(rows.length).toBeGreaterThan(0)
  })

  test('never hold more than a row that is not small', () => {
    for (const row of drawn({shape: '[40, 1001]'}, call([[40, 1001]])))
      expect(numbers(row, 'shape').reduce((a, b) => a * b)).toBeLessThanOrEqual(40 * 1001)
  })

  test('keep a size that every row of the table has in one place', () => {
    const table = [{shape: '[60, 33]'}, {shape: '[64, 33]'}, {shape: '[2, 60, 33]'}]
    for (const row of drawn({shape: '[60, 33]'}, call([[60, 33]]), table)) expect(numbers(row, 'shape')[1]).toBe(33)
    expect(drawn({shape: '[60, 33]'}, call([[60, 33]]), table).length).toBeGreaterThan(3)
  })

  test('hold some elements where the row has one in each tensor', () => {
    for (const row of drawn({shapes: '[[1], [1]]'}, call([[1], [1]])))
      expect(row['shapes']).toMatch(/^\[\[([2357])\], \[\1\]\]$/)
  })

  test.each<[string, TaskCase, CallShape]>([
    ['no cell names them', {start: '1', end: '4096'}, call([[4095]])],
    ['they are numbers of another kind', {input_shape: '7.0', scalars: '[1.0]'}, call([[1]])],
    ['a list is no shape', {mList: '[125, 199]'}, call([[324, 7]])],
    ['the only size is also another number', {shape: '[50]', n: '25'}, call([[50]])],
  ])('do not exist where %s', (_, cells, shape) => {
    expect(drawn(cells, shape)).toEqual([])
  })
})

describe('a call is of the same regime', () => {
  const sizes = new Map([[64, 96]])
  const before = call([[64, 10], [10]], {values: {n: 64, mode: 'sum'}})
  const changed = (shapes: number[][], values: object = {n: 96, mode: 'sum'}) =>
    isSameRegime(before, call(shapes, {values}), sizes)

  test('when its sizes are replaced as drawn, host values too', () => {
    expect(changed([[96, 10], [10]])).toBe(true)
    expect(changed([[96, 10], [10]], {n: 64, mode: 'sum'})).toBe(true)
  })

  test.each<[string, number[][], object?]>([
    ['nothing changed', [[64, 10], [10]]],
    ['a tensor is missing', [[96, 10]]],
    [
      'a rank changed',
      [
        [96, 10],
        [10, 1],
      ],
    ],
    ['a size became one', [[96, 10], [1]]],
    ['an alignment changed', [[96, 16], [16]]],
    ['it is many times as large', [[9600, 10], [10]]],
    ['a host value changed by itself', [[96, 10], [10]], {n: 97, mode: 'sum'}],
    ['a choice changed', [[96, 10], [10]], {n: 96, mode: 'mean'}],
  ])('not when %s', (_, shapes, values) => {
    expect(changed(shapes, values)).toBe(false)
  })

  test('not when a type changed', () => {
    expect(isSameRegime(before, call([[96, 10], [10]], {values: before.values, dtype: 'float16'}), sizes)).toBe(false)
  })
})

/** Fresh rows of a candidate that is judged again must be the rows of its first verdict. */
test('a seed gives the same rows for ever', () => {
  const cases: readonly [TaskCase, CallShape, TaskCase[]?][] = [
    [{shape: '[3, 700]', axis: '-1', n: '3'}, call([[3, 700]])],
    [{shape: '[48]'}, call([[48]])],
    [{shape: '[4096, 1024]'}, call([[4096, 1024]], {dtype: 'float16'})],
    [{shape: '[16, 2048]', n: '32768'}, call([[16, 2048]])],
    [{shape: '[4, 64, 5]', num_groups: '16', end: '[60]'}, call([[4, 64, 5], [64]])],
    [{shapes: '[[1], [1]]'}, call([[1], [1]])],
    [{shapes: '((7, 9), (9,))', k: '12'}, call([[7, 9], [9]])],
    [{shape: '[60, 33]'}, call([[60, 33]]), [{shape: '[60, 33]'}, {shape: '[64, 33]'}]],
    [{shape: '[2, 8, 1030]', window: '8'}, call([[2, 8, 1030]])],
    [{shape: '[24, 56]', inner: '[56]', total: '1344'}, call([[24, 56]])],
  ]
  const lines = cases.flatMap(([cells, shape, table = []]) => {
    const made = [...freshRows(cells, {call: shape, table, random: randomFrom('rows')})]
    const shown = made.map(({row, sizes}) => `  ${JSON.stringify(row)} ${JSON.stringify([...sizes])}`)
    return [`${JSON.stringify(cells)}: ${made.length}`, ...shown.slice(0, 14)]
  })
  golden('test/fixtures/told/fresh-rows.txt', `${lines.join('\n')}\n`)
})

describe('the regime of a call', () => {
  const sizes = new Map([
    [64, 96],
    [7, 11],
  ])
  const one = (shape: number[], dtype: Dtype = 'float32') => call([shape], {dtype})
  test.each<[string, number[], number[], boolean, Dtype?]>([
    ['a size as drawn', [64, 10], [96, 10], true],
    ['a small size that was drawn', [7, 10], [11, 10], true],
    ['a size of the same alignment that was not drawn', [64, 9], [64, 11], true],
    ['a size of another alignment', [64, 9], [64, 16], false],
    ['whole blocks of 32 bytes no longer', [4, 18], [4, 19], false],
    ['growth up to 64 KiB', [4096], [16384], true],
    ['growth past 64 KiB', [4096], [16384 + 32], false],
    ['large ones do not grow', [32768], [32768 + 32], false],
    ['shrinking to a quarter', [32768], [8192], true],
    ['shrinking past a quarter', [32768], [8192 - 32], false],
    ['a size of one', [64, 9], [64, 1], false],
  ])('%s: %j → %j is %s', (_, before, after, same, dtype) => {
    expect(isSameRegime(one(before, dtype), one(after, dtype), sizes)).toBe(same)
  })
  test('another name of a tensor is another call', () => {
    const named = (name: string, shape: number[]): CallShape => ({
      tensors: [{name, dtype: 'float32', shape}],
      values: {},
    })
    expect(isSameRegime(named('x', [64]), named('x', [96]), sizes)).toBe(true)
    expect(isSameRegime(named('x', [64]), named('y', [96]), sizes)).toBe(false)
  })
  test.each<[unknown, unknown, boolean]>([
    [{n: 64}, {n: 96}, true],
    [{n: 64}, {n: 64}, true],
    [{n: 65}, {n: 96}, false],
    [{n: NaN}, {n: NaN}, true],
    [{n: 'a'}, {n: 'b'}, false],
    [{n: null}, {n: {}}, false],
    [{n: {}}, {n: null}, false],
    [{n: {}}, {n: 'x'}, false],
    [{n: 'x'}, {n: {}}, false],
    [{n: [64, 2]}, {n: [96, 2]}, true],
    [{n: [64, 2]}, {n: [96]}, false],
    [{n: [64]}, {n: [96, 2]}, false],
    [{n: {a: 1}}, {n: {b: 1}}, false],
    [{n: {a: 1}}, {n: {a: 2}}, false],
    [{n: {a: [64]}}, {n: {a: [96]}}, true],
  ])('host values %j and %j are alike: %s', (before, after, alike) => {
    const valued = (shape: number[], values: unknown) => call([shape], {values: values as object})
    expect(isSameRegime(valued([64], before), valued([96], after), sizes)).toBe(alike)
  })
})

test('bare numbers are sizes from eight on, when they count elements of neighbouring axes', () => {
  const moves = (n: string) =>
    new Set(drawn({shape: '[24, 40, 3]', n}, call([[24, 40, 3]])).map((row) => row['n'])).size > 1
  expect(moves('24')).toBe(true)
  expect(moves('40')).toBe(true)
  expect(moves('960')).toBe(true)
  expect(moves('120')).toBe(true)
  expect(moves('2880')).toBe(true)
  expect(moves('72')).toBe(false)
  expect(moves('3')).toBe(false)
})

describe('the first row that a reference accepts', () => {
  const row = {case_id: '0', shape: '[48, 96]'}
  const callOf = (cells: Record<string, string>): CallShape => ({
    tensors: [{name: 'x', dtype: 'float32', shape: JSON.parse(cells['shape']!) as number[]}],
    values: {},
  })
  const shapeOf = (cells: Record<string, string>) => Promise.resolve(callOf(cells))
  const call = callOf(row)

  test('is one that it can also compute', async () => {
    const asked: string[] = []
    const computes = (other: Record<string, string>) => Promise.resolve(asked.push(other['shape']!) === 3)
    const found = await firstFresh(row, {call, table: [row], random: randomFrom('s')}, shapeOf, computes)
    expect([asked.length, found!['shape']]).toEqual([3, asked[2]])
  })

  test('with a grown size has exactly the sizes that were asked for', async () => {
    const grown = (shape: (cells: Record<string, string>) => Promise<CallShape | undefined>) =>
      firstGrown(row, {call, table: [row], bytes: 1 << 20}, shape)
    expect(JSON.parse((await grown(shapeOf))!['shape']!)).not.toEqual([48, 96])
    expect(await grown(() => Promise.resolve(call))).toBeUndefined()
    expect(await grown(() => Promise.resolve(undefined))).toBeUndefined()
  })
})
