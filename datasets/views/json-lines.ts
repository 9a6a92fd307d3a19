import {createHash} from 'node:crypto'
import {mkdir, open, rename, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {asOutputError, temporaryBeside} from '../../engine/files.ts'
import type {ParquetFile} from '../parquet/parquet-file.ts'

/**
 * A file of JSON documents, one per line, written like a Parquet file: under a temporary name until `publish`.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function createJsonLines(path: string): Promise<Omit<ParquetFile, 'bytes' | 'rows'>> {
  const temporary = temporaryBeside(path)
  const guard = async <T>(action: () => Promise<T>): Promise<T> =>
    action().catch((error: unknown) => {
      throw asOutputError(error, path)
    })
  const file = await guard(async () => {
    await mkdir(dirname(path), {recursive: true})
    return open(temporary, 'w')
  })
  const hash = createHash('sha256')
  let [rows, bytes, isOpen] = [0, 0, true]
  const close = async () => {
    if (isOpen) await file.close()
    isOpen = false
  }
  return {
    async write(row) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      hash.update(line)
      rows += 1
      bytes += line.length
      // `write` may stop halfway.
      await guard(() => file.appendFile(line))
    },
    async finish() {
      await guard(() => file.sync())
      await close()
      return {bytes, sha256: hash.digest('hex'), rows}
    },
    publish: (final) => guard(() => rename(temporary, final)),
    async discard() {
      await close()
      await rm(temporary, {force: true})
    },
  }
}
