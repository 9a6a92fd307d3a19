import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {columns} from '../../../datasets/parquet/columns.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import {createParquetFile} from '../../../datasets/parquet/parquet-file.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {checkParquet} from '../../../datasets/verify/check-parquet.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {apiEntry, apiRow, collect, recordingContext, sample, sftRow, stream} from '../rows.ts'

const fix = 'Download the file again, or run the release recipe and `card` again.'

async function written(config: Config, rows: SplitRow[]) {
  const directory = await temporaryFolder()
  const stage = parquet({config, directory, rowGroupRows: 10})
  const [artifact] = (await collect(stage.run(stream(rows), recordingContext()))) as [Artifact]
  return {artifact, path: join(directory, artifact.path)}
}

/** Interfaces with these ids. */
const apis = (ids: readonly string[]) =>
  written(
    'apis',
    ids.map((id, at) => ({...apiRow(apiEntry({name: `Api${at}`})), id}) as SplitRow),
  )

describe('a file of a data set', () => {
  test('is read to its end', async () => {
    const {artifact, path} = await apis(Array.from({length: 25}, (_, at) => `id ${at}`))
    const ids = new Set<string>()
    expect(await checkParquet(path, artifact, ids)).toEqual({rows: 25, problems: []})
    expect(ids.size).toBe(25)
  })

  test('has an id for each row, which no other file of its configuration has', async () => {
    const {artifact, path} = await apis(['a', 'b', 'a', 'known'])
    const problem = (row: number, id: string) => ({file: artifact.path, row, what: `repeats the id ${id}`, fix})
    expect(await checkParquet(path, artifact, new Set(['known']))).toEqual({
      rows: 4,
      problems: [problem(3, 'a'), problem(4, 'known')],
    })
  })

  test('tells twenty faults of its rows at most, by their places', async () => {
    for (const [rows, told] of [
      [20, 19],
      [21, 20],
      [22, 20],
    ] as const) {
      const {artifact, path} = await apis(Array.from({length: rows}, () => 'same'))
      const {problems} = await checkParquet(path, artifact, new Set())
      expect(problems.map(({row}) => row)).toEqual(Array.from({length: told}, (_, at) => at + 2))
    }
  })

  test('is checked for what its texts should be', async () => {
    const {artifact, path} = await written('sft', [sftRow(sample()), sftRow(sample({answer: ' ', prompt: 'Why?'}))])
    const {problems} = await checkParquet(path, artifact, new Set())
    expect(problems.map(({row, what}) => [row, what])).toContainEqual([2, 'completion has no answer'])
    expect(problems.every(({row}) => row === 2)).toBe(true)
  })
})

describe('a footer', () => {
  const footer = 'declares features in its footer that differ from the columns'

  test('has the number of rows that the manifest says', async () => {
    const {artifact, path} = await apis(['a', 'b'])
    expect(await checkParquet(path, {...artifact, rows: 3}, new Set())).toEqual({
      rows: 2,
      problems: [{file: artifact.path, what: 'has 2 rows, the manifest says 3', fix}],
    })
  })

  test('has the columns of its configuration, in their order, and no more', async () => {
    type Columns = Parameters<typeof createParquetFile>[1]
    const problems = async (own: Columns) => {
      const path = join(await temporaryFolder(), 'file.parquet')
      const file = await createParquetFile(path, own, {codec: 'snappy', rowGroupBytes: 1e6, rowGroupRows: 10})
      await file.finish()
      await file.publish(path)
      const artifact = {kind: 'parquet', path: 'data/apis/train-0.parquet', config: 'apis', rows: 0, bytes: 0}
      return (await checkParquet(path, artifact as Artifact, new Set())).problems.map(({what}) => what)
    }
    const [first, second, ...rest] = columns.apis as Columns as [Columns[number], Columns[number], ...Columns[number][]]
    expect(await problems(columns.apis)).toEqual([])
    expect(await problems([...columns.apis, {name: 'more', type: 'string'}])).toEqual([
      footer,
      'has columns that differ from the declaration',
    ])
    // Features go by name, columns by their place.
    expect(await problems([second, first, ...rest])).toEqual([
      `has columns that differ from the declaration, first at ${first.name}`,
    ])
    expect(await problems([first, {...second, type: 'bool'}, ...rest])).toEqual([
      footer,
      `has columns that differ from the declaration, first at ${second.name}`,
    ])
  })

  test('is that of a file of some configuration or view', async () => {
    const {artifact, path} = await apis(['a'])
    const what = 'belongs to no known configuration or view'
    const strange = {...artifact, kind: 'view' as const, path: 'views/unheard-of/sft-train.parquet'}
    expect(await checkParquet(path, strange, new Set())).toEqual({
      rows: 0,
      problems: [{file: strange.path, what, fix}],
    })
    const view = {...artifact, kind: 'view' as const, path: 'views/llama-factory/sft-train.parquet'}
    expect((await checkParquet(path, view, new Set())).problems[0]?.what).toBe(footer)
  })

  test('is missing where the file is no Parquet', async () => {
    const directory = await temporaryFolder()
    const path = join(directory, 'x.parquet')
    await mkdir(directory, {recursive: true})
    await writeFile(path, 'nothing of the kind')
    const {artifact} = await apis(['a'])
    expect(await checkParquet(path, artifact, new Set())).toEqual({
      rows: 0,
      problems: [
        {file: artifact.path, what: expect.stringMatching(/^cannot be read as Parquet: parquet/) as string, fix},
      ],
    })
  })
})
