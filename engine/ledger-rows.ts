import type {Envelope} from './ids.ts'
import type {Outcome} from './ledger-records.ts'
import {pack, type Packed} from './packing.ts'
import type {SqliteDatabase} from './sqlite.ts'

/** A record of which the text may be unknown here. */
type Known = Pick<Envelope, 'id'> & Partial<Envelope>

/** What is written together: outcomes by stage and input, and outputs of the last stage by position. */
interface Rows {
  outcomes: Map<string, {stage: number; input: Known; outcome: Outcome}>
  emissions: [position: number, record: Envelope][]
}

export const emptyRows = (): Rows => ({outcomes: new Map(), emissions: []})

/** Where a record stands in the file; `whole` when its text is there too, and not its id alone. */
interface Place {
  number: number
  whole: boolean
}

type Value = string | number | Buffer | null

/** Writes rows so that each record stands in the file once, whoever put it in or out. */
export function rowWriter(database: SqliteDatabase): (rows: Rows) => void {
  const known = database.prepare(`SELECT lower(hex(id)) AS id, number, rest IS NOT NULL AS whole FROM record
    WHERE id IN (SELECT unhex(value) FROM json_each(?))`)
  const last = database.prepare('SELECT coalesce(max(number), 0) AS number FROM record')
  const insertRecords = inserter(database, 'record (number, id, base, head, tail, rest)', '(?, unhex(?), ?, ?, ?, ?)')
  const insertOutcomes = inserter(database, 'outcome (stage, input, outputs, drops, failure)', '(?, ?, ?, ?, ?)')
  const insertEmissions = inserter(database, 'emitted (position, record)', '(?, ?)')

  return (rows) => {
    const places = new Map<string, Place>()
    for (const {id, number, whole} of known.all([JSON.stringify([...idsOf(rows)])]) as (Place & {id: string})[]) {
      places.set(id, {number, whole: Boolean(whole)})
    }
    let {number: highest} = last.get() as {number: number}
    const records: Value[] = []

    /** The place of a record; a text that is not there yet is written, packed against `base`. */
    function place({id, json}: Known, base?: Known): Place {
      const before = places.get(id)
      if (before && (before.whole || json === undefined)) return before
      const from = base && places.get(base.id)
      const against = from?.whole ? base?.json : undefined
      const here = {number: before?.number ?? (highest += 1), whole: json !== undefined}
      addRecord(records, here.number, id, json === undefined ? undefined : pack(json, against), from?.number)
      places.set(id, here)
      return here
    }

    const outcomes: Value[] = []
    for (const {
      stage,
      input,
      outcome: {outputs, drops, failure},
    } of rows.outcomes.values()) {
      // One output that stands alone takes less room than it and its input would.
      const {number} = place(outputs.length === 1 ? {id: input.id} : input)
      const made = outputs.map((output) => place(output, input).number)
      outcomes.push(stage, number, `[${made.join(',')}]`, asJson(drops.length > 0 && drops), asJson(failure))
    }
    const emissions: Value[] = []
    for (const [position, record] of rows.emissions) emissions.push(position, place(record).number)
    insertRecords(records)
    insertOutcomes(outcomes)
    insertEmissions(emissions)
  }
}

const asJson = (value: unknown) => (value ? JSON.stringify(value) : null)

function addRecord(to: Value[], number: number, id: string, packed: Packed | undefined, base?: number): void {
  const rest = packed?.rest ?? null
  if (packed?.shared) to.push(number, id, base as number, packed.shared.head, packed.shared.tail, rest)
  else to.push(number, id, null, null, null, rest)
}

function* idsOf({outcomes, emissions}: Rows): IterableIterator<string> {
  for (const {input, outcome} of outcomes.values()) {
    yield input.id
    for (const {id} of outcome.outputs) yield id
  }
  for (const [, {id}] of emissions) yield id
}

/** Most of a small row's time is the call into SQLite: so many rows go in with one. */
const rowsPerCall = 64

/** Inserts rows that are given one after another in one list. */
function inserter(database: SqliteDatabase, into: string, row: string): (values: Value[]) => void {
  const columns = row.split('?').length - 1
  const prepare = (count: number) =>
    database.prepare(`INSERT OR REPLACE INTO ${into} VALUES ${Array(count).fill(row).join(', ')}`)
  const one = prepare(1)
  const many = prepare(rowsPerCall)
  return (values) => {
    let start = 0
    for (; start + columns * rowsPerCall <= values.length; start += columns * rowsPerCall) {
      many.run(values.slice(start, start + columns * rowsPerCall))
    }
    for (; start < values.length; start += columns) one.run(values.slice(start, start + columns))
  }
}
