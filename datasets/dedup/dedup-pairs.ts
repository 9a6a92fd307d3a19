import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {HashRange, signaturesFile} from './dedup-signatures.ts'
import {bandKey, exactKey, meetings} from './hash-ranges.ts'
import {similarity} from './minhash.ts'
import {signatureReader, type SignatureReader, type Signed} from './signature-file.ts'

/** A part of what a range says of records, by their numbers: base64 of 32-bit words, the lower byte first. */
export const RangeFindings = z.strictObject({
  ...HashRange.shape,
  part: z.int().nonnegative(),
  parts: z.int().positive(),
  /** Records with equals in pairs: its number, and the least number among the equals. */
  equal: z.base64(),
  /** Pairs that are similar enough. */
  alike: z.base64(),
  /** Records that meet too many others for pairs. */
  crowded: z.base64(),
})
export type RangeFindings = z.infer<typeof RangeFindings>

interface PairOptions {
  /** Records of one key up to which each is compared with each; more are left to the last stage. */
  most?: number
  /** Words of a list in one record: half a megabyte. */
  together?: number
}

/** Of a range, as 32-bit words: results of a record travel as one text, which may not pass half a gigabyte. */
const mostWords = 2 ** 24

/** Second of three stages: compares the records that share a key, range by range. */
export default function dedupPairs({
  most = 100,
  together = 2 ** 17,
}: PairOptions = {}): Stage<HashRange, RangeFindings> {
  return {
    name: 'dedup-pairs',
    version: 2,
    options: {most},
    input: HashRange,
    output: RangeFindings,
    run: each((one) => inParts(one, found(one, most), together), {concurrency: 1, together: 1}),
  }
}

interface Found {
  equal: Words
  alike: Words
  crowded: Words
}

function inParts(one: HashRange, {equal, alike, crowded}: Found, together: number): RangeFindings[] {
  const parts = Math.max(1, ...[equal, alike, crowded].map(({used}) => Math.ceil(used / together)))
  return Array.from({length: parts}, (_, part) => {
    const text = (words: Words) => words.text(part * together, (part + 1) * together)
    return {...one, part, parts, equal: text(equal), alike: text(alike), crowded: text(crowded)}
  })
}

function found({folder, range}: HashRange, most: number): Found {
  const signatures = open(folder)
  const [equal, alike, crowded] = [new Words(), new Words(), new Words()]
  try {
    for (const {low, numbers} of meetings(folder, range)) {
      const isCrowd = numbers.length > most
      const rows: Numbered[] = []
      const firsts = new Map<string, number>()
      for (const number of numbers) {
        const row = signatures.row(number)
        if (exactKey(row).low === low) {
          if (!firsts.has(row.exact)) firsts.set(row.exact, number)
          equal.add(number, firsts.get(row.exact)!)
        }
        if (isCrowd && isBandOf(row, low)) crowded.add(number)
        if (!isCrowd) rows.push({...row, number})
      }
      for (const [at, row] of rows.entries())
        for (const other of rows.slice(0, at)) if (areAlike(row, other, low)) alike.add(row.number, other.number)
    }
  } finally {
    signatures.close()
  }
  return {equal, alike, crowded}
}

interface Numbered extends Signed {
  number: number
}

/** Asked of the first band that they share alone: in others they meet again. */
function areAlike(a: Numbered, b: Numbered, low: number): boolean {
  if (!a.near || !b.near || a.group !== b.group) return false
  const others = b.near.signature.bands
  const band = a.near.signature.bands.findIndex((hash, at) => hash === others[at])
  if (band < 0 || bandKey(a, band, others[band]!).low !== low) return false
  const later = a.worse > b.worse || (a.worse === b.worse && a.number > b.number) ? a : b
  return similarity(a.near.signature.low, b.near.signature.low) >= later.near!.threshold
}

const isBandOf = (row: Signed, low: number) =>
  row.near?.signature.bands.some((hash, band) => bandKey(row, band, hash).low === low) ?? false

function open(folder: string): SignatureReader {
  try {
    return signatureReader(signaturesFile(folder))
  } catch (cause) {
    throw new PipelineError('input-missing', `The signatures in ${folder} cannot be read here.`, {
      fix: 'Give the run an output folder that all machines have at the same path.',
      cause,
    })
  }
}

/** A growing list of 32-bit words. */
export class Words {
  #words = new Uint32Array(1024)
  #used = 0

  get used(): number {
    return this.#used
  }

  add(...words: readonly number[]): void {
    if (this.#used + words.length > mostWords) throw tooMany()
    if (this.#used + words.length > this.#words.length) {
      const longer = new Uint32Array(this.#words.length * 2)
      longer.set(this.#words)
      this.#words = longer
    }
    this.#words.set(words, this.#used)
    this.#used += words.length
  }

  text(from: number, to: number): string {
    const [first, end] = [from, to].map((at) => Math.min(at, this.#used) * 4) as [number, number]
    return Buffer.from(this.#words.buffer, first, end - first).toString('base64')
  }
}

function tooMany(): PipelineError {
  return new PipelineError('config-invalid', `A range of hashes has too many copies to be kept.`, {
    fix: 'Raise export.dedupRanges; where one text makes up most of the records, remove its copies first.',
  })
}

export function wordsIn(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64')
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
