/** What a licence's own text says, earliest mention first: a LICENSE file may quote others further down. */
const texts: readonly [RegExp, string][] = [
  [/CANN Open Software License(?: Agreement)?[\s,(]*(?:the )?Version 2\.0/i, 'LicenseRef-CANN-OSL-2.0'],
  [/CANN Open Software License(?: Agreement)?[\s,(]*(?:the )?Version 1\.0/i, 'LicenseRef-CANN-OSL-1.0'],
  [/Apache License[\s,(]*(?:the )?Version 2\.0/i, 'Apache-2.0'],
  [/Permission is hereby granted, free of charge, to any person/i, 'MIT'],
  [/Redistribution and use in source and binary forms/i, 'BSD-3-Clause'],
]

/** What else a text has to say after its first words: the clause that sets these three apart from two. */
const continued: Readonly<Record<string, RegExp>> = {'BSD-3-Clause': /neither the name|names? of its contributors/i}

/** A header starts within the first comment; the rest of a long file is code. */
const headerCharacters = 4000

/**
 * The licence that a file declares about itself: an SPDX line wins over recognised text.
 * Returns undefined when it declares none; a name that SPDX does not know is passed on as it stands.
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

/** The licence whose text this is; undefined for a text that is not known here. */
export function recognisedLicence(text: string): string | undefined {
  // Comment leaders and line breaks fall into the middle of phrases.
  const plain = text.replace(/^[\s*#/]+/gm, ' ').replace(/\s+/g, ' ')
  const found = texts.flatMap(([pattern, id]) => {
    const at = plain.search(pattern)
    return at < 0 || continued[id]?.test(plain.slice(at)) === false ? [] : [{at, id}]
  })
  return found.sort((a, b) => a.at - b.at)[0]?.id
}

const byStrictness = [
  'MIT',
  'BSD-3-Clause',
  'Apache-2.0',
  'LicenseRef-CANN-OSL-2.0',
  'LicenseRef-CANN-OSL-1.0',
  'NOASSERTION',
]

/**
 * The licence whose conditions cover a text made of several parts; a licence of unknown conditions makes it
 * `NOASSERTION`.
 */
export function strictestLicence(licences: readonly string[]): string {
  if (new Set(licences).size === 1) return licences[0] as string
  const ranks = licences.map((licence) =>
    byStrictness.includes(licence) ? byStrictness.indexOf(licence) : byStrictness.length - 1,
  )
  return byStrictness[Math.max(...ranks)] ?? 'NOASSERTION'
}
