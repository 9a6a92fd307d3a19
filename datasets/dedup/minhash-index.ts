import type {SqliteDatabase} from '../../engine/sqlite.ts'
import {bands, similarity, type Signature} from './minhash.ts'

interface Alike {
  number: number
  id: string
  similarity: number
}

/** Added signatures, on disk: memory does not grow with them. */
export interface SignatureIndex {
  /**
   * The first signature added that is at least this similar, among those of the same group.
   * @param group texts of different groups are never similar
   */
  find(signature: Signature, threshold: number, group: string): Alike | undefined
  /** Assigns the next number, from 0, and returns it. */
  add(signature: Signature, group: string, id: string): number
}

/** Keeps its tables in a database that its caller opens, and deletes after use. */
export function signatureIndex(database: SqliteDatabase): SignatureIndex {
  database.exec(`CREATE TABLE band (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID;
    CREATE TABLE low (number INTEGER PRIMARY KEY, bytes BLOB, inGroup TEXT, id TEXT)`)
  const places = Array.from({length: bands}, () => '?').join(', ')
  const near = database.prepare(
    `SELECT * FROM low WHERE number IN (SELECT number FROM band WHERE key IN (${places})) ORDER BY number`,
  )
  const pairs = Array.from({length: bands}, () => '(?, ?)').join(', ')
  const addBands = database.prepare(`INSERT INTO band (key, number) VALUES ${pairs}`)
  const addLow = database.prepare('INSERT INTO low VALUES (?, ?, ?, ?)')
  let count = 0
  return {
    find(wanted, threshold, group) {
      for (const {number, bytes, inGroup, id} of near.all(...keysOf(wanted)) as Row[]) {
        if (inGroup !== group) continue
        const alike = similarity(wanted.low, new Uint8Array(bytes))
        if (alike >= threshold) return {number, id, similarity: alike}
      }
      return undefined
    },
    add(added, group, id) {
      addLow.run(count, Buffer.from(added.low), group, id)
      addBands.run(...keysOf(added).flatMap((key) => [key, count]))
      count += 1
      return count - 1
    },
  }
}

interface Row {
  number: number
  /** The form in which this driver returns a stored buffer. */
  bytes: ArrayBuffer
  inGroup: string
  id: string
}

/** The band in the bits above the hash, so that one table holds all bands. */
const keysOf = ({bands: hashes}: Signature) => [...hashes].map((hash, band) => band * 2 ** 32 + hash)
