import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {download} from '../../engine/download.ts'
import type {HubAccess, HubFile} from './hub.ts'
import {hashedFile} from './local-files.ts'

interface WantedFiles {
  name: string
  commit: string
  files: readonly HubFile[]
}

/**
 * Downloads what is not in the cache yet; resumes after a killed process. @returns the folder with the files under
 * their paths
 */
export async function fetchDataset(
  hub: HubAccess,
  {name, commit, files}: WantedFiles,
  {cache, onFile}: {cache: string; onFile?: (path: string, bytes: number) => void},
): Promise<string> {
  const root = join(cache, 'hub', name.replace('/', '--'), commit)
  for (const file of files) {
    const path = join(root, file.path)
    // It was renamed after its hash had been verified.
    if (existsSync(path)) continue
    onFile?.(file.path, file.bytes)
    await download({
      url: `${hub.endpoint}/datasets/${name}/resolve/${commit}/${encodeURI(file.path)}`,
      headers: hub.token === undefined ? {} : {authorization: `Bearer ${hub.token}`},
      fetch: hub.fetch,
      path,
      bytes: file.bytes,
      async isWanted(part) {
        const {sha256, gitId} = await hashedFile(part)
        return file.sha256 === undefined ? file.gitId === gitId : file.sha256 === sha256
      },
    })
  }
  return root
}
