import type {
  ApiFacts,
  DefinitionFacts,
  Described,
  InferenceFacts,
  LibraryFacts,
} from '../../datasets/schema/code-facts.ts'
import {checksOf} from './api-facts.ts'

type Line = [label: string, value: string]

/** Facts of files that are neither kernel nor tiling, as labelled lines; a value may be ''. */
export function roleLines(described: Exclude<Described, {role: 'kernel' | 'tiling'}>): Line[] {
  if (described.role === 'definition') return definitionLines(described.facts)
  if (described.role === 'infer-shape') return inferenceLines(described.facts)
  return described.role === 'api' ? apiLines(described.facts) : libraryLines(described.facts)
}

function definitionLines({tensors, columns, attributes, chips, registration}: DefinitionFacts): Line[] {
  return [
    [
      'tensors',
      tensors.map(({name, direction, kind, properties}) => [direction, name, kind, ...properties].join(' ')).join('; '),
    ],
    ['type columns', columns.map((one) => one.join(' ')).join('; ')],
    ['formats', [...new Set(tensors.flatMap(({formats}) => formats))].join(', ')],
    [
      'attributes',
      attributes
        .map(({name, type, isRequired, default: value}) => `${name} ${type} ${isRequired ? 'required' : `= ${value}`}`)
        .join('; '),
    ],
    ['chips', chips.map(({chip, flags}) => `${chip}${flags.length > 0 ? ` (${flags.join(', ')})` : ''}`).join('; ')],
    ['registration', registration],
  ]
}

function inferenceLines(facts: InferenceFacts): Line[] {
  return [
    ['functions', facts.functions.map(({name}) => name).join(', ')],
    ['reads', [...facts.reads.inputs, ...facts.reads.values, ...facts.reads.attributes].join(', ')],
    ['shapes of outputs', facts.writes.map(({text, method}) => `${text} in ${method}`).join('; ')],
    ['types of outputs', facts.types.map(({text}) => text).join('; ')],
    ['shared rules', facts.rules.join(', ')],
    [
      'handles',
      [facts.handlesUnknownRank && 'unknown rank', facts.handlesUnknownDims && 'unknown dimensions']
        .filter(Boolean)
        .join(', '),
    ],
    ['negative axes', facts.axes.join('; ')],
    ['refused when', facts.refusals.join('; ')],
    [
      'registration',
      facts.registrations
        .map(({macro, calls}) => [macro, ...calls.map(({name, args}) => `${name}(${args})`)].join('.'))
        .join('; '),
    ],
  ]
}

function apiLines(facts: ApiFacts): Line[] {
  return [
    ['functions', facts.functions.map(({name}) => name).join(', ')],
    ['declares', facts.prototypes.map(({name}) => name).join(', ')],
    ['type lists', facts.lists.map(({name, dtypes}) => `${name} = ${dtypes.join(' ')}`).join('; ')],
    [
      'checks',
      facts.functions
        .flatMap((one) => checksOf(one).map(({kind, subjects}) => `${one.name}: ${kind} ${subjects.join(', ')}`))
        .slice(0, 30)
        .join('; '),
    ],
    ['status of failed checks', [...facts.statuses].map(([name, status]) => `${name} → ${status}`).join(', ')],
    [
      'steps',
      [...facts.steps].flatMap(([plan, steps]) => steps.map(({kind, text}) => `${plan} ${kind}: ${text}`)).join('; '),
    ],
    ['built on', facts.computations.join(', ')],
    ['queued', facts.launches.map(({method, unit}) => `${unit} in ${method}`).join('; ')],
  ]
}

function libraryLines({functions, prototypes, kernel, temporaries, masks, sizes}: LibraryFacts): Line[] {
  return [
    ['functions', functions.map(({name}) => name).join(', ')],
    ['declares', prototypes.map(({name}) => name).join(', ')],
    ['working memory', temporaries.map(({text}) => text).join('; ')],
    ['sizes', sizes.map(({text, method}) => `${method}: ${text}`).join('; ')],
    [
      'vector instructions',
      [...new Set(kernel.vectorCalls.map(({method, call}) => `${method}: ${call.name}`))].join(', '),
    ],
    ['masks', masks.join(', ')],
    ['synchronisation', [...new Set(kernel.synchronisation.map(({call}) => call.name))].join(', ')],
  ]
}
