import {mkdirSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {PipelineError} from '../../engine/errors.ts'
import type {SqliteDatabase} from '../../engine/sqlite.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'
import {pageSize, type Copy} from './dedup.ts'
import {RangeFindings, wordsIn} from './dedup-pairs.ts'
import {recordsFile, signaturesFile} from './dedup-signatures.ts'
import {readAgain, scratchDatabase} from './dedup-scratch.ts'
import {signatureIndex} from './minhash-index.ts'
import {similarity} from './minhash.ts'
import {signatureReader, type Signed} from './signature-file.ts'

interface Decided<C extends Config> {
  config: C
  /** Links that are read at once. */
  page?: number
}

/**
 * Last of three stages: decides as `dedup` does, best records first, each compared only with kept ones, and gives the
 * records that stay in input order. It looks only at records that a range has found something about.
 */
export default function dedupDecisions<C extends Config>({
  config,
  page = pageSize,
}: Decided<C>): Stage<RangeFindings, RecordOf[C]> {
  async function* run(findings: AsyncIterable<RangeFindings>, context: Context): AsyncIterable<RecordOf[C]> {
    let links: Links | undefined
    const seen = new Map<number, number>()
    let last: RangeFindings | undefined
    try {
      for await (const one of findings) {
        links ??= new Links(context.directory, one.folder, page)
        links.add(one)
        last = one
        seen.set(one.range, (seen.get(one.range) ?? one.parts) - 1)
      }
      if (!links || !last) return
      const whole = [...seen.values()].filter((missing) => missing === 0).length
      if (whole !== last.ranges) throw incomplete(whole, last.ranges)
      await links.decide()
      let number = 0
      for await (const record of readAgain<RecordOf[C]>(recordsFile(last.folder))) {
        const copy = links.copyOf(number)
        if (copy === undefined) yield record
        else context.drop(record, copy.reason, copy.detail)
        number += 1
      }
    } finally {
      links?.remove()
    }
    await rm(last.folder, {recursive: true})
  }

  return {
    name: 'dedup-decisions',
    version: 1,
    options: {config},
    input: RangeFindings,
    output: recordSchemas[config],
    run,
  }
}

function incomplete(seen: number, ranges: number): PipelineError {
  return new PipelineError('input-missing', `Only ${seen} of ${ranges} hash ranges were compared.`, {
    fix: 'Read what failed with `ascend-cot failed`, then run `ascend-cot resume`.',
  })
}

/** In the order in which they are asked. */
const kinds = {equal: 0, alike: 1, crowded: 2} as const

/** What is known of a record beside others; `worse` and `number` order the decisions. */
interface Link {
  worse: number
  number: number
  kind: number
  otherWorse: number
  other: number
}

/** Facts that ranges found, sorted on disk. */
class Links {
  readonly #database: SqliteDatabase & {remove(): void}
  readonly #signatures: ReturnType<typeof signatureReader>
  readonly #insert: {run(...values: unknown[]): unknown}
  readonly #page: number
  readonly #copy: {get(number: number): unknown}

  constructor(directory: string, folder: string, page: number) {
    this.#page = page
    mkdirSync(directory, {recursive: true})
    this.#database = scratchDatabase(join(directory, 'links.db'))
    this.#signatures = signatureReader(signaturesFile(folder))
    this.#database.exec(`CREATE TABLE link (worse REAL, number INTEGER, kind INTEGER, otherWorse REAL, other INTEGER,
        PRIMARY KEY (worse, number, kind, otherWorse, other)) WITHOUT ROWID;
      CREATE TABLE equal (first INTEGER PRIMARY KEY, kept INTEGER);
      CREATE TABLE copy (number INTEGER PRIMARY KEY, reason TEXT, detail TEXT);
      BEGIN`)
    this.#insert = this.#database.prepare('INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?)')
    this.#copy = this.#database.prepare('SELECT reason, detail FROM copy WHERE number = ?')
  }

  add({equal, alike, crowded}: RangeFindings): void {
    const worseOf = (number: number) => this.#signatures.row(number).worse
    for (const [number, first] of pairsIn(equal)) this.#insert.run(worseOf(number), number, kinds.equal, 0, first)
    for (const [a, b] of pairsIn(alike)) {
      const [one, other] = [[worseOf(a), a] as const, [worseOf(b), b] as const]
      const [later, earlier] = isBefore(one, other) ? [other, one] : [one, other]
      this.#insert.run(...later, kinds.alike, ...earlier)
    }
    for (const number of wordsIn(crowded)) this.#insert.run(worseOf(number), number, kinds.crowded, 0, 0)
  }

  async decide(): Promise<void> {
    const database = this.#database
    const index = signatureIndex(database)
    const keptEqual = database.prepare('SELECT kept FROM equal WHERE first = ?')
    const keepEqual = database.prepare('INSERT INTO equal VALUES (?, ?)')
    const refuse = database.prepare('INSERT INTO copy VALUES (?, ?, ?)')

    const likeOf = (own: Signed, links: readonly Link[]): number | undefined => {
      const pair = links.find(({kind, other}) => kind === kinds.alike && !this.copyOf(other))
      const found = links.at(-1)?.kind === kinds.crowded && own.near
      const crowd = found && index.find(found.signature, found.threshold, own.group)
      if (!crowd) return pair?.other
      const other = Number(crowd.id)
      const {worse} = this.#signatures.row(other)
      return pair && isBefore([pair.otherWorse, pair.other], [worse, other]) ? pair.other : other
    }

    for await (const links of this.#records()) {
      const number = links[0]!.number
      const own = this.#signatures.row(number)
      const first = links[0]!.kind === kinds.equal ? links[0]!.other : undefined
      const same = first === undefined ? undefined : (keptEqual.get(first) as {kept: number} | undefined)
      if (same) {
        refuse.run(number, 'duplicate', `of ${this.#signatures.row(same.kept).id}`)
        continue
      }
      const like = likeOf(own, links)
      if (like !== undefined) {
        const {id, near} = this.#signatures.row(like)
        const alike = similarity(own.near!.signature.low, near!.signature.low)
        refuse.run(number, 'near-duplicate', `of ${id}, similarity ${alike.toFixed(2)}`)
        continue
      }
      if (first !== undefined) keepEqual.run(first, number)
      if (links.at(-1)!.kind === kinds.crowded && own.near) index.add(own.near.signature, own.group, String(number))
    }
    database.exec('COMMIT')
  }

  copyOf(number: number): Copy | undefined {
    return this.#copy.get(number) as Copy | undefined
  }

  remove(): void {
    this.#signatures.close()
    this.#database.remove()
  }

  /** All links of one record after another, best first. */
  async *#records(): AsyncIterable<readonly Link[]> {
    const page = this.#database.prepare(
      `SELECT * FROM link WHERE (worse, number, kind, otherWorse, other) > (?, ?, ?, ?, ?)
        ORDER BY worse, number, kind, otherWorse, other LIMIT ${this.#page}`,
    )
    let last: unknown[] = [Number.MIN_SAFE_INTEGER, -1, -1, 0, 0]
    let open: Link[] = []
    for (let rows = page.all(...last) as Link[]; rows.length > 0; rows = page.all(...last) as Link[]) {
      for (const row of rows) {
        if (open.length > 0 && open[0]!.number !== row.number) {
          yield open
          open = []
        }
        open.push(row)
      }
      const {worse, number, kind, otherWorse, other} = rows.at(-1)!
      last = [worse, number, kind, otherWorse, other]
      // As in `dedup`: the driver's buffers are only freed between event-loop turns.
      await setImmediate()
    }
    if (open.length > 0) yield open
  }
}

type Place = readonly [worse: number, number: number]

const isBefore = (a: Place, b: Place) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

function* pairsIn(text: string): Iterable<[number, number]> {
  const words = wordsIn(text)
  for (let at = 0; at < words.length; at += 2) yield [words[at]!, words[at + 1]!]
}
