import type {Decision} from './schema/decision.ts'

/** Names in code that a decision mentions, without ordinary words. */
export function namesOfDecision({subject, values, because}: Decision): string[] {
  const texts = [subject, ...Object.values(values).flat().map(String)]
  const code = because.flatMap((one) => {
    if (one.kind === 'fact') return [one.code]
    return one.kind === 'arithmetic' ? [one.name] : []
  })
  return [...texts, ...code].flatMap((one) => one.match(/\b(?=\w*[A-Z_\d])[A-Za-z_]\w+/g) ?? [])
}
