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
/** What a file counts for at least: beside its block it lengthens every look at the folder. */
const leastBytes = 1 << 14

/**
 * Objects in a folder that any number of processes share. Each carries its hash, so one that is torn or changed is
 * none. What was not used for longest goes once the folder holds more than `mostBytes`. A folder that cannot be written
 * or read keeps nothing, and everything is compiled: no verdict depends on it.
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

/** What is not kept is compiled, so nothing is done about a file system that refuses. */
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
  // A torn line before it must not take this one with it.
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

/** Renamed into place, but not forced to the disk: what a crash leaves torn is told by its hash. */
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

/** Leaves a tenth free, so that this is not to be done again at once. */
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
