import {createHash} from 'node:crypto'
import {existsSync, readdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {tableFromIPC} from 'apache-arrow'
import {expect, test} from 'vitest'
import {columns, cells} from '../../../datasets/parquet/columns.ts'
import {hubFeature} from '../../../datasets/parquet/column-types.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import {configs, type Config, type SplitRow} from '../../../datasets/schema/export.ts'
import arrowFiles from '../../../datasets/views/arrow-files.ts'
import {arrowRows} from '../../../sources/general/rows-of.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import * as rows from '../rows.ts'

const all: {readonly [C in Config]: SplitRow[]} = {
  // More than a batch, with a null, an empty list, other planes of Unicode and the reply of an empty file list.
  sft: Array.from({length: 1201}, (_, n) =>
    rows.sftRow(n % 2 ? rows.kernelSample({prompt: `搬运🚀 ${n}`}) : rows.sample({prompt: `${n}`})),
  ),
  dpo: [rows.dpoRow(rows.pair()), rows.dpoRow(rows.pair({task: 'Other'}), 'test')],
  apis: [rows.apiRow(rows.apiEntry())],
  errors: [rows.errorRow(rows.errorEntry())],
  kto: [rows.unpairedRow(rows.unpairedReply())],
  optimisation: [rows.optimisationRow(rows.optimisationPair())],
}

async function written(directory: string, wanted: boolean) {
  const data = []
  for (const config of configs)
    data.push(
      ...(await rows.collect(parquet({config, directory}).run(rows.stream(all[config]), rows.recordingContext()))),
    )
  const out = await rows.collect(arrowFiles({directory, wanted}).run(rows.stream(data), rows.recordingContext()))
  expect(out.slice(0, data.length)).toEqual(data)
  return out.slice(data.length)
}

test('every row comes back from its Arrow file as it was written, with its features', async () => {
  const directory = await temporaryFolder()
  const files = await written(directory, true)
  expect(files.map(({path}) => path)).toEqual([
    ...['sft-train', 'dpo-train', 'dpo-test', 'apis-train', 'errors-train', 'kto-train', 'optimisation-train'].map(
      (name) => `views/arrow/${name}.arrow`,
    ),
  ])
  for (const {path, config, split, bytes, sha256, rows: count, kind} of files) {
    const own = all[config as Config].filter((row) => row.split === split)
    const content = await readFile(join(directory, path))
    expect(kind).toBe('view')
    expect([bytes, count]).toEqual([content.length, own.length])
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    const read = await rows.collect(arrowRows(join(directory, path)))
    expect(read.map((one) => (one as {value?: unknown}).value)).toEqual(own.map((row) => cells(row)))
    const {schema} = tableFromIPC(content)
    const features = Object.fromEntries(columns[config as Config].map(({name, type}) => [name, hubFeature(type)]))
    expect(JSON.parse(schema.metadata.get('huggingface') ?? '')).toEqual({info: {features}})
  }
})

test('the same rows give the same bytes, and files that are not wanted any more are gone', async () => {
  const directory = await temporaryFolder()
  const first = await written(directory, true)
  expect(await written(directory, true)).toEqual(first)
  expect(readdirSync(join(directory, 'views/arrow')).every((name) => name.endsWith('.arrow'))).toBe(true)
  expect(await written(directory, false)).toEqual([])
  expect(existsSync(join(directory, 'views/arrow'))).toBe(false)
})
