import {constants, type Dirent} from 'node:fs'
import {open, readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {byCodeUnit} from './code-unit-order.ts'
import {isSystemError, PipelineError} from './errors.ts'

/** Why an entry in a folder of other people's files cannot be used. */
type Unfit = 'name-not-utf-8' | 'symbolic-link' | 'not-a-file' | 'unreadable' | 'file-too-large'

/** Yielded in place of a file or folder that cannot be used. */
export interface Refusal {
  reason: Unfit
  detail: string
}

/** A file below a folder, or the reason why one was refused. Paths are relative, with `/`. */
export type Found = {path: string; refused?: undefined} | {path: string; folder: boolean; refused: Refusal}

interface Entry {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  damaged: boolean
}

/**
 * Everything below `root` except folders, ordered by name. Links are not followed: they may lead out of the folder
 * or back into it. `.git` and `node_modules` are skipped.
 * @throws PipelineError `input-unreadable` when the disk fails, or the root itself cannot be listed
 */
export async function* findFiles(root: string): AsyncIterable<Found> {
  const waiting = (await entriesOf(root, '')).reverse()
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const {path, kind} = entry
    if (entry.damaged) {
      yield refusedEntry(entry, 'name-not-utf-8', 'its name is not UTF-8, so no record can refer to it')
    } else if (kind === 'folder') {
      const below = await entriesOf(root, path).catch((error: unknown) => asRefusal(error, join(root, path)))
      if (Array.isArray(below)) for (const one of below.reverse()) waiting.push(one)
      else yield {path, folder: true, refused: below}
    } else if (kind === 'file') {
      yield {path}
    } else if (kind === 'link') {
      const folder = await stat(join(root, path)).then(
        (target) => target.isDirectory(),
        () => false,
      )
      yield {path, folder, refused: {reason: 'symbolic-link', detail: 'links are not followed'}}
    } else {
      yield refusedEntry(entry, 'not-a-file', 'a pipe, a socket or a device')
    }
  }
}

function refusedEntry({path, kind}: Entry, reason: Unfit, detail: string): Found {
  return {path, folder: kind === 'folder', refused: {reason, detail}}
}

async function entriesOf(root: string, below: string): Promise<Entry[]> {
  // As bytes: as text, a name in another encoding would contain U+FFFD and could not be opened.
  const found = (await readdir(join(root, below), {encoding: 'buffer', withFileTypes: true}).catch((error: unknown) => {
    if (below === '') throw unreadable(join(root, below), error)
    throw error
  })) as unknown as Dirent<Buffer>[]
  const entries = found.map((entry): Entry => {
    const name = nameOf(entry.name)
    return {path: below === '' ? name.text : `${below}/${name.text}`, kind: kindOf(entry), damaged: name.damaged}
  })
  return entries
    .filter(({path, kind}) => kind !== 'folder' || !/(?:^|\/)(?:\.git|node_modules)$/.test(path))
    .sort((a, b) => byCodeUnit(a.path, b.path))
}

function nameOf(bytes: Buffer): {text: string; damaged: boolean} {
  try {
    return {text: new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes), damaged: false}
  } catch {
    const hex = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
    return {text: bytes.toString('latin1').replace(/[^\x20-\x7E]/g, hex), damaged: true}
  }
}

function kindOf(entry: Dirent<Buffer>): Entry['kind'] {
  if (entry.isDirectory()) return 'folder'
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/**
 * The bytes of an untrusted file: no link is followed, nothing but a regular file is opened, and no more
 * than `maxBytes` are read.
 * @throws PipelineError `input-unreadable` when the disk fails
 */
export async function readInput(path: string, maxBytes: number): Promise<Buffer | Refusal> {
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would wait forever.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const status = await file.stat()
      if (!status.isFile()) return {reason: 'not-a-file', detail: 'a folder, a pipe, a socket or a device'}
      if (status.size > maxBytes) return tooLarge(status.size, maxBytes)
      return await readUpTo(file, maxBytes, status.size)
    } finally {
      await file.close()
    }
  } catch (error) {
    return asRefusal(error, path)
  }
}

type Handle = Awaited<ReturnType<typeof open>>

/** Does not trust the size: the file may have grown since, and files in `/proc` report none. */
async function readUpTo(file: Handle, maxBytes: number, size: number): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const {bytesRead, buffer} = await file.read(Buffer.allocUnsafe(total === 0 ? size + 1 : 65_536), 0, null, null)
    if (bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    total += bytesRead
    if (total > maxBytes) return tooLarge(total, maxBytes)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

function tooLarge(bytes: number, maxBytes: number): Refusal {
  return {reason: 'file-too-large', detail: `at least ${bytes} bytes, the limit is ${maxBytes}`}
}

// Errors of one file only. Anything else, such as EIO or EMFILE, would also hit the next file.
const ofOneFile: Readonly<Record<string, Unfit>> = {
  EACCES: 'unreadable',
  EPERM: 'unreadable',
  ENOENT: 'unreadable',
  ENOTDIR: 'unreadable',
  ENAMETOOLONG: 'unreadable',
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file',
  ENODEV: 'not-a-file',
  ELOOP: 'symbolic-link',
}

function asRefusal(error: unknown, path: string): Refusal {
  for (const [code, reason] of Object.entries(ofOneFile)) {
    if (isSystemError(error, code)) return {reason, detail: `it cannot be read (${code})`}
  }
  throw unreadable(path, error)
}

function unreadable(path: string, error: unknown): PipelineError {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new PipelineError('input-unreadable', `${path} cannot be read (${why}).`, {
    fix: 'Check its permissions and the disk, then run `ascend-cot resume`.',
    cause: error,
    evidence: {path, why},
  })
}
