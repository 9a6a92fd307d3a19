import {join, resolve} from 'node:path'
import type {SourceFolder} from '../../datasets/schema/source-folder.ts'
import {fetchedCheckout, remoteOf} from '../../sources/git-remote.ts'
import {foldersOf, type Config} from './config.ts'

/**
 * The configured folders of a kind of source, repositories downloaded to the cache; undefined when none is configured.
 * @throws PipelineError `config-invalid`, `input-missing` for a repository that cannot be downloaded
 */
export async function localFolders(config: Config, kind: string): Promise<SourceFolder[] | undefined> {
  const configured = foldersOf(config, kind)
  if (!configured) return undefined
  const folders: SourceFolder[] = []
  for (const folder of configured) {
    const remote = remoteOf(folder.root)
    const checkouts = join(resolve(config.cache), 'checkouts')
    folders.push(remote ? {...folder, root: await fetchedCheckout(remote, checkouts)} : folder)
  }
  return folders
}
