import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {contentId, textId, canonicalJson} from '../../engine/ids.ts'
import type {SqliteDatabase} from '../../engine/sqlite.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {scratchDatabase, waiting} from './dedup-scratch.ts'
import {signature} from './minhash.ts'
import {signatureIndex} from './minhash-index.ts'
import type {Signed} from './signature-file.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'
import type {CotSample} from '../schema/sample.ts'
import {contentOf, foldedContent, identifiersOf, normalForm, type Content} from '../contamination/normalize.ts'

export interface DedupOptions<C extends Config> {
  config: C
  /**
   * By kind, the estimated Jaccard similarity of token 5-grams from which a record counts as a copy of another of its
   * kind; kinds without one are compared exactly. Default for sft: 0.75 for documentation, 0.95 for kernels; none for
   * the others, because pairs that differ in a single call are intended.
   */
  near?: Thresholds
  /** Names of the API: records that name different ones are never copies, and other names in code do not count. */
  api?: readonly string[]
}

const defaultNear: {readonly [C in Config]: Thresholds} = {
  sft: {documentation: 0.75, kernel: 0.95},
  dpo: {},
  apis: {},
  errors: {},
  kto: {},
  optimisation: {},
}

export const nearOf = (config: Config): Thresholds => defaultNear[config]

/**
 * Keeps the best of every set of equal or nearly equal records, in input order: `rankOf` decides which is
 * better, and of equally good ones the first is kept. Records are compared only with kept ones, best first, so a chain
 * of small steps cannot remove both of its ends, and each drop names a kept record. Records, signatures and decisions
 * are on disk: memory does not grow with their number.
 */
export default function dedup<C extends Config>(options: DedupOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, near = nearOf(config), api = []} = options

  async function* run(records: AsyncIterable<RecordOf[C]>, context: Context): AsyncIterable<RecordOf[C]> {
    const names = new Set(api)
    let candidates: Candidates | undefined
    try {
      yield* waiting<RecordOf[C], RecordOf[C]>(context.directory, records, {
        note(record, number, id) {
          candidates ??= new Candidates(join(context.directory, 'candidates.db'))
          candidates.add(signedOf(record, id, {config, near, names}), number)
        },
        async *choose(all) {
          await candidates?.compare()
          let number = 0
          for await (const record of all) {
            const copy = candidates?.copyOf(number)
            if (copy === undefined) yield record
            else context.drop(record, copy.reason, copy.detail)
            number += 1
          }
        },
      })
    } finally {
      candidates?.remove()
    }
  }

  return {
    name: 'dedup',
    version: 6,
    options: {config, near: {...near}, api: contentId(api)},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run,
  }
}

export interface Copy {
  reason: 'duplicate' | 'near-duplicate'
  detail: string
}

/** Records compared at once, read from the database together. */
export const pageSize = 1000

/** Facts about records, in a separate database. */
class Candidates {
  readonly #database: SqliteDatabase & {remove(): void}
  readonly #insert: {run(...values: unknown[]): unknown}
  #find: {get(number: number): unknown} | undefined

  constructor(file: string) {
    this.#database = scratchDatabase(file)
    this.#database.exec(`CREATE TABLE candidate (worse INTEGER, number INTEGER, id TEXT, exact TEXT, inGroup TEXT,
        bands BLOB, low BLOB, threshold REAL, PRIMARY KEY (worse, number)) WITHOUT ROWID;
      CREATE TABLE kept (exact TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
      CREATE TABLE copy (number INTEGER PRIMARY KEY, reason TEXT, detail TEXT);
      BEGIN`)
    this.#insert = this.#database.prepare('INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  }

  add({worse, id, exact, group, near}: Signed, number: number): void {
    const bytes = near && [Buffer.from(near.signature.bands.buffer), Buffer.from(near.signature.low)]
    this.#insert.run(worse, number, id, exact, group, bytes?.[0] ?? null, bytes?.[1] ?? null, near?.threshold ?? null)
  }

  /** Decides on all, best first. */
  async compare(): Promise<void> {
    const database = this.#database
    const index = signatureIndex(database)
    const page = database.prepare(
      `SELECT * FROM candidate WHERE (worse, number) > (?, ?) ORDER BY worse, number LIMIT ${pageSize}`,
    )
    const same = database.prepare('SELECT id FROM kept WHERE exact = ?')
    const keep = database.prepare('INSERT INTO kept VALUES (?, ?)')
    const refuse = database.prepare('INSERT INTO copy VALUES (?, ?, ?)')
    let last: unknown[] = [Number.MIN_SAFE_INTEGER, -1]
    for (let rows = page.all(...last) as Row[]; rows.length > 0; rows = page.all(...last) as Row[]) {
      for (const {number, id, exact, inGroup, bands, low, threshold} of rows) {
        const original = same.get(exact) as {id: string} | undefined
        if (original) {
          refuse.run(number, 'duplicate', `of ${original.id}`)
          continue
        }
        if (bands !== null && low !== null && threshold !== null) {
          const own = {bands: new Uint32Array(bands), low: new Uint8Array(low)}
          const like = index.find(own, threshold, inGroup)
          if (like) {
            refuse.run(number, 'near-duplicate', `of ${like.id}, similarity ${like.similarity.toFixed(2)}`)
            continue
          }
          index.add(own, inGroup, id)
        }
        keep.run(exact, id)
      }
      last = [rows.at(-1)?.worse, rows.at(-1)?.number]
      // The driver's buffers are only freed between event-loop turns: without a turn, 85 MB more per 100,000 records.
      await setImmediate()
    }
    database.exec('COMMIT')
    this.#find = database.prepare('SELECT reason, detail FROM copy WHERE number = ?')
  }

  copyOf(number: number): Copy | undefined {
    return this.#find?.get(number) as Copy | undefined
  }

  remove(): void {
    this.#database.remove()
  }
}

interface Row {
  worse: number
  number: number
  id: string
  exact: string
  inGroup: string
  bands: ArrayBuffer | null
  low: ArrayBuffer | null
  threshold: number | null
}

/**
 * Criteria in order of priority. Among equals, the one that is longer by about a tenth: edits lengthen a page by a
 * word, and copies resemble the edited page more than each other.
 */
const order: readonly ((sample: CotSample) => number)[] = [
  // Code that ran is worth more than code that compiled, which is worth more than code that was parsed.
  ({proof}) => ['parsed', 'compiled', 'ran'].indexOf(proof ?? '') + 1,
  ({verdict}) => ['compiled', 'correct'].indexOf(verdict?.outcome ?? '') + 1,
  // The offline teacher has only one style.
  ({teacher}) => (teacher.kind === 'model' ? 1 : 0),
]

/** Values of one criterion. */
const steps = 4
const lengths = 2 ** 10

interface Compared<C extends Config> {
  config: C
  near: Thresholds
  names: ReadonlySet<string>
}

export function signedOf<C extends Config>(record: RecordOf[C], id: string, by: Compared<C>): Signed {
  const {exact, group, near} = identityOf(by.config, record, by.near, by.names)
  const like = near && {signature: signature(near.tokens, near.names), threshold: near.threshold}
  return {
    id,
    worse: -rankOf(by.config, record),
    exact,
    group: group === '' ? textId('') : group,
    ...(like && {near: like}),
  }
}

/** Higher is better. Only samples are ranked: of other records, the first is kept. */
export function rankOf<C extends Config>(config: C, record: RecordOf[C]): number {
  if (config !== 'sft') return 0
  const sample = record as CotSample
  const worth = order.reduce((sum, ask) => sum * steps + ask(sample), 0)
  const length = sample.reasoning.length + sample.answer.length
  return worth * lengths + Math.floor(Math.log(1 + length) / Math.log(1.1))
}

/** The parts of a record that are compared. */
interface Identity {
  /** Equal for records that only differ in layout, case and comments; reasoning is ignored. */
  exact: string
  /** Records of different groups are never similar, however much they share. */
  group: string
  /** For comparing by similarity; absent if only equal records are copies. */
  near?: {tokens: string[]; names: Iterable<string>; threshold: number}
}

/** Estimated Jaccard similarity of token 5-grams from which a record is a copy, by kind. */
type Thresholds = Readonly<Record<string, number>>

export function identityOf<C extends Config>(
  config: C,
  record: RecordOf[C],
  near: Thresholds,
  api: ReadonlySet<string>,
): Identity {
  return identities[config](record, near, api)
}

const identities: {
  readonly [C in Config]: (record: RecordOf[C], near: Thresholds, api: ReadonlySet<string>) => Identity
} = {
  sft: (record, near, api) => (foldedKinds.has(record.kind) ? ofCode : ofText)(record, near[record.kind], api),
  dpo: ({prompt, chosen, rejected}) => plain([prompt, chosen.answer, rejected.answer].map(normalForm)),
  // Names that only differ in case are different interfaces, so the entry is compared verbatim, without its position.
  apis: ({origin: _, kind: __, stages: ___, ...entry}) => plain([contentId(entry)]),
  errors: ({candidate}) => plain([candidate]),
  kto: ({prompt, answer}) => plain([prompt, answer].map(normalForm)),
  optimisation: ({prompt, chosen, rejected}) => plain([prompt, chosen.answer, rejected.answer].map(normalForm)),
}

const plain = (texts: readonly string[]): Identity => ({exact: textId(canonicalJson(texts)), group: ''})

/** Kinds with correct code, where the author's names do not matter; in wrong code they do. */
const foldedKinds: ReadonlySet<string> = new Set<CotSample['kind']>(['kernel', 'project', 'evaluated'])

/**
 * Similar records answer the same question: the words are the same, apart from numbers. A single word distinguishes two
 * interfaces (`And` and `Or`), or two ways to call one, and their pages hardly differ otherwise. So does the answer's
 * first name, if the question does not name its interface.
 */
function ofText({kind, prompt, answer}: CotSample, threshold: number | undefined, api: ReadonlySet<string>): Identity {
  const names = [...new Set(identifiersOf(prompt, api))].sort()
  const told = new Set([...names, ...identifiersOf(answer, api)])
  // Names that only differ in case are different interfaces.
  const exact = textId(canonicalJson([[...told].sort(), normalForm(prompt), normalForm(answer)]))
  const question = contentOf(prompt)
  const asked = new Set(question.words.filter((word) => !/^\d+$/.test(word)))
  const [subject = ''] = identifiersOf(answer, api)
  const group = textId(canonicalJson([kind, names, subject, [...asked].sort()]))
  if (threshold === undefined) return {exact, group}
  return {exact, group, near: {tokens: inOne(question, contentOf(answer)), names: told, threshold}}
}

/** Similar records are requested in the same words, call the same interfaces and differ in little but names. */
function ofCode({kind, prompt, answer}: CotSample, threshold: number | undefined, api: ReadonlySet<string>): Identity {
  const [asked, said] = [foldedContent(prompt, api), foldedContent(answer, api)]
  const exact = textId(canonicalJson([kind, inOne(asked).join(' '), inOne(said).join(' ')]))
  const called = [...new Set([...identifiersOf(prompt, api), ...identifiersOf(answer, api)])].filter((one) =>
    api.has(one),
  )
  const group = textId(canonicalJson([kind, asked.words, called.sort()]))
  if (threshold === undefined) return {exact, group}
  return {exact, group, near: {tokens: inOne(asked, said), names: called, threshold}}
}

const inOne = (...contents: readonly Content[]) => contents.flatMap(({words, tokens}) => [...words, ...tokens])
