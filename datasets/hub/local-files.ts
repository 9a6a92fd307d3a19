import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import {join} from 'node:path'
import {walk} from '../../engine/files.ts'
import {marksFile} from '../schema/mark.ts'
import type {LocalFile} from './publish-diff.ts'

/**
 * The files of a data set, hashed. Hidden files, such as temporary and system files, are not part of it, and neither is
 * what readers noted about its rows.
 */
export async function localFiles(directory: string): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for await (const path of walk(directory)) {
    if (path === marksFile || path.split('/').some((part) => part.startsWith('.'))) continue
    files.push({path, ...(await hashedFile(join(directory, path)))})
  }
  return files
}

/** Size and hashes of a file, read once and in pieces. */
export async function hashedFile(path: string): Promise<Omit<LocalFile, 'path'>> {
  const {size} = await stat(path)
  const sha256 = createHash('sha256')
  // Git's blob id: type and size precede the bytes.
  const git = createHash('sha1').update(`blob ${size}\0`)
  let bytes = 0
  for await (const part of createReadStream(path, {highWaterMark: 1 << 20}) as AsyncIterable<Buffer>) {
    sha256.update(part)
    git.update(part)
    bytes += part.length
  }
  return {bytes, sha256: sha256.digest('hex'), gitId: git.digest('hex')}
}
