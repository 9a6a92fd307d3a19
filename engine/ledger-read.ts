import type {Envelope} from './ids.ts'
import type {Drop, Failure, Outcome, Sighting} from './ledger-records.ts'
import {unpack} from './packing.ts'
import type {SqliteDatabase} from './sqlite.ts'

interface RecordRow {
  id: string
  base: number | null
  head: number
  tail: number
  rest: string | Buffer | null
}

export interface OutcomeRow {
  outputs: string
  drops: string | null
  failure: string | null
}

interface SightingRow extends OutcomeRow {
  stage: string
  input: string
}

interface LedgerReader {
  outcome(row: OutcomeRow): Outcome
  emitted(): IterableIterator<Envelope>
  sightings(idPrefix: string): Sighting[]
  failures(): Sighting[]
}

const emittedPage = 1000

/** Of an id: see `textId`. */
const idDigits = 32

/** Reads what `rowWriter` wrote. */
export function ledgerReader(database: SqliteDatabase): LedgerReader {
  const record = recordReader(database)

  function outcome({outputs, drops, failure}: OutcomeRow): Outcome {
    return {
      outputs: (JSON.parse(outputs) as number[]).map(record),
      drops: drops === null ? [] : (JSON.parse(drops) as Drop[]),
      ...(failure === null ? {} : {failure: JSON.parse(failure) as Failure}),
    }
  }

  function* emitted(): IterableIterator<Envelope> {
    const page = database.prepare(
      `SELECT position, record FROM emitted WHERE position > ? ORDER BY position LIMIT ${emittedPage}`,
    )
    let last = -1
    for (;;) {
      const rows = page.all(last) as {position: number; record: number}[]
      for (const row of rows) yield record(row.record)
      const end = rows.at(-1)
      if (!end) return
      last = end.position
    }
  }

  function sightingsWhere(condition: string, ...values: string[]): Sighting[] {
    const rows = database
      .prepare(`SELECT stage.name AS stage, lower(hex(record.id)) AS input, outputs, drops, failure
      FROM outcome JOIN stage ON stage.id = outcome.stage JOIN record ON record.number = outcome.input
      WHERE ${condition} ORDER BY outcome.stage, outcome.input`)
      .all(...values)
    return (rows as SightingRow[]).map((row) => ({stage: row.stage, input: row.input, ...outcome(row)}))
  }

  return {
    outcome,
    emitted,
    sightings(idPrefix) {
      const wanted = 'SELECT number FROM record WHERE id BETWEEN unhex(?) AND unhex(?)'
      const range = [idPrefix.padEnd(idDigits, '0'), idPrefix.padEnd(idDigits, 'f')]
      return sightingsWhere(
        `outcome.input IN (${wanted})
        OR EXISTS (SELECT 1 FROM json_each(outputs) WHERE value IN (${wanted}))`,
        ...range,
        ...range,
      )
    },
    failures: () => sightingsWhere('failure IS NOT NULL'),
  }
}

/** UTF-16 code units of what was read that are kept: the records of one page or project are read after one another. */
const keptUnits = 4_000_000
const unitsOf = ({json}: Envelope) => json.length + 200

function recordReader(database: SqliteDatabase): (number: number) => Envelope {
  const select = database.prepare('SELECT lower(hex(id)) AS id, base, head, tail, rest FROM record WHERE number = ?')
  const kept = new Map<number, Envelope>()
  let units = 0

  function keep(number: number, envelope: Envelope): Envelope {
    kept.set(number, envelope)
    units += unitsOf(envelope)
    for (const [oldest, gone] of kept) {
      if (units <= keptUnits) break
      kept.delete(oldest)
      units -= unitsOf(gone)
    }
    return envelope
  }

  return function read(number): Envelope {
    const again = kept.get(number)
    if (again) return again
    const {id, base, head, tail, rest} = select.get(number) as RecordRow
    if (rest === null) throw new TypeError(`record ${id} is known by its id only`)
    if (base === null) return keep(number, {id, json: unpack({rest})})
    return keep(number, {id, json: unpack({shared: {head, tail}, rest}, read(base).json)})
  }
}
