/** What the card says about a licence, and how the Hub spells it. Facts about licences, not legal advice. */
interface Licence {
  name: string
  /** Where to read its text. */
  url: string
  /** The Hub's key, or undefined where the card has to say `other`. */
  hub?: string
  /** What a redistributor has to do, in a sentence. */
  duties: string
}

export const licences: Readonly<Record<string, Licence>> = {
  'Apache-2.0': {
    name: 'Apache License 2.0',
    url: 'https://www.apache.org/licenses/LICENSE-2.0',
    hub: 'apache-2.0',
    duties: 'Redistribute with the licence text and the notices; say what was changed.',
  },
  MIT: {
    name: 'MIT License',
    url: 'https://opensource.org/license/mit',
    hub: 'mit',
    duties: 'Keep the copyright notice and the licence text.',
  },
  'BSD-2-Clause': {
    name: 'BSD 2-Clause License',
    url: 'https://opensource.org/license/bsd-2-clause',
    hub: 'bsd-2-clause',
    duties: 'Keep the copyright notice and the licence text.',
  },
  'BSD-3-Clause': {
    name: 'BSD 3-Clause License',
    url: 'https://opensource.org/license/bsd-3-clause',
    hub: 'bsd-3-clause',
    duties: "Keep the copyright notice and the licence text; do not use the authors' names for endorsement.",
  },
  'CC-BY-4.0': {
    name: 'Creative Commons Attribution 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    hub: 'cc-by-4.0',
    duties: 'Name the source and the licence, and say what was changed; every row names its source.',
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
