import {count, type DropCount} from './card-sections.ts'
import {foreignText} from './foreign-text.ts'

/** What one release was decontaminated against. */
export interface HeldOutSources {
  release: string
  /** Names of held-out task folders and benchmark checkouts; the bundled held-out tasks if none were configured. */
  heldOut: readonly string[]
  benchmarks: readonly string[]
  /** Operator traits that were also grounds for refusal. */
  operatorsBy: readonly string[]
}

const byRequest = 'and by requests for such an operator by name that are answered with code'

/** What the rows were checked against, and how many were refused; '' if no release recorded it. */
export function decontaminationSection(sources: readonly HeldOutSources[], drops: readonly DropCount[]): string {
  if (sources.length === 0) return ''
  const lines = sources.map(({release, heldOut, benchmarks, operatorsBy}) => {
    const named = [...heldOut, ...benchmarks].map(foreignText)
    const refused = drops
      .filter(({recipe, stage}) => recipe === release && stage === 'decontaminate')
      .flatMap(({reasons}) => Object.values(reasons))
      .reduce((sum, rows) => sum + rows, 0)
    const own = operatorsBy.filter((trait) => trait !== 'request')
    const requests = own.length < operatorsBy.length ? `, ${byRequest}` : ''
    const traits = `${requests}${own.length > 0 ? `, and by ${own.join(' and ')} of the operator` : ''}`
    return `- \`${release}\`: ${named.join(', ')}; by content${traits}. Refused: ${count(refused)}.`
  })
  const without = sources.filter(({benchmarks}) => benchmarks.length === 0).map(({release}) => `\`${release}\``)
  const warning =
    without.length === 0
      ? []
      : [
          `**No benchmark was given to ${without.join(', ')}**: before you report a score on one, make the release ` +
            'again with `--benchmark <checkout>`.',
        ]
  return [
    '## Decontamination',
    'Prompts, replies and code were compared with these tasks and answers:',
    lines.join('\n'),
    ...warning,
  ].join('\n\n')
}
