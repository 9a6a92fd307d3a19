import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {licenceText} from '../../sources/checkout.ts'
import {sourceKinds} from '../../sources/kinds.mjs'
import type {Config} from './config.ts'
import {localFolders} from './source-folders.ts'
import {bundled, packageRoot} from './workspace.ts'

/**
 * The licence files of all sources, by identifier: some licences ask that a copy of them goes along. The bundled
 * sources, which stand in for those that are not configured, are under the licence of this package.
 */
export async function licenceTexts(config: Config): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  const ofKinds = await Promise.all(sourceKinds.map(({name}) => localFolders(config, name)))
  const configured = [...ofKinds, config.sources.tasks]
  for (const {root} of configured.flatMap((folders) => folders ?? [])) {
    const found = await licenceText(root)
    if (found) texts[found.licence] ??= found.text
  }
  if (configured.every((folders) => folders !== undefined)) return texts
  const {licence} = await bundled('docs')
  texts[licence] ??= await readFile(join(packageRoot, 'LICENSE'), 'utf8')
  return texts
}
