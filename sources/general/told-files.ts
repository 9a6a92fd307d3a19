import type {GeneralColumns, GeneralFiles, GeneralSource} from '../../datasets/schema/general.ts'
import {PipelineError} from '../../engine/errors.ts'
import {absentColumns, checkColumns, detectColumns, toldColumns} from './detect-columns.ts'
import {FileFault} from './file-fault.ts'
import {rowsOf} from './rows-of.ts'
import {proposedColumns, whatIsThere} from './unknown-shape.ts'

/** Enough to see which columns are there, and those that the first rows leave empty. */
const firstRows = 50

type ListedFile = GeneralFiles['files'][number]
type Row = Readonly<Record<string, unknown>>
type Refused = NonNullable<GeneralFiles['refused']>[number] & {fix: string}

/** Files with their first rows, and those of which none can be read. */
interface Looked {
  read: {file: ListedFile; rows: Row[]}[]
  refused: Refused[]
}

/** The folder of a source's files, its name, and a callback for unreadable files. */
interface Place {
  root: string
  name: string
  warn(text: string): void
}

/**
 * Reads the first rows of each file, and determines the columns: the configured ones, or those of the first file where
 * they are clear. A file with other columns is read by its own if they are clear; otherwise it is refused like an
 * unreadable one, and the others are used.
 * @throws PipelineError when no file can be read, none has a row, or the columns are unclear
 */
export async function toldFiles(
  files: readonly ListedFile[],
  configured: GeneralSource['columns'],
  place: Place,
): Promise<Pick<GeneralFiles, 'files' | 'columns' | 'refused'>> {
  const looked = await lookAt(files, place)
  const withRows = looked.read.filter(({rows}) => rows.length > 0)
  if (withRows.length === 0)
    throw looked.refused.length > 0 ? noneReadable(looked.refused, place) : noRows(files, place)
  const columns = columnsOf(withRows, configured, place)
  const told: ListedFile[] = []
  const {refused} = looked
  for (const {file, rows} of looked.read) {
    const absent = rows.length === 0 ? [] : absentColumns(columns, rows)
    const own = absent.length > 0 && configured === undefined ? toldColumns(rows) : undefined
    if (absent.length === 0) told.push(file)
    else if (own) told.push({...file, columns: own})
    else refused.push(otherColumns(file.path, absent, rows))
  }
  for (const {path, detail, fix} of refused) place.warn(`${path} ${detail}. ${fix}`)
  const listed = refused.map(({path, reason, detail}) => ({path, reason, detail: `${path} ${detail}`}))
  return {files: told, columns, ...(listed.length > 0 && {refused: listed})}
}

async function lookAt(files: readonly ListedFile[], {root}: Place): Promise<Looked> {
  const looked: Looked = {read: [], refused: []}
  for (const file of files) {
    const rows: Row[] = []
    try {
      for await (const found of rowsOf(root, file)) {
        if ('value' in found && typeof found.value === 'object' && found.value !== null) rows.push(found.value as Row)
        if (rows.length >= firstRows) break
      }
      looked.read.push({file, rows})
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      // For a file with some rows, the run reports where they end.
      if (rows.length > 0) looked.read.push({file, rows})
      else looked.refused.push({path: file.path, reason: error.reason, detail: error.message, fix: error.fix})
    }
  }
  return looked
}

function columnsOf(
  withRows: readonly {rows: readonly Row[]}[],
  configured: GeneralColumns | undefined,
  {name}: Place,
): GeneralColumns {
  const all = withRows.flatMap(({rows}) => rows)
  if (configured) return checkColumns(configured, all, name)
  for (const {rows} of withRows) {
    const told = toldColumns(rows)
    if (told) return told
  }
  return detectColumns(all, name)
}

function otherColumns(path: string, absent: readonly string[], rows: readonly Row[]): Refused {
  return {
    path,
    reason: 'other-columns',
    detail: `has no column ${absent.join(', ')}, as the first file has; it has ${whatIsThere(rows).shown}`,
    fix: `To use it, give it its own entry under sources.general, with ${proposedColumns(rows)}`,
  }
}

function noneReadable(refused: readonly Refused[], {name}: Place): PipelineError {
  const [first] = refused
  const more = refused.length > 1 ? `, and ${refused.length - 1} more cannot be read either` : ''
  return new PipelineError(
    'input-invalid',
    `${name} holds no file that can be read: ${first?.path} ${first?.detail}${more}.`,
    {
      fix: first?.fix ?? '',
      evidence: {refused: refused.map(({path, reason, detail}) => ({path, reason, detail}))},
    },
  )
}

function noRows(files: readonly ListedFile[], {name}: Place): PipelineError {
  const paths = files.map(({path}) => path)
  const shown = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  return new PipelineError('input-invalid', `${name} holds no rows: there are none in ${shown}.`, {
    fix: 'Choose a folder, configuration or split that has some, or remove it from sources.general.',
    evidence: {paths},
  })
}
