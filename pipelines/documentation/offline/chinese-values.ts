import type {AskOf} from './ask.ts'
import {clauses, list} from './chinese-words.ts'
import type {Draft} from './draft.ts'
import {bulletList, ifAny, lines, trimStop} from './text.ts'

export function range({parameter: fact, api, sentence, low, high, value}: AskOf<'range'>): Draft {
  const owner =
    fact.structure === '' ? `${api}的参数${fact.name}` : `${api}所用结构体${fact.structure}的成员${fact.name}`
  const isInside = value >= low && value <= high
  const rule = `${fact.name}的取值范围是[${low}, ${high}]，${value}`
  return {
    question: `在Ascend C中，${owner}可以设置为${value}吗？`,
    reasoning: lines(
      `要判断${value}是否合法，先要知道${fact.name}的取值范围。`,
      `它的含义是：${trimStop(sentence)}。所以允许的最小值是${low}，最大值是${high}，两端都包含。`,
      isInside
        ? `${low} ≤ ${value} ≤ ${high}，落在范围之内。`
        : `${value}比最大值${high}大${value - high}，超出了范围。`,
    ),
    answer: isInside ? `可以。${rule}在范围内。` : `不可以。${rule}超出了上限${high}。`,
  }
}

export function multiple({api, sentence, unitBytes, dtype, dtypeBytes, count}: AskOf<'multiple'>): Draft {
  const bytes = count * dtypeBytes
  const rest = bytes % unitBytes
  const per = unitBytes / dtypeBytes
  const divides = rest === 0 ? '正好整除。' : '不能整除。'
  return {
    question: `用Ascend C的${api}一次处理${count}个${dtype}元素，数据量满足要求吗？`,
    reasoning: lines(
      `首先找出对数据量的要求：${trimStop(sentence)}。`,
      `${dtype}每个元素占${dtypeBytes}字节，${count}个元素共${count} × ${dtypeBytes} = ${bytes}字节。`,
      `${bytes} ÷ ${unitBytes} = ${Math.floor(bytes / unitBytes)}余${rest}，${divides}`,
      `换成元素个数看，${unitBytes}字节等于${per}个${dtype}，所以个数必须是${per}的整数倍。`,
    ),
    answer:
      rest === 0
        ? `满足。${count}个${dtype}共${bytes}字节，是${unitBytes}字节的整数倍。`
        : [
            `不满足。${count}个${dtype}共${bytes}字节，不是${unitBytes}字节的整数倍；`,
            `对${dtype}来说，元素个数要取${per}的整数倍。`,
          ].join(''),
  }
}

export function dataTypes(ask: AskOf<'data-types'>): Draft {
  const owner = ask.owner === '' ? '操作数' : `模板参数${ask.owner}`
  return ask.asked === undefined ? whichTypes(ask, owner) : isSupported(ask, owner, ask.asked)
}

function whichTypes({api, supported, sentence}: AskOf<'data-types'>, owner: string): Draft {
  const condition = `条件是：${trimStop(sentence)}。`
  return {
    question: `在Atlas A2训练系列产品上，Ascend C的${api}对${owner}的数据类型有什么要求？`,
    reasoning: lines(
      `这个问题要看${owner}允许哪些类型，以及有没有附加条件。`,
      `逐个确认涉及的类型：${list(supported)}。`,
      `但这些类型不一定在所有情况下都能用，${condition}因此回答时要把条件一起说明。`,
    ),
    answer: `${trimStop(sentence)}。`,
  }
}

function isSupported({api, supported, constraints}: AskOf<'data-types'>, owner: string, asked: string): Draft {
  const ok = supported.includes(asked)
  const types = list(supported)
  const known = `${api}的${owner}支持${supported.length}种数据类型：${types}。`
  return {
    question: `在Atlas A2训练系列产品上，Ascend C的${api}支持${asked}类型吗？`,
    reasoning: lines(
      `判断${asked}能否使用，关键是${api}的${owner}支持哪些数据类型。`,
      `支持的类型是${types}。`,
      ok ? `${asked}在其中。` : `逐个比对，${types}都不是${asked}，所以不能直接传入${asked}的张量。`,
      ifAny(constraints, (each) => `与${asked}有关的约束还有：${clauses(each)}。`),
    ),
    answer: lines(`${ok ? '支持' : '不支持'}。Atlas A2训练系列产品上，${known}`, bulletList(constraints)),
  }
}
