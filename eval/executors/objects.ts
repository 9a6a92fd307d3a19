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
}

interface Entry {
  /** Hash of each file of the build that the compiler read. */
  read: ReadonlyMap<string, string>
  object: Uint8Array
}

/**
 * Objects of this process by content. Candidates for one task differ in one file, mostly the kernel, and the types of
 * a case change no host file, so most host files were compiled before. An entry fits when the build has the same paths
 * and every file that was read has the same text: preprocessing is a function of these. Texts with `incbin` read files
 * that no list names and are never kept.
 */
export function objectStore(mostBytes = 1 << 26): ObjectStore {
  const entries = new Map<string, Entry[]>()
  const running = new Map<string, Promise<unknown>>()
  let bytes = 0
  const keep = (key: string, entry: Entry) => {
    entries.set(key, [...(entries.get(key) ?? []), entry])
    bytes += entry.object.length
    for (const [oldest, old] of entries) {
      if (bytes <= mostBytes) break
      entries.delete(oldest)
      bytes -= old.reduce((sum, {object}) => sum + object.length, 0)
    }
  }
  return {
    async get(request, make) {
      const key = hash([...request.args, request.path, ...[...request.files.keys()].sort()])
      const unit = hash([key, request.files.get(request.path) ?? ''])
      // The first compilation of a unit may serve those that came meanwhile.
      while (running.has(unit)) await running.get(unit)
      const known = entries.get(key)?.find((entry) => fits(entry, request.files))
      if (known) return known.object
      const making = make()
      running.set(
        unit,
        making
          .then(
            () => undefined,
            () => undefined,
          )
          .then(() => running.delete(unit)),
      )
      const made = await making
      const read = made && textsRead(made.dependencies, request.files)
      if (made && read) keep(key, {read, object: made.object})
      return made?.object
    },
  }
}

function fits({read}: Entry, files: FileTexts): boolean {
  return [...read].every(([path, text]) => hash([files.get(path) ?? '']) === text)
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

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
