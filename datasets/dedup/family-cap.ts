import {join} from 'node:path'
import {contentId, textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {scratchDatabase, waiting} from './dedup-scratch.ts'
import {cppListings} from '../listings.ts'
import {signature} from './minhash.ts'
import {signatureIndex, type SignatureIndex} from './minhash-index.ts'
import {codeTokens, foldedNames} from '../contamination/normalize.ts'
import {CotSample} from '../schema/sample.ts'

/**
 * Estimated Jaccard similarity of token 5-grams from which code belongs to the family of other code, with all of the
 * author's names folded: definitions of unary operators by one author reach it, their kernels do not.
 */
const near = 0.9

interface FamilyCapOptions {
  /** Samples of one kind to keep from each family. Default 8. */
  most?: number
  /** Names of the API, which are never folded. */
  api: readonly string[]
}

/**
 * Groups samples of each kind by their code, ignoring names, and keeps a limited number of each group, chosen by the
 * run's seed. Uses the answer's code, or the prompt's if the answer has none; prose passes. Drops `family-full` with
 * the family's first sample and its size. Samples and signatures are on disk; memory use is 60 bytes per sample.
 */
export default function familyCap({most = 8, api}: FamilyCapOptions): Stage<CotSample, CotSample> {
  async function* run(records: AsyncIterable<CotSample>, context: Context): AsyncIterable<CotSample> {
    let families: Families | undefined
    try {
      yield* waiting<CotSample, CotSample>(context.directory, records, {
        note(record, _, id) {
          families ??= new Families(scratchDatabase(join(context.directory, 'families.db')), new Set(api))
          families.add(record, id, context.seed)
        },
        async *choose(all) {
          families?.choose(most)
          let number = 0
          for await (const record of all) {
            const family = families?.surplusOf(number)
            if (!family) yield record
            else context.drop(record, 'family-full', `${family.size} samples like ${family.first}, ${most} are kept`)
            number += 1
          }
        },
      })
    } finally {
      families?.remove()
    }
  }

  return {
    name: 'family-cap',
    version: 3,
    options: {most, near, api: contentId(api)},
    input: CotSample,
    output: CotSample,
    run,
  }
}

interface Family {
  /** Id of the sample that the others resemble. */
  first: string
  size: number
}

/** Which samples are similar, numbered in input order; on disk, whatever their number. */
class Families {
  readonly #database: ReturnType<typeof scratchDatabase>
  readonly #api: ReadonlySet<string>
  readonly #index: SignatureIndex
  readonly #insert: {run(...values: unknown[]): unknown}
  readonly #find: {get(number: number): unknown}
  #count = 0

  constructor(database: ReturnType<typeof scratchDatabase>, api: ReadonlySet<string>) {
    this.#database = database
    this.#api = api
    this.#index = signatureIndex(database)
    database.exec(`CREATE TABLE member (number INTEGER, family INTEGER, first TEXT, rank INTEGER);
      CREATE TABLE surplus (number INTEGER PRIMARY KEY, first TEXT, size INTEGER);
      BEGIN`)
    this.#insert = database.prepare('INSERT INTO member VALUES (?, ?, ?, ?)')
    this.#find = database.prepare('SELECT first, size FROM surplus WHERE number = ?')
  }

  add(record: CotSample, id: string, seed: string): void {
    const number = this.#count
    this.#count += 1
    const code = codeOf(record)
    if (code === '') return
    const wanted = signature(foldedNames(codeTokens(code), this.#api))
    const found = this.#index.find(wanted, near, record.kind)
    const family = found?.number ?? this.#index.add(wanted, record.kind, id)
    this.#insert.run(number, family, found?.id ?? id, Number.parseInt(textId(`${seed}\n${id}`).slice(0, 12), 16))
  }

  remove(): void {
    this.#database.remove()
  }

  /** How many samples of each family are kept. */
  choose(most: number): void {
    this.#database
      .prepare(
        `INSERT INTO surplus SELECT number, first, size FROM (SELECT number, first, count(*) OVER (PARTITION BY family)
          AS size, row_number() OVER (PARTITION BY family ORDER BY rank, number) AS place FROM member) WHERE place > ?`,
      )
      .run(most)
    this.#database.exec('COMMIT')
  }

  /** The family of a dropped sample. */
  surplusOf(number: number): Family | undefined {
    return this.#find.get(number) as Family | undefined
  }
}

/** A project sample's code is in its prompt. */
function codeOf({kind, files, prompt}: CotSample): string {
  if (files.length > 0) return files.map(({text}) => text).join('\n')
  return kind === 'documentation' || kind === 'general' ? '' : cppListings(prompt).join('\n')
}
