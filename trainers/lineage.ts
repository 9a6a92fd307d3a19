import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetSchema} from 'hyparquet'
import {byCodeUnit} from '../engine/code-unit-order.ts'
import {manifestPath} from '../datasets/hub/manifest.ts'
import {parquetRows} from '../datasets/parquet/parquet-rows.ts'
import type {JobRecord} from '../datasets/schema/job.ts'

/** Where rows come from, and how many of them. */
interface LineageSource {
  repository: string
  revision: string
  licence: string
  rows: number
}

interface LineageData {
  /** The data set as the job names it, and the part of it. */
  source: string
  config: string
  split: string
  rows: number
  /** Hashes of the training rows and of the data set's manifest. */
  sha256: string
  manifest: string | null
  /** Whether the data set is unchanged; null if it is not on this machine or had no manifest. */
  unchanged: boolean | null
  /** [] if the data set is not on this machine, or has changed. */
  sources: readonly LineageSource[]
  /** Rows that the sources count, if they cover the whole split and the job used only part of it; otherwise null. */
  countedRows: number | null
}

/** What a model was made from, as far back as known. */
export interface Lineage {
  job: string
  method: JobRecord['method']
  engine: string
  /** What training started from: a model, or the job that made it. */
  base: {name: string; revision: string | null} | Lineage
  data: LineageData
}

/**
 * From a job back to the sources of its training data and that of earlier jobs.
 * @param find a job by its id; undefined if it is gone; then only its name is given
 */
export async function lineageOf(
  record: JobRecord,
  find: (id: string) => Promise<JobRecord | undefined>,
): Promise<Lineage> {
  const {name, revision, job} = record.base
  // A job starts from earlier ones; a record edited by hand may contain a cycle.
  const parent = job === null || job === record.id ? undefined : await find(job)
  return {
    job: record.id,
    method: record.method,
    engine: record.engine,
    base: parent ? await lineageOf(parent, async (id) => (id === record.id ? undefined : find(id))) : {name, revision},
    data: await dataOf(record),
  }
}

async function dataOf({data, output}: JobRecord): Promise<LineageData> {
  const root = resolve(data.source)
  const path = join(root, manifestPath)
  const known = data.manifest !== null && !data.source.startsWith('hub:') && existsSync(path)
  const unchanged = known ? hash(await readFile(path)) === data.manifest : null
  const taken = unchanged ? await idsIn(join(dirname(output), 'data', 'train.parquet')) : undefined
  const sources = unchanged ? await sourcesIn(root, data, taken) : []
  const counted = sources.reduce((sum, {rows}) => sum + rows, 0)
  return {...data, unchanged, sources, countedRows: counted === data.rows || !unchanged ? null : counted}
}

/** Of the rows that a job was given; undefined if its file is gone or its trainer's form has no ids. */
async function idsIn(path: string): Promise<ReadonlySet<string> | undefined> {
  if (!existsSync(path)) return undefined
  const {children} = parquetSchema(await parquetMetadataAsync(await asyncBufferFromFile(path)))
  if (!children.some(({element}) => element.name === 'id')) return undefined
  const ids = new Set<string>()
  for await (const {id} of parquetRows(path, ['id'])) ids.add(String(id))
  return ids
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** For the rows that a job used; for all rows of the configuration's split if those are unknown. */
async function sourcesIn(
  root: string,
  {config, split}: JobRecord['data'],
  taken: ReadonlySet<string> | undefined,
): Promise<LineageSource[]> {
  const folder = join(root, 'data', config)
  const files = (await readdir(folder)).filter((name) => name.startsWith(`${split}-`) && name.endsWith('.parquet'))
  const counts = new Map<string, LineageSource>()
  for (const file of files.sort()) {
    const columns = ['repository', 'revision', 'licence', ...(taken ? ['id'] : [])]
    for await (const row of parquetRows(join(folder, file), columns)) {
      if (taken && !taken.has(String(row['id']))) continue
      const [repository, revision, licence] = [row['repository'], row['revision'], row['licence']].map(String)
      const key = JSON.stringify([repository, revision, licence])
      const one = counts.get(key) ?? {repository, revision, licence, rows: 0}
      counts.set(key, {...(one as LineageSource), rows: one.rows + 1})
    }
  }
  return [...counts.values()].sort(
    (one, other) => other.rows - one.rows || byCodeUnit(one.repository, other.repository),
  )
}
