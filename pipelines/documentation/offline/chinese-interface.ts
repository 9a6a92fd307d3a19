import type {Random} from '../../../engine/random.ts'
import type {AskOf} from './ask.ts'
import {clauses, directions, list, recall} from './chinese-words.ts'
import type {Draft} from './draft.ts'
import {
  alignedElements,
  blocks,
  bulletList,
  closed,
  ifAny,
  lines,
  returnedTypes,
  saysWhen,
  ticked,
  trimStop,
} from './text.ts'

export function constraints(ask: AskOf<'constraints'>, random: Random): Draft {
  const {api, items} = ask
  const isOne = items.length === 1
  const verb = ask.isCall ? '调用' : '使用'
  const limits = `使用Ascend C的${api}有哪些限制需要注意？`
  return {
    question: ask.isCall
      ? random.pick([
          `调用Ascend C的${api}时需要遵守哪些约束？`,
          limits,
          `在核函数里调用${api}之前，应该检查哪些条件？`,
        ])
      : limits,
    reasoning: lines(
      `要正确${verb}${api}，需要检查操作数、参数取值和调用环境几个方面。`,
      recall(ask.purpose, api),
      isOne ? '需要关注的约束是：' : `逐条分析，共有${items.length}条：`,
      ...items.map((item, index) => `${index + 1}. ${restriction(item, ask.dtypes)}`),
      isOne ? '满足这一条即可。' : '这些条件要同时满足，缺一条都可能得到错误结果。',
    ),
    answer: isOne
      ? `${trimStop(items[0]!.text)}。`
      : `${verb}${api}时需要满足以下条件：\n\n${bulletList(items.map((item) => item.text))}`,
  }
}

function restriction({text, about}: AskOf<'constraints'>['items'][number], dtypes: readonly string[]): string {
  const counts = alignedElements(text, dtypes).map(
    ({bytes, elements, dtype}) => `${bytes}字节等于${elements}个${dtype}`,
  )
  const remarks = [
    ifAny(about, (names) => `它约束的是${list(names)}`),
    ifAny(counts, (each) => `换算成元素个数：${each.join('，')}`),
  ].filter(Boolean)
  return `${trimStop(text)}。${ifAny(remarks, (each) => `${each.join('；')}。`)}`
}

export function purpose(ask: AskOf<'purpose'>, random: Random): Draft {
  const {api, constraints: limits} = ask
  const [first = '', ...more] = ask.sentences
  const operands = ask.operands.map(
    ({name, direction, meaning}) => `${name}是${directions[direction]}（${trimStop(meaning[0] ?? '')}）`,
  )
  return {
    question: random.pick([
      `Ascend C的${api}有什么作用？`,
      `请介绍Ascend C中${api}的功能和使用要点。`,
      ...(saysWhen(ask.sentences) ? [`什么时候需要使用Ascend C的${api}？`] : []),
    ]),
    reasoning: lines(
      random.pick([
        `问题是${api}的用途，可以从它读什么、写什么、做什么三个方面来想。`,
        `要说清${api}的作用，先看它的输入和输出，再看两者之间发生了什么。`,
        `从接口本身出发来想：${api}拿到什么，产生什么，有什么前提。`,
      ]),
      ifAny(operands, (each) => `从参数看：${each.join('；')}。`),
      `它的核心动作是：${trimStop(first)}。`,
      ifAny(more, (each) => `进一步的细节是：${clauses(each)}。`),
      ifAny(limits, (each) => `同时要知道它的边界：${clauses(each)}。`),
    ),
    answer: blocks(
      closed(first),
      more.map(closed).join(''),
      ifAny(limits, (each) => `使用时注意：\n${bulletList(each)}`),
    ),
  }
}

export function returns({api, purpose: does, sentences, prototypes}: AskOf<'returns'>): Draft {
  return {
    question: `Ascend C的${api}返回什么？`,
    reasoning: lines(
      `要知道${api}的返回值，先看它做什么，再看函数原型。`,
      recall(does, api),
      ifAny(returnedTypes(prototypes), (types) => `函数原型声明的返回类型是${list(types.map(ticked))}。`),
      `它的含义是：${clauses(sentences)}。`,
    ),
    answer: sentences.map((sentence) => `${trimStop(sentence)}。`).join(''),
  }
}

export function pipe({api, purpose: does, sentence}: AskOf<'pipe'>): Draft {
  const others = '其他流水上的指令要使用它的结果时，需要等这条流水完成。'
  return {
    question: `Ascend C的${api}在哪条流水上执行？`,
    reasoning: lines(
      `流水类型决定了${api}与哪些指令可以并行、与哪些指令之间需要同步。`,
      recall(does, api),
      `它所属的流水是：${trimStop(sentence)}。${others}`,
    ),
    answer: `${trimStop(sentence)}。`,
  }
}
