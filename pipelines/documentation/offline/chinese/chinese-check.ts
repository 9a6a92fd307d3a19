import type {Draft} from '../draft.ts'
import {type Check, type CheckAsk, holds} from '../kinds/check-ask.ts'
import {bulletList, ifAny, lines} from '../text.ts'
import {list} from './chinese-words.ts'

export function check({api, checks}: CheckAsk): Draft {
  const plan = checks.map(planned)
  const wrong = checks.filter((each) => !holds(each))
  return {
    question: question(api, plan),
    reasoning: lines(...checks.map(derived), conclusion(checks.length, wrong.length)),
    answer: lines(
      verdict(checks.length, wrong.length),
      bulletList((wrong.length > 0 ? wrong : checks).map(judged)),
      ifAny(wrong.length > 0 ? checks.filter(holds) : [], (right) => `其余可以：\n${bulletList(right.map(judged))}`),
    ),
  }
}

function question(api: string, plan: readonly string[]): string {
  return plan.length === 1
    ? `在Atlas A2训练系列产品上调用Ascend C的${api}，${plan[0]}，可以吗？`
    : `在Atlas A2训练系列产品上这样调用Ascend C的${api}：${plan.join('，')}。哪里不对，应该怎么改？`
}

function planned(check: Check): string {
  switch (check.rule) {
    case 'type':
      return check.of === 'tensor' ? `张量的元素类型用${check.asked}` : `类型参数用${check.asked}`
    case 'amount':
      return `一次处理${check.count}个${check.dtype}`
    default:
      return `${check.name}取${check.value}`
  }
}

function derived(check: Check): string {
  switch (check.rule) {
    case 'type':
      return holds(check)
        ? `${kindOf(check)}：允许的有${check.supported.length}种，${check.asked}在内。`
        : `${kindOf(check)}：允许的只有${list(check.supported)}，${check.asked}不在内。`
    case 'range':
      return holds(check)
        ? `${check.name}：${check.low} ≤ ${check.value} ≤ ${check.high}，在范围之内。`
        : `${check.name}：上限是${check.high}，${check.value}比它大${check.value - check.high}。`
    case 'width':
      return holds(check)
        ? `${check.name}：${check.bits}位无符号整数能放下${check.value}。`
        : `${check.name}：${check.bits}位无符号整数最大${check.most}，${check.value}会被截断成${check.value % (check.most + 1)}。`
    case 'amount':
      return amount(check)
  }
}

const kindOf = ({of}: Extract<Check, {rule: 'type'}>) => (of === 'tensor' ? '元素类型' : '类型参数')

function amount({count, dtype, dtypeBytes, unitBytes}: Extract<Check, {rule: 'amount'}>): string {
  const bytes = count * dtypeBytes
  const rest = bytes % unitBytes
  const divided = `${bytes} ÷ ${unitBytes} = ${Math.floor(bytes / unitBytes)}余${rest}`
  const verdict = `${rest === 0 ? '' : '不'}是${unitBytes}字节的整数倍`
  return `数据量：${dtype}每个${dtypeBytes}字节，${count} × ${dtypeBytes} = ${bytes}字节，${divided}，${verdict}。`
}

function conclusion(all: number, wrong: number): string {
  if (wrong === 0) return all === 1 ? '所以可以。' : '逐项都成立。'
  return wrong === all ? '所以要改。' : `${all}项里有${wrong}项不成立，其余的可以保留。`
}

function verdict(all: number, wrong: number): string {
  if (wrong === 0) return all === 1 ? '可以。' : '没有不对的地方，可以这样调用：'
  return all === 1 ? '不可以。' : `有${wrong}处不对：`
}

function judged(check: Check): string {
  const mark = holds(check) ? '可以' : '不可以'
  switch (check.rule) {
    case 'type':
      return holds(check)
        ? `${kindOf(check)}${check.asked}：可以，支持的是${list(check.supported)}`
        : `${kindOf(check)}${check.asked}：不可以，要从${list(check.supported)}里选`
    case 'range':
      return `${check.name}取${check.value}：${mark}，范围是[${check.low}, ${check.high}]`
    case 'width':
      return `${check.name}取${check.value}：${mark}，类型只有${check.bits}位，最大${check.most}${split(check)}`
    case 'amount':
      return `${check.count}个${check.dtype}：${mark}，${fix(check)}`
  }
}

/** More repeats than one call can count are more calls. */
function split(check: Extract<Check, {rule: 'width'}>): string {
  if (holds(check) || !/repeat/i.test(check.name)) return ''
  return `，要分成${Math.ceil(check.value / check.most)}次调用`
}

function fix(check: Extract<Check, {rule: 'amount'}>): string {
  const per = check.unitBytes / check.dtypeBytes
  if (holds(check)) return `是${per}的整数倍`
  const below = Math.floor(check.count / per) * per
  const near = below === 0 ? `${per}` : `${below}或${below + per}`
  return `个数要取${per}的整数倍，最近的是${near}`
}
