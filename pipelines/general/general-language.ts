import {GeneralRow} from '../../datasets/schema/general.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {languageOf} from './language-of.ts'

interface GeneralLanguageOptions {
  /** Default both. */
  languages?: readonly ('zh' | 'en')[]
  /** Default NFC: NFKC also turns ² into 2 and full-width marks into half-width ones. */
  unicode?: 'NFC' | 'NFKC'
}

/** Used when a data set does not name its model. */
export const unknownModel = 'not stated'

/**
 * Rows → samples of kind `general`: one Unicode form, damaged texts refused, and only the selected languages. The
 * language is that of reasoning and answer, because the model learns those.
 */
export default function generalLanguage(options: GeneralLanguageOptions = {}): Stage<GeneralRow, CotSample> {
  const {languages = ['zh', 'en'], unicode = 'NFC'} = options

  function sampleOf(row: GeneralRow, {drop, stages}: Context): readonly CotSample[] {
    const clean = cleanRow(row, unicode)
    if ('reason' in clean) return drop(row, clean.reason, clean.detail)
    const language = languageOf(`${clean.reasoning}\n${clean.answer}`)
    const wanted = languages.find((one) => one === language)
    if (wanted === undefined) return drop(row, 'other-language', language)
    return [
      {
        kind: 'general',
        ...clean,
        files: [],
        language: wanted,
        origin: row.origin,
        teacher: {kind: 'model', model: row.model ?? unknownModel},
        stages,
      },
    ]
  }

  return {
    name: 'general-language',
    version: 1,
    options: {languages: [...languages], unicode},
    input: GeneralRow,
    output: CotSample,
    run: each(sampleOf),
  }
}

/** Why a text is refused. */
interface Damage {
  reason: string
  detail: string
}

/** Characters that no author intends: traces of broken decoding, and controls other than tab and line break. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * A text in one Unicode form, with line breaks as `\n`, without byte order mark or trailing blanks. NFC preserves every
 * character; traditional and simplified Chinese are never converted into each other.
 */
function cleanText(text: string, form: 'NFC' | 'NFKC'): string | Damage {
  if (/\p{Surrogate}/u.test(text)) return {reason: 'half-a-character', detail: 'a lone surrogate: no UTF-8 holds it'}
  if (text.includes('\uFFFD')) return {reason: 'damaged-text', detail: 'it holds U+FFFD, left by a broken decoding'}
  const control = controls.exec(text)
  if (control) return {reason: 'control-character', detail: `U+${hex(control[0])}`}
  return text
    .normalize(form)
    .replace(/\r\n?/g, '\n')
    .replace(/\uFEFF/g, '')
    .replace(/[ \t]+$/gm, '')
    .trim()
}

const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

/** All three texts of a row, or what is wrong with the first that is damaged. */
export function cleanRow(
  {prompt, reasoning, answer}: GeneralRow,
  form: 'NFC' | 'NFKC',
): {prompt: string; reasoning: string; answer: string} | Damage {
  const texts: string[] = []
  for (const text of [prompt, reasoning, answer]) {
    const clean = cleanText(text, form)
    if (typeof clean !== 'string') return clean
    if (clean === '') return {reason: 'empty-text', detail: 'nothing but blanks'}
    texts.push(clean)
  }
  const [one = '', two = '', three = ''] = texts
  return {prompt: one, reasoning: two, answer: three}
}
