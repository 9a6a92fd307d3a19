import type {Described, HostFacts, KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {formulas} from './formula.ts'
import {roleLines} from './role-lines.ts'
import {isSize} from './host-sizes.ts'
import {type MemoryPlan, memoryPlans, ubBytes} from './memory-plan.ts'
import type {Statement} from '../../cpp/syntax.ts'

/** Facts as short lines for a prompt: names, numbers and expressions, no sentences that a model would copy. */
export function factSheet(source: OperatorSource, described: Described): string {
  const lines = [
    ['operator', `${source.operator}, ${source.side} side, ${source.role} file ${source.target.path}`],
    ['its documentation says', source.purpose?.text ?? ''],
    ['documented formula', source.purpose?.formulas.join('; ') ?? ''],
    [
      'first dtypes',
      Object.entries(source.dtypes)
        .map(([name, dtype]) => `${name}: ${dtype}`)
        .join(', '),
    ],
    [
      'constants',
      [...described.facts.constants]
        .slice(0, 24)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', '),
    ],
    ...linesOf(described),
  ] as [string, string][]
  return lines
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `- ${label}: ${value}`)
    .join('\n')
}

function linesOf(described: Described): [string, string][] {
  if (described.role === 'kernel') return kernelLines(described.facts)
  return described.role === 'tiling' ? hostLines(described.facts) : roleLines(described)
}

function kernelLines(facts: KernelFacts): [string, string][] {
  return [
    ['entry', facts.entries.map(({name, parameters}) => `${name}(${parameters.join(', ')})`).join('; ')],
    ['methods', facts.methods.map(({syntax, role}) => `${syntax.name} (${role})`).join(', ')],
    [
      'formula',
      formulas(facts)
        .map(({output, expression}) => `${output} = ${expression}`)
        .join('; '),
    ],
    [
      'buffers',
      facts.buffers
        .map(({name, position, count, bytes}) => `${name} ${position}, ${count} × ${bytes === '' ? '?' : bytes}`)
        .join('; '),
    ],
    [
      'unified buffer',
      memoryPlans(facts)
        .flatMap((plan) => planLine(plan) ?? [])
        .join('; '),
    ],
    ['split over cores', facts.split.map(({statement}) => statement).join('; ')],
    ['tiling fields', facts.tilingFields.join(', ')],
    ['tiling keys', facts.tilingKeys.join(', ')],
    ['movement', facts.moves.map(({api, direction, method}) => `${api} ${direction} in ${method}`).join('; ')],
    [
      'vector instructions',
      [...new Set(facts.vectorCalls.map(({method, call}) => `${method}: ${call.name}`))].join(', '),
    ],
    [
      'synchronisation',
      [
        ...new Set(
          facts.synchronisation.map(
            ({call}) => `${call.name}${call.templates.length > 0 ? `<${call.templates.join(', ')}>` : ''}`,
          ),
        ),
      ].join(', '),
    ],
  ]
}

function planLine({owner, perUnit, fixed, lengths, most}: MemoryPlan): string | undefined {
  if (most === undefined) return undefined
  const sum = `${fixed} + ${perUnit} × ${lengths.join(' × ')} bytes of ${ubBytes}; at most ${most}`
  return owner === '' ? sum : `${owner}: ${sum}`
}

function hostLines(facts: HostFacts): [string, string][] {
  return [
    [
      'inputs',
      facts.definitions
        .flatMap(({inputs}) => inputs)
        .map(({name, dtypes}) => `${name}: ${[...new Set(dtypes)].join('/')}`)
        .join(', '),
    ],
    [
      'outputs',
      facts.definitions
        .flatMap(({outputs}) => outputs)
        .map(({name, dtypes}) => `${name}: ${[...new Set(dtypes)].join('/')}`)
        .join(', '),
    ],
    ['tiling fields', facts.sets.map(({field, operator, value}) => `${field} ${operator} ${value}`).join('; ')],
    ['size formulas', facts.flows.flatMap(({statements}) => statements.filter(isSize).map(lineOf)).join('; ')],
    ['block dimension', facts.launch.cores.map(lineOf).join('; ')],
    ['tiling keys', facts.launch.keys.map(lineOf).join('; ')],
    ['workspace', facts.launch.workspace.map(lineOf).join('; ')],
    ['refused when', facts.refusals.map(({condition}) => condition).join('; ')],
  ]
}

/** A statement with the conditions on which it runs. */
function lineOf({kind, target, operator, text, branches}: Statement): string {
  const conditions = branches.map(({condition, arm}) => {
    if (arm === 'then') return condition
    return arm === 'else' ? `not (${condition})` : `${condition} is ${arm.case}`
  })
  const statement = kind === 'value' ? `${target} ${operator} ${text}` : text
  return conditions.length === 0 ? statement : `${statement} where ${conditions.join(' and ')}`
}
