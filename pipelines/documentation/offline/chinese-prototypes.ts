import type {Prototype} from '../prototype.ts'
import type {AskOf, FormFact} from './ask.ts'
import {list, recall} from './chinese-words.ts'
import type {Draft} from './draft.ts'
import {blocks, bulletList, codeBlock, ifAny, lines, ticked, trimStop} from './text.ts'

type Prototypes = AskOf<'prototypes'>

export function prototypes(ask: Prototypes): Draft {
  const [only] = ask.prototypes.length === 1 ? ask.prototypes : []
  const shared = only
    ? ''
    : ifAny(ask.shared, (names) => `所有形式都有的参数是${list(names.map((name) => told(name, ask)))}。`)
  const forms = ask.prototypes.map((_, index) => form(index, ask))
  return {
    question: question(ask),
    reasoning: lines(
      '需要从功能出发推出接口的样子。',
      recall(ask.purpose, ask.api),
      shared,
      only ? ifAny(only.parameters, () => `按调用顺序：${inOrder(only, ask)}。`) : '',
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
  if (forms.some(({name}) => name !== '')) return `Ascend C的${api}包括哪些函数？写出它们的原型并说明参数。`
  if (others.length > 0) return `Ascend C的${api}有哪几种调用形式？它们的区别是什么？`
  return first!.parameters.length === 0
    ? `Ascend C的${api}怎样声明，返回什么类型？`
    : `写出Ascend C中${api}的函数原型，并说明各个参数。`
}

/** A parameter by its name, with what the page says of it. */
function told(name: string, {parameters}: Prototypes): string {
  const fact = parameters.find((each) => each.names.includes(name))
  return fact ? `${name}（${trimStop(fact.meaning[0] ?? '')}）` : name
}

function inOrder({parameters}: Prototype, ask: Prototypes): string {
  return parameters
    .map(({name, type}, index) => `第${index + 1}个参数${told(name, ask)}，类型是${ticked(type)}`)
    .join('；')
}

function explained({parameters, returns}: Prototype, ask: Prototypes): string {
  if (parameters.length === 0) return `没有参数，返回类型是${ticked(returns || ask.api)}。`
  const items = parameters.map(({name, type}) => {
    const text = told(name, ask)
    return text === name ? `${name}：类型是${ticked(type)}` : text
  })
  return bulletList(items)
}

function form(index: number, ask: Prototypes): string {
  const prototype = ask.prototypes[index]!
  const {name, own, twin} = ask.forms[index]!
  const several = ask.prototypes.length > 1
  const label = name || (several ? `形式${index + 1}` : prototype.name)
  if (twin) return `${label}：参数名与${likeness(twin, prototype, ask)}。`
  const {length} = prototype.parameters
  const traits = [
    ...templates(prototype),
    length === 0 ? '没有参数' : `共${length}个参数`,
    ...(several && own.length > 0 ? [`特有的是${list(own.map((each) => told(each, ask)))}`] : []),
    ...(haveOneResult(ask) ? [] : [`返回${ticked(prototype.returns)}`]),
  ]
  return `${label}：${traits.join('，')}。`
}

function likeness({form: at, differs}: NonNullable<FormFact['twin']>, prototype: Prototype, ask: Prototypes): string {
  const other = ask.forms[at]!.name || `形式${at + 1}`
  const types = differs.map(({name, here, there}) => `${name}的类型是${ticked(here)}而不是${ticked(there)}`)
  const traits = types.length > 0 ? [`区别在于${list(types)}`] : templates(prototype)
  return [`${other}相同`, ...traits].join('，')
}

function templates({templates: all}: Prototype): string[] {
  const names = all
    .filter(({name}) => name !== '')
    .map(({name, defaultValue}) => (defaultValue === undefined ? name : `${name}（默认${defaultValue}）`))
  return names.length > 0 ? [`模板参数是${list(names)}`] : []
}

function haveOneResult({prototypes: all}: Prototypes): boolean {
  return new Set(all.map(({returns}) => returns)).size === 1
}

function result(ask: Prototypes): string {
  const {returns} = ask.prototypes[0]!
  if (!haveOneResult(ask) || returns === '') return ''
  return returns === 'void' ? '函数本身没有返回值。' : `返回值类型是${ticked(returns)}。`
}
