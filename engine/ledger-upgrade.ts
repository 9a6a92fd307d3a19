import {canonicalJson} from './ids.ts'
import {emptyRows, rowWriter} from './ledger-rows.ts'
import type {Drop, Failure} from './ledger-records.ts'
import type {SqliteDatabase} from './sqlite.ts'

interface OldOutcome {
  row: number
  stage: number
  input: string
  record: string | null
  output_ids: string
  outputs: string
  drops: string
  failure: string | null
}

const rowsAtOnce = 500

/** Turns the tables of the first format, in which every outcome held its outputs in full, into those of `schema`. */
export function upgradeLedger(database: SqliteDatabase, schema: string): void {
  const tables = ['stage', 'outcome', 'emitted']
  for (const table of tables) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`)
  database.exec(schema)
  database.exec('INSERT INTO stage SELECT id, name, key FROM old_stage')
  const write = rowWriter(database)
  for (const page of pages<OldOutcome>(database, 'old_outcome', 'row')) {
    const rows = emptyRows()
    for (const {row, stage, input, record, ...rest} of page) {
      const known = {id: input, ...(record !== null && {json: record})}
      rows.outcomes.set(String(row), {stage, input: known, outcome: asOutcome(rest)})
    }
    write(rows)
  }
  for (const page of pages<{position: number; id: string; json: string}>(database, 'old_emitted', 'position')) {
    write({...emptyRows(), emissions: page.map(({position, id, json}) => [position, {id, json}])})
  }
  for (const table of tables) database.exec(`DROP TABLE old_${table}`)
}

function asOutcome({output_ids, outputs, drops, failure}: Omit<OldOutcome, 'row' | 'stage' | 'input' | 'record'>) {
  const values = JSON.parse(outputs) as unknown[]
  const ids = output_ids === '' ? [] : output_ids.split(' ')
  return {
    outputs: ids.map((id, index) => ({id, json: canonicalJson(values[index])})),
    drops: JSON.parse(drops) as Drop[],
    ...(failure === null ? {} : {failure: JSON.parse(failure) as Failure}),
  }
}

function* pages<Row>(database: SqliteDatabase, table: string, key: keyof Row & string): IterableIterator<Row[]> {
  const page = database.prepare(`SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rowsAtOnce}`)
  let rows = page.all(-1) as Row[]
  while (rows.length > 0) {
    yield rows
    rows = page.all((rows.at(-1) as Row)[key]) as Row[]
  }
}
