import {createHash} from 'node:crypto'
import {mkdtemp, readdir, readFile, rm, writeFile, mkdir, chmod} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import parquet, {type ParquetOptions} from '../../../datasets/parquet/parquet.ts'
import type {SplitRow} from '../../../datasets/schema/export.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parquet-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const write = (rows: Iterable<SplitRow>, options: Partial<ParquetOptions> = {}, context = recordingContext()) =>
  collect(parquet({config: 'sft', directory, ...options}).run(stream(rows), context))

const read = async (path: string) =>
  parquetReadObjects({file: await asyncBufferFromFile(join(directory, path)), compressors})

function* many(count: number): Iterable<SplitRow> {
  for (let index = 0; index < count; index += 1) {
    yield sftRow(
      kernelSample({prompt: `Task ${index}`, reasoning: `Reasoning ${index} `.repeat(40)}),
      index % 5 === 0 ? 'test' : 'train',
    )
  }
}

describe('parquet', () => {
  test('writes one file a split, in input order, with what the artifact says', async () => {
    const artifacts = await write(many(20))
    expect(artifacts.map(({path, rows, split}) => ({path, rows, split}))).toEqual([
      {path: 'data/sft/train-00000-of-00001.parquet', rows: 16, split: 'train'},
      {path: 'data/sft/test-00000-of-00001.parquet', rows: 4, split: 'test'},
    ])
    for (const artifact of artifacts) {
      const bytes = await readFile(join(directory, artifact.path))
      expect(artifact.bytes).toBe(bytes.length)
      expect(artifact.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
    const rows = await read('data/sft/test-00000-of-00001.parquet')
    expect(rows.map((row) => (row['prompt'] as {content: string}[])[0]?.content)).toEqual([
      'Task 0',
      'Task 5',
      'Task 10',
      'Task 15',
    ])
  })

  test('gives the same bytes twice', async () => {
    const first = await write(many(50), {rowGroupRows: 7})
    const second = await write(many(50), {rowGroupRows: 7})
    expect(second).toEqual(first)
  })

  test('cuts shards by size and removes the shards of a longer export', async () => {
    const long = await write(many(60), {maxShardBytes: 4000, rowGroupRows: 8})
    const trains = long.filter((artifact) => artifact.split === 'train')
    expect(trains.length).toBeGreaterThan(2)
    expect(trains.at(-1)?.path).toContain(`-of-${String(trains.length).padStart(5, '0')}`)
    expect(trains.reduce((sum, artifact) => sum + artifact.rows, 0)).toBe(48)
    await write(many(3))
    expect(await readdir(join(directory, 'data/sft'))).toEqual([
      'test-00000-of-00001.parquet',
      'train-00000-of-00001.parquet',
    ])
  })

  test('keeps row groups under both limits', async () => {
    await write(many(40), {rowGroupRows: 10})
    const metadata = await parquetMetadataAsync(
      await asyncBufferFromFile(join(directory, 'data/sft/train-00000-of-00001.parquet')),
    )
    expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([10, 10, 10, 2])
    expect(metadata.created_by).toBe('ascend-cot')
    await write(many(40), {rowGroupBytes: 10_000})
    const bySize = await parquetMetadataAsync(
      await asyncBufferFromFile(join(directory, 'data/sft/train-00000-of-00001.parquet')),
    )
    expect(bySize.row_groups.length).toBeGreaterThan(2)
  })

  test('states the features in the footer as datasets does', async () => {
    await write([dpoRow(pair())], {config: 'dpo'})
    const metadata = await parquetMetadataAsync(
      await asyncBufferFromFile(join(directory, 'data/dpo/train-00000-of-00001.parquet')),
    )
    const {info} = JSON.parse(metadata.key_value_metadata?.find((entry) => entry.key === 'huggingface')?.value ?? '{}')
    expect(info.features.chosen).toEqual({
      feature: {role: {dtype: 'string', _type: 'Value'}, content: {dtype: 'string', _type: 'Value'}},
      _type: 'List',
    })
    expect(info.features.first_line).toEqual({dtype: 'int32', _type: 'Value'})
  })

  test('states lists inside of structures of a list', async () => {
    await write([apiRow(apiEntry())], {config: 'apis'})
    const metadata = await parquetMetadataAsync(
      await asyncBufferFromFile(join(directory, 'data/apis/train-00000-of-00001.parquet')),
    )
    const {info} = JSON.parse(metadata.key_value_metadata?.find((entry) => entry.key === 'huggingface')?.value ?? '{}')
    const string = {dtype: 'string', _type: 'Value'}
    const declared = {feature: {name: string, type: string, default: string}, _type: 'List'}
    expect(info.features.prototypes).toEqual({
      feature: {text: string, returns: string, template_parameters: declared, parameters: declared},
      _type: 'List',
    })
    expect(info.features.alignment.feature.bytes).toEqual({dtype: 'int32', _type: 'Value'})
  })

  test('drops a row that a writer would have to alter', async () => {
    const context = recordingContext()
    const artifacts = await write([sftRow(sample({prompt: 'half a pair \ud83d'})), sftRow(sample())], {}, context)
    expect(context.drops).toMatchObject([
      {reason: 'unstorable-value', detail: 'prompt.0.content: a lone surrogate has no UTF-8 form'},
    ])
    expect(artifacts[0]?.rows).toBe(1)
  })

  test('leaves the earlier export alone when the rows fail, and no temporary file', async () => {
    const [before] = await write(many(4))
    async function* failing(): AsyncIterable<SplitRow> {
      yield* many(10)
      throw new Error('upstream')
    }
    await expect(
      collect(parquet({config: 'sft', directory, rowGroupRows: 2}).run(failing(), recordingContext())),
    ).rejects.toThrow('upstream')
    expect(await readdir(join(directory, 'data/sft'))).toEqual([
      'test-00000-of-00001.parquet',
      'train-00000-of-00001.parquet',
    ])
    expect((await readFile(join(directory, before?.path ?? ''))).length).toBe(before?.bytes)
  })

  test('removes the temporary files of a killed run', async () => {
    await mkdir(join(directory, 'data/sft'), {recursive: true})
    await writeFile(join(directory, 'data/sft/.train.parquet.0a1b2c3d4e5f.tmp'), 'torn')
    await write(many(2))
    expect(await readdir(join(directory, 'data/sft'))).toEqual([
      'test-00000-of-00001.parquet',
      'train-00000-of-00001.parquet',
    ])
  })

  test('says so when the folder cannot be written', async () => {
    await writeFile(join(directory, 'data'), 'a file where a folder should be')
    await expect(write(many(1))).rejects.toMatchObject({code: 'output-unwritable'})
    await chmod(directory, 0o755)
  })

  test('refuses rows of another configuration as a fault of ours', async () => {
    await expect(write([dpoRow(pair())])).rejects.toThrow('parquet stage of "sft"')
  })
})
