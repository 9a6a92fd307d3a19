import {interfaces} from '../../../../cpp/interfaces.ts'
import {type ArgumentFact, explained, hasWrittenTemplates} from '../calls.ts'
import type {Draft} from '../draft.ts'
import {purposesIn} from '../kinds/called.ts'
import type {ExampleAsk} from '../kinds/example-ask.ts'
import {requiredCount, templateUses} from '../kinds/operands.ts'
import type {TopicCodeAsk} from '../kinds/topic-ask.ts'
import {
  blocks,
  bulletList,
  closed,
  codeBlock,
  ifAny,
  isLeadOfLength,
  lines,
  ticked,
  trimStop,
  wholeMeaning,
} from '../text.ts'
import {aboutOf} from './chinese-topic.ts'
import {clauses, list, listAnd} from './chinese-words.ts'

export function example(ask: ExampleAsk): Draft {
  const mapping = explained(ask.call)
    .filter(({name}) => name !== '')
    .map(argument)
  return {
    question: question(ask),
    reasoning: reasoning(ask),
    answer: blocks(
      codeBlock(ask.example.code),
      ifAny(mapping, (each) => `其中：\n\n${bulletList(each)}`),
      ifAny(ask.rules, (each) => `注意：${each.map(closed).join('')}`),
      ifAny(ask.constraints, (each) => `对这些实参，约束里还写明：\n${bulletList(each)}`),
    ),
  }
}

/** What the page says before the code, without the words that only announce it. */
function sceneOf(lead: string): string {
  const announced = new RegExp(
    [
      '[，,]?的?(?:(?:调用|使用|代码)?(?:示例|样例)(?:代码|片段)*|代码|内容|接口)?(?:如下(?:所示)?)?[：:。]?$',
      '[，,]具体(?:实现|示例|代码)*如下(?:所示)?[：:。]?$',
    ].join('|'),
  )
  return trimStop(
    lead
      .replace(announced, '')
      .replace(/^也(?=可以|能)|^(?:示例|样例)[一二三四五\d]+[：:]\s*/, '')
      .replace(/^(?:接口)?(?:样例|示例)[-—]|(?:接口)?(?:样例|示例)(?=[-—：:（(])/, ''),
  )
}

const hasVerb = /[将把从向]|对[^齐]|通过|如果|需要|使用|调用|设置|传入|开启/

/** A case as a sentence, or the title of one. */
function asked(scene: string, task: string): string {
  if (/时$/.test(scene)) return `${scene}，请${task}。`
  return hasVerb.test(scene) && scene.length >= 8 ? `${scene}。请${task}。` : `请${task}，用法是“${scene}”。`
}

function question(ask: ExampleAsk): string {
  const scene = sceneOf(ask.example.lead)
  if (isLeadOfLength(scene, 4, 120)) return asked(scene, `写出调用Ascend C的${ask.api}的代码`)
  if (ask.settings.length > 0) {
    const set = ask.settings.map(({name, value}) => `${name}为${value}`)
    return `调用Ascend C的${ask.api}，${listAnd(set)}，代码怎么写？`
  }
  const [array] = ask.arrays
  if (array) return `有${array.count}个${array.dtype}的数据${array.name}，怎样用Ascend C的${ask.api}处理？请给出代码。`
  const beside = ask.apis.filter((api) => !ask.api.includes(api))
  if (beside.length > 0) return `Ascend C的${ask.api}怎样与${listAnd(beside.slice(0, 3))}一起使用？请写出代码。`
  return `请写一段代码，演示Ascend C的${ask.api}的用法。`
}

function reasoning(ask: ExampleAsk): string {
  const ground = lines(
    ask.purpose === '' ? '' : `${purposeOfCall({name: ask.api, purpose: ask.purpose})}。`,
    formUsed(ask),
    ...ask.arrays.map(({name, dtype, count, bytes}) => `${name}放${count}个${dtype}，要${bytes}字节。`),
    size(ask.size),
    ask.steps.length > 1 ? `分${ask.steps.length}步写：${clauses(ask.steps)}。` : '',
    ifAny(purposesIn('zh', ask.called), (each) => `其中${each.map(purposeOfCall).join('；')}。`),
  )
  return lines(ground, ground !== '' && ask.apis.length > 1 ? `代码里的接口有${list(ask.apis)}。` : '')
}

function formUsed({call, bare, api, example: {code}}: ExampleAsk): string {
  if (!call) return bare ? withoutArguments(api, bare.returns) : ''
  const {prototype, arguments: given} = call
  const pairs = given
    .filter(({name}) => name !== '')
    .map(({name, value}) => (name === value ? name : `${name}用${ticked(value)}`))
  // A form may leave its parameters without names.
  if (pairs.length === 0) return ''
  const omitted = prototype.parameters.length - given.length
  const templates = templateUses(prototype)
    .filter(({how}) => how === 'deduced')
    .map(({name}) => name)
  return [
    `选用${prototype.parameters.length}个参数的形式，实参依次是${list(pairs)}。`,
    omitted > 0 ? `必须给的只有${requiredCount(prototype)}个，其余${omitted}个用默认值。` : '',
    hasWrittenTemplates(code, prototype.name)
      ? '模板参数写在尖括号里。'
      : ifAny(templates, (names) => `模板参数${list(names)}由实参的类型推导。`),
  ].join('')
}

function withoutArguments(api: string, returns: string): string {
  if (returns === '') return `${api}不需要参数。`
  return `${api}不需要参数，${returns === 'void' ? '也没有返回值' : `返回${ticked(returns)}`}。`
}

function size(fact: ExampleAsk['size']): string {
  if (!fact) return ''
  const {count, dtype, bytes, unitBytes} = fact
  const amount = `核对数据量：${count}个${dtype}共${bytes}字节`
  if (unitBytes === undefined) return `${amount}。`
  return `${amount}，${bytes % unitBytes === 0 ? '是' : '不是'}所要求的${unitBytes}字节的整数倍。`
}

function purposeOfCall({name, purpose}: Pick<ExampleAsk['called'][number], 'name' | 'purpose'>): string {
  return `${name}的作用是：${trimStop(purpose).replace(/^(?:(?:主要)?用于|用来)/, '')}`
}

function argument({name, value, parameter, choice}: ArgumentFact): string {
  if (!parameter || parameter.meaning.length === 0) return `\`${value}\`对应${name}`
  const chosen = choice ? `；${choice.name}表示${trimStop(choice.text)}` : ''
  return `\`${value}\`对应${name}：${wholeMeaning(parameter.meaning, '；')}${chosen}`
}

export function topicCode(ask: TopicCodeAsk): Draft {
  const about = aboutOf(ask)
  const scene = sceneOf(ask.example.lead)
  // An item of a list, `repeat: …`, is a part of what the listing does.
  const isTask = isLeadOfLength(scene, 8, 120) && hasVerb.test(scene) && !/^`?\w+`?[：:]/.test(scene)
  const called = ask.called.map(({name}) => name)
  const steps = ask.apis.filter((api) => !called.includes(api)).flatMap(known)
  const task = `用${listAnd(ask.apis.slice(0, 4))}写出对应的Ascend C代码`
  const ground = lines(
    ...ask.because.map(closed),
    ifAny([...steps, ...purposesIn('zh', ask.called).map(purposeOfCall)], (each) => `${each.join('；')}。`),
  )
  return {
    question: isTask
      ? `在${about}里，${asked(scene, task)}`
      : `请写出${about}的Ascend C代码，用到${listAnd(ask.apis.slice(0, 4))}。`,
    reasoning: lines(ground, ground !== '' && ask.apis.length > 1 ? `用到的接口有${list(ask.apis)}。` : ''),
    answer: blocks(codeBlock(ask.example.code), bulletList(ask.points)),
  }
}

/** What an interface of the core or the host does, where the table of interfaces says it. */
function known(api: string): string[] {
  const {family, zh = ''} = interfaces.get(api) ?? {}
  return (family === 'member' || family === 'resource') && zh !== '' ? [`${api}${zh}`] : []
}
