const magic = 0x184d2204

/** Largest block, by the three bits of the header that tell it. */
const blockBytes: Readonly<Record<number, number>> = {4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22}

const stored = 0x80000000

/**
 * The content of an LZ4 frame, as pyarrow compresses the buffers of an Arrow file; no maintained library reads frames
 * without its own binaries. Checksums, which Arrow's writers omit, are skipped. Source: LZ4 Frame Format 1.6.2 and LZ4
 * Block Format, both in the `doc` folder of the LZ4 library.
 * @throws RangeError for an invalid, truncated or damaged frame
 */
export function lz4Content(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== magic) throw new RangeError('not an LZ4 frame')
  const flags = view.getUint8(4)
  const has = (bit: number) => (flags & (1 << bit)) !== 0
  const most = blockBytes[(view.getUint8(5) >> 4) & 7]
  if (flags >> 6 !== 1 || most === undefined || has(0)) throw new RangeError('an LZ4 frame of an unknown kind')
  const checksum = has(4) ? 4 : 0
  const output = new Output()
  // Flags and sizes are followed by the optional content size, and a checksum.
  let at = 7 + (has(3) ? 8 : 0)
  for (let size = view.getUint32(at, true); size !== 0; size = view.getUint32(at, true)) {
    const bytes = size & ~stored
    const block = frame.subarray(at + 4, at + 4 + bytes)
    if (block.length < bytes || bytes > most) throw damaged()
    output.reserve(most)
    if ((size & stored) === 0) decodeBlock(block, output)
    else output.add(block)
    at += 4 + bytes + checksum
  }
  return output.bytes()
}

const damaged = () => new RangeError('a damaged LZ4 frame')

/** What has come out so far. Blocks may refer to those before them. */
class Output {
  #bytes = new Uint8Array(0)
  #length = 0
  #reserved = 0

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    this.#reserved = this.#length + count
    if (this.#bytes.length >= this.#reserved) return
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#reserved))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  add(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#reserved) throw damaged()
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Adds what came out `distance` bytes ago; what is added may itself be a part of that. */
  repeat(distance: number, count: number): void {
    const end = this.#length + count
    if (distance === 0 || distance > this.#length || end > this.#reserved) throw damaged()
    if (distance >= count) {
      this.#bytes.copyWithin(this.#length, this.#length - distance, end - distance)
      this.#length = end
    }
    for (; this.#length < end; this.#length += 1)
      this.#bytes[this.#length] = this.#bytes[this.#length - distance] as number
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** A row of sequences: bytes as they are, then a part of what came out before. The last has no second half. */
function decodeBlock(block: Uint8Array, output: Output): void {
  let at = 0
  const next = () => {
    const byte = block[at]
    if (byte === undefined) throw damaged()
    at += 1
    return byte
  }
  /** Fifteen in four bits means that bytes follow, all of which count, up to the first that is not full. */
  const length = (bits: number) => {
    let sum = bits
    if (bits === 15)
      for (let byte = 255; byte === 255; ) {
        byte = next()
        sum += byte
      }
    return sum
  }
  for (;;) {
    const token = next()
    const literals = length(token >> 4)
    if (at + literals > block.length) throw damaged()
    output.add(block.subarray(at, at + literals))
    at += literals
    if (at === block.length) return
    const distance = next() | (next() << 8)
    output.repeat(distance, length(token & 15) + 4)
  }
}
