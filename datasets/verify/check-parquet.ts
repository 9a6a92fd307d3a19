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
import {releaseAgain, type Problem} from './problem.ts'
import {dividedReply, type LocatedFile} from '../parquet/reply-parts.ts'

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

type Row = Readonly<Record<string, unknown>>

/** Columns that `rowProblems` reads together; all others are checked separately. */
export const checkedColumns: {readonly [C in Config]?: readonly string[]} = {
  sft: ['prompt', 'completion', 'files'],
  dpo: ['prompt', 'chosen', 'rejected', 'chosen_files', 'rejected_files'],
}

/** What is wrong with one row: turns, think blocks, and the stated position of its code. */
export function rowProblems(config: Config, row: Row): string[] {
  return checks[config]?.(row) ?? []
}

const checks: {readonly [C in Config]?: (row: Row) => string[]} = {
  sft: (row) => [
    ...turnProblems(row, 'prompt', 'user'),
    ...replyProblems(row, 'completion', 'files'),
    ...(thinks(row, 'completion') ? [] : ['completion has no reasoning, expected a <think> block']),
  ],
  dpo: (row) => [
    ...turnProblems(row, 'prompt', 'user'),
    ...(['chosen', 'rejected'] as const).flatMap((side) => replyProblems(row, side, `${side}_files`)),
    ...(thinks(row, 'chosen') === thinks(row, 'rejected')
      ? []
      : ['only one side has reasoning, which identifies the better one']),
  ],
}

interface Turn {
  role: string
  content: string
}

function turnProblems(row: Row, column: string, role: string): string[] {
  const turns = row[column] as Turn[] | null
  const [turn] = turns ?? []
  if (turns?.length !== 1 || turn?.role !== role) return [`${column} is not a single turn of ${role}`]
  return turn.content.trim() === '' ? [`${column} is blank`] : []
}

const contentOf = (row: Row, column: string) => (row[column] as Turn[] | null)?.[0]?.content ?? ''
const thinks = (row: Row, column: string) => dividedReply(contentOf(row, column)).reasoning !== ''

function replyProblems(row: Row, column: string, files: string): string[] {
  const content = contentOf(row, column)
  const {reasoning, answer} = dividedReply(content)
  const tags = content.match(/<\/?think>/g) ?? []
  const expected = reasoning === '' ? 0 : 2
  return [
    ...turnProblems(row, column, 'assistant'),
    ...(tags.length === expected
      ? []
      : [`${column} has the tags ${tags.join(' ')}, expected one block at its start or none`]),
    ...(answer.trim() === '' ? [`${column} has no answer`] : []),
    ...locationProblems(content, answer, files, row[files] as LocatedFile[] | null),
  ]
}

/** A file is in the answer, or its text is given separately. */
function locationProblems(content: string, answer: string, column: string, files: LocatedFile[] | null): string[] {
  const length = [...content].length
  const answerAt = length - [...answer].length
  return (files ?? []).flatMap(({path, start, end, text}) => {
    if (start === null && end === null)
      return text === null ? [`${column}: ${path} has neither a position nor a text`] : []
    if (start === null || end === null || text !== null)
      return [`${column}: ${path} needs either start and end, or a text`]
    return start >= answerAt && start <= end && end <= length
      ? []
      : [`${column}: ${path} should be at ${start}–${end}, but the answer is at ${answerAt}–${length}`]
  })
}
