import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {ownRoot} from '../../engine/own-package.ts'
import {licenceText} from '../../sources/checkout.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import type {Config} from './config.ts'
import {localFolders} from './source-folders.ts'
import {bundled} from './workspace.ts'

/**
 * The licence files of all sources, by identifier: some licences require a copy of their text. The bundled sources,
 * used when none are configured, are under this package's licence.
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
  texts[licence] ??= await readFile(join(ownRoot, 'LICENSE'), 'utf8')
  return texts
}

/**
 * The publisher's own text for the card; '' if not configured.
 * @throws PipelineError `input-missing` for a file that cannot be read
 */
export async function ownWords(file: string | undefined): Promise<string> {
  if (file === undefined) return ''
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PipelineError('input-missing', `${file}, named by export.words, cannot be read.`, {
      fix: 'Give a Markdown file, or remove export.words.',
      cause,
    })
  })
}
