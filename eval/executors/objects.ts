import {createHash} from 'node:crypto'
import {normalize} from 'node:path'

/** Text of a build's files by path, as they stand in its folder. */
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
  /** Compiles only when no earlier call read the same texts; undefined when `make` gives nothing. */
  get(request: ObjectRequest, make: () => Promise<MadeObject | undefined>): Promise<Uint8Array | undefined>
  /** Links only when the same inputs were linked in the same way before; undefined when `make` gives nothing. */
  linked(
    options: readonly string[],
    inputs: readonly Uint8Array[],
    make: () => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined>
}

interface Entry {
  key: string
  /** Hash of each file of the build that the compiler read. */
  read: ReadonlyMap<string, string>
  object: Uint8Array
}

/**
 * Objects of this process by content. Candidates for one task differ in one file, mostly the kernel, and the types of
 * a case change no host file, so most host files were compiled before. An entry fits when the build has the same paths
 * and every file that was read has the same text: preprocessing is a function of these. Texts with `incbin` read files
 * that no list names and are never kept. What was not used for longest goes first.
 */
export function objectStore(mostBytes = 1 << 27): ObjectStore {
  const {find, keep} = entryCache(mostBytes)
  const running = new Map<string, Promise<unknown>>()
  return {
    async get(request, make) {
      const key = hash([...request.args, request.path, ...[...request.files.keys()].sort()])
      const textHash = hashOnce(request.files)
      const unit = hash([key, textHash(request.path)])
      // The first compilation of a unit may serve those that came meanwhile.
      while (running.has(unit)) await running.get(unit)
      const known = find(key, ({read}) => [...read].every(([path, text]) => textHash(path) === text))
      if (known) return known.object
      const making = make()
      const settled = making.then(
        () => running.delete(unit),
        () => running.delete(unit),
      )
      running.set(unit, settled)
      const made = await making
      const read = made && textsRead(made.dependencies, request.files)
      if (made && read) keep({key, read, object: made.object})
      return made?.object
    },
    async linked(options, inputs, make) {
      const key = hash(['linked', ...options, ...inputs.map(hashBytes)])
      const known = find(key, () => true)
      if (known) return known.object
      const object = await make()
      if (object) keep({key, read: new Map(), object})
      return object
    },
  }
}

function entryCache(mostBytes: number) {
  const byKey = new Map<string, Entry[]>()
  // In the order of their last use.
  const entries = new Set<Entry>()
  let bytes = 0
  const drop = (entry: Entry) => {
    const others = (byKey.get(entry.key) ?? []).filter((other) => other !== entry)
    if (others.length > 0) byKey.set(entry.key, others)
    else byKey.delete(entry.key)
    entries.delete(entry)
    bytes -= entry.object.length
  }
  return {
    find(key: string, fits: (entry: Entry) => boolean) {
      const entry = byKey.get(key)?.find(fits)
      if (entry) {
        entries.delete(entry)
        entries.add(entry)
      }
      return entry
    },
    keep(entry: Entry) {
      byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry])
      entries.add(entry)
      bytes += entry.object.length
      for (const oldest of entries) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
    },
  }
}

/** Of each text of a build, at most once. */
function hashOnce(files: FileTexts): (path: string) => string {
  const known = new Map<string, string>()
  return (path) => {
    const hashed = known.get(path) ?? hash([files.get(path) ?? ''])
    known.set(path, hashed)
    return hashed
  }
}

/**
 * Undefined when the list names a file of the folder that is none of the build's, or a text that reads further
 * files.
 */
function textsRead(dependencies: string, files: FileTexts): Map<string, string> | undefined {
  const names =
    dependencies
      .replaceAll('\\\n', ' ')
      .replace(/^[^:]*:/, '')
      .match(/(?:\\.|[^\s\\])+/g) ?? []
  const plain = names.map((name) => name.replaceAll(/\\(.)/g, '$1'))
  const own = plain.filter((name) => !name.startsWith('/')).map(normalize)
  const read = new Map<string, string>()
  for (const path of own) {
    const text = files.get(path)
    if (text === undefined || /incbin/.test(text)) return undefined
    read.set(path, hash([text]))
  }
  return read
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
