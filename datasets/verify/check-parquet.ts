import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  type AsyncBuffer,
  type FileMetaData,
} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {canonicalJson} from '../../engine/ids.ts'
import {hubFeature, parquetElements, type ColumnType} from '../parquet/column-types.ts'
import {columns} from '../parquet/columns.ts'
import type {Config} from '../schema/export.ts'
import type {Artifact} from '../schema/sample.ts'
import {viewColumns} from '../views/view-forms.ts'
import {checkedColumns, rowProblems} from './check-rows.ts'
import {releaseAgain, type Problem} from './problem.ts'

type FileColumns = readonly {name: string; type: ColumnType}[]

/** The content found in one file. */
interface CheckedFile {
  rows: number
  problems: Problem[]
}

/** The first few are enough; a file that is wrong throughout would fill the screen. */
const mostRowProblems = 20

/**
 * Reads every row of a Parquet file, a row group at a time, and compares it with its declaration. @param ids of the
 * configuration's rows read so far; this file's are added
 */
export async function checkParquet(path: string, artifact: Artifact, ids: Set<string>): Promise<CheckedFile> {
  const file = artifact.path
  const declared = artifact.kind === 'view' ? viewColumns(file) : columns[artifact.config as Config]
  if (!declared)
    return {rows: 0, problems: [{file, what: 'belongs to no known configuration or view', fix: releaseAgain}]}
  try {
    const buffer = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(buffer)
    const problems = footerProblems(artifact, metadata, declared)
    if (problems.length > 0) return {rows: Number(metadata.num_rows), problems}
    return await readRows(buffer, metadata, {artifact, names: declared.map(({name}) => name), ids})
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {rows: 0, problems: [{file, what: `cannot be read as Parquet: ${why}`, fix: releaseAgain}]}
  }
}

function footerProblems({path: file, rows}: Artifact, metadata: FileMetaData, declared: FileColumns): Problem[] {
  const problem = (what: string): Problem => ({file, what, fix: releaseAgain})
  const features = metadata.key_value_metadata?.find(({key}) => key === 'huggingface')?.value ?? ''
  const expected = canonicalJson({
    info: {features: Object.fromEntries(declared.map(({name, type}) => [name, hubFeature(type)]))},
  })
  const elements = declared.flatMap(({name, type}) => parquetElements(name, type))
  const [, ...found] = metadata.schema
  const stranger = elements.find((one, index) => found[index]?.name !== one.name || found[index]?.type !== one.type)
  return [
    ...(sameJson(features, expected) ? [] : [problem('declares features in its footer that differ from the columns')]),
    ...(found.length !== elements.length || stranger
      ? [problem(`has columns that differ from the declaration${stranger ? `, first at ${stranger.name}` : ''}`)]
      : []),
    ...(Number(metadata.num_rows) === rows
      ? []
      : [problem(`has ${metadata.num_rows} rows, the manifest says ${rows}`)]),
  ]
}

function sameJson(text: string, canonical: string): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonical
  } catch {
    return false
  }
}

async function readRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  {artifact, names, ids}: {artifact: Artifact; names: readonly string[]; ids: Set<string>},
): Promise<CheckedFile> {
  const problems: Problem[] = []
  const checked = artifact.kind === 'view' ? [] : (checkedColumns[artifact.config as Config] ?? [])
  const together = names.filter((name) => name === 'id' || checked.includes(name))
  let rowStart = 0
  for (const {num_rows} of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const range = {file, metadata, compressors, rowStart, rowEnd}
    // Column by column: columns that only need to be readable are not kept in memory.
    for (const name of names) if (!together.includes(name)) await parquetReadObjects({...range, columns: [name]})
    const rows = together.length === 0 ? [] : await parquetReadObjects({...range, columns: together})
    for (const [index, row] of rows.entries()) {
      for (const what of [...idProblems(row, ids), ...contentProblems(artifact, row)]) {
        if (problems.length < mostRowProblems)
          problems.push({file: artifact.path, row: rowStart + index + 1, what, fix: releaseAgain})
      }
    }
    rowStart = rowEnd
  }
  return {rows: rowStart, problems}
}

const contentProblems = ({kind, config}: Artifact, row: Record<string, unknown>) =>
  kind === 'view' ? [] : rowProblems(config as Config, row)

/** Views may have no id column. */
function idProblems({id}: Record<string, unknown>, ids: Set<string>): string[] {
  if (id === undefined) return []
  if (typeof id !== 'string' || id === '') return ['has no id']
  if (ids.has(id)) return [`repeats the id ${id}`]
  ids.add(id)
  return []
}
