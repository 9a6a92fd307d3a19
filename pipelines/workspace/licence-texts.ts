import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {licenceText} from '../../sources/checkout.ts'
import type {Config} from './config.ts'
import {bundled, packageRoot} from './workspace.ts'

/**
 * Licence files of all sources, by identifier: some licences want a copy of themselves to go along. The bundled sources, which
 * stand in for those that are not configured, are under the package's own.
 */
export async function licenceTexts({sources}: Config): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const {root} of [...(sources.documentation ?? []), ...(sources.kernels ?? []), ...(sources.tasks ?? [])]) {
    const found = await licenceText(root)
    if (found) texts[found.licence] ??= found.text
  }
  if (sources.documentation && sources.kernels && sources.tasks) return texts
  const {licence} = await bundled('docs')
  texts[licence] ??= await readFile(join(packageRoot, 'LICENSE'), 'utf8')
  return texts
}
