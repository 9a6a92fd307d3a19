import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parquetRows} from '../../../datasets/parquet/parquet-rows.ts'
import {marksFile, type Mark, type Reading} from '../../../datasets/schema/mark.ts'
import {localFiles} from '../../../datasets/hub/local-files.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {release} from '../../../pipelines/workspace/release.ts'
import {openWorkspace} from '../../../pipelines/workspace/workspace.ts'
import {sample} from '../../datasets/rows.ts'
import {requestOf, sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const never = () => Promise.reject(new Error('not needed'))
const samples = ['add', 'mul', 'sub'].map((name) =>
  sample({prompt: `${name} 的搬运长度有什么限制？`, origin: {...sample().origin, path: `docs/${name}.html`}}),
)

async function released(out: string, export_: object = {}) {
  const config = Config.parse({out, export: {testFraction: 0, ...export_}})
  const workspace = openWorkspace(config, never, {hub: never, say: () => undefined})
  const pipeline = await release('sft', {reads: ['documentation']})(workspace)
  const {counts} = await runPipeline(requestOf(pipeline, out))
  const rows: {id: string; path: string}[] = []
  for await (const row of parquetRows(join(out, 'dataset/data/sft/train-00000-of-00001.parquet'), ['id', 'path']))
    rows.push(row as (typeof rows)[number])
  return {rows, dropped: counts.find(({stage}) => stage === 'marked-gate')?.reasons}
}

function marks(out: string, readings: readonly [id: string, mark: Reading, reader: string][]): void {
  const lines = readings.map(([id, mark, reader]): Mark => {
    return {...{id, config: 'sft', path: 'p', row: 0}, mark, note: '', reader, at: '2026-01-01T00:00:00Z'}
  })
  writeFileSync(join(out, 'dataset', marksFile), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

test('a release refuses rows that a reader last marked false, and others on demand', async () => {
  const out = await temporaryFolder()
  await sampleRun(out, 'documentation', samples)
  const {rows, dropped} = await released(out)
  expect(rows).toHaveLength(3)
  expect(dropped).toBeUndefined()
  const [first = '', second = '', third = ''] = rows.map(({id}) => id)

  marks(out, [
    [first, 'false', 'ann'],
    [first, 'sound', 'bob'],
    [second, 'hollow', 'ann'],
    [third, 'false', 'bob'],
    [third, 'sound', 'bob'],
  ])
  const after = await released(out)
  expect(after.rows.map(({id}) => id)).toEqual([second, third])
  expect(after.dropped).toEqual({'marked-by-reader': 1})

  const stricter = await released(out, {refuseMarked: ['false', 'hollow']})
  expect(stricter.rows.map(({id}) => id)).toEqual([third])
  expect((await released(out, {refuseMarked: []})).rows).toHaveLength(3)
  // What readers noted is not for publication.
  expect((await localFiles(join(out, 'dataset'))).map(({path}) => path)).not.toContain(marksFile)
})
