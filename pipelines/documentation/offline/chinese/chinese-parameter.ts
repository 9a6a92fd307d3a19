import type {Draft} from '../draft.ts'
import {bound, type ParameterAsk} from '../kinds/parameter-ask.ts'
import {
  blocks,
  bulletList,
  closed,
  distinctTypes,
  ifAny,
  lines,
  memoryOf,
  ticked,
  trimStop,
  typeLimit,
} from '../text.ts'
import {directions, list, listAnd} from './chinese-words.ts'

export function parameter(ask: ParameterAsk): Draft {
  return {question: question(ask), reasoning: reasoning(ask), answer: answer(ask)}
}

function subject({api, parameter: {name, structure}}: ParameterAsk): string {
  return structure === '' ? `${api}的参数${name}` : `${api}所用结构体${structure}的成员${name}`
}

function question(ask: ParameterAsk): string {
  const {choice, constraints, uses, parameter: fact} = ask
  const owner = `Ascend C的${subject(ask)}`
  if (choice) return `把${owner}设为${choice.name}是什么意思？它还可以取哪些值？`
  if (fact.direction === 'output') return `${owner}写出的是什么，怎样使用？`
  if (constraints.length > 0) return `给${owner}取值时要满足哪些约束？`
  const [type, ...others] = distinctTypes(uses)
  if (memoryOf(uses.map((use) => use.type)) !== '') return `${owner}要传什么，有什么要求？`
  if (type !== undefined && others.length === 0) return `${owner}是${ticked(type)}，它控制什么，应该怎样取值？`
  return `${owner}怎样取值？`
}

function reasoning(ask: ParameterAsk): string {
  const {parameter: fact, choice, constraints} = ask
  const values = fact.choices.map(({name}) => name)
  return lines(
    usage(ask),
    template(ask),
    fact.direction === '' ? '' : direction(fact.direction),
    choice ? `可取的值有${values.length}个：${list(values)}。问的是${choice.name}，要和其余的对照着说。` : '',
    ifAny(bound(fact.choices, constraints), (names) => `其中${listAnd(names)}另有约束，选它时要一并满足。`),
  )
}

function template({template: found, parameter: {name}}: ParameterAsk): string {
  if (!found) return ''
  const {type, defaultValue} = found
  return `${name}是模板参数（${ticked(type)}），编译时就要定下来${defaultValue === '' ? '' : `，不写时是${defaultValue}`}。`
}

function direction(of: 'input' | 'output' | 'both'): string {
  return {
    input: '它是输入，由调用者给出。',
    output: '它是输出，由接口写入，调用者要先准备好存放的地方。',
    both: '它既是输入又是输出，接口会改写传入的内容。',
  }[of]
}

function usage({uses, parameter: {name, choices}}: ParameterAsk): string {
  const [first] = uses
  if (!first) return ''
  const types = distinctTypes(uses)
  const where =
    uses.length === 1 ? `${name}是第${first.position}个参数（共${first.of}个）` : `${name}出现在${uses.length}种形式里`
  const typed =
    types.length === 1 ? `类型是${ticked(first.type)}` : `类型随形式不同，有${list(types.map(ticked))}${types.length}种`
  return `${where}，${typed}。${choices.length > 0 ? '' : typeMeaning(types)}`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit) return `${limit.bits}位无符号整数最大只能到${limit.max}，更大的值会被截断。`
  return {
    local: '它指向片上内存中的张量，需要先分配空间。',
    global: '它指向Global Memory中的数据。',
    either: '它在片上内存还是在Global Memory，由所用的形式决定。',
    '': '',
  }[memoryOf(types)]
}

function answer({parameter: fact, choice, constraints}: ParameterAsk): string {
  const [first = '', ...more] = fact.meaning
  const way = fact.direction === '' ? '' : `（${directions[fact.direction]}）`
  const others = fact.choices.filter(({name}) => name !== choice?.name)
  return blocks(
    choice ? `${choice.name}：${closed(choice.text)}` : '',
    `${fact.name}${way}：${trimStop(first)}。`,
    bulletList(more),
    ifAny(
      others,
      (each) => `${choice ? '其余的值' : '可取的值'}：\n${bulletList(each.map(({name, text}) => `${name}：${text}`))}`,
    ),
    ifAny(constraints, (each) => `还要满足：\n${bulletList(each)}`),
  )
}
