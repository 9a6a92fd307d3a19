import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../section-facts.ts'
import type {Draft} from '../draft.ts'
import {factOf, type FormFact, type FormsAsk} from '../kinds/forms-ask.ts'
import {alikeElements, requiredCount, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked, trimStop, typeLimit} from '../text.ts'
import {directions, list, listAnd} from './chinese-words.ts'

export function forms(ask: FormsAsk): Draft {
  const [only, ...others] = ask.prototypes
  return others.length === 0 ? oneForm(only!, ask) : severalForms(ask)
}

function oneForm(prototype: Prototype, ask: FormsAsk): Draft {
  const names = prototype.parameters.map(({name}) => name)
  const written = templateUses(prototype).filter(({how}) => how !== 'deduced')
  const clauses = [
    names.length === 1 ? `${names[0]}怎么传` : `${listAnd(names)}各传什么`,
    ifAny(written, (each) => `模板参数${list(each.map(({name}) => name))}要不要写`),
    requiredCount(prototype) < names.length ? '哪些参数可以省略' : '',
  ].filter(Boolean)
  return {
    question: `调用Ascend C的${ask.api}，${clauses.join('，')}？`,
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
    ifAny(of('input', 'both'), (names) => `${list(names)}由调用者给出`),
    ifAny(of('output', 'both'), (names) => `${list(names)}由接口写入，调用前要先准备好`),
  ].filter(Boolean)
  return `${parameters.length}个参数${ifAny(parts, (each) => `里，${each.join('；')}`)}。`
}

function byType({parameters}: Prototype): string {
  const types = [...new Set(parameters.map(({type}) => type))]
  const named = types.map((type) => {
    const names = parameters.filter((each) => each.type === type).map(({name}) => name)
    const limit = typeLimit([type])
    return `${list(names)}是${ticked(type)}${limit ? `（${limit.bits}位，最大${limit.max}）` : ''}`
  })
  return `从类型看，${named.join('；')}。`
}

function templateRules(prototypes: readonly Prototype[]): string {
  const rules = [...new Set(prototypes.flatMap(templateRulesOf))]
  return ifAny(rules, (each) => `${each.join('；')}。`)
}

function templateRulesOf(prototype: Prototype): string[] {
  const alike = alikeElements(prototype).map(
    ({template, names}) => `${listAnd(names)}的元素类型都是${template}，所以必须相同`,
  )
  const uses = templateUses(prototype).map(({name, how, defaultValue}) => {
    if (how === 'deduced') return `${name}可以从实参推导，不必写`
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

function told(name: string, type: string, {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  const direction = fact && fact.direction !== '' ? `（${directions[fact.direction]}）` : ''
  return fact && fact.meaning.length > 0
    ? `${name}${direction}：${meaningOf(fact)}`
    : `${name}${direction}：${ticked(type)}`
}

function meaningOf({meaning, choices}: ParameterFact): string {
  return [...meaning, ...choices.map(({name, text}) => `${name}：${text}`)].map(trimStop).join('；')
}

function toldTemplate(name: string, {parameters}: FormsAsk): string {
  const fact = factOf(name, parameters)
  return fact && fact.meaning.length > 0 ? `模板参数${name}：${meaningOf(fact)}` : ''
}

function result({returns}: Prototype): string {
  if (returns === '') return ''
  return returns === 'void' ? '没有返回值。' : `返回类型是${ticked(returns)}。`
}

function severalForms(ask: FormsAsk): Draft {
  return {
    question: whichForm(ask),
    reasoning: lines(
      ask.forms.some(({own}) => own.length > 0)
        ? ifAny(ask.shared, (names) => `各形式都有${list(names)}，所以要看其余的参数。`)
        : '',
      ...ask.prototypes.map((_, index) => difference(index, ask)),
      templateRules(ask.prototypes),
    ),
    answer: blocks(
      codeBlock(ask.prototypes.map(({text}) => `${text};`).join('\n\n')),
      bulletList(ask.prototypes.map((_, index) => choice(index, ask))),
      ifAny(explained(ask), (each) => `参数的含义：\n${bulletList(each)}`),
    ),
  }
}

function whichForm({api, forms: all, prototypes}: FormsAsk): string {
  const names = all.map(({name}) => name).filter(Boolean)
  if (names.length > 0) return `Ascend C的${api}里，${listAnd([...new Set(names)])}分别怎样调用？`
  const own = [...new Set(all.flatMap((form) => form.own))]
  if (own.length > 0)
    return `Ascend C的${api}有${prototypes.length}种调用形式，什么时候要传${listAnd(own.slice(0, 3))}？`
  const differs = [...new Set(all.flatMap(({twin}) => twin?.differs.map(({name}) => name) ?? []))]
  if (differs.length > 0)
    return `Ascend C的${api}的${prototypes.length}种形式里${listAnd(differs)}的类型不同，该用哪一种？`
  return `Ascend C的${api}有${prototypes.length}种参数相同的形式，它们差在哪里？`
}

function label(index: number, ask: FormsAsk): string {
  return ask.forms[index]!.name || `形式${index + 1}`
}

function difference(index: number, ask: FormsAsk): string {
  const {parameters} = ask.prototypes[index]!
  const {own, twin} = ask.forms[index]!
  if (twin) return `${label(index, ask)}：参数名与${likeness(twin, index, ask)}。`
  const extra = own.length > 0 ? `，多出${list(own)}` : ''
  return `${label(index, ask)}：${parameters.length === 0 ? '没有参数' : `${parameters.length}个参数`}${extra}。`
}

function likeness({form, differs}: NonNullable<FormFact['twin']>, index: number, ask: FormsAsk): string {
  const other = label(form, ask)
  if (differs.length > 0)
    return `${other}相同，但${differs.map(({name, here, there}) => `${name}是${ticked(here)}而不是${ticked(there)}`).join('，')}`
  const templates = ask.prototypes[index]!.templates.map(({name}) => name).filter(Boolean)
  return `${other}相同，差别在模板参数${ifAny(templates, (names) => `：${list(names)}`)}`
}

/** When a form is the one to take, by what only it needs. */
function choice(index: number, ask: FormsAsk): string {
  const {own, twin} = ask.forms[index]!
  const {parameters} = ask.prototypes[index]!
  const given = parameters.map(({name}) => name)
  const call = given.length === 0 ? '不传参数' : `传${list(given)}`
  if (twin && twin.differs.length > 0)
    return `${label(index, ask)}：${twin.differs.map(({name, here}) => `${name}是${ticked(here)}`).join('，')}时用它`
  if (own.length > 0) return `${label(index, ask)}：需要指定${listAnd(own)}时用它，${call}`
  return `${label(index, ask)}：${call}`
}

function explained(ask: FormsAsk): string[] {
  const names = [...new Set(ask.prototypes.flatMap(({parameters}) => parameters.map(({name}) => name)))]
  return names
    .map((name) => ({name, fact: factOf(name, ask.parameters)}))
    .filter(({fact}) => fact !== undefined && fact.meaning.length > 0)
    .map(({name, fact}) => `${name}：${meaningOf(fact!)}`)
}
