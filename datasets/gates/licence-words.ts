import {covers} from './licences.ts'

/** Phrases of a licence's own text, or of a header that refers to it. */
const texts: readonly [RegExp, string][] = [
  [/CANN Open Software License(?: Agreement)?[\s,(]*(?:the )?Version 2\.0/i, 'LicenseRef-CANN-OSL-2.0'],
  [/CANN Open Software License(?: Agreement)?[\s,(]*(?:the )?Version 1\.0/i, 'LicenseRef-CANN-OSL-1.0'],
  [/Apache License[\s,(]*(?:the )?Version 2\.0/i, 'Apache-2.0'],
  [/Permission is hereby granted, free of charge, to any person/i, 'MIT'],
  [/Redistribution and use in source and binary forms/i, 'BSD-3-Clause'],
]

/**
 * A phrase that must follow the first words: the clause that distinguishes the three-clause from the two-clause form.
 */
const continued: Readonly<Record<string, RegExp>> = {'BSD-3-Clause': /neither the name|names? of its contributors/i}

/**
 * The licence whose text this is, earliest mention first: a LICENSE file may quote others further down. Undefined for
 * an unknown text.
 */
export function recognisedLicence(text: string): string | undefined {
  const plain = withoutLeaders(text)
  const found = texts.flatMap(([pattern, id]) => {
    const at = plain.search(pattern)
    return at < 0 || continued[id]?.test(plain.slice(at)) === false ? [] : [{at, id}]
  })
  return found.sort((a, b) => a.at - b.at)[0]?.id
}

/** Comment leaders and line breaks can interrupt phrases. */
const withoutLeaders = (text: string) => text.replace(/^[\s*#/]+/gm, ' ').replace(/\s+/g, ' ')

/** Sentences that put a text under another kind of licence; a mere mention does not. */
const otherStatements: readonly [RegExp, string][] = [
  [/(?:terms|version [\d.]+|conditions) of the GNU Affero General Public Licen[sc]e/i, 'AGPL'],
  [/(?:terms|version [\d.]+|conditions) of the GNU (?:Lesser|Library) General Public Licen[sc]e/i, 'LGPL'],
  [/(?:terms|version [\d.]+|conditions) of the GNU General Public Licen[sc]e/i, 'GPL'],
  [/under (?:the )?(?:terms of (?:the )?)?(?:GNU )?[AL]?GPL(?:[- ]?v?\d| licen[sc]e|\b)/i, 'GPL'],
  [/terms of the Mozilla Public License/i, 'MPL'],
  [/terms of the (?:Eclipse Public|Common Development and Distribution) License/i, 'EPL'],
  [/licen[sc]ed under (?:the |a )?(?:Creative Commons Attribution[- ]Non|CC[- ]BY[- ]N)/i, 'CC-BY-NC'],
  [/licen[sc]ed under (?:the )?Mulan PSL ?v2/i, 'MulanPSL-2.0'],
  [/licen[sc]ed under (?:the )?(?:Business Source|Server Side Public|Elastic) License/i, 'proprietary'],
]

/** Phrases that reserve a text to its owner. */
const closed: readonly RegExp[] = [
  /\bCONFIDENTIAL\b(?!\w*\s*[=,)}\]])/,
  /\b(?:Company|Huawei|NVIDIA|Intel|AMD|Strictly|Commercial(?:ly)?|Proprietary) (?:and |& )?Confidential\b/i,
  /\bconfidential (?:and|&|or) proprietary/i,
  /(?:is|are|contains?) (?:the |our )?(?:confidential|proprietary)(?: (?:and|or) \w+)? (?:property|information)/i,
  /\bproprietary (?:source code|software)\b/i,
  /\bretains? all intellectual property\b/i,
  /\btrade secrets? (?:of|and)\b/i,
  /\bunauthori[sz]ed (?:copying|reproduction|disclosure|distribution|duplication)\b/i,
  /(?:华为|公司|商业)(?:机密|秘密)/,
  /未经[^。\n]{0,16}(?:许可|授权|同意|允许)[^。\n]{0,12}(?:不得|禁止|严禁)[^。\n]{0,8}(?:扩散|传播|复制|转载|使用)/,
]

const reserved = /\ball rights reserved\b|保留(?:一切|所有)权利/gi

/** A grant is in the same header: within this many characters before or after the reserved rights. */
const headerBefore = 600
const headerAfter = 1200

/** Without one of these, a text says nothing about licences. */
const spoken =
  /licen[sc]|GPL|copyright|confidential|proprietary|rights reserved|trade secret|unauthori[sz]ed|机密|秘密|权利|未经/i

/**
 * The words of a text that contradict the licence its row claims: another licence's header that the claim does not
 * cover, a mark of confidence, rights reserved without a grant. Undefined if there are none.
 * @param claim SPDX expression of the row
 */
export function contradiction(text: string, claim: string): string | undefined {
  if (!spoken.test(text)) return undefined
  const plain = withoutLeaders(text)
  for (const {0: words, 1: stated = ''} of plain.matchAll(
    /SPDX-License-Identifier: ?([\w.+-]+(?: (?:OR|AND|WITH) [\w.+-]+)*)/gi,
  ))
    if (!covers(claim, stated)) return words
  for (const [pattern, id] of [...texts, ...otherStatements]) {
    const found = pattern.exec(plain)
    if (found && !covers(claim, id) && !(id === 'BSD-3-Clause' && covers(claim, 'BSD-2-Clause')))
      return wordsAt(plain, found)
  }
  for (const pattern of closed) {
    const found = pattern.exec(plain)
    if (found) return wordsAt(plain, found)
  }
  for (const found of plain.matchAll(reserved)) {
    const header = plain.slice(Math.max(0, found.index - headerBefore), found.index + headerAfter)
    if (!granted(header)) return wordsAt(plain, found)
  }
  return undefined
}

function granted(header: string): boolean {
  return (
    /SPDX-License-Identifier:|licen[sc]ed under|Mulan PSL/i.test(header) ||
    texts.some(([pattern]) => pattern.test(header))
  )
}

/** The words with a little context before them: whose rights, whose confidence. */
function wordsAt(text: string, {0: words, index}: RegExpExecArray): string {
  return text.slice(Math.max(0, index - 60), index + words.length + 20).trim()
}
