import {appendFileSync, existsSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {asOutputError} from '../../engine/files.ts'
import {mix} from '../contamination/ngrams.ts'
import type {Signed} from './signature-file.ts'

/** Where two records meet: those of one key are in one range, whatever the number of ranges. */
interface Key {
  /** Decides on the range. */
  high: number
  low: number
}

const keyOf = (a: number, b: number, salt: number): Key => ({
  high: mix(a ^ mix(b + salt)),
  low: mix(Math.imul(a, 31) ^ mix(b ^ ~salt)),
})

const word = (id: string, at: number) => Number.parseInt(id.slice(at * 8, at * 8 + 8), 16)

/** Of one band, within its group. */
export const bandKey = ({group}: Signed, band: number, hash: number) => keyOf(hash, word(group, 0), band)
/** Of equal records. */
export const exactKey = ({exact}: Signed) => keyOf(word(exact, 0), word(exact, 1), -1)

/** An entry is the lower word of a key above the number of a record, 8 bytes: sorting them brings records together. */
const entryWords = 2
/** Of all ranges that are being written. */
const bufferedWords = 2 ** 23

const fileOf = (folder: string, range: number) => join(folder, `keys-${range}.bin`)

/** Distributes the keys of records over files, one for each range of their upper word. */
export function rangeWriter(folder: string, ranges: number) {
  const room = Math.max(64, Math.floor(bufferedWords / ranges / entryWords) * entryWords)
  const lots = Array.from({length: ranges}, () => ({words: new Uint32Array(room), used: 0}))
  for (let range = 0; range < ranges; range += 1) rmSync(fileOf(folder, range), {force: true})
  const flush = (range: number) => {
    const lot = lots[range]!
    const path = fileOf(folder, range)
    try {
      appendFileSync(path, Buffer.from(lot.words.buffer, 0, lot.used * 4))
    } catch (error) {
      throw asOutputError(error, path)
    }
    lot.used = 0
  }
  const put = ({high, low}: Key, number: number) => {
    const range = Math.floor((high / 2 ** 32) * ranges)
    const lot = lots[range]!
    lot.words[lot.used] = number
    lot.words[lot.used + 1] = low
    lot.used += entryWords
    if (lot.used === room) flush(range)
  }
  return {
    add(row: Signed, number: number): void {
      put(exactKey(row), number)
      for (const [band, hash] of row.near?.signature.bands.entries() ?? []) put(bandKey(row, band, hash), number)
    },
    end(): void {
      for (let range = 0; range < ranges; range += 1) flush(range)
    },
  }
}

interface Met {
  /** The lower word of their key. */
  low: number
  /** At least two records, ascending. */
  numbers: Uint32Array
}

/** Records of a range that share a key. In memory: 8 bytes for each key of the range. */
export function* meetings(folder: string, range: number): Iterable<Met> {
  const path = fileOf(folder, range)
  if (!existsSync(path)) throw new Error(`${path} is missing`)
  const bytes = readFileSync(path)
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  new BigUint64Array(words.buffer).sort()
  const count = words.length / entryWords
  for (let from = 0, to = 0; from < count; from = to) {
    const low = words[from * entryWords + 1]!
    for (to = from + 1; to < count && words[to * entryWords + 1] === low; ) to += 1
    if (to - from === 1) continue
    yield {low, numbers: Uint32Array.from({length: to - from}, (_, at) => words[(from + at) * entryWords]!)}
  }
}
