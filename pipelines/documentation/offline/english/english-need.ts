import type {Prototype} from '../../prototype.ts'
import type {Draft} from '../draft.ts'
import {factOf} from '../kinds/forms-ask.ts'
import type {NeedAsk} from '../kinds/need-ask.ts'
import {takesAnyNumber, templateUses} from '../kinds/operands.ts'
import {blocks, bulletList, ifAny, inOneLine, lines, prose, returnedTypes, ticked, trimStop} from '../text.ts'
import {be, capitalised, clause, list, stopped} from './english-words.ts'

export function need(ask: NeedAsk): Draft {
  return {question: question(ask), reasoning: reasoning(ask), answer: answer(ask)}
}

function question(ask: NeedAsk): string {
  const also = [
    ask.dtypes.length > 0 ? 'which data types does it take' : '',
    ask.pipe === '' ? '' : 'on which pipe does it run',
    ask.returns.length > 0 ? 'what does it return' : '',
    ask.limits.length > 0 ? 'what is to be minded' : '',
    ask.plain && toldOf(ask.plain).length > 0 ? `what is passed as ${ask.plain.prototype.parameters[0]!.name}` : '',
  ].filter(Boolean)
  if (ask.need === '') return `What does ${ask.api} of Ascend C do${also.map((each) => `, ${each}`).join('')}?`
  const further = also.map((each) => `, ${each}`).join('')
  const isVerb = /^[A-Z]?[a-z]+s\b/.test(ask.need)
  if (isVerb) return `${setting(ask)}Which interface of Ascend C ${clause(ask.need)}${further}?`
  return `${setting(ask)}The task is this: ${clause(ask.need)}. Which interface of Ascend C does that${further}?`
}

/** Where the data is, as a sentence of its own. */
function setting({operands}: NeedAsk): string {
  const memories = new Set(operands.map(({memory}) => memory).filter(Boolean))
  if (memories.has('either')) return ''
  if (memories.size === 2) return 'Data goes through Global Memory and on-chip memory. '
  // Where only the result is there, the data comes from elsewhere.
  if (!operands.some(({direction, memory}) => direction !== 'output' && memory !== '')) return ''
  if (memories.has('local')) return 'The data lies in on-chip memory already. '
  return memories.has('global') ? 'The data lies in Global Memory. ' : ''
}

function reasoning(ask: NeedAsk): string {
  return lines(
    flow(ask),
    ask.plain ? oneArgument(ask.plain.prototype) : result(ask),
    ifAny(ask.dtypes, (types) => `The element type comes next: ${list(types)} ${be(types.length)} allowed, no other.`),
    isWaitedFor(ask) ? `It runs on ${ask.pipe}; other pipes have to wait before they use the result.` : '',
    ask.need === '' ? '' : `${ask.api} fits all of this.`,
  )
}

function flow({operands, prototypes, need: task, api}: NeedAsk): string {
  const named = (isOf: (direction: string) => boolean) =>
    operands.filter(({direction}) => isOf(direction)).map(({name}) => name)
  const reads = named((direction) => direction !== 'output')
  const writes = named((direction) => direction !== 'input')
  const about = task === '' ? api : 'the task'
  if (reads.length + writes.length === 0) return declaredFlow(prototypes, capitalised(about))
  const local = operands.filter(({memory}) => memory === 'local').map(({name}) => name)
  const parts = [
    ifAny(reads, (names) => `${list(names)} ${be(names.length)} read`),
    ifAny(writes, (names) => `${list(names)} ${be(names.length)} written`),
    ifAny(
      local,
      (names) => `of these ${list(names)} ${names.length === 1 ? 'is a tensor' : 'are tensors'} in on-chip memory`,
    ),
  ]
  return `The data first: ${parts.filter(Boolean).join('; ')}.`
}

/** Where the page's table gives no directions, the declarations tell what is passed. */
function declaredFlow(prototypes: readonly Prototype[], about: string): string {
  const names = [...new Set(prototypes.flatMap(({parameters}) => parameters.map(({name}) => name)).filter(Boolean))]
  if (names.length > 0) return `${about} takes ${list(names)}.`
  const written = prototypes.flatMap(templateUses).filter(({how}) => how === 'written')
  if (written.length > 0)
    return `${about} takes no argument but ${list([...new Set(written.map(({name}) => name))])} in angle brackets.`
  if (prototypes.some(takesAnyNumber)) return ''
  return prototypes.length > 0 ? `${about} takes no argument, so what matters is what it changes or gives back.` : ''
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
  if (types.length === 0)
    return written.length > 0 && isVoid ? `Nothing is returned; the result is in ${list(written)}.` : ''
  const returned = list(types.map(ticked))
  return written.length > 0
    ? `The call returns ${returned}; the data goes to ${list(written)}.`
    : `The result comes back as ${returned}.`
}

/** A form with one parameter or none is told by its types alone. */
function oneArgument({parameters: [parameter], returns}: Prototype): string {
  const given = parameter ? `one argument, ${parameter.name} of type ${ticked(parameter.type)}` : 'no argument'
  if (returns === '') return `A call takes ${given}.`
  return `A call takes ${given}, and ${returns === 'void' ? 'gives nothing back' : `gives back a ${ticked(returns)}`}.`
}

function toldOf({prototype, parameters}: NonNullable<NeedAsk['plain']>): string[] {
  return prototype.parameters.flatMap(({name}) => {
    const meaning = factOf(name, parameters)?.meaning ?? []
    return meaning.length > 0 ? [`${name}: ${meaning.map(clause).join('; ')}`] : []
  })
}

function answer(ask: NeedAsk): string {
  const [first = '', ...more] = ask.sentences
  const facts = [
    ask.plain ? `Prototype: ${ticked(inOneLine(ask.plain.prototype.text))}` : '',
    ...(ask.plain ? toldOf(ask.plain) : []),
    ifAny(ask.dtypes, (types) => `Data types: ${list(types)}`),
    ask.pipe === '' ? '' : `Pipe: ${ask.pipe}`,
    ifAny(ask.returns, (each) => `Returns: ${each.map(trimStop).join('; ')}`),
  ].filter(Boolean)
  return blocks(
    ask.need === '' ? stopped(first) : `${ask.api}. ${stopped(first)}`,
    prose(more.map(stopped), ' '),
    bulletList(facts),
    ifAny(ask.limits, (limits) => `Mind:\n${bulletList(limits)}`),
  )
}
