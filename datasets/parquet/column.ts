import {canonicalJson} from '../../engine/ids.ts'
import type {ColumnType} from './column-types.ts'
import type {Origin} from '../schema/origin.ts'
import type {Confirmation, ExecutorIdentity, Verdict} from '../schema/verdict.ts'
import {speedupOf} from '../speedup.ts'
import type {ChatFormat} from '../tokens/chat-format.ts'
import {messages, user} from '../tokens/chat-turns.ts'

/** One column of the published files: the writer, the features in the footer and the card all read this declaration. */
export interface Column<Row> {
  name: string
  type: ColumnType
  /** One sentence for the card. */
  meaning: string
  /** For short cells that hardly compress. */
  pages?: 'small'
  /** null if the row has none. */
  value(row: Row, id: string, format: ChatFormat): unknown
}

type Read<Row> = (row: Row, id: string, format: ChatFormat) => unknown

/** A column whose cell is null where `read` finds nothing. */
export function column<Row>(name: string, type: ColumnType, meaning: string, read: Read<Row>): Column<Row> {
  return {name, type, meaning, value: (row, id, format) => read(row, id, format) ?? null}
}

/** A column of the field of that name. */
export const own = <Name extends string>(
  name: Name,
  meaning: string,
  type: ColumnType = 'string',
): Column<Readonly<Partial<Record<Name, unknown>>>> => column(name, type, meaning, (row) => row[name])

export const text = <Row>(name: string, meaning: string, read: Read<Row>) => column(name, 'string', meaning, read)
export const whole = <Row>(name: string, meaning: string, read: Read<Row>) => column(name, 'int32', meaning, read)
export const real = <Row>(name: string, meaning: string, read: Read<Row>) => column(name, 'float64', meaning, read)

export const idColumn: Column<unknown> = {
  ...text('id', 'Content id of the record: first 128 bits of the SHA-256 of its canonical JSON.', (_, id) => id),
  pages: 'small',
}

export const promptColumn = column('prompt', messages, 'Trainer view: the user turn.', (row: {prompt: string}) =>
  user(row.prompt),
)

export const stagesColumn = text(
  'stages',
  'JSON: version of every stage that shaped the record, by name.',
  (row: {stages: Readonly<Record<string, number>>}) => canonicalJson(row.stages),
)

/** Tokens of a conversation in training, including the template's marks. */
export function tokenColumn<Row>(
  name: string,
  meaning: string,
  turns: (row: Row) => readonly [prompt: string, reply: string],
): Column<Row> {
  return whole(name, `${meaning} in the model's chat template, by \`tokenizer\`.`, (row, _, format) =>
    format.tokens(...turns(row)),
  )
}

export const tokenizerColumn: Column<unknown> = text(
  'tokenizer',
  'The vocabulary for counting tokens: `o200k_base`, an estimate, or that of the named model.',
  (_, __, {vocabulary}) => vocabulary.tokenizer,
)

export function fingerprintColumn<Row>(name: string, of: (row: Row) => ExecutorIdentity | undefined): Column<Row> {
  return text(
    name,
    'Hash of the compiler, its flags, the executor version and the SoC.',
    (row: Row) => of(row)?.fingerprint,
  )
}

/** What both executors found; null where one judged. */
export function confirmationColumn<Row>(name: string, read: (row: Row) => Confirmation | undefined): Column<Row> {
  const meaning =
    'Where a second executor judged what the first found correct: the outcomes of both, as ' +
    '`twin: correct, cann-board: mismatched`; null where one executor judged.'
  return text(name, meaning, (row: Row) => {
    const both = read(row)
    return both && [both.first, both.second].map((one) => `${one.executor.name}: ${one.outcome}`).join(', ')
  })
}

/** What a board measured; null where the twin judged. */
export function speedupColumn<Row>(name: string, read: (row: Row) => Verdict | undefined): Column<Row> {
  const meaning =
    "How many times as fast as the task's own answer, measured on a board: geometric mean over the cases; null where " +
    'nobody measured it, as with the twin.'
  return real(name, meaning, (row: Row) => speedupOf(read(row)))
}

/** Where a row comes from. */
export function originColumns<Row extends {origin: Origin}>(): Column<Row>[] {
  return [
    text('repository', 'Repository or site of the source.', (row) => row.origin.repository),
    text('revision', 'Commit, release or crawl date.', (row) => row.origin.revision),
    text('path', 'Path inside the repository or site.', (row) => row.origin.path),
    whole('first_line', 'First line, 1-based, when the source is a part of the file.', (row) => row.origin.lines?.[0]),
    whole('last_line', 'Last line, 1-based.', (row) => row.origin.lines?.[1]),
    text('licence', 'SPDX identifier or LicenseRef of the source.', (row) => row.origin.licence),
  ]
}
