import type {Prototype} from '../../prototype.ts'
import type {Draft} from '../draft.ts'
import {factOf} from '../kinds/forms-ask.ts'
import type {NeedAsk} from '../kinds/need-ask.ts'
import {takesAnyNumber, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, closed, ifAny, inOneLine, lines, prose, returnedTypes, ticked, trimStop} from '../text.ts'
import {list, listAnd} from './chinese-words.ts'

export function need(ask: NeedAsk): Draft {
  return {question: question(ask), reasoning: reasoning(ask), answer: answer(ask)}
}

function question(ask: NeedAsk): string {
  const also = [
    ask.dtypes.length > 0 ? '支持哪些数据类型' : '',
    ask.pipe === '' ? '' : '在哪条流水上执行',
    ask.returns.length > 0 ? '返回什么' : '',
    ask.limits.length > 0 ? '使用时要注意什么' : '',
    ask.plain && toldOf(ask.plain).length > 0 ? `参数${ask.plain.prototype.parameters[0]!.name}传什么` : '',
  ].filter(Boolean)
  if (ask.need === '') return `Ascend C的${ask.api}做什么${also.map((each) => `，${each}`).join('')}？`
  return `${family(ask.api)}${setting(ask)}${ask.need}，应该用Ascend C的哪个接口${ifAny(also, (each) => `？它${each.join('，')}`)}？`
}

/** Several families have an interface for the same task. */
function family(api: string): string {
  const [, name] = /（([^）]+)）$/.exec(api) ?? []
  return name === undefined ? '' : `在${name}里，`
}

function setting({operands}: NeedAsk): string {
  const memories = new Set(operands.map(({memory}) => memory).filter(Boolean))
  if (memories.has('either')) return '要做到：'
  if (memories.size === 2) return '数据要经过Global Memory和片上内存，需要：'
  // Where only the result is there, the data comes from elsewhere.
  const isRead = operands.some(({direction, memory}) => direction !== 'output' && memory !== '')
  if (!isRead) return '要做到：'
  if (memories.has('local')) return '数据已经在片上内存里，需要：'
  return memories.has('global') ? '数据在Global Memory里，需要：' : '要做到：'
}

function reasoning(ask: NeedAsk): string {
  const about = ask.need === '' ? ask.api : '这件事'
  return lines(
    flow(ask, about),
    ask.plain ? oneArgument(ask.plain.prototype) : result(ask),
    ifAny(ask.dtypes, (types) => `元素类型先要核对：能用的是${list(types)}，别的类型不能直接传入。`),
    isWaitedFor(ask) ? `它由${ask.pipe}执行，其他流水上的指令要用它的结果，必须等它完成。` : '',
    ask.need === '' ? '' : `符合这些的是${ask.api}。`,
  )
}

function flow({operands, prototypes}: NeedAsk, about: string): string {
  const named = (isOf: (direction: string) => boolean) =>
    operands.filter(({direction}) => isOf(direction)).map(({name}) => name)
  const reads = named((direction) => direction !== 'output')
  const writes = named((direction) => direction !== 'input')
  if (reads.length + writes.length === 0) return declaredFlow(prototypes, about)
  const parts = [
    ifAny(reads, (names) => `读${list(names)}`),
    ifAny(writes, (names) => `写${list(names)}`),
    ifAny(onChip({operands}), (names) => `其中${listAnd(names)}是片上内存里的张量`),
  ]
  return `先看${about}涉及的数据：${parts.filter(Boolean).join('，')}。`
}

/** Where the page's table gives no directions, the declarations tell what is passed. */
function declaredFlow(prototypes: readonly Prototype[], about: string): string {
  const names = [...new Set(prototypes.flatMap(({parameters}) => parameters.map(({name}) => name)).filter(Boolean))]
  if (names.length > 0) return `${about}要用到的参数是${list(names)}。`
  const written = prototypes.flatMap(templateUses).filter(({how}) => how === 'written')
  if (written.length > 0)
    return `${about}没有函数参数，模板参数${list([...new Set(written.map(({name}) => name))])}必须写出。`
  if (prototypes.some(takesAnyNumber)) return ''
  return prototypes.length > 0 ? `${about}不需要传入参数，看它改变或给出什么。` : ''
}

function onChip({operands}: Pick<NeedAsk, 'operands'>): string[] {
  return operands.filter(({memory}) => memory === 'local').map(({name}) => name)
}

/** Results in tensors, by another pipe than the one that the rest of the code runs on. */
function isWaitedFor({pipe, operands}: NeedAsk): boolean {
  return (
    !['', 'PIPE_S'].includes(pipe) && operands.some(({direction, memory}) => direction !== 'input' && memory !== '')
  )
}

function result({prototypes, operands}: NeedAsk): string {
  const types = returnedTypes(prototypes)
  // Of several forms some return it, others write it.
  if (types.length > 0 && prototypes.some(({returns}) => returns === 'void')) return ''
  const written = operands.filter(({direction}) => direction !== 'input').map(({name}) => name)
  const isVoid = prototypes.every(({returns}) => returns === 'void')
  if (types.length === 0) return written.length > 0 && isVoid ? `没有返回值，结果在${list(written)}里。` : ''
  const returned = `返回值的类型是${list(types.map(ticked))}`
  return written.length > 0
    ? `${returned}，数据写到${list(written)}里。`
    : `结果由返回值给出，类型是${list(types.map(ticked))}。`
}

/** A form with one parameter or none is told by its types alone. */
function oneArgument({parameters: [parameter], returns}: Prototype): string {
  const given = parameter ? `只传一个${ticked(parameter.type)}类型的${parameter.name}` : '不传参数'
  if (returns === '') return `调用时${given}。`
  if (returns === 'void') return `调用时${given}，没有返回值。`
  return `调用时${given}，得到${ticked(returns)}类型的返回值。`
}

function toldOf({prototype, parameters}: NonNullable<NeedAsk['plain']>): string[] {
  return prototype.parameters.flatMap(({name}) => {
    const meaning = factOf(name, parameters)?.meaning ?? []
    return meaning.length > 0 ? [`${name}：${meaning.map(trimStop).join('。')}`] : []
  })
}

function answer(ask: NeedAsk): string {
  const [first = '', ...more] = ask.sentences
  const facts = [
    ask.plain ? `原型：${ticked(inOneLine(ask.plain.prototype.text))}` : '',
    ...(ask.plain ? toldOf(ask.plain) : []),
    ifAny(ask.dtypes, (types) => `数据类型：${list(types)}`),
    ask.pipe === '' ? '' : `流水：${ask.pipe}`,
    ifAny(ask.returns, (each) => `返回：${each.map(trimStop).join('；')}`),
  ].filter(Boolean)
  return blocks(
    ask.need === '' ? closed(first) : `用${ask.api}：${closed(first)}`,
    prose(more.map(closed), ''),
    bulletList(facts),
    ifAny(ask.limits, (limits) => `注意：\n${bulletList(limits)}`),
  )
}
