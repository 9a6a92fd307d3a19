import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, readOffsetIndex} from 'hyparquet'
import {describe, expect, test} from 'vitest'
import {idColumn} from '../../../datasets/parquet/column.ts'
import type {ColumnType} from '../../../datasets/parquet/column-types.ts'
import {createParquetFile} from '../../../datasets/parquet/parquet-file.ts'
import {parquetRows} from '../../../datasets/parquet/parquet-rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {collect} from '../rows.ts'

const columns = [
  idColumn,
  {name: 'text', type: 'string'},
  {name: 'files', type: {list: 'string'}},
  {name: 'kind', type: 'string'},
] satisfies {name: string; type: ColumnType}[]

const rows = Array.from({length: 5300}, (_, number) => ({
  id: createHash('md5').update(String(number)).digest('hex'),
  text: number % 5 === 0 ? null : `${number} `.repeat(number % 90),
  files: Array.from({length: number % 3}, (__, file) => `${number}/${file}`),
  kind: number % 2 === 0 ? 'even' : 'odd',
}))

async function written(): Promise<string> {
  const path = join(await temporaryFolder(), 'rows.parquet')
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 64_000_000, rowGroupRows: 2400})
  // Without ids a group ends by its size alone: 2400, 2400 and 500 rows.
  for (const row of rows) await file.write(row)
  await file.finish()
  await file.publish(path)
  return path
}

describe('rows of a Parquet file', () => {
  test('come all and in order, over the ends of parts and row groups', async () => {
    const path = await written()
    expect(await collect(parquetRows(path, ['id', 'text', 'files', 'kind']))).toEqual(rows)
  })

  test('come with the wanted columns alone', async () => {
    const path = await written()
    const [first] = await collect(parquetRows(path, ['kind']))
    expect(first).toEqual({kind: 'even'})
  })

  test('stand in pages of which that with an id is small', async () => {
    const file = await asyncBufferFromFile(await written())
    const {row_groups} = await parquetMetadataAsync(file)
    const [id, text] = row_groups[0]?.columns ?? []
    const pages = async (chunk: typeof id) => {
      const start = Number(chunk?.offset_index_offset)
      const view = new DataView(await file.slice(start, start + Number(chunk?.offset_index_length)))
      return readOffsetIndex({view, offset: 0}).page_locations
    }
    const sizes = (await pages(id)).map((page) => page.compressed_page_size)
    expect(sizes.length).toBeGreaterThan(1)
    // 64 KiB of values, of which digits take half.
    expect(Math.max(...sizes)).toBeLessThan(40_000)
    expect((await pages(text)).length).toBeLessThan(sizes.length)
  })
})
