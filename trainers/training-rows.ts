import {createHash} from 'node:crypto'
import {asyncBufferFromFile, parquetMetadataAsync, parquetSchema} from 'hyparquet'
import {distinct} from '../datasets/distinct.ts'
import {firstOrigins, shareOrder} from '../datasets/mix.ts'
import {parquetRows} from '../datasets/parquet/parquet-rows.ts'
import {originColumnNames, originOfRow} from '../datasets/parquet/row-origin.ts'
import {CotSample, PairStrategy} from '../datasets/schema/sample.ts'
import {viewOf} from '../datasets/views/view-forms.ts'
import {PipelineError} from '../engine/errors.ts'
import {canonicalJson} from '../engine/ids.ts'
import {nearest} from '../engine/nearest.ts'
import {replyColumns, trainedColumns, turnsOf} from './data-form.ts'
import type {FoundData} from './data-source.ts'
import type {JobSpec} from './spec.ts'

/** A row that is trained on: its cells by the columns of the data set. */
export type TrainingRow = Readonly<Record<string, unknown>>

/** The rows of a job, in the order of the data set; they are read again each time. */
export interface TrainingRows {
  /** Columns of the data set. */
  columns: readonly string[]
  read(): AsyncIterable<TrainingRow>
  count: number
  /** Rows that `data.without`, `data.maxTokens` and `dpo.strategies` excluded. */
  leftOut: number
  /** Of the columns that are trained on, row by row: the same for every trainer and file format. */
  sha256: string
}

/** Columns that the checks read if a data set has them, besides the training columns. */
const lookedAt = [
  ...['id', 'kind', 'task', 'strategy', 'chosen_label', 'rejected_label', 'chosen_sampler', 'changed_lines'],
  ...['tokens', 'chosen_tokens', 'rejected_tokens'],
  ...['contaminated', 'is_contaminated', 'leak', 'leaked', 'benchmark', 'decontaminated'],
]

/**
 * Selects a job's training rows: by kind, by strategy, by a share of the origins.
 * @throws PipelineError `input-invalid` for a data set of another form, or without a remaining row
 */
export async function chooseRows(spec: JobSpec, {files, root}: FoundData): Promise<TrainingRows> {
  const columns = await columnsOf(files)
  checkColumns(spec, columns, root)
  const filters = filtersOf(spec, columns)
  const wanted = [...trainedColumns[spec.method], ...lookedAt, ...filters.map(({column}) => column)]
  const isKept = (row: TrainingRow) => filters.every(({keeps, column}) => keeps(row[column]))
  const share = await shareOf(spec, {files, columns, isKept, filterColumns: filters.map(({column}) => column)})
  const reads = [...new Set([...wanted, ...(share ? originColumnNames : [])])].filter((name) => columns.includes(name))
  const viewed = viewedRow(spec)
  let leftOut = 0
  async function* read(): AsyncIterable<TrainingRow> {
    leftOut = 0
    const isNew = distinct()
    for (const file of files)
      for await (const row of parquetRows(file, reads)) {
        if (!isKept(row)) leftOut += 1
        if (!isKept(row) || (share && !share.has(shareOrder(originOfRow(row))))) continue
        // Pairs repeat a task; a reward needs it once.
        if (spec.method === 'grpo' && !isNew(canonicalJson(row['prompt'] ?? null))) continue
        yield viewed(row)
      }
  }
  const {count, sha256} = await hashed(read(), trainedColumns[spec.method])
  if (count === 0) throw noRows(spec, filters, await shortestRow(files, filters))
  return {columns, read, count, leftOut, sha256}
}

/** A row with replies as in the view; a cell that is not a list of turns is left for a check to report. */
function viewedRow({method, data: {view}}: JobSpec): (row: TrainingRow) => TrainingRow {
  const form = view && method !== 'grpo' ? viewOf(view.value).forms[method] : undefined
  const replies = (form?.columns ?? []).filter(({name}) => replyColumns(method).includes(name))
  return (row) => {
    const sound = replies.filter(({name}) => turnsOf(row[name]))
    return {...row, ...Object.fromEntries(sound.map(({name, value}) => [name, value(row)]))}
  }
}

async function columnsOf(files: readonly string[]): Promise<string[]> {
  const all: string[][] = []
  for (const file of files) {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file)).catch((cause: unknown) => {
      throw new PipelineError('input-invalid', `${file} is not a Parquet file.`, {
        fix: 'Export or download the data set again; a git-lfs pointer must be resolved.',
        cause,
      })
    })
    all.push(parquetSchema(metadata).children.map(({element}) => element.name))
  }
  const [first = [], ...others] = all
  return first.filter((name) => others.every((one) => one.includes(name)))
}

function checkColumns({method, data}: JobSpec, columns: readonly string[], root: string): void {
  const missing = trainedColumns[method].filter((name) => !columns.includes(name))
  if (missing.length === 0) return
  // Trainers accept such rows, and train on the user's turns too.
  const conversations = columns.includes('messages')
  throw new PipelineError(
    'input-invalid',
    `${root}, configuration ${data.config}, has no column ${missing.join(', ')}; ${method} is trained on ` +
      `${trainedColumns[method].join(', ')}, seen: ${columns.join(', ')}.`,
    {
      fix: conversations
        ? 'Split `messages` into `prompt` and `completion`: as they are, the model would learn the questions too.'
        : `Choose another configuration with \`data.config\`${method === 'sft' ? '' : `, such as ${method}`}.`,
      evidence: {missing, columns: [...columns]},
    },
  )
}

/** Columns with the tokens of a row, or of each side of a pair, reasoning included. */
export const countedColumns = (method: JobSpec['method']): readonly string[] =>
  method === 'dpo' ? ['chosen_tokens', 'rejected_tokens'] : ['tokens']

interface Filter {
  /** The key that requires it. */
  key: string
  column: string
  keeps(cell: unknown): boolean
}

function filtersOf(spec: JobSpec, columns: readonly string[]): Filter[] {
  const without = spec.data.without.value
  const strategies = spec.dpo?.strategies.value ?? []
  const kinds: readonly string[] = CotSample.shape.kind.options
  const asked: [Filter, readonly string[], readonly string[]][] = []
  if (without.length > 0) {
    const keeps = (cell: unknown) => !without.includes(String(cell))
    asked.push([{key: 'data.without', column: 'kind', keeps}, without, kinds])
  }
  if (spec.method === 'dpo' && strategies.length > 0) {
    const keeps = (cell: unknown) => strategies.includes(String(cell))
    asked.push([{key: 'dpo.strategies', column: 'strategy', keeps}, strategies, PairStrategy.options])
  }
  const most = spec.data.maxTokens?.value
  if (most !== undefined) {
    const keeps = (cell: unknown) => Number(cell) <= most
    for (const column of countedColumns(spec.method)) asked.push([{key: 'data.maxTokens', column, keeps}, [], []])
  }
  for (const [{key, column}, words, known] of asked) checkWords({key, column, words, known, columns})
  return asked.map(([filter]) => filter)
}

function adviceFor(guess: string | undefined, known: readonly string[]): string {
  if (guess !== undefined) return `Did you mean ${guess}?`
  return known.length > 0 ? `Known are ${known.join(', ')}.` : 'Remove it, or export the data set with this version.'
}

interface Words {
  key: string
  column: string
  words: readonly string[]
  known: readonly string[]
  columns: readonly string[]
}

function checkWords({key, column, words, known, columns}: Words): void {
  const unknown = words.find((word) => !known.includes(word))
  if (unknown === undefined && columns.includes(column)) return
  const guess = nearest(unknown ?? '', known)
  const what = unknown === undefined ? `the data set has no column ${column}` : `there is no ${column} ${unknown}`
  throw new PipelineError('config-invalid', `${key}: ${what}.`, {
    fix: adviceFor(guess, known),
    evidence: {key, column},
  })
}

interface Shared {
  files: readonly string[]
  columns: readonly string[]
  isKept(row: TrainingRow): boolean
  filterColumns: readonly string[]
}

/** The origins of a share of the rows; undefined for all of them. */
async function shareOf(spec: JobSpec, of: Shared): Promise<Set<string> | undefined> {
  const share = spec.data.share.value
  if (share === 1) return undefined
  const reads = [...new Set([...originColumnNames, ...of.filterColumns])].filter((name) => of.columns.includes(name))
  const origins = new Map<string, number>()
  let rows = 0
  for (const file of of.files)
    for await (const row of parquetRows(file, reads)) {
      if (!of.isKept(row)) continue
      const order = shareOrder(originOfRow(row))
      origins.set(order, (origins.get(order) ?? 0) + 1)
      rows += 1
    }
  return firstOrigins(origins, share * rows)
}

async function hashed(rows: AsyncIterable<TrainingRow>, columns: readonly string[]) {
  const hash = createHash('sha256')
  let count = 0
  for await (const row of rows) {
    hash.update(`${canonicalJson(columns.map((name) => row[name] ?? null))}\n`)
    count += 1
  }
  return {count, sha256: hash.digest('hex')}
}

/** Tokens of the shortest row, if rows are excluded by their tokens. */
async function shortestRow(files: readonly string[], filters: readonly Filter[]): Promise<number | undefined> {
  const columns = filters.filter(({key}) => key === 'data.maxTokens').map(({column}) => column)
  let shortest: number | undefined
  for (const file of columns.length === 0 ? [] : files)
    for await (const row of parquetRows(file, columns)) {
      const tokens = Math.max(...columns.map((column) => Number(row[column])))
      shortest = Math.min(shortest ?? tokens, tokens)
    }
  return shortest
}

function noRows({data, method}: JobSpec, filters: readonly Filter[], shortest: number | undefined): PipelineError {
  const keys = [...new Set(filters.map(({key}) => key)), ...(data.share.value < 1 ? ['data.share'] : [])]
  const why = keys.length === 0 ? '' : ` after ${keys.join(' and ')}`
  return new PipelineError('input-invalid', `No row of ${data.source}, configuration ${data.config}, is left${why}.`, {
    fix:
      keys.length === 0
        ? `Run the release that makes rows for ${method}.`
        : `Set ${keys.join(', ')} so that rows are left${lengthWords(data, shortest)}.`,
  })
}

function lengthWords({maxTokens}: JobSpec['data'], shortest: number | undefined): string {
  return shortest === undefined ? '' : `: the shortest has ${shortest} tokens, data.maxTokens is ${maxTokens?.value}`
}
