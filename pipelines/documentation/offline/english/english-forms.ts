import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../section-facts.ts'
import type {Draft} from '../draft.ts'
import {factOf, type FormFact, type FormsAsk} from '../kinds/forms-ask.ts'
import {alikeElements, requiredCount, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked, typeLimit} from '../text.ts'
import {be, clause, counted, list} from './english-words.ts'

export function forms(ask: FormsAsk): Draft {
  const [only, ...others] = ask.prototypes
  return others.length === 0 ? oneForm(only!, ask) : severalForms(ask)
}

function oneForm(prototype: Prototype, ask: FormsAsk): Draft {
  const names = prototype.parameters.map(({name}) => name)
  const written = templateUses(prototype).filter(({how}) => how !== 'deduced')
  const clauses = [
    `what is passed as ${list(names)}`,
    ifAny(written, (each) => `must ${list(each.map(({name}) => name))} be written as a template argument`),
    requiredCount(prototype) < names.length ? 'what can be left out' : '',
  ].filter(Boolean)
  return {
    question: `In a call of ${ask.api} of Ascend C, ${clauses.join(', and ')}?`,
    reasoning: lines(byDirection(prototype, ask), byType(prototype), templateRules([prototype]), optional(prototype)),
    answer: blocks(
      codeBlock(`${prototype.text};`),
      bulletList(prototype.parameters.map(({name, type}) => told(name, type, ask))),
      bulletList(
        templateUses(prototype)
          .map(({name}) => toldTemplate(name, ask))
          .filter(Boolean),
      ),
      result(prototype),
    ),
  }
}

/** What goes in and what comes out, where the page's table tells. */
function byDirection({parameters}: Prototype, ask: FormsAsk): string {
  const of = (...wanted: string[]) =>
    parameters.map(({name}) => name).filter((name) => wanted.includes(factOf(name, ask.parameters)?.direction ?? ''))
  const parts = [
    ifAny(of('input', 'both'), (names) => `${list(names)} ${be(names.length)} given by the caller`),
    ifAny(of('output', 'both'), (names) => `${list(names)} ${be(names.length)} written and must exist before the call`),
  ].filter(Boolean)
  return `The call takes ${counted(parameters.length, 'argument')}${parts.map((part) => `; ${part}`).join('')}.`
}

function byType({parameters}: Prototype): string {
  const types = [...new Set(parameters.map(({type}) => type))]
  const named = types.map((type) => {
    const names = parameters.filter((each) => each.type === type).map(({name}) => name)
    const limit = typeLimit([type])
    const bound = limit ? ` (${limit.bits} bits, ${limit.max} at most)` : ''
    return `${list(names)} ${be(names.length)} ${ticked(type)}${bound}`
  })
  return `By type, ${named.join('; ')}.`
}

function templateRules(prototypes: readonly Prototype[]): string {
  const rules = [...new Set(prototypes.flatMap(templateRulesOf))]
  return ifAny(rules, (each) => `Of the template parameters: ${each.join('; ')}.`)
}

function templateRulesOf(prototype: Prototype): string[] {
  const alike = alikeElements(prototype).map(
    ({template, names}) => `${list(names)} share the element type ${template}, so it must be the same`,
  )
  const uses = templateUses(prototype).map(({name, how, defaultValue}) => {
    if (how === 'deduced') return `${name} follows from the arguments and need not be written`
    return how === 'default'
      ? `${name} is ${defaultValue} unless another value is written`
      : `${name} follows from no argument and must be written in angle brackets`
  })
  return [...alike, ...uses]
}

function optional(prototype: Prototype): string {
  const given = prototype.parameters.filter(({defaultValue}) => defaultValue !== undefined)
  const defaults = given.map(({name, defaultValue}) => `${name} defaults to ${defaultValue}`)
  const least = counted(requiredCount(prototype), 'argument')
  return ifAny(defaults, (each) => `Left out, ${list(each)}, so the shortest call has ${least}.`)
}

function told(name: string, type: string, {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  const direction =
    fact && fact.direction !== '' ? ` (${fact.direction === 'both' ? 'input and output' : fact.direction})` : ''
  return fact && fact.meaning.length > 0
    ? `${name}${direction}: ${meaningOf(fact)}`
    : `${name}${direction}: ${ticked(type)}`
}

function meaningOf({meaning, choices}: ParameterFact): string {
  return [...meaning, ...choices.map(({name, text}) => `${name}: ${text}`)].map(clause).join('; ')
}

function toldTemplate(name: string, {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  return fact && fact.meaning.length > 0 ? `Template parameter ${name}: ${meaningOf(fact)}` : ''
}

function result({returns}: Prototype): string {
  if (returns === '') return ''
  return returns === 'void' ? 'Nothing is returned.' : `The return type is ${ticked(returns)}.`
}

function severalForms(ask: FormsAsk): Draft {
  return {
    question: whichForm(ask),
    reasoning: lines(
      ask.forms.some(({own}) => own.length > 0)
        ? ifAny(ask.shared, (names) => `Every form has ${list(names)}, so the other parameters decide.`)
        : '',
      ...ask.prototypes.map((_, index) => difference(index, ask)),
      templateRules(ask.prototypes),
    ),
    answer: blocks(
      codeBlock(ask.prototypes.map(({text}) => `${text};`).join('\n\n')),
      bulletList(ask.prototypes.map((_, index) => choice(index, ask))),
      ifAny(explained(ask), (each) => `The parameters:\n${bulletList(each)}`),
    ),
  }
}

function whichForm({api, forms: all, prototypes}: FormsAsk): string {
  const names = all.map(({name}) => name).filter(Boolean)
  if (names.length > 0) return `How are ${list([...new Set(names)])} of ${api} in Ascend C called?`
  const own = [...new Set(all.flatMap((form) => form.own))]
  const count = prototypes.length
  if (own.length > 0) return `${api} of Ascend C has ${count} forms: when is ${list(own.slice(0, 3))} passed?`
  const differs = [...new Set(all.flatMap(({twin}) => twin?.differs.map(({name}) => name) ?? []))]
  if (differs.length > 0)
    return `The ${count} forms of ${api} in Ascend C differ in the type of ${list(differs)}: which one is to be used?`
  return `${api} of Ascend C has ${count} forms with the same parameters: what sets them apart?`
}

function label(index: number, ask: FormsAsk): string {
  return ask.forms[index]!.name || `Form ${index + 1}`
}

function difference(index: number, ask: FormsAsk): string {
  const {parameters} = ask.prototypes[index]!
  const {own, twin} = ask.forms[index]!
  if (twin) return `${label(index, ask)} has the parameter names of ${likeness(twin, index, ask)}.`
  const extra = own.length > 0 ? `, ${list(own)} not in every form` : ''
  return `${label(index, ask)} takes ${counted(parameters.length, 'argument')}${extra}.`
}

function likeness({form, differs}: NonNullable<FormFact['twin']>, index: number, ask: FormsAsk): string {
  const other = label(form, ask)
  const types = differs.map(({name, here, there}) => `${name} is ${ticked(here)} instead of ${ticked(there)}`)
  if (types.length > 0) return `${other}, but ${list(types)}`
  const templates = ask.prototypes[index]!.templates.map(({name}) => name).filter(Boolean)
  return `${other}; its template parameters differ${ifAny(templates, (names) => `: ${list(names)}`)}`
}

/** When a form is the one to take, by what only it needs. */
function choice(index: number, ask: FormsAsk): string {
  const {own, twin} = ask.forms[index]!
  const given = ask.prototypes[index]!.parameters.map(({name}) => name)
  const call = given.length === 0 ? 'pass nothing' : `pass ${list(given)}`
  if (twin && twin.differs.length > 0)
    return `${label(index, ask)}: where ${list(twin.differs.map(({name, here}) => `${name} is ${ticked(here)}`))}`
  if (own.length > 0)
    return `${label(index, ask)}: where ${list(own)} ${own.length === 1 ? 'has' : 'have'} to be set; ${call}`
  return `${label(index, ask)}: ${call}`
}

function explained(ask: FormsAsk): string[] {
  const names = [...new Set(ask.prototypes.flatMap(({parameters}) => parameters.map(({name}) => name)))]
  return names
    .map((name) => ({name, fact: factOf(name, ask.parameters)}))
    .filter(({fact}) => fact !== undefined && fact.meaning.length > 0)
    .map(({name, fact}) => `${name}: ${meaningOf(fact!)}`)
}
