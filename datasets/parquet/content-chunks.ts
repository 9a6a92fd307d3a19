import {createHash} from 'node:crypto'

/** As stated in the footer under `content_defined_chunking`; sizes in bytes of values before encoding. */
export const chunkSizes = {min_chunk_size: 262_144, max_chunk_size: 1_048_576, norm_level: 0}

/**
 * For columns of short cells that hardly compress, such as ids: finding one row would require reading a page of
 * thousands, and smaller pages take no more space.
 */
export const smallChunkSizes: typeof chunkSizes = {min_chunk_size: 16_384, max_chunk_size: 65_536, norm_level: 0}

/** A chunk ends after this many hash matches, each with its own table, so that sizes stay near the mean. */
const tables = 8

/**
 * Finds where a column's pages end from the content of its values, as parquet-cpp does (Apache Arrow,
 * `use_content_defined_chunking`): inserting, changing or removing a row only moves nearby ends, so that all other
 * pages keep their bytes. A Gear hash (Xia et al., FastCDC, USENIX ATC 2016) rolls over levels and values.
 */
export class ContentChunker {
  readonly #mask: number
  readonly #smallest: number
  readonly #largest: number
  #high = 0
  #low = 0
  #bytes = 0
  #run = 0
  #matched = false

  constructor({min_chunk_size, max_chunk_size, norm_level} = chunkSizes) {
    this.#smallest = min_chunk_size
    this.#largest = max_chunk_size
    const wanted = (max_chunk_size - min_chunk_size) / 2
    const bits = Math.floor(Math.log2(wanted)) - Math.log2(tables) - norm_level
    this.#mask = -1 << (32 - bits)
  }

  roll(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    if (this.#bytes < this.#smallest) return
    const highs = gear.high[this.#run] as Int32Array
    const lows = gear.low[this.#run] as Int32Array
    let high = this.#high
    let low = this.#low
    let matched = this.#matched
    const mask = this.#mask
    // 64 bits in two halves: shifted by one, and an entry added with its carry.
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] as number
      const shifted = low << 1
      const sum = (shifted + (lows[byte] as number)) | 0
      high = (((high << 1) | (low >>> 31)) + (highs[byte] as number) + (sum >>> 0 < shifted >>> 0 ? 1 : 0)) | 0
      low = sum
      if ((high & mask) === 0) matched = true
    }
    this.#high = high
    this.#low = low
    this.#matched = matched
  }

  /** A definition or repetition level: 16 bits, as in parquet-cpp. */
  rollLevel(level: number): void {
    this.#bytes += 2
    if (this.#bytes < this.#smallest) return
    this.#bytes -= 2
    this.roll(Uint8Array.of(level & 0xff, level >> 8))
  }

  /** Whether a chunk ends before the row whose first value was rolled last: parquet-cpp cuts there, not after it. */
  endsBefore(): boolean {
    if (this.#matched) {
      this.#matched = false
      this.#run += 1
      if (this.#run >= tables) {
        this.#run = 0
        this.#bytes = 0
        return true
      }
    }
    if (this.#bytes < this.#largest) return false
    this.#bytes = 0
    return true
  }
}

/** The constants of parquet-cpp: halves of the MD5 of 64 times the table's number and 64 times the byte. */
const gear = {high: gearTables(0), low: gearTables(4)}

function gearTables(offset: number): Int32Array[] {
  const entry = (table: number, byte: number) =>
    createHash('md5').update(Buffer.alloc(64, table)).update(Buffer.alloc(64, byte)).digest().readInt32BE(offset)
  return Array.from({length: tables}, (_, table) => Int32Array.from({length: 256}, (__, byte) => entry(table, byte)))
}
