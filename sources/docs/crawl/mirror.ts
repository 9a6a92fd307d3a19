import {createHash} from 'node:crypto'
import {readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {asOutputError, writeWhole} from '../../../engine/files.ts'
import type {Journal} from '../../../engine/journal.ts'
import type {AnswerEntry, CrawlEntry} from './crawl-entries.ts'
import {applyEntry, type CrawlState, type Kept} from './crawl-state.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The folder of a crawl: its files, and the journal with their addresses. */
export interface Mirror {
  readonly state: CrawlState
  /** Writes the disk first, then the state: a killed process loses at most one request. */
  record(entry: CrawlEntry): void
  /** Writes bytes where those of the address belong, and returns the file's path below the folder. */
  store(url: string, type: string, bytes: Uint8Array): Promise<string>
  /** The stored bytes; undefined when the file was deleted or changed. */
  stored(kept: Kept): Promise<Buffer | undefined>
  /** Records an answer after which the address has no file any more, and removes it. */
  withdraw(entry: AnswerEntry): Promise<void>
}

export function openMirror(folder: string, state: CrawlState, journal: Journal<CrawlEntry>): Mirror {
  function record(entry: CrawlEntry): void {
    journal.append(entry)
    applyEntry(state, entry)
  }
  return {
    state,
    record,
    async store(url, type, bytes) {
      const known = state.kept.get(url)?.file
      const file = known ?? fileFor(url, type, (one) => (state.owners.get(one) ?? url) !== url)
      await writeWhole(join(folder, file), bytes)
      return file
    },
    async stored({file, sha256: expected}) {
      const bytes = await readFile(join(folder, file)).catch(() => undefined)
      return bytes && sha256(bytes) === expected ? bytes : undefined
    },
    async withdraw(entry) {
      const file = state.kept.get(entry.url)?.file
      record(entry)
      if (file === undefined) return
      await rm(join(folder, file), {force: true}).catch((error: unknown) => {
        throw asOutputError(error, join(folder, file))
      })
    },
  }
}

/** Extensions that readers of page folders recognise. */
const pageEnds = /\.(?:html?|md)$/i
const imageEnds = /\.(?:png|jpe?g|gif|svg|webp|bmp)$/i

const imageTypes: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'image/bmp': '.bmp',
}

/** Bytes that a name may have on every file system in use, less what a temporary name adds. */
const longestName = 200

/**
 * Where the bytes of an address are kept below the folder of a crawl: its path on the site if file systems allow it,
 * with an extension for its type.
 * @param type its media type, such as `text/html`
 * @param isTaken whether another address has that file
 */
export function fileFor(url: string, type: string, isTaken: (file: string) => boolean): string {
  const {pathname, search} = new URL(url)
  const segments = pathname.split('/').slice(1).map(readable)
  const last = segments.pop() || 'index'
  const folders = segments.map(folderName)
  const mark = `~${createHash('sha256').update(url).digest('hex').slice(0, 12)}`
  const end = extensionFor(last, type)
  const stem = last.endsWith(end) ? last.slice(0, last.length - end.length) : last
  const named = (marked: string) => [...folders, `${cut(stem)}${marked}${end}`].join('/')
  const plain = named(search === '' && isPlain(stem) ? '' : mark)
  return isTaken(plain) ? named(mark) : plain
}

function extensionFor(last: string, type: string): string {
  const image = imageTypes[type]
  const known = (image === undefined ? pageEnds : imageEnds).exec(last)?.[0]
  return known ?? image ?? (type === 'text/markdown' ? '.md' : '.html')
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment).replace(/[\\/\p{Cc}]/gu, '_')
  } catch {
    return segment
  }
}

/** A folder must not be called like a page or an image: `a.html` and `a.html/b.html` are two addresses. */
function folderName(name: string): string {
  if (!isPlain(name)) {
    return `${cut(name.replace(/^\.+/, '')) || '_'}~${createHash('sha256').update(name).digest('hex').slice(0, 12)}`
  }
  return pageEnds.test(name) || imageEnds.test(name) ? `${name}~` : name
}

/** Hidden names and those that no reader of folders looks into are not. */
function isPlain(name: string): boolean {
  return name !== '' && !name.startsWith('.') && name !== 'node_modules' && cut(name) === name
}

/** At most this many bytes of UTF-8, in whole characters. */
function cut(name: string): string {
  let bytes = 0
  let kept = ''
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > longestName) break
    kept += character
  }
  return kept
}
