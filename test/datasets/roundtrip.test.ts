import {createRequire} from 'node:module'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DuckDBInstance} from '@duckdb/node-api'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {cells, columns} from '../../datasets/parquet/columns.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import type {Codec} from '../../datasets/parquet/parquet-file.ts'
import {configs, type Config, type SplitRow} from '../../datasets/schema/export.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  errorEntry,
  errorRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  side,
  optimisationPair,
  optimisationRow,
  sftRow,
  stream,
  unpairedReply,
  unpairedRow,
} from './rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'roundtrip-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

/**
 * Everything that writers get wrong: empty and null lists, empty strings, four-byte characters, quotes, nulls, large
 * cells.
 */
const rows: {[C in Config]: SplitRow[]} = {
  sft: [
    sftRow(sample()),
    sftRow(
      kernelSample({
        files: [
          {path: 'a.cpp', text: ''},
          {path: 'b.h', text: '𝛼 β "quoted" \\ \u0000 \r\n\ttab'},
        ],
      }),
    ),
    sftRow(kernelSample({reasoning: 'x'.repeat(300_000)})),
    sftRow(sample({prompt: '搬运🚀', teacher: {kind: 'model', model: ''}})),
    ...Array.from({length: 300}, (_, index) =>
      sftRow(
        kernelSample({
          prompt: `Task ${index}`,
          files: index % 3 === 0 ? [] : [{path: `${index}.cpp`, text: `// ${index}`}],
        }),
      ),
    ),
  ],
  kto: [unpairedRow(unpairedReply()), unpairedRow(unpairedReply({label: 'orange', reasoning: '', task: '二'}))],
  optimisation: [optimisationRow(optimisationPair()), optimisationRow(optimisationPair({margin: 1e9, sizes: ''}))],
  dpo: [
    dpoRow(pair()),
    dpoRow(pair({chosen: side({reasoning: 'because'}), task: '二'})),
    dpoRow(pair({chosen: side({sampler: {kind: 'model', model: 'm', sample: 3, temperature: 0.7}})})),
  ],
  apis: [
    apiRow(apiEntry()),
    apiRow(apiEntry({name: 'Queue::Size', parameters: [], dtypes: [], alignment: [], examples: [], pipe: ''})),
    apiRow(
      apiEntry({
        name: 'GET_SIZES',
        prototypes: [
          {text: 'GET_SIZES(data)', returns: '', templates: [], parameters: [{name: 'data', type: ''}]},
          {text: 'GET_SIZES(data, "𝛼\r\n")', returns: '', templates: [], parameters: []},
          {
            text: 'template <int n, int m = 2> GET_SIZES()',
            returns: 'int',
            templates: [
              {name: 'n', type: 'int'},
              {name: 'm', type: 'int', defaultValue: '2'},
            ],
            parameters: [{name: '', type: 'int'}],
          },
        ],
        examples: [{lead: '', code: 'GET_SIZES(1);'}],
        deprecated: {text: '该接口已废弃，请使用Sizes接口替代。', instead: ['Sizes']},
      }),
    ),
    ...Array.from({length: 120}, (_, index) =>
      apiRow(apiEntry({name: `Move${index}`, dtypes: index % 2 === 0 ? [] : ['half'], constraints: [`${index}`]})),
    ),
  ],
  errors: [
    errorRow(errorEntry()),
    errorRow(
      errorEntry({error: {message: '“𝛼”\r\n', file: '', line: 0, column: 0, code: ''}, signature: '', rule: 'x'}),
    ),
    ...Array.from({length: 60}, (_, index) => errorRow(errorEntry({candidate: `${index}`, task: `Op${index % 7}`}))),
  ],
}

async function write(config: Config, codec: Codec): Promise<string> {
  const [artifact] = await collect(
    parquet({config, directory, codec, rowGroupRows: 50}).run(stream(rows[config]), recordingContext()),
  )
  return join(directory, artifact?.path ?? '')
}

const codecs: Codec[] = ['zstd', 'snappy']
const cases = configs.flatMap((config) => codecs.map((codec) => ({config, codec})))

describe('round trip', () => {
  test.each(cases)('hyparquet reads $config in $codec as it was written', async ({config, codec}) => {
    const file = await asyncBufferFromFile(await write(config, codec))
    expect(await parquetReadObjects({file, compressors})).toEqual(rows[config].map((row) => cells(row)))
  })

  test.each(cases)('DuckDB reads $config in $codec as it was written', async ({config, codec}) => {
    const path = await write(config, codec)
    const connection = await (await DuckDBInstance.create()).connect()
    const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
    expect(reader.getRowObjectsJson()).toEqual(rows[config].map((row) => cells(row)))
    const types = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${path}')`)
    expect(types.getRowObjectsJson().map((row) => row['column_name'])).toEqual(
      columns[config].map((column) => column.name),
    )
    connection.closeSync()
  })

  test.each(configs)('parquetjs-lite reads %s in snappy as it was written', async (config) => {
    // The package ships no types.
    const {ParquetReader} = createRequire(import.meta.url)('parquetjs-lite') as {ParquetReader: LiteReader}
    const reader = await ParquetReader.openFile(await write(config, 'snappy'))
    const cursor = reader.getCursor()
    const seen: unknown[] = []
    for (let row = await cursor.next(); row; row = await cursor.next()) seen.push(plain(row))
    await reader.close()
    expect(seen).toEqual(rows[config].map((row) => plain(cells(row))))
  })
})

interface LiteReader {
  openFile(path: string): Promise<{getCursor(): {next(): Promise<unknown>}; close(): Promise<void>}>
}

/** parquetjs-lite shows the two inner levels of a list, `{list: [{element}]}`, and leaves nulls and empty lists out. */
function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(plain)
  if (Object.keys(value).length === 0) return []
  if ('list' in value && Array.isArray(value.list))
    return value.list.map((item: {element: unknown}) => plain(item.element))
  return withoutAbsent(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])))
}

function withoutAbsent(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
