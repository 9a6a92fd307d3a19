import {createHash} from 'node:crypto'
import {normalize} from 'node:path'
import {memoryShelf} from './object-shelf.ts'
import type {ObjectShelf} from './object-shelf.ts'

/** Text of a build's files by path, as in its folder. */
export type FileTexts = ReadonlyMap<string, string>

/** One compiler call: its arguments, and the file that it starts from. */
export interface ObjectRequest {
  args: readonly string[]
  path: string
  files: FileTexts
}

/** What a compiler call made: the object, and the list of files that it read, in the form of a makefile. */
export interface MadeObject {
  object: Uint8Array
  dependencies: string
}

export interface ObjectStore {
  /** Compiles only if no earlier call read the same texts; undefined if `make` returns nothing. */
  get(request: ObjectRequest, make: () => Promise<MadeObject | undefined>): Promise<Uint8Array | undefined>
  /** Links only when the same inputs were linked by the same command before; undefined if `make` returns nothing. */
  linked(
    command: readonly string[],
    inputs: readonly Uint8Array[],
    make: () => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined>
}

interface StoreOptions {
  /** Folder of the twin: its name is a hash of compiler, twin and processor, on which objects depend as well. */
  toolchain?: string
  /** Of this process. Default 128 MiB. */
  mostBytes?: number
  /** Persistent storage of objects. */
  kept?: ObjectShelf
}

/**
 * Objects by content. Candidates for one task differ in one file, mostly the kernel, and the types of a case change no
 * host file, so most host files were compiled before. An object can be reused if the build has the same paths and every
 * file read has the same text: preprocessing is a function of these. Texts with `incbin` read unlisted files and are
 * never cached.
 */
export function objectStore({toolchain = '', mostBytes = 1 << 27, kept}: StoreOptions = {}): ObjectStore {
  const shelves = [memoryShelf(mostBytes), ...(kept ? [kept] : [])]
  const running = new Map<string, Promise<unknown>>()
  return {
    async get({args, path, files}, make) {
      const textHash = hashOnce(files)
      const unit = hash([toolchain, ...args, path, textHash(path), ...[...files.keys()].sort()])
      const nameOf = (paths: readonly string[]) => hash([unit, ...paths.flatMap((read) => [read, textHash(read)])])
      for (;;) {
        const {object, names} = search(shelves, unit, nameOf)
        if (object) return object
        // Before the first compilation, the files that the unit reads are unknown: the first result may serve all.
        const keys = names.length > 0 ? names : [unit]
        const other = keys.map((key) => running.get(key)).find((one) => one !== undefined)
        if (!other) return during(running, keys, () => compiled(shelves, {unit, nameOf, files, toolchain}, make))
        await other
      }
    },
    async linked(command, inputs, make) {
      const name = hash([toolchain, 'linked', ...command, ...inputs.map(hashBytes)])
      const {object} = search(shelves, name, () => name)
      if (object) return object
      const made = await make()
      if (made) for (const shelf of shelves) shelf.keep({unit: name, paths: [], name, object: made})
      return made
    },
  }
}

/** `names`: possible keys of these texts' object, from earlier compilations of the unit. */
function search(
  shelves: readonly ObjectShelf[],
  unit: string,
  nameOf: (paths: readonly string[]) => string,
): {object?: Uint8Array; names: string[]} {
  const names = new Set<string>()
  for (const [at, shelf] of shelves.entries()) {
    for (const paths of shelf.pathsOf(unit)) {
      const name = nameOf(paths)
      names.add(name)
      const object = shelf.find(name)
      if (!object) continue
      for (const nearer of shelves.slice(0, at)) nearer.keep({unit, paths, name, object})
      return {object, names: [...names]}
    }
  }
  return {names: [...names]}
}

/** Concurrent requests for the same object find it in `running`; only its caller receives the outcome. */
function during<T>(running: Map<string, Promise<unknown>>, keys: readonly string[], work: () => Promise<T>) {
  const working = work()
  const forget = () => {
    for (const key of keys) running.delete(key)
  }
  const settled = working.then(forget, forget)
  for (const key of keys) running.set(key, settled)
  return working
}

interface Compilation {
  unit: string
  nameOf: (paths: readonly string[]) => string
  files: FileTexts
  toolchain: string
}

async function compiled(
  shelves: readonly ObjectShelf[],
  {unit, nameOf, files, toolchain}: Compilation,
  make: () => Promise<MadeObject | undefined>,
): Promise<Uint8Array | undefined> {
  const made = await make()
  const paths = made && pathsRead(made.dependencies, files, toolchain)
  if (!made || !paths) return made?.object
  for (const shelf of shelves) shelf.keep({unit, paths, name: nameOf(paths), object: made.object})
  return made.object
}

/** Hash of each text of a build, computed at most once. */
function hashOnce(files: FileTexts): (path: string) => string {
  const known = new Map<string, string>()
  return (path) => {
    const hashed = known.get(path) ?? hash([files.get(path) ?? ''])
    known.set(path, hashed)
    return hashed
  }
}

/**
 * Undefined when the list names a file that is neither the build's nor the twin's, or a text that reads further files.
 * Headers of the system are not listed.
 */
function pathsRead(dependencies: string, files: FileTexts, toolchain: string): string[] | undefined {
  const names =
    dependencies
      .replaceAll('\\\n', ' ')
      .replace(/^[^:]*:/, '')
      .match(/(?:\\.|[^\s\\])+/g) ?? []
  const plain = names.map((name) => name.replaceAll(/\\(.)/g, '$1'))
  const own = [...new Set(plain.filter((name) => !name.startsWith(`${toolchain}/`)).map(normalize))]
  return own.every((path) => files.has(path) && !/incbin/.test(files.get(path) ?? '')) ? own : undefined
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
