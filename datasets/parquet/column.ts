import {canonicalJson} from '../../engine/ids.ts'
import type {ColumnType} from './column-types.ts'
import type {Origin} from '../schema/origin.ts'
import type {ChatFormat} from '../tokens/chat-format.ts'

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

export const idColumn: Column<unknown> = {
  name: 'id',
  type: 'string',
  meaning: 'Content id of the record: first 128 bits of the SHA-256 of its canonical JSON.',
  pages: 'small',
  value: (_, id) => id,
}

export const stagesColumn: Column<{stages: Readonly<Record<string, number>>}> = {
  name: 'stages',
  type: 'string',
  meaning: 'JSON: version of every stage that shaped the record, by name.',
  value: (row) => canonicalJson(row.stages),
}

/** Tokens of a conversation in training, including the template's marks. */
export function tokenColumn<Row>(
  name: string,
  meaning: string,
  turns: (row: Row) => readonly [prompt: string, reply: string],
): Column<Row> {
  return {
    name,
    type: 'int32',
    meaning: `${meaning} in the model's chat template, by \`tokenizer\`.`,
    value: (row, _, format) => format.tokens(...turns(row)),
  }
}

export const tokenizerColumn: Column<unknown> = {
  name: 'tokenizer',
  type: 'string',
  meaning: 'The vocabulary for counting tokens: `o200k_base`, an estimate, or that of the named model.',
  value: (_, __, {vocabulary}) => vocabulary.tokenizer,
}

/** Where a row comes from. */
export function originColumns<Row extends {origin: Origin}>(): Column<Row>[] {
  return [
    {
      name: 'repository',
      type: 'string',
      meaning: 'Repository or site of the source.',
      value: (row) => row.origin.repository,
    },
    {name: 'revision', type: 'string', meaning: 'Commit, release or crawl date.', value: (row) => row.origin.revision},
    {name: 'path', type: 'string', meaning: 'Path inside the repository or site.', value: (row) => row.origin.path},
    {
      name: 'first_line',
      type: 'int32',
      meaning: 'First line, 1-based, when the source is a part of the file.',
      value: (row) => row.origin.lines?.[0] ?? null,
    },
    {name: 'last_line', type: 'int32', meaning: 'Last line, 1-based.', value: (row) => row.origin.lines?.[1] ?? null},
    {
      name: 'licence',
      type: 'string',
      meaning: 'SPDX identifier or LicenseRef of the source.',
      value: (row) => row.origin.licence,
    },
  ]
}
