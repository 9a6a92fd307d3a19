import {recognisedLicence} from '../datasets/gates/licence-words.ts'

/** A header starts within the first comment; the rest of a long file is code. */
const headerCharacters = 4000

/**
 * The licence that a file declares about itself: an SPDX line overrides recognised text. Returns undefined when it
 * declares none; a name that SPDX does not know is returned unchanged.
 */
export function declaredLicence(text: string): string | undefined {
  const head = headOf(text)
  return spdxLine(head) ?? recognisedLicence(head)
}

/** The licence that a page states itself, by an SPDX line or in a meta tag; one that it only quotes is not its own. */
export function pageLicence(text: string): string | undefined {
  const head = headOf(text)
  return spdxLine(head) ?? /<meta\s+name="licen[cs]e"\s+content="([\w.+-]+)"/i.exec(head)?.[1]
}

const headOf = (text: string) => text.slice(0, headerCharacters)

const spdxLine = (head: string) => /SPDX-License-Identifier:\s*([\w.+-]+)/.exec(head)?.[1]
