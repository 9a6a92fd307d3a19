import {closeSync, openSync, readSync, rmSync, writeFileSync} from 'node:fs'
import {createHash} from 'node:crypto'
import {asOutputError} from '../../engine/files.ts'
import {bands, hashes, type Signature} from './minhash.ts'

/** All that decides whether a record is a copy. */
export interface Signed {
  id: string
  /** Negated rank: of two copies, the one with less stays; of equals, the one with the lower number. */
  worse: number
  exact: string
  group: string
  /** Absent if only equal records are copies. */
  near?: {signature: Signature; threshold: number}
}

const idBytes = 16
const ids = ['id', 'exact', 'group'] as const
const fixed = 16 + ids.length * idBytes
/** worse, threshold (NaN: none), three ids, band hashes, minima. */
const rowBytes = fixed + bands * 4 + hashes
const rowsTogether = 1000

/** Writes rows one after another, and hashes them. */
export function signatureWriter(path: string) {
  rmSync(path, {force: true})
  const file = openSync(path, 'wx')
  const hash = createHash('sha256')
  const lot = Buffer.alloc(rowBytes * rowsTogether)
  let waiting = 0
  const flush = () => {
    const bytes = lot.subarray(0, waiting * rowBytes)
    hash.update(bytes)
    try {
      writeFileSync(file, bytes)
    } catch (error) {
      throw asOutputError(error, path)
    }
    waiting = 0
  }
  return {
    add({worse, near, ...row}: Signed): void {
      const place = lot.subarray(waiting * rowBytes, (waiting + 1) * rowBytes).fill(0)
      place.writeDoubleLE(worse, 0)
      place.writeDoubleLE(near?.threshold ?? Number.NaN, 8)
      for (const [at, name] of ids.entries()) place.write(row[name], 16 + at * idBytes, 'hex')
      if (near) {
        place.set(new Uint8Array(near.signature.bands.buffer), fixed)
        place.set(near.signature.low, fixed + bands * 4)
      }
      waiting += 1
      if (waiting === rowsTogether) flush()
    },
    /** @returns the SHA-256 of all rows */
    end(): string {
      flush()
      closeSync(file)
      return hash.digest('hex')
    },
    close: () => closeSync(file),
  }
}

/** Reads any row by its number. */
export function signatureReader(path: string) {
  const file = openSync(path, 'r')
  return {
    row(number: number): Signed {
      const bytes = Buffer.alloc(rowBytes)
      if (readSync(file, bytes, 0, rowBytes, number * rowBytes) !== rowBytes)
        throw new RangeError(`${path} has no row ${number}`)
      const [id = '', exact = '', group = ''] = ids.map((_, at) => bytes.toString('hex', 16 + at * 16, 32 + at * 16))
      const threshold = bytes.readDoubleLE(8)
      const row = {id, exact, group, worse: bytes.readDoubleLE(0)}
      if (Number.isNaN(threshold)) return row
      const hashed = new Uint32Array(bytes.buffer.slice(bytes.byteOffset + fixed, bytes.byteOffset + fixed + bands * 4))
      const low = new Uint8Array(bytes.subarray(fixed + bands * 4))
      return {...row, near: {signature: {bands: hashed, low}, threshold}}
    },
    close: () => closeSync(file),
  }
}
export type SignatureReader = ReturnType<typeof signatureReader>
