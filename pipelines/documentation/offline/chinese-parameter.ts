import type {Random} from '../../../engine/random.ts'
import type {AskOf, ParameterUse} from './ask.ts'
import {clauses, directions, list, recall} from './chinese-words.ts'
import type {Draft} from './draft.ts'
import {blocks, bulletList, distinctTypes, ifAny, lines, memoryOf, ticked, trimStop, typeLimit} from './text.ts'

export function parameter(ask: AskOf<'parameter'>, random: Random): Draft {
  const {parameter: fact, api} = ask
  const isOfCall = fact.structure === ''
  const subject = isOfCall ? `${api}的参数${fact.name}` : `${api}使用的结构体${fact.structure}中，成员${fact.name}`
  const argument = isOfCall ? `参数${fact.name}` : `${fact.structure}的成员${fact.name}`
  return {
    question: random.pick([
      `在Ascend C中，${subject}的含义是什么？应该怎样设置？`,
      `调用Ascend C的${api}时，${argument}该怎么填？`,
      `请说明Ascend C中${subject}的作用和取值要求。`,
    ]),
    reasoning: reasoning(ask, subject, random),
    answer: answer(ask),
  }
}

function reasoning(ask: AskOf<'parameter'>, subject: string, random: Random): string {
  const {name, meaning, direction, choices} = ask.parameter
  const [first = '', ...more] = meaning
  return lines(
    random.pick([
      `问题问的是${subject}，需要弄清它表示什么、取值受什么限制。`,
      `要设置好${name}，得先知道它在调用中起什么作用，再看哪些取值合法。`,
      `这里关心的是${name}：它控制什么，写错会违反哪条规则。`,
    ]),
    recall(ask.purpose, ask.api),
    usage(ask.uses),
    direction === '' ? '' : `从数据流向看，它是${directions[direction]}参数。`,
    `它表示的内容是：${trimStop(first)}。`,
    ifAny(choices, () => {
      const names = list(choices.map((choice) => choice.name))
      return `它可取的值有${names}，各自的含义是：${clauses(described(choices))}。`
    }),
    ifAny(more, (each) => `在此基础上还有${each.length}点要注意：${clauses(each)}。`),
    ifAny(ask.constraints, (each) => `再看约束，与它直接有关的是：${clauses(each)}。设置时要同时满足。`),
    random.pick(['综合含义和限制，可以给出设置方法。', '把含义和限制合起来，就是设置它的规则。', '']),
  )
}

function answer({parameter: fact, constraints}: AskOf<'parameter'>): string {
  const [first = '', ...more] = fact.meaning
  const direction = fact.direction === '' ? '' : `（${directions[fact.direction]}）`
  return blocks(
    `${fact.name}${direction}：${trimStop(first)}。`,
    bulletList([...described(fact.choices), ...more]),
    ifAny(constraints, (each) => `使用时还要满足：\n${bulletList(each)}`),
  )
}

function described(choices: AskOf<'parameter'>['parameter']['choices']): string[] {
  return choices.map(({name, text}) => `${name}：${text}`)
}

function usage(uses: readonly ParameterUse[]): string {
  const [first] = uses
  if (!first) return ''
  const where =
    uses.length === 1
      ? `是第${first.position}个参数（共${first.of}个）`
      : `出现在${uses.length}种调用形式中，${positions(uses)}`
  const types = distinctTypes(uses)
  const typed =
    types.length === 1 ? `类型是${ticked(first.type)}` : `类型随形式不同，有${list(types.map(ticked))}${types.length}种`
  return `在函数原型里它${where}，${typed}。${typeMeaning(types)}`
}

function positions(uses: readonly ParameterUse[]): string {
  const distinct = [...new Set(uses.map((use) => use.position))]
  return distinct.length === 1 ? `都是第${distinct[0]}个` : `位置可能是第${distinct.join('、')}个`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit) return `${limit.bits}位无符号整数最大只能到${limit.max}，传入的值不能超过它。`
  return {
    local: '它指向片上内存中的张量，需要先分配空间。',
    global: '它指向Global Memory中的数据。',
    either: '它在片上内存还是在Global Memory，由所用的形式决定。',
    '': '',
  }[memoryOf(types)]
}
