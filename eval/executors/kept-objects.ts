import {createHash} from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {z} from 'zod'
import {markUsed, temporaryBeside} from '../../engine/files.ts'
import type {ObjectShelf} from './object-shelf.ts'

const Paths = z.array(z.string())
const digestBytes = 32
/** Least size that a file counts for: besides its block, it slows down listing the folder. */
const leastBytes = 1 << 14

/**
 * Objects in a folder that any number of processes share. Each includes its hash, so a torn or changed one is ignored.
 * Least recently used ones are removed once the folder exceeds `mostBytes`. If the folder cannot be read or written,
 * everything is compiled: no verdict depends on it.
 */
export function keptObjects(folder: string, mostBytes = 1 << 30): ObjectShelf {
  const pathOf = (name: string, kind: 'o' | 'reads') => join(folder, name.slice(0, 2), `${name.slice(2)}.${kind}`)
  return {
    pathsOf: (unit) => listsIn(pathOf(unit, 'reads')),
    find(name) {
      const path = pathOf(name, 'o')
      const object = checkedObject(path)
      if (object) orNothing(() => markUsed(path))
      return object
    },
    keep({unit, paths, name, object}) {
      orNothing(() => place(pathOf(name, 'o'), Buffer.concat([digest(object), object])))
      orNothing(() => addList(pathOf(unit, 'reads'), JSON.stringify(paths)))
      // Every 256th object, whichever process makes it.
      if (name.startsWith('00')) orNothing(() => discardOldest(folder, mostBytes))
    },
  }
}

/** Objects that are not stored are compiled, so errors of the file system are ignored. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

function linesOf(path: string): Set<string> {
  return new Set(orNothing(() => readFileSync(path, 'utf8'))?.split('\n') ?? [])
}

function listsIn(path: string): string[][] {
  return [...linesOf(path)].flatMap((line) => {
    try {
      return [Paths.parse(JSON.parse(line))]
    } catch {
      // Torn by a crash.
      return []
    }
  })
}

function addList(path: string, line: string): void {
  if (linesOf(path).has(line)) return
  mkdirSync(dirname(path), {recursive: true})
  // A torn line before it must not spoil this one.
  appendFileSync(path, `\n${line}\n`)
}

function checkedObject(path: string): Uint8Array | undefined {
  const bytes = orNothing(() => readFileSync(path))
  const object = bytes?.subarray(digestBytes)
  return object && bytes?.subarray(0, digestBytes).equals(digest(object)) ? object : undefined
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Renamed into place without fsync: the hash detects what a crash leaves torn. */
function place(path: string, bytes: Uint8Array): void {
  const temporary = temporaryBeside(path)
  try {
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(temporary, bytes)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, {force: true})
  }
}

/** Leaves a tenth free, so that this is not needed again at once. */
function discardOldest(folder: string, mostBytes: number): void {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
  const files = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const seen = statSync(path, {throwIfNoEntry: false})
    return seen ? [{path, used: seen.mtimeMs, bytes: Math.max(seen.size, leastBytes)}] : []
  })
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= mostBytes) return
  for (const file of files.sort((a, b) => a.used - b.used)) {
    if (bytes <= 0.9 * mostBytes) break
    rmSync(file.path, {force: true})
    bytes -= file.bytes
  }
}
