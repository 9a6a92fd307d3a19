import type {Prototype} from '../../prototype.ts'
import {type ParameterFact, saysRange} from '../../parameter-table.ts'
import type {Draft} from '../draft.ts'
import {factOf, type Form, type FormsAsk, isReserved, membersOf, variedIn} from '../kinds/forms-ask.ts'
import {alikeElements, requiredCount, type TemplateUse, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked, trimStop, typeLimit} from '../text.ts'
import {directions, list, listAnd} from './chinese-words.ts'

export function forms(ask: FormsAsk): Draft {
  const [only, ...others] = ask.forms
  return others.length === 0 && only!.variants.length === 0 ? oneForm(only!.prototype, ask) : severalForms(ask)
}

function oneForm(prototype: Prototype, ask: FormsAsk): Draft {
  const names = prototype.parameters.map(({name}) => name)
  const written = templateUses(prototype).filter(({how}) => how !== 'deduced')
  const clauses = [
    names.length > 1 ? `${listAnd(names)}各传什么` : names.map((name) => `${name}怎么传`).join(''),
    ifAny(written, (each) => `模板参数${list(each.map(({name}) => name))}要不要写`),
    requiredCount(prototype) < names.length ? '哪些参数可以省略' : '',
  ].filter(Boolean)
  return {
    question: `调用Ascend C的${ask.api}，${clauses.join('，')}？`,
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
  if (parameters.length === 0) return '没有函数参数。'
  const of = (...wanted: string[]) =>
    parameters.map(({name}) => name).filter((name) => wanted.includes(factOf(name, ask.parameters)?.direction ?? ''))
  const parts = [
    ifAny(of('input', 'both'), (names) => `${list(names)}由调用者给出`),
    ifAny(of('output', 'both'), (names) => `${list(names)}由接口写入，调用前要先准备好`),
  ].filter(Boolean)
  return `${parameters.length}个参数${ifAny(parts, (each) => `里，${each.join('；')}`)}。`
}

function byType({parameters}: Prototype, ask: FormsAsk): string {
  const types = [...new Set(parameters.map(({type}) => type))]
  const named = types.map((type) => {
    const names = parameters.filter((each) => each.type === type).map(({name}) => name)
    const limit = ask.parameters.some((fact) => saysRange(fact, names)) ? undefined : typeLimit([type])
    return `${list(names)}是${ticked(type)}${limit ? `（${limit.bits}位，最大${limit.max}）` : ''}`
  })
  return ifAny(named, (each) => `从类型看，${each.join('；')}。`)
}

/** What holds for all forms: what only one of them demands would read as a rule for the others. */
function templateRules(prototypes: readonly Prototype[], ask: FormsAsk): string {
  const [first = [], ...others] = prototypes.map((prototype) => templateRulesOf(prototype, ask))
  const rules = first.filter((rule) => others.every((one) => one.includes(rule)))
  return ifAny(rules, (each) => `${each.join('；')}。`)
}

function templateRulesOf(prototype: Prototype, {forms, parameters}: FormsAsk): string[] {
  const alike = alikeElements(prototype, variedIn(forms)).map(
    ({template, names}) => `${listAnd(names)}的元素类型都是${template}，所以必须相同`,
  )
  const uses = templateUses(prototype).map(({name, how, defaultValue}) => {
    if (how === 'deduced') return `${name}可以从实参推导，不必写`
    if (isReserved(name, parameters)) return `${name}是预留的，用默认值`
    if (how === 'before') return `${name}排在必须写的模板参数前面，所以也要写`
    return how === 'default'
      ? `${name}有默认值${defaultValue}，要用别的值才写`
      : `${name}不能从实参推导，调用时要写在尖括号里`
  })
  return [...alike, ...uses]
}

function optional(prototype: Prototype): string {
  const {parameters} = prototype
  const given = parameters.filter(({defaultValue}) => defaultValue !== undefined)
  const defaults = given.map(({name, defaultValue}) => `${name}默认${defaultValue}`)
  return ifAny(defaults, (each) => `${list(each)}，所以最少给${requiredCount(prototype)}个实参。`)
}

function told({name, type, defaultValue}: Prototype['parameters'][number], {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  const direction = fact && fact.direction !== '' ? `（${directions[fact.direction]}）` : ''
  const optional = defaultValue === undefined ? '' : `（可以省略，默认${defaultValue}）`
  const meaning = fact && fact.meaning.length > 0 ? meaningOf(fact) : ticked(type)
  return `${name}${direction}：${meaning}${optional}${toldMembers(type, {parameters}).join('')}`
}

function toldMembers(type: string, {parameters}: Pick<FormsAsk, 'parameters'>): string[] {
  return membersOf(type, parameters).map((member) => `\n  - ${member.name}：${meaningOf(member)}`)
}

function meaningOf({meaning, choices}: ParameterFact): string {
  return [...meaning, ...choices.map(({name, text}) => `${name}：${text}`)].map(trimStop).join('；')
}

function toldTemplate(use: TemplateUse, {parameters}: FormsAsk): string {
  const fact = factOf(use.name, parameters)
  const meaning = fact && fact.meaning.length > 0 ? `：${meaningOf(fact)}` : ''
  return `模板参数${use.name}${meaning}（${howGiven(use)}）`
}

function howGiven({how, defaultValue}: TemplateUse): string {
  if (how === 'deduced') return '由实参推导，不必写'
  if (how === 'before') return '后面有必须写的模板参数，所以也要写'
  return how === 'default' ? `可以不写，默认${defaultValue}` : '必须写出'
}

function result({returns}: Prototype): string {
  if (returns === '') return ''
  return returns === 'void' ? '没有返回值。' : `返回类型是${ticked(returns)}。`
}

/** A range that the page gives says more than the width of the type. */
function severalForms(ask: FormsAsk): Draft {
  const prototypes = ask.forms.map(({prototype}) => prototype)
  return {
    question: whichForm(ask),
    reasoning: lines(
      ask.forms.some(({own}) => own.length > 0)
        ? ifAny(ask.shared, (names) => `各形式都有${list(names)}，所以要看其余的参数。`)
        : '',
      ...ask.forms.map((form, index) => difference(form, label(index, ask))),
      templateRules(prototypes, ask),
    ),
    answer: blocks(
      codeBlock(prototypes.map(({text}) => `${text};`).join('\n\n')),
      bulletList(ask.forms.map((form, index) => choice(form, label(index, ask)))),
      bulletList([...ask.notes.map(trimStop), ...omissions(ask)]),
      ifAny(explained(ask, prototypes), (each) => `参数的含义：\n${bulletList(each)}`),
    ),
  }
}

function omissions(ask: FormsAsk): string[] {
  return ask.forms.flatMap(({prototype}, index) => {
    const told = optional(prototype)
    return told === '' ? [] : [`${label(index, ask)}：${told}`]
  })
}

function whichForm({api, forms: all}: FormsAsk): string {
  const names = [...new Set(all.map(({name}) => name).filter(Boolean))]
  if (names.length > 0) return `Ascend C的${api}里，${listAnd(names)}分别怎样调用？`
  if (all.length > 1 && all.every(({use}) => use !== ''))
    return `Ascend C的${api}有${all.length}种调用形式，各用在什么情况下，要传什么？`
  const own = [...new Set(all.flatMap((form) => form.own))]
  if (own.length > 0) return `Ascend C的${api}有${all.length}种调用形式，在${listAnd(own.slice(0, 3))}上有什么不同？`
  const varied = [...new Set(all.flatMap(({variants}) => variants.map(({name}) => name)))]
  if (varied.length > 0) return `调用Ascend C的${api}时，${listAnd(varied)}可以是哪些类型？`
  return `Ascend C的${api}有${all.length}种参数相同的形式，它们差在哪里？`
}

function label(index: number, {forms: all}: FormsAsk): string {
  const {name} = all[index]!
  const isOnly = all.filter((form) => form.name === name).length === 1
  return name !== '' && isOnly ? name : `${name}形式${index + 1}`
}

function difference({prototype: {parameters}, own, variants}: Form, name: string): string {
  const parts = [
    parameters.length === 0 ? '没有参数' : `${parameters.length}个参数`,
    ifAny(own, (names) => `其中${list(names)}不是各形式都有`),
    ifAny(variants, (each) => each.map(typesOf).join('，')),
  ].filter(Boolean)
  return `${name}：${parts.join('，')}。`
}

function typesOf({name, types}: Form['variants'][number]): string {
  return types.length === 1 ? `${name}是${ticked(types[0]!)}` : `${name}有${types.length}种类型`
}

/** What the form is for and what it takes. */
function choice({prototype: {parameters}, use, variants, together, templates}: Form, name: string): string {
  const given = parameters.map((parameter) => parameter.name)
  const types = together
    ? [`（${list(together.names)}）可以是${list(together.types.map((each) => `（${list(each.map(ticked))}）`))}`]
    : variants.map(({name: of, types: all}) => `${of}${all.length === 1 ? '' : '可以'}是${list(all.map(ticked))}`)
  const written = ifAny(templates, (names) => `模板参数是${list(names)}`)
  const parts = [given.length === 0 ? '不传参数' : `传${list(given)}`, ...types, written].filter(Boolean)
  return `${name}${use === '' ? '' : `（${use}）`}：${parts.join('；')}`
}

/** What is passed, each name once, and the element types: no call writes them, yet they decide what may be passed. */
function explained(ask: FormsAsk, prototypes: readonly Prototype[]): string[] {
  const given = prototypes.flatMap((form) => [...form.parameters, ...form.templates])
  return [...new Set(given.map(({name}) => name))].flatMap((name) => {
    const fact = factOf(name, ask.parameters)
    if (!fact || fact.meaning.length === 0) return []
    const types = given.filter((each) => each.name === name).map(({type}) => type)
    const members = [...new Set(types.flatMap((type) => toldMembers(type, ask)))]
    const direction = fact.direction === '' ? '' : `（${directions[fact.direction]}）`
    return [`${name}${direction}：${meaningOf(fact)}${members.join('')}`]
  })
}
