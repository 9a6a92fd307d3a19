/**
 * Whether git's index lists `folder` or anything below it. Also false for an unreadable index: a folder is not
 * attributed to a commit by guess. Format: `gitformat-index(5)`, versions 2 to 4.
 * @param hashBytes 20, or 32 in a repository of SHA-256
 */
export function indexHolds(bytes: Uint8Array, folder: string, hashBytes: number): boolean {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const below = Buffer.from(`${folder}/`)
  for (const path of paths(index, version, hashBytes)) {
    // A sparse index lists a folder that is not checked out by its own name, with a slash at the end.
    if (path.subarray(0, below.length).equals(below)) return true
    if (path.at(-1) === slash && below.subarray(0, path.length).equals(path)) return true
  }
  return false
}

const slash = 0x2f
/** Times, device, mode, owner and size of an entry; the hash and 16 bits of flags follow. */
const statBytes = 40
const extendedFlag = 0x4000

function* paths(index: Buffer, version: number, hashBytes: number): Generator<Buffer> {
  const count = index.readUInt32BE(8)
  let at = 12
  let previous = Buffer.alloc(0)
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + statBytes + hashBytes
    if (flagsAt + 2 > index.length) return
    const isExtended = version >= 3 && (index.readUInt16BE(flagsAt) & extendedFlag) !== 0
    const named = flagsAt + (isExtended ? 4 : 2)
    const {cut, next} = version === 4 ? varint(index, named) : {cut: previous.length, next: named}
    const end = index.indexOf(0, next)
    if (end < 0) return
    previous = Buffer.concat([previous.subarray(0, Math.max(0, previous.length - cut)), index.subarray(next, end)])
    yield previous
    // Before version 4, one to eight zero bytes bring the entry to a multiple of eight.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8
  }
}

/** How many bytes of the path before are cut off: git's offset encoding, in which each step adds one. */
function varint(index: Buffer, at: number): {cut: number; next: number} {
  let byte = index[at] ?? 0
  let cut = byte & 0x7f
  let next = at + 1
  while ((byte & 0x80) !== 0 && next < index.length) {
    byte = index[next] ?? 0
    cut = (cut + 1) * 128 + (byte & 0x7f)
    next += 1
  }
  return {cut, next}
}
