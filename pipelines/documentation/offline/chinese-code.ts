import type {Random} from '../../../engine/random.ts'
import type {AskOf} from './ask.ts'
import {type ArgumentFact, type CallFact, explained} from './calls.ts'
import {clauses, list, recall} from './chinese-words.ts'
import type {Draft} from './draft.ts'
import {blocks, bulletList, closed, codeBlock, ifAny, isLeadOfLength, lines, trimStop} from './text.ts'

type Example = AskOf<'example'>

export function example(ask: Example, random: Random): Draft {
  const lead = trimStop(ask.example.lead.replace(/(?:如下(?:所示)?|示例|样例)?[：:]?$/, ''))
  const scene = isLeadOfLength(lead, 4, 120) ? lead : ''
  const task = scene === '' ? '' : `，场景是：${scene}`
  const mapping = explained(ask.call).map(argument)
  return {
    question: random.pick([
      `请写一段Ascend C代码，演示${ask.api}的用法${task}。`,
      `用Ascend C的${ask.api}写一个调用示例${task}。`,
    ]),
    reasoning: reasoning(ask, scene, mapping),
    answer: blocks(
      codeBlock(ask.example.code),
      ifAny(mapping, (each) => `其中：\n\n${bulletList(each)}`),
      ifAny(ask.rules, (each) => `注意：${each.map(closed).join('')}`),
    ),
  }
}

function reasoning(ask: Example, scene: string, mapping: readonly string[]): string {
  return lines(
    ask.call
      ? `要写出${ask.api}的调用，先确定用哪一种形式，再确定每个实参。`
      : `要演示${ask.api}，先确定代码要完成什么，再看依次用到哪些接口。`,
    recall(ask.purpose, ask.api),
    scene === '' ? '' : `题目给出的场景是${scene}，代码要与它一致。`,
    ask.call ? formUsed(ask.call) : '',
    ifAny(mapping, (each) => `逐个确定实参：${each.join('；')}。`),
    size(ask.size),
    ask.apis.length > 1 ? `代码里依次调用${list(ask.apis)}。` : '',
    ifAny(ask.rules, (each) => `所选的取值还带来一条要求：${clauses(each)}。`),
    ifAny(ask.constraints, (each) => `写完后检查约束：${clauses(each)}。`),
  )
}

function argument({name, value, parameter, choice}: ArgumentFact): string {
  if (!parameter) return `\`${value}\`对应${name}`
  const chosen = choice ? `；${choice.name}表示${trimStop(choice.text)}` : ''
  return `\`${value}\`对应${name}：${trimStop(parameter.meaning[0] ?? '')}${chosen}`
}

function formUsed({prototype: {parameters}}: CallFact): string {
  return `这里用的是有${parameters.length}个参数的形式，参数依次是${list(parameters.map(({name}) => name))}。`
}

function size(fact: Example['size']): string {
  if (!fact) return ''
  const {count, dtype, bytes, unitBytes} = fact
  const amount = `核对数据量：${count}个${dtype}共${bytes}字节`
  if (unitBytes === undefined) return `${amount}。`
  return `${amount}，${bytes % unitBytes === 0 ? '是' : '不是'}所要求的${unitBytes}字节的整数倍。`
}

function aboutOf({heading, page}: AskOf<'topic' | 'topic-code'>): string {
  return heading === '' || heading === page ? `“${page}”` : `“${page}”中的“${heading}”`
}

export function topicCode(ask: AskOf<'topic-code'>): Draft {
  const about = aboutOf(ask)
  const lead = trimStop(ask.example.lead)
  const isTask = isLeadOfLength(lead, 4, 120) && !ask.points.includes(ask.example.lead)
  const steps = ask.apis.flatMap((api) => known[api] ?? [])
  return {
    question: `针对${about}，请给出一段Ascend C代码${isTask ? `，要求：${lead}` : ''}。`,
    reasoning: lines(
      `先想清楚${about}要做什么，再决定代码要调用哪些接口。`,
      ifAny(ask.points, (each) => `要点是：${clauses(each)}。`),
      `按这个思路，代码依次用到${list(ask.apis)}。`,
      ifAny(steps, (each) => `其中${each.join('；')}。`),
    ),
    answer: blocks(codeBlock(ask.example.code), bulletList(ask.points)),
  }
}

const known: Readonly<Record<string, string>> = {
  InitBuffer: 'InitBuffer为队列或临时空间分配内存',
  SetGlobalBuffer: 'SetGlobalBuffer把GlobalTensor绑定到核函数的入参地址',
  AllocTensor: 'AllocTensor从队列取得空闲内存',
  EnQue: 'EnQue把张量交给下一个任务',
  DeQue: 'DeQue取出上一个任务交来的张量',
  FreeTensor: 'FreeTensor归还内存',
  SetBlockDim: 'SetBlockDim设置使用的核数',
  SaveToBuffer: 'SaveToBuffer把tiling结构序列化',
  GetBlockIdx: 'GetBlockIdx得到当前核的编号，用来计算偏移',
}

export function topic(ask: AskOf<'topic'>, random: Random): Draft {
  const about = aboutOf(ask)
  return {
    question: random.pick([
      `在Ascend C开发中，关于${about}，需要掌握哪些要点？`,
      `请解释Ascend C开发中${about}的关键内容。`,
    ]),
    reasoning: lines(
      `题目的范围是${about}，先确定它要解决什么，再找出必须记住的规则。`,
      ...ask.points.map((point, index) => `${ordinal(index, ask.points.length)}，${trimStop(point)}。`),
      `归纳起来有${ask.points.length}点。`,
    ),
    answer: bulletList(ask.points),
  }
}

function ordinal(index: number, count: number): string {
  if (index === 0) return '首先'
  return index === count - 1 ? '最后' : '然后'
}
