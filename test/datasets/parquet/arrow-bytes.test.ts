import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {columnBytes, loadedBytes} from '../../../datasets/parquet/arrow-bytes.ts'
import type {ColumnType} from '../../../datasets/parquet/column-types.ts'
import {cells, columns} from '../../../datasets/parquet/columns.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import {collect, kernelSample, recordingContext, sftRow, stream} from '../rows.ts'

const types: Record<string, ColumnType> = {
  s: 'string',
  t: 'string',
  i: 'int32',
  f: 'float64',
  b: 'bool',
  c: 'bool',
  l: {list: 'string'},
  ls: {list: {struct: {p: 'string', a: 'int32'}}},
}

const row = (i: number): Record<string, unknown> => ({
  s: i % 5 === 0 ? null : 'é'.repeat(i % 7),
  t: 't'.repeat(i),
  i: i % 4 === 0 ? null : i,
  f: i / 3,
  b: i % 3 === 0 ? null : true,
  c: i % 2 === 0,
  l: i % 6 === 5 ? null : Array.from({length: i % 3}, () => 'x'),
  ls: Array.from({length: i % 4}, (_, a) => ({p: 'q', a})),
})

/** Row groups of these sizes, read in batches of the first one's size, as `datasets` reads a file. */
function bytesOf(groups: readonly number[]): number {
  let [bytes, first] = [0, 0]
  for (const size of groups) {
    const rows = Array.from({length: size}, (_, index) => row(first + index))
    const cuts = [0]
    while ((cuts.at(-1) ?? 0) < size) cuts.push(Math.min(size, (cuts.at(-1) ?? 0) + (groups[0] ?? 0)))
    for (const [name, type] of Object.entries(types)) {
      bytes += columnBytes(
        type,
        rows.map((cells) => cells[name]),
        cuts,
      )
    }
    first += size
  }
  return bytes
}

describe('bytes of loaded rows', () => {
  // What `load_dataset` of datasets 5.2.0 with pyarrow 26.0.1 told of Parquet files of these rows and row groups.
  test.each([
    [[25], 1545],
    [[8, 8, 9], 1547],
    [[5, 13, 3], 1286],
    [[10, 25], 2387],
  ])('in row groups of %j are %i', (groups, expected) => {
    expect(bytesOf(groups)).toBe(expected)
  })

  test('are counted over all row groups of all files of a split', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'arrow-bytes-'))
    const rows = Array.from({length: 7}, (_, index) => sftRow(kernelSample({prompt: 'x'.repeat(10 ** (index % 5))})))
    const write = parquet({config: 'sft', directory, rowGroupRows: 2})
    const files = await collect(write.run(stream(rows), recordingContext()))
    // Cut into groups of two, every group is one batch.
    let expected = 0
    for (let start = 0, end = 0; start < rows.length; start = end) {
      end = Math.min(start + 2, rows.length)
      const group = rows.slice(start, end).map((row) => cells(row))
      for (const {name, type} of columns.sft) {
        expected += columnBytes(
          type,
          group.map((one) => one[name]),
          [0, group.length],
        )
      }
    }
    expect(await loadedBytes(directory, [...files, ...files])).toEqual(new Map([['sft/train', 2 * expected]]))
    await rm(directory, {recursive: true})
  })
})
