import {createHash} from 'node:crypto'
import {readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {asOutputError, writeWhole} from '../../../engine/files.ts'
import type {Journal} from '../../../engine/journal.ts'
import type {AnswerEntry, CrawlEntry} from './crawl-entries.ts'
import {applyEntry, type CrawlState, type Kept} from './crawl-state.ts'
import {fileFor} from './file-names.ts'

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
