import {each, type Context, type Stage} from '../../engine/stage.ts'
import {contentOf} from '../content.ts'
import {contradiction} from './licence-words.ts'
import {isAllowed, licences} from './licences.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'

interface LicenceGateOptions<C extends Config> {
  config: C
  /** SPDX identifiers, LicenseRefs, or `permissive` for all permissive ones; default: all that `licences.ts` knows. */
  allow?: readonly string[] | undefined
}

// CANN OSL 2.0 is included: it permits distribution under conditions, which the card states with the purpose. OSL 1.0
// is excluded, because its full text is not available and its conditions are unknown; so is NOASSERTION. Remove OSL
// 2.0 for an unrestricted set.
export const defaultAllow: readonly string[] = Object.keys(licences)

/**
 * Drops records whose source, or another passage shown to their writer, may not be redistributed:
 * `licence-not-allowed`, with the licence and the repository; and records whose own text or code contradicts their
 * claim: `licence-contradicted`, with its words.
 */
export default function licenceGate<C extends Config>(options: LicenceGateOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, allow = defaultAllow} = options

  function check(record: RecordOf[C], context: Context): readonly RecordOf[C][] {
    const origins = [record.origin, ...('evidence' in record ? (record.evidence ?? []) : [])]
    const refused = origins.find(({licence}) => !isAllowed(licence, allow))
    if (refused) return context.drop(record, 'licence-not-allowed', `${refused.licence} of ${refused.repository}`)
    // A passage shown to the writer may be quoted, so its licence must be allowed too.
    const claim = [...new Set(origins.map(({licence}) => licence))].join(' AND ')
    const {prompt, replies, files} = contentOf(config, record)
    const texts = [
      ['prompt', prompt],
      ...replies.map((text) => ['answer', text]),
      ...files.map((it) => [it.path, it.text]),
    ]
    for (const [place = '', text = ''] of texts) {
      const words = contradiction(text, claim)
      if (words !== undefined)
        return context.drop(record, 'licence-contradicted', `"${words}" in ${place}, under ${claim}`)
    }
    return [record]
  }

  return {
    name: 'licence-gate',
    version: 3,
    options: {config, allow: [...allow]},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each(check),
  }
}
