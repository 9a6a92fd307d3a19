import {expect, test} from 'vitest'
import {grownSettings} from '../../../../eval/bench/multikernelbench/grown-settings.ts'
import type {Setting} from '../../../../eval/bench/multikernelbench/tiers.ts'

/** A module with inputs of these shapes, by its constants; `own` are those of the checkout. */
const moduleOf = (own: Record<string, number>, shapes: (at: Record<string, number>) => number[][]) => ({
  describe: ({constants = {}}: Setting) => {
    const flat = Object.entries(constants).map(([name, value]) => [name, typeof value === 'number' ? value : value[0]])
    const sizes = shapes({...own, ...(Object.fromEntries(flat) as Record<string, number>)})
    return Promise.resolve(
      sizes.map((shape) => ({shape, dtype: 'float32', bytes: 4 * shape.reduce((all, one) => all * one, 1)})),
    )
  },
})
const matrix = moduleOf({batch_size: 4096, dim: 393216}, ({batch_size: rows = 0, dim = 0}) => [[rows, dim]])
const scaled = {constants: {batch_size: 256, dim: 6144}}

test.each<[string, number, Setting[]]>([
  [
    'both ends, to the limit',
    64 << 20,
    [{constants: {batch_size: 2560, dim: 6144}}, {constants: {batch_size: 256, dim: 61440}}],
  ],
  [
    'neither past the own size',
    2 ** 40,
    [{constants: {batch_size: 4096, dim: 6144}}, {constants: {batch_size: 256, dim: 393216}}],
  ],
  ['nothing where there is no room for twice as much', 8 << 20, []],
])('%s', async (_, largest, settings) => {
  expect(await grownSettings(scaled, matrix, largest)).toEqual(settings)
})

test('equal constants grow together, lists among them, and stay below the limit all the same', async () => {
  const square = moduleOf({n: 65536, columns: 65536}, ({n = 0, columns = 0}) => [[n, columns]])
  expect(await grownSettings({constants: {n: 1024, columns: [1024]}}, square, 64 << 20)).toEqual([
    {constants: {n: 4096, columns: [4096]}},
  ])
})

test('sizes that are no constants, and those of the checkout itself, do not grow', async () => {
  expect(await grownSettings({cut: [3, 4]}, matrix, 2 ** 40)).toEqual([])
  expect(await grownSettings({constants: {batch_size: 4096, dim: 393216}}, matrix, 2 ** 50)).toEqual([])
  const other = moduleOf({batch_size: 4096, dim: 393216}, () => [[3]])
  expect(await grownSettings(scaled, other, 2 ** 40)).toEqual([])
})
