/** What the card says about a licence, and how the Hub spells it. Facts about licences, not legal advice. */
interface Licence {
  name: string
  /** Where to read its text. */
  url: string
  /** The Hub's key, or undefined if the card must say `other`. */
  hub?: string
  /** What a redistributor must do, in a sentence. */
  duties: string
  /** Any use, sale and change are allowed when notices are kept. */
  permissive?: true
}

export const licences: Readonly<Record<string, Licence>> = {
  'Apache-2.0': {
    name: 'Apache License 2.0',
    url: 'https://www.apache.org/licenses/LICENSE-2.0',
    hub: 'apache-2.0',
    duties: 'Redistribute with the licence text and the notices; state changes.',
    permissive: true,
  },
  MIT: {
    name: 'MIT License',
    url: 'https://opensource.org/license/mit',
    hub: 'mit',
    duties: 'Keep the copyright notice and the licence text.',
    permissive: true,
  },
  'BSD-2-Clause': {
    name: 'BSD 2-Clause License',
    url: 'https://opensource.org/license/bsd-2-clause',
    hub: 'bsd-2-clause',
    duties: 'Keep the copyright notice and the licence text.',
    permissive: true,
  },
  'BSD-3-Clause': {
    name: 'BSD 3-Clause License',
    url: 'https://opensource.org/license/bsd-3-clause',
    hub: 'bsd-3-clause',
    duties: "Keep the copyright notice and the licence text; do not use the authors' names for endorsement.",
    permissive: true,
  },
  'MulanPSL-2.0': {
    name: 'Mulan Permissive Software License 2',
    url: 'https://license.coscl.org.cn/MulanPSL2',
    duties: 'Keep the copyright notice and include a copy of the licence.',
    permissive: true,
  },
  'CC0-1.0': {
    name: 'Creative Commons Zero 1.0',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    hub: 'cc0-1.0',
    duties: 'None; naming the source is good manners.',
    permissive: true,
  },
  'CC-BY-4.0': {
    name: 'Creative Commons Attribution 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    hub: 'cc-by-4.0',
    duties: 'Name the source and the licence, and state changes; every row names its source.',
    permissive: true,
  },
  'LicenseRef-CANN-OSL-2.0': {
    name: 'CANN Open Software License Agreement 2.0',
    url: 'https://gitcode.com/cann',
    duties: [
      'Only for developing software solely for systems with Huawei AI processors (2.1, 3.1);',
      'a copy of the agreement and all notices must be distributed with it (3.3); revocable.',
      'It does not mention training or data sets.',
    ].join(' '),
  },
}

/** The word for all permissive licences in a list of allowed licences. */
const permissiveWord = 'permissive'

/**
 * Whether an SPDX expression is met by a list of identifiers: one side of each `OR`, both of each `AND`; an exception
 * (`WITH`) must be listed with its licence. Case is ignored, as in SPDX.
 */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const known = new Set(allowed.flatMap((id) => (id === permissiveWord ? permissiveLicences : [id])).map(lower))
  const meets = (id: string) => known.has(lower(id.trim()))
  const flat = expression.replace(/[()]/g, '')
  // With parentheses, every licence in the expression must be listed.
  if (flat !== expression) return flat.split(/ (?:OR|AND) /).every(meets)
  return expression.split(/ OR /).some((side) => side.split(/ AND /).every(meets))
}

const permissiveLicences = Object.entries(licences).flatMap(([id, {permissive}]) => (permissive ? [id] : []))

const lower = (text: string) => text.toLowerCase()

/** From most to least permissive: a work of several parts is under the last of their licences. */
const byStrictness = [
  'CC0-1.0',
  'MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'LicenseRef-CANN-OSL-2.0',
  'LicenseRef-CANN-OSL-1.0',
]

/** The licence whose conditions cover a text made of several parts; an unknown licence makes it `NOASSERTION`. */
export function strictestLicence(parts: readonly string[]): string {
  if (new Set(parts).size === 1) return parts[0] as string
  const ranks = parts.map((part) => byStrictness.indexOf(part))
  return ranks.includes(-1) ? 'NOASSERTION' : (byStrictness[Math.max(...ranks)] ?? 'NOASSERTION')
}

/** Whether a row under `claim` may contain a text under `stated`: the same licence, or a less demanding one. */
export function covers(claim: string, stated: string): boolean {
  const claims = claim.replace(/[()]/g, '').split(/ (?:OR|AND) /)
  if (lower(claim) === lower(stated)) return true
  return stated.split(/ OR /).some((side) => side.split(/ AND /).every((id) => claims.some((one) => asksLess(id, one))))
}

function asksLess(stated: string, claim: string): boolean {
  if (lower(stated) === lower(claim)) return true
  const ranks = byStrictness.map(lower)
  const [lesser, greater] = [ranks.indexOf(lower(stated)), ranks.indexOf(lower(claim))]
  return lesser >= 0 && greater >= 0 && lesser <= greater
}
