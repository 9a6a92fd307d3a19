import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync} from 'hyparquet'
import {expect, test} from 'vitest'
import {storedBytes} from '../../datasets/parquet/column-types.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const row = {text: 'of one length'}
const rowBytes = storedBytes(row)
/** Whether a group may end is told by the first eight digits alone; 64 is 40. */
const [ends, goesOn] = ['00000040', '00000041']

/** Rows of each group, when as many rows are written with these ids. */
async function groups(ids: readonly (string | undefined)[], limits: {rowGroupBytes?: number; rowGroupRows?: number}) {
  const path = join(await temporaryFolder(), 'rows.parquet')
  const sizes = {rowGroupBytes: 1e9, rowGroupRows: 1e9, ...limits}
  const file = await createParquetFile(path, [{name: 'text', type: 'string'}], {codec: 'zstd', ...sizes})
  for (const id of ids) await file.write(row, id)
  await file.finish()
  await file.publish(path)
  return (await parquetMetadataAsync(await asyncBufferFromFile(path))).row_groups.map((one) => Number(one.num_rows))
}

const all = (id: string) => Array<string>(17).fill(id)

test.each<[string, string[], number, number[]]>([
  ['no id', all(''), 8, [8, 8, 1]],
  ['an id that does not end them', all(goesOn), 8, [8, 8, 1]],
  ['an id that ends them', all(ends), 8, [4, 4, 4, 4, 1]],
  ['an id that ends them, and half of an odd number', all(ends), 7, [4, 4, 4, 4, 1]],
  ['an id that ends them, and more digits', all(`${ends}1`), 8, [4, 4, 4, 4, 1]],
  ['an id that ends them by digits behind the eighth', all(`1${ends}`), 8, [8, 8, 1]],
  ['an id that is a multiple as decimal digits alone', all('00000064'), 8, [8, 8, 1]],
  ['an id of high digits', all('ffffffc0'), 8, [4, 4, 4, 4, 1]],
  ['nothing but zeros', all('00000000'), 8, [4, 4, 4, 4, 1]],
  ['a multiple of 32', all('00000020'), 8, [8, 8, 1]],
  ['multiples of less than 64', ['20', '10', '3f', '42', '60', 'a0', '7f'].map((id) => id.padStart(8, '0')), 20, [7]],
  // One that comes before the half ends nothing, nor does it later.
  ['one id that ends them, early', all(goesOn).with(2, ends), 8, [8, 8, 1]],
  ['one id that ends them, at the half', all(goesOn).with(3, ends), 8, [4, 8, 5]],
  ['one id that ends them, late', all(goesOn).with(6, ends), 8, [7, 8, 2]],
])('groups of rows with %s', async (_, ids, most, rows) => {
  expect(await groups(ids, {rowGroupRows: most})).toEqual(rows)
  expect(await groups(ids, {rowGroupBytes: most * rowBytes})).toEqual(rows)
})

test('rows without an id end groups by size alone', async () => {
  expect(await groups(Array<undefined>(17).fill(undefined), {rowGroupRows: 8})).toEqual([8, 8, 1])
})

test('a group is full, or half full, with the bytes that it may hold and not one less', async () => {
  expect(await groups(all(ends), {rowGroupBytes: 8 * rowBytes + 1})).toEqual([5, 5, 5, 2])
  expect(await groups(all(goesOn), {rowGroupBytes: 8 * rowBytes + 1})).toEqual([9, 8])
  expect(await groups(all(ends), {rowGroupBytes: 8 * rowBytes - 1})).toEqual([4, 4, 4, 4, 1])
})

test('a group ends by bytes or by rows, whichever comes first', async () => {
  expect(await groups(all(goesOn), {rowGroupRows: 8, rowGroupBytes: 5 * rowBytes})).toEqual([5, 5, 5, 2])
  expect(await groups(all(goesOn), {rowGroupRows: 5, rowGroupBytes: 8 * rowBytes})).toEqual([5, 5, 5, 2])
})
