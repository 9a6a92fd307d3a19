import type {Prototype} from '../../prototype.ts'
import {type ParameterFact, saysRange} from '../../parameter-table.ts'
import type {Draft} from '../draft.ts'
import {factOf, type Form, type FormsAsk, isReserved, membersOf, variedIn} from '../kinds/forms-ask.ts'
import {alikeElements, requiredCount, type TemplateUse, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked, typeLimit} from '../text.ts'
import {be, clause, counted, list, listOr} from './english-words.ts'

export function forms(ask: FormsAsk): Draft {
  const [only, ...others] = ask.forms
  return others.length === 0 && only!.variants.length === 0 ? oneForm(only!.prototype, ask) : severalForms(ask)
}

function oneForm(prototype: Prototype, ask: FormsAsk): Draft {
  const names = prototype.parameters.map(({name}) => name)
  const written = templateUses(prototype).filter(({how}) => how !== 'deduced')
  const clauses = [
    ifAny(names, (each) => `what is passed as ${list(each)}`),
    ifAny(written, (each) => `must ${list(each.map(({name}) => name))} be written as a template argument`),
    requiredCount(prototype) < names.length ? 'what can be left out' : '',
  ].filter(Boolean)
  return {
    question: `In a call of ${ask.api} of Ascend C, ${clauses.join(', and ')}?`,
    reasoning: lines(
      byDirection(prototype, ask),
      byType(prototype, ask),
      templateRules([prototype], ask),
      optional(prototype),
    ),
    answer: blocks(
      codeBlock(`${prototype.text};`),
      bulletList(prototype.parameters.map((parameter) => told(parameter, ask))),
      bulletList(templateUses(prototype).map((use) => toldTemplate(use, ask))),
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

function byType({parameters}: Prototype, ask: FormsAsk): string {
  const types = [...new Set(parameters.map(({type}) => type))]
  const named = types.map((type) => {
    const names = parameters.filter((each) => each.type === type).map(({name}) => name)
    const limit = ask.parameters.some((fact) => saysRange(fact, names)) ? undefined : typeLimit([type])
    const bound = limit ? ` (${limit.bits} bits, ${limit.max} at most)` : ''
    return `${list(names)} ${be(names.length)} ${ticked(type)}${bound}`
  })
  return ifAny(named, (each) => `By type, ${each.join('; ')}.`)
}

/** What holds for all forms: what only one of them demands would read as a rule for the others. */
function templateRules(prototypes: readonly Prototype[], ask: FormsAsk): string {
  const [first = [], ...others] = prototypes.map((prototype) => templateRulesOf(prototype, ask))
  const rules = first.filter((rule) => others.every((one) => one.includes(rule)))
  return ifAny(rules, (each) => `Of the template parameters: ${each.join('; ')}.`)
}

function templateRulesOf(prototype: Prototype, {forms, parameters}: FormsAsk): string[] {
  const alike = alikeElements(prototype, variedIn(forms)).map(
    ({template, names}) => `${list(names)} share the element type ${template}, so it must be the same`,
  )
  const uses = templateUses(prototype).map(({name, how, defaultValue}) => {
    if (how === 'deduced') return `${name} follows from the arguments and need not be written`
    if (isReserved(name, parameters)) return `${name} is reserved and keeps its default`
    if (how === 'before') return `${name} stands before one that must be written, so it is written too`
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

function told({name, type, defaultValue}: Prototype['parameters'][number], {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  const direction = fact ? directionOf(fact) : ''
  const optional = defaultValue === undefined ? '' : ` (may be left out, then ${defaultValue})`
  const meaning = fact && fact.meaning.length > 0 ? meaningOf(fact) : ticked(type)
  return `${name}${direction}: ${meaning}${optional}${toldMembers(type, {parameters}).join('')}`
}

function toldMembers(type: string, {parameters}: Pick<FormsAsk, 'parameters'>): string[] {
  return membersOf(type, parameters).map((member) => `\n  - ${member.name}: ${meaningOf(member)}`)
}

function directionOf({direction}: ParameterFact): string {
  if (direction === '') return ''
  return direction === 'both' ? ' (input and output)' : ` (${direction})`
}

function meaningOf({meaning, choices}: ParameterFact): string {
  return [...meaning, ...choices.map(({name, text}) => `${name}: ${text}`)].map(clause).join('; ')
}

function toldTemplate(use: TemplateUse, {parameters}: FormsAsk): string {
  const fact = factOf(use.name, parameters)
  const meaning = fact && fact.meaning.length > 0 ? `: ${meaningOf(fact)}` : ''
  return `Template parameter ${use.name}${meaning} (${howGiven(use)})`
}

function howGiven({how, defaultValue}: TemplateUse): string {
  if (how === 'deduced') return 'follows from the arguments'
  if (how === 'before') return 'written, since one after it must be'
  return how === 'default' ? `may be left out, then ${defaultValue}` : 'must be written'
}

function result({returns}: Prototype): string {
  if (returns === '') return ''
  return returns === 'void' ? 'Nothing is returned.' : `The return type is ${ticked(returns)}.`
}

/** A range that the page gives says more than the width of the type. */
function severalForms(ask: FormsAsk): Draft {
  const prototypes = ask.forms.map(({prototype}) => prototype)
  return {
    question: whichForm(ask),
    reasoning: lines(
      ask.forms.some(({own}) => own.length > 0)
        ? ifAny(ask.shared, (names) => `Every form has ${list(names)}, so the other parameters decide.`)
        : '',
      ...ask.forms.map((form, index) => difference(form, label(index, ask))),
      templateRules(prototypes, ask),
    ),
    answer: blocks(
      codeBlock(prototypes.map(({text}) => `${text};`).join('\n\n')),
      bulletList(ask.forms.map((form, index) => choice(form, label(index, ask)))),
      bulletList([...ask.notes, ...omissions(ask)]),
      ifAny(explained(ask, prototypes), (each) => `The parameters:\n${bulletList(each)}`),
    ),
  }
}

function omissions(ask: FormsAsk): string[] {
  return ask.forms.flatMap(({prototype}, index) => {
    const told = optional(prototype)
    return told === '' ? [] : [`${label(index, ask)}: ${told}`]
  })
}

function whichForm({api, forms: all}: FormsAsk): string {
  const names = [...new Set(all.map(({name}) => name).filter(Boolean))]
  if (names.length > 0) return `How are ${list(names)} of ${api} in Ascend C called?`
  if (all.length > 1 && all.every(({use}) => use !== ''))
    return `${api} of Ascend C has ${all.length} forms: when is each of them called, and with what?`
  const own = [...new Set(all.flatMap((form) => form.own))]
  if (own.length > 0)
    return `${api} of Ascend C has ${all.length} forms: how do they differ in ${list(own.slice(0, 3))}?`
  const varied = [...new Set(all.flatMap(({variants}) => variants.map(({name}) => name)))]
  if (varied.length > 0) return `Which types may ${list(varied)} have in a call of ${api} of Ascend C?`
  return `${api} of Ascend C has ${all.length} forms with the same parameters: what sets them apart?`
}

function label(index: number, {forms: all}: FormsAsk): string {
  const {name} = all[index]!
  const isOnly = all.filter((form) => form.name === name).length === 1
  if (name !== '' && isOnly) return name
  return name === '' ? `Form ${index + 1}` : `${name}, form ${index + 1}`
}

function difference({prototype: {parameters}, own, variants}: Form, name: string): string {
  const parts = [
    counted(parameters.length, 'argument'),
    ifAny(own, (names) => `of these ${list(names)} not in every form`),
    ifAny(variants, (each) => each.map(typesOf).join(', ')),
  ].filter(Boolean)
  return `${name}: ${parts.join('; ')}.`
}

function typesOf({name, types}: Form['variants'][number]): string {
  return types.length === 1 ? `${name} is ${ticked(types[0]!)}` : `${name} of ${types.length} types`
}

/** What the form is for and what it takes. */
function choice({prototype: {parameters}, use, variants, together, templates}: Form, name: string): string {
  const given = parameters.map((parameter) => parameter.name)
  const types = together
    ? [`(${list(together.names)}) may be ${listOr(together.types.map((each) => `(${each.map(ticked).join(', ')})`))}`]
    : variants.map(({name: of, types: all}) => `${of} ${all.length === 1 ? 'is' : 'may be'} ${listOr(all.map(ticked))}`)
  const written = ifAny(templates, (names) => `template parameters ${list(names)}`)
  const parts = [given.length === 0 ? 'pass nothing' : `pass ${list(given)}`, ...types, written].filter(Boolean)
  return `${name}${use === '' ? '' : ` (${use})`}: ${parts.join('; ')}`
}

/** What is passed, each name once, and the element types: no call writes them, yet they decide what may be passed. */
function explained(ask: FormsAsk, prototypes: readonly Prototype[]): string[] {
  const given = prototypes.flatMap((form) => [...form.parameters, ...form.templates])
  return [...new Set(given.map(({name}) => name))].flatMap((name) => {
    const fact = factOf(name, ask.parameters)
    if (!fact || fact.meaning.length === 0) return []
    const types = given.filter((each) => each.name === name).map(({type}) => type)
    const members = [...new Set(types.flatMap((type) => toldMembers(type, ask)))]
    return [`${name}${directionOf(fact)}: ${meaningOf(fact)}${members.join('')}`]
  })
}
