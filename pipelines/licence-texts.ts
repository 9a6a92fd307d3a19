import {licenceText} from '../sources/checkout.ts'
import type {Config} from './core/config.ts'

/** Licence files of all configured sources, by identifier: some licences want a copy of themselves to go along. */
export async function licenceTexts({sources}: Config): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const {root} of [...(sources.documentation ?? []), ...(sources.kernels ?? []), ...(sources.tasks ?? [])]) {
    const found = await licenceText(root)
    if (found) texts[found.licence] ??= found.text
  }
  return texts
}
