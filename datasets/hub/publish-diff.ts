import type {HubFile} from './hub.ts'

/** A file to publish, with both names that the Hub may know its bytes by. */
export interface LocalFile {
  /** Relative to the data set's root, `/`-separated. */
  path: string
  bytes: number
  sha256: string
  gitId: string
}

interface ChangedFile extends LocalFile {
  /** Size of the existing file, in bytes. */
  before: number
}

/** What a commit would do. */
export interface Difference {
  added: LocalFile[]
  changed: ChangedFile[]
  removed: HubFile[]
  /** There already, byte for byte. */
  same: LocalFile[]
  /** Existing, but outside the folders that we write. */
  foreign: HubFile[]
}

/**
 * Compares what exists with what should. A file that we lack is only removed from the data set's folders, such as
 * shards of an earlier release in `data`; other files are kept.
 */
export function difference(local: readonly LocalFile[], there: readonly HubFile[]): Difference {
  const known = new Map(there.map((file) => [file.path, file]))
  const paths = new Set(local.map(({path}) => path))
  const folders = new Set(local.flatMap(({path}) => (path.includes('/') ? [topFolder(path)] : [])))
  const found: Difference = {added: [], changed: [], removed: [], same: [], foreign: []}
  for (const file of local) {
    const before = known.get(file.path)
    if (!before) found.added.push(file)
    else if (isSame(file, before)) found.same.push(file)
    else found.changed.push({...file, before: before.bytes})
  }
  for (const file of there) {
    if (paths.has(file.path)) continue
    const ours = file.path.includes('/') && folders.has(topFolder(file.path))
    found[ours ? 'removed' : 'foreign'].push(file)
  }
  return found
}

/** Whether there is nothing to commit. */
export function isNothing({added, changed, removed}: Difference): boolean {
  return added.length + changed.length + removed.length === 0
}

const topFolder = (path: string) => path.slice(0, path.indexOf('/'))

function isSame(file: LocalFile, there: HubFile): boolean {
  if (there.bytes !== file.bytes) return false
  return there.sha256 === undefined ? there.gitId === file.gitId : there.sha256 === file.sha256
}
