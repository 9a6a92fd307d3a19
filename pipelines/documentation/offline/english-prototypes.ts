import type {Prototype} from '../prototype.ts'
import type {AskOf, FormFact} from './ask.ts'
import type {Draft} from './draft.ts'
import {clause, counted, list, recall} from './english-words.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked} from './text.ts'

type Prototypes = AskOf<'prototypes'>

export function prototypes(ask: Prototypes): Draft {
  const [only] = ask.prototypes.length === 1 ? ask.prototypes : []
  const shared = only
    ? ''
    : ifAny(ask.shared, (names) => `All forms have ${list(names.map((name) => told(name, ask)))}.`)
  const forms = ask.prototypes.map((_, index) => form(index, ask))
  return {
    question: question(ask),
    reasoning: lines(
      'The interface follows from what it has to do.',
      recall(ask.purpose, ask.api),
      shared,
      only ? ifAny(only.parameters, () => `In the order of the call: ${inOrder(only, ask)}.`) : '',
      ...forms,
      result(ask),
    ),
    answer: blocks(
      codeBlock(ask.prototypes.map(({text}) => `${text};`).join('\n\n')),
      only ? explained(only, ask) : lines(shared, ...forms),
    ),
  }
}

function question({api, forms, prototypes: [first, ...others]}: Prototypes): string {
  if (forms.some(({name}) => name !== ''))
    return `Which functions make up ${api} of Ascend C? Give their prototypes and explain the parameters.`
  if (others.length > 0) return `Which forms does ${api} of Ascend C have, and how do they differ?`
  return first!.parameters.length === 0
    ? `How is ${api} of Ascend C declared, and what type does it return?`
    : `Give the prototype of ${api} in Ascend C and explain its parameters.`
}

/** A parameter by its name, with what the page says of it. */
function told(name: string, {parameters}: Prototypes): string {
  const fact = parameters.find((each) => each.names.includes(name))
  return fact ? `${name} (${clause(fact.meaning[0] ?? '')})` : name
}

function inOrder({parameters}: Prototype, ask: Prototypes): string {
  return parameters
    .map(({name, type}, index) => `parameter ${index + 1} is ${told(name, ask)}, of type ${ticked(type)}`)
    .join('; ')
}

function explained({parameters, returns}: Prototype, ask: Prototypes): string {
  if (parameters.length === 0) return `It has no parameters and returns ${ticked(returns || ask.api)}.`
  const items = parameters.map(({name, type}) => {
    const text = told(name, ask)
    return text === name ? `${name}, of type ${ticked(type)}` : text
  })
  return bulletList(items)
}

function form(index: number, ask: Prototypes): string {
  const prototype = ask.prototypes[index]!
  const {name, own, twin} = ask.forms[index]!
  const several = ask.prototypes.length > 1
  const label = name || (several ? `Form ${index + 1}` : prototype.name)
  if (twin) return `${label} has the same parameter names as ${likeness(twin, prototype, ask)}.`
  const {length} = prototype.parameters
  const traits = [
    ...templates(prototype),
    counted(length === 0 ? 'no' : length, 'parameter'),
    ...(several && own.length > 0 ? [`of its own ${list(own.map((each) => told(each, ask)))}`] : []),
    ...(haveOneResult(ask) ? [] : [`returns ${ticked(prototype.returns)}`]),
  ]
  return `${label}: ${traits.join(', ')}.`
}

function likeness({form: at, differs}: NonNullable<FormFact['twin']>, prototype: Prototype, ask: Prototypes): string {
  const other = ask.forms[at]!.name || `form ${at + 1}`
  const types = differs.map(({name, here, there}) => `${name} is ${ticked(here)} instead of ${ticked(there)}`)
  if (types.length > 0) return `${other}; ${list(types)}`
  return `${other}${ifAny(templateNames(prototype), (names) => `; its template parameters are ${list(names)}`)}`
}

function templateNames({templates: all}: Prototype): string[] {
  return all
    .filter(({name}) => name !== '')
    .map(({name, defaultValue}) => (defaultValue === undefined ? name : `${name} (default ${defaultValue})`))
}

function templates(prototype: Prototype): string[] {
  const names = templateNames(prototype)
  if (names.length === 0) return []
  return [`template parameter${names.length === 1 ? '' : 's'} ${list(names)}`]
}

function haveOneResult({prototypes: all}: Prototypes): boolean {
  return new Set(all.map(({returns}) => returns)).size === 1
}

function result(ask: Prototypes): string {
  const {returns} = ask.prototypes[0]!
  if (!haveOneResult(ask) || returns === '') return ''
  return returns === 'void' ? 'Nothing is returned.' : `The return type is ${ticked(returns)}.`
}
