import {each, type Context, type Stage} from '../engine/stage.ts'
import {licences} from './licences.ts'
import {recordSchemas, type Config, type RecordOf} from './schema/export.ts'

interface LicenceGateOptions<C extends Config> {
  config: C
  /** Identifiers that may be exported. */
  allow?: readonly string[] | undefined
}

// CANN OSL 2.0 is in: it permits distribution under conditions, and the card states them and the purpose. CANN OSL 1.0
// is out, as its full text is not to be found and its conditions are therefore unknown; so is NOASSERTION. Leave OSL
// out for an unrestricted set.
const defaultAllow: readonly string[] = Object.keys(licences)

/**
 * Drops records whose source, or a passage that their writer was shown beside it, may not be redistributed:
 * `licence-not-allowed`, with the licence and the repository.
 */
export default function licenceGate<C extends Config>(options: LicenceGateOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, allow = defaultAllow} = options
  const allowed = new Set(allow)

  function check(record: RecordOf[C], context: Context): readonly RecordOf[C][] {
    const origins = [record.origin, ...('evidence' in record ? (record.evidence ?? []) : [])]
    const refused = origins.find(({licence}) => !allowed.has(licence))
    if (!refused) return [record]
    return context.drop(record, 'licence-not-allowed', `${refused.licence} of ${refused.repository}`)
  }

  return {
    name: 'licence-gate',
    version: 2,
    options: {config, allow: [...allow]},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each(check),
  }
}
