import {GeneralRow} from '../../datasets/schema/general.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {cleanRow} from './clean-text.ts'
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
