import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {HashRange, signaturesFile} from './dedup-signatures.ts'
import {bandKey, exactKey, meetings} from './hash-ranges.ts'
import {similarity} from './minhash.ts'
import {signatureReader, type SignatureReader, type Signed} from './signature-file.ts'

/** What a range says of records, by their numbers: base64 of 32-bit words, the lower byte first. */
export const RangeFindings = z.strictObject({
  ...HashRange.shape,
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
}

/** Second of three stages: compares the records that share a key, range by range. */
export default function dedupPairs({most = 100}: PairOptions = {}): Stage<HashRange, RangeFindings> {
  return {
    name: 'dedup-pairs',
    version: 1,
    options: {most},
    input: HashRange,
    output: RangeFindings,
    run: each((one) => [{...one, ...found(one, most)}], {concurrency: 1, together: 1}),
  }
}

function found({folder, range}: HashRange, most: number) {
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
  return {equal: equal.text(), alike: alike.text(), crowded: crowded.text()}
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
class Words {
  #words = new Uint32Array(1024)
  #used = 0

  add(...words: readonly number[]): void {
    if (this.#used + words.length > this.#words.length) {
      const longer = new Uint32Array(this.#words.length * 2)
      longer.set(this.#words)
      this.#words = longer
    }
    this.#words.set(words, this.#used)
    this.#used += words.length
  }

  text(): string {
    return Buffer.from(this.#words.buffer, 0, this.#used * 4).toString('base64')
  }
}

export function wordsIn(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64')
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
