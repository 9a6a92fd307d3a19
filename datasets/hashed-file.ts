import {createHash} from 'node:crypto'
import {mkdir, open, rename, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {asOutputError, temporaryBeside} from '../engine/files.ts'

/** A file under a temporary name, hashed while it is written. */
interface HashedFile {
  append(bytes: Uint8Array): Promise<void>
  /** Appended so far. */
  bytes(): number
  /** Syncs and closes it. @returns the SHA-256 of everything appended */
  end(): Promise<string>
  publish(path: string): Promise<void>
  /** Removes what was not published. */
  discard(): Promise<void>
}

/** Opens a file next to `path`. @throws PipelineError `disk-full` or `output-unwritable`, as its methods do */
export async function openHashedFile(path: string): Promise<HashedFile> {
  const temporary = temporaryBeside(path)
  const guard = async <T>(action: () => Promise<T>): Promise<T> =>
    action().catch((error: unknown) => {
      throw asOutputError(error, path)
    })
  const handle = await guard(async () => {
    await mkdir(dirname(path), {recursive: true})
    return open(temporary, 'wx')
  })
  const hash = createHash('sha256')
  let written = 0
  return {
    async append(bytes) {
      hash.update(bytes)
      written += bytes.length
      await guard(() => handle.appendFile(bytes))
    },
    bytes: () => written,
    async end() {
      await guard(() => handle.sync())
      await handle.close()
      return hash.digest('hex')
    },
    publish: (final) => guard(() => rename(temporary, final)),
    async discard() {
      await handle.close().catch(() => undefined)
      await rm(temporary, {force: true})
    },
  }
}
