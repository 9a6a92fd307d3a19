import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {walk} from '../../engine/files.ts'
import {hashedFile} from './local-files.ts'
import type {Artifact} from '../schema/sample.ts'

/** Records that releases dropped, as files of the data set: `rejected/<recipe>.jsonl`, a line for each record. */
export async function refusedFiles(directory: string): Promise<Artifact[]> {
  const folder = join(directory, 'rejected')
  const files: Artifact[] = []
  if (!existsSync(folder)) return files
  for await (const path of walk(folder)) {
    if (!path.endsWith('.jsonl')) continue
    const {bytes, sha256} = await hashedFile(join(folder, path))
    files.push({kind: 'report', path: `rejected/${path}`, rows: 0, bytes, sha256})
  }
  return files
}
