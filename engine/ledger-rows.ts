import {deflateRawSync, inflateRawSync} from 'node:zlib'
import type {Envelope} from './ids.ts'
import type {Drop, Failure, Outcome, Sighting} from './ledger-records.ts'
import type {SqliteDatabase} from './sqlite.ts'

/** What is written together: texts of records by id, outcomes by stage and input, outputs of the last stage. */
interface Rows {
  records: Map<string, string>
  outcomes: Map<string, {stage: number; input: string; outcome: Outcome}>
  emissions: [position: number, record: string][]
}

export const emptyRows = (): Rows => ({records: new Map(), outcomes: new Map(), emissions: []})

type Value = string | number | Buffer | null

/** Writes rows so that each record is stored once, as input or output. */
export function rowWriter(database: SqliteDatabase): (rows: Rows) => void {
  const known = database.prepare('SELECT id FROM record WHERE id IN (SELECT value FROM json_each(?))').pluck()
  const insertRecords = inserter(database, 'record (id, json)')
  const insertOutcomes = inserter(database, 'outcome (stage, input, outputs, drops, failure)')
  const insertEmissions = inserter(database, 'emitted (position, record)')
  return ({records, outcomes, emissions}) => {
    for (const id of known.all(JSON.stringify([...records.keys()])) as string[]) records.delete(id)
    insertRecords([...records].map(([id, json]) => [id, packed(json)]))
    insertOutcomes(
      [...outcomes.values()].map(({stage, input, outcome: {outputs, drops, failure}}) => [
        stage,
        input,
        JSON.stringify(outputs.map(({id}) => id)),
        drops.length > 0 ? JSON.stringify(drops) : null,
        failure ? JSON.stringify(failure) : null,
      ]),
    )
    insertEmissions(emissions)
  }
}

/** For a small row, most of the time is the call into SQLite, so each call inserts this many rows. */
const rowsPerCall = 64

function inserter(database: SqliteDatabase, into: string): (rows: readonly Value[][]) => void {
  const row = `(${into.replace(/^.*\(|\)$/g, '').replace(/\w+/g, '?')})`
  const prepare = (count: number) =>
    database.prepare(`INSERT OR REPLACE INTO ${into} VALUES ${Array(count).fill(row).join(', ')}`)
  const one = prepare(1)
  const many = prepare(rowsPerCall)
  return (rows) => {
    const whole = rows.length - (rows.length % rowsPerCall)
    for (let at = 0; at < whole; at += rowsPerCall) many.run(rows.slice(at, at + rowsPerCall).flat())
    for (const row of rows.slice(whole)) one.run(row)
  }
}

interface OutcomeRow {
  outputs: string
  drops: string | null
  failure: string | null
}

interface SightingRow extends OutcomeRow {
  stage: string
  input: string
}

/** Of ids, whose digits end with `f`. */
const startsWith = (column: string) => `${column} >= ?1 AND ${column} < ?1 || 'g'`

const emittedPage = 1000

/** Reads what `rowWriter` wrote. */
export function rowReader(database: SqliteDatabase) {
  const select = database.prepare('SELECT json FROM record WHERE id = ?')
  const found = database.prepare('SELECT outputs, drops, failure FROM outcome WHERE stage = ? AND input = ?')

  function record(id: string): Envelope {
    const {json} = select.get(id) as {json: string | Buffer}
    return {id, json: unpacked(json)}
  }

  function outcome({outputs, drops, failure}: OutcomeRow): Outcome {
    return {
      outputs: (JSON.parse(outputs) as string[]).map(record),
      drops: drops === null ? [] : (JSON.parse(drops) as Drop[]),
      ...(failure === null ? {} : {failure: JSON.parse(failure) as Failure}),
    }
  }

  function sightings(condition: string, ...values: string[]): Sighting[] {
    const rows = database
      .prepare(`SELECT stage.name AS stage, input, outputs, drops, failure
      FROM outcome JOIN stage ON stage.id = outcome.stage WHERE ${condition} ORDER BY outcome.stage, input`)
      .all(...values)
    return (rows as SightingRow[]).map(({stage, input, ...row}) => ({stage, input, ...outcome(row)}))
  }

  return {
    outcome(stage: number, input: string): Outcome | undefined {
      const row = found.get(stage, input) as OutcomeRow | undefined
      return row && outcome(row)
    },
    *dropped(stage: number): IterableIterator<{input: Envelope; drops: Drop[]}> {
      const rows = database
        .prepare('SELECT input, drops FROM outcome WHERE stage = ? AND drops IS NOT NULL ORDER BY input')
        .all(stage) as {input: string; drops: string}[]
      for (const {input, drops} of rows) yield {input: record(input), drops: JSON.parse(drops) as Drop[]}
    },
    *emitted(): IterableIterator<Envelope> {
      const page = database.prepare(
        `SELECT position, record FROM emitted WHERE position > ? ORDER BY position LIMIT ${emittedPage}`,
      )
      for (let last: number | undefined = -1; last !== undefined; ) {
        const rows = page.all(last) as {position: number; record: string}[]
        for (const row of rows) yield record(row.record)
        last = rows.at(-1)?.position
      }
    },
    sightings: (idPrefix: string) =>
      sightings(
        `(${startsWith('input')}) OR EXISTS (SELECT 1 FROM json_each(outputs) WHERE ${startsWith('value')})`,
        idPrefix,
      ),
    failures: () => sightings('failure IS NOT NULL'),
  }
}

/** Shorter texts are kept as they are: deflating would cost more time than it saves space. */
const shortest = 200

const packed = (text: string) => (text.length < shortest ? text : deflateRawSync(text))
const unpacked = (stored: string | Buffer) =>
  typeof stored === 'string' ? stored : inflateRawSync(stored).toString('utf8')
