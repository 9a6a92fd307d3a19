import {appendFile, truncate} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import type {Artifact} from '../../../datasets/schema/sample.ts'
import {readStats} from '../../../datasets/card/stats.ts'
import {tokenCount} from '../../../datasets/tokens/token-count.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
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
  sftRow,
  stream,
} from '../rows.ts'

async function written(config: Config, rows: SplitRow[], directory: string, rowGroupRows = 2): Promise<Artifact[]> {
  return collect(parquet({config, directory, rowGroupRows}).run(stream(rows), recordingContext()))
}

const page = (prompt: string) => sample({prompt})

describe('what a data set holds', () => {
  test('is counted by split, column and combination of columns', async () => {
    const directory = await temporaryFolder()
    const samples = [kernelSample(), ...['a', 'b', 'c'].map(page)]
    const rows = [...samples.map((one) => sftRow(one)), sftRow(page('d'), 'test')]
    const artifacts = await written('sft', rows, directory)
    const [stats, ...others] = await readStats(directory, artifacts)
    expect(others).toEqual([])
    const sizeOf = (split: string) => artifacts.find((one) => one.split === split)?.bytes
    expect(stats?.config).toBe('sft')
    expect(stats?.splits.sort((a, b) => (a.split > b.split ? -1 : 1))).toEqual([
      {split: 'train', rows: 4, files: 1, bytes: sizeOf('train')},
      {split: 'test', rows: 1, files: 1, bytes: sizeOf('test')},
    ])
    const {tokenizer, ...tallies} = stats?.tallies ?? {}
    expect(tokenizer?.map(([, count]) => count)).toEqual([5])
    expect(tallies).toEqual({
      kind: [
        ['documentation', 4],
        ['kernel', 1],
      ],
      language: [
        ['zh', 4],
        ['en', 1],
      ],
      teacher: [
        ['offline', 4],
        ['model', 1],
      ],
      'kind+teacher+model': [
        ['documentation · offline', 4],
        ['kernel · model · deepseek-reasoner', 1],
      ],
      // Columns without a value in any row.
      'side+role+asks+proof': [],
      contract: [],
      formula: [],
      counterfactuals: [],
      licence: [['Apache-2.0', 5]],
      'licence+repository+revision': [['Apache-2.0 · ascend-cot/starter · 1', 5]],
      outcome: [['compiled', 1]],
      'executor+compiler+soc+executor_fingerprint': [['twin · clang-15 · Ascend910B1 · f00d', 1]],
      'executor+outcome': [['twin · compiled', 1]],
      confirmation: [],
    })
    expect(stats?.lengths.map(({kind, replies}) => [kind, replies])).toEqual([
      [undefined, 5],
      ['documentation', 4],
      ['kernel', 1],
    ])
    expect(stats?.lengths[2]?.max).toBeGreaterThan(tokenCount(kernelSample().answer))
  })

  test('is told in the order of the configurations, of both sides of a pair', async () => {
    const directory = await temporaryFolder()
    const artifacts = [
      ...(await written('errors', [errorRow(errorEntry())], directory)),
      ...(await written('apis', [apiRow(apiEntry())], directory)),
      ...(await written('dpo', [dpoRow(pair()), dpoRow(pair({task: 'Other'}))], directory)),
    ]
    const view = {...(artifacts[0] as Artifact), kind: 'view' as const}
    const stats = await readStats(directory, [...artifacts, view])
    expect(stats.map(({config, splits}) => [config, splits[0]?.rows])).toEqual([
      ['dpo', 2],
      ['apis', 1],
      ['errors', 1],
    ])
    const [pairs, apis] = stats
    expect(pairs?.tallies['chosen_label+rejected_label']).toEqual([['green · purple', 2]])
    expect(pairs?.tallies['task']).toEqual([
      ['Other', 1],
      ['ScaleCustom', 1],
    ])
    expect(pairs?.lengths.map(({kind, replies}) => [kind, replies])).toEqual([
      [undefined, 4],
      ['green · purple', 4],
    ])
    expect(apis?.lengths).toEqual([])
  })
})

describe('a file that is not what was exported', () => {
  async function refused(change: (path: string, artifact: Artifact) => Promise<Partial<Artifact>>) {
    const directory = await temporaryFolder()
    const [artifact] = (await written('apis', [apiRow(apiEntry())], directory)) as [Artifact]
    const changed = {...artifact, ...(await change(join(directory, artifact.path), artifact))}
    const error: unknown = await readStats(directory, [changed]).catch((reason: unknown) => reason)
    return {error: error as {code: string; message: string; fix: string}, artifact}
  }
  const again = 'Run the release recipe again; the data set folder was changed after the export.'

  test('is refused with what it holds', async () => {
    const fewer = await refused(async (_, {rows}) => ({rows: rows + 1}))
    const {path, bytes} = fewer.artifact
    expect(fewer.error).toMatchObject({
      code: 'input-invalid',
      message: `${path} has 1 rows in ${bytes} bytes, expected 2 in ${bytes}.`,
      fix: again,
    })
    const longer = await refused(async (_, one) => ({bytes: one.bytes - 1}))
    expect(longer.error.message).toBe(`${path} has 1 rows in ${bytes} bytes, expected 1 in ${bytes - 1}.`)
  })

  test('is refused where it is gone or damaged', async () => {
    const gone = await refused(async () => ({path: 'data/none.parquet'}))
    expect(gone.error.message).toBe('data/none.parquet cannot be opened.')
    const torn = await refused(async (path) => {
      await truncate(path, 20)
      await appendFile(path, 'not')
      return {}
    })
    expect(torn.error).toMatchObject({message: `${torn.artifact.path} is not a Parquet file.`, fix: again})
  })

  test('is refused where an earlier version wrote it', async () => {
    const directory = await temporaryFolder()
    const [artifact] = (await written('apis', [apiRow(apiEntry())], directory)) as [Artifact]
    await expect(readStats(directory, [{...artifact, config: 'errors'}])).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(
        /^\S+ has no column class, label, sampler, outcome, rule, task, .*: an earlier version wrote it\.$/,
      ) as string,
      fix: 'Run the release that wrote it again, then `card`; finished records are not recomputed.',
    })
  })
})
