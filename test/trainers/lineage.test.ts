import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {writeWhole} from '../../engine/files.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import type {JobRecord} from '../../datasets/schema/job.ts'
import {recordOf} from '../../trainers/job-folder.ts'
import {lineageOf} from '../../trainers/lineage.ts'
import {planOf} from '../helpers/job-attempt.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

interface Row {
  repository: string
  revision: string
  licence: string
  id?: string
}

/** The rows that a job was given, in a form with or without their ids. */
async function given(folder: string, rows: readonly Record<string, string>[]): Promise<void> {
  const path = join(folder, 'data/train.parquet')
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({name, type: 'string' as const}))
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 1 << 20, rowGroupRows: 100})
  for (const row of rows) await file.write(row)
  await file.finish()
  await file.publish(path)
}

async function dataset(rows: readonly Row[]): Promise<string> {
  const folder = await temporaryFolder()
  const path = join(folder, 'data/sft/train-00000-of-00001.parquet')
  const columns = (['repository', 'revision', 'licence', 'id'] as const).map((name) => ({
    name,
    type: 'string' as const,
    meaning: '',
    value: (row: Row) => row[name],
  }))
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 1 << 20, rowGroupRows: 100})
  for (const row of rows) await file.write({...row})
  await file.finish()
  await file.publish(path)
  await writeWhole(join(folder, 'manifest.json'), '{"files": []}\n')
  return folder
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

function jobOn(source: string, id: string, job: string | null): JobRecord {
  const record = recordOf(planOf('/jobs/tiny'), job)
  const manifest = hashOf(join(source, 'manifest.json'))
  return {...record, id, data: {...record.data, source, manifest}}
}

describe('lineage', () => {
  const asc = {repository: 'asc-devkit', revision: 'abc', licence: 'LicenseRef-CANN-OSL-2.0'}
  const ops = {repository: 'ops-math', revision: 'def', licence: 'Apache-2.0'}

  test('goes from a job over the one before it to the sources of both', async () => {
    const source = await dataset([ops, asc, asc])
    const [sft, dpo] = [jobOn(source, 'sft-1', null), jobOn(source, 'dpo-2', 'sft-1')]
    const lineage = await lineageOf(dpo, async (id) => (id === 'sft-1' ? sft : undefined))
    expect(lineage).toMatchObject({
      job: 'dpo-2',
      base: {job: 'sft-1', base: {name: '/models/tiny', revision: null}},
      data: {
        unchanged: true,
        sources: [
          {...asc, rows: 2},
          {...ops, rows: 1},
        ],
      },
    })
  })

  test('counts the rows that the job took of a share, or says that it counts all', async () => {
    const source = await dataset([asc, asc, ops].map((row, at) => ({...row, id: `${at}`})))
    const folder = await temporaryFolder()
    const whole = jobOn(source, 'sft-1', null)
    const job = {...whole, output: join(folder, 'output'), data: {...whole.data, rows: 2}}
    const told = async () => (await lineageOf(job, async () => undefined)).data
    expect(await told()).toMatchObject({countedRows: 3, sources: [{rows: 2}, {rows: 1}]})
    await given(folder, [{prompt: 'a'}, {prompt: 'b'}])
    expect(await told()).toMatchObject({countedRows: 3})
    await given(folder, [{id: '0'}, {id: '2'}])
    const one = {asc: {...asc, rows: 1}, ops: {...ops, rows: 1}}
    expect(await told()).toMatchObject({countedRows: null, sources: [one.asc, one.ops]})
  })

  test('says when the data set is another one by now, and names none of its sources', async () => {
    const source = await dataset([ops])
    const record = jobOn(source, 'sft-1', null)
    await writeWhole(join(source, 'manifest.json'), '{"files": [1]}\n')
    const {data} = await lineageOf(record, async () => undefined)
    expect(data).toMatchObject({unchanged: false, sources: []})
  })

  test('is what is known where the data set or the job before is gone', async () => {
    const source = await dataset([ops])
    const record = {...jobOn(source, 'dpo-2', 'sft-1'), data: {...jobOn(source, 'x', null).data, source: '/gone'}}
    expect(await lineageOf(record, async () => undefined)).toMatchObject({
      base: {name: '/models/tiny'},
      data: {unchanged: null, sources: []},
    })
  })

  test('ends where a record that was changed by hand names itself or a ring', async () => {
    const source = await dataset([ops])
    const [one, two] = [jobOn(source, 'one', 'two'), jobOn(source, 'two', 'one')]
    const own = jobOn(source, 'own', 'own')
    const find = async (id: string) => ({one, two, own})[id]
    expect(await lineageOf(one, find)).toMatchObject({job: 'one', base: {job: 'two', base: {name: '/models/tiny'}}})
    expect(await lineageOf(own, find)).toMatchObject({base: {name: '/models/tiny'}})
  })
})
