import {plansOf} from '../../facts/api-facts.ts'
import type {ApiFacts, DtypeList} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What a developer would ask for so that the file of the operator's C interface is the answer. */
export function apiRequest(source: OperatorSource, facts: ApiFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    signatures(facts, voice),
    limits(facts, voice),
    facts.computations.length > 0 ? computationSentence(facts, voice) : '',
  ])
}

function opening({target, operator}: OperatorSource, facts: ApiFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  if (facts.functions.length === 0)
    return voice.say(
      `Please write the header ${path} with the interface of the operator ${name}.`,
      `请编写头文件 ${path},声明算子 ${name} 的接口。`,
    )
  if (plansOf(facts).length > 0)
    return voice.say(
      [
        `Please write ${path}, the two-phase aclnn interface of the operator ${name}.`,
        `I need the aclnn interface of ${name} in ${path}.`,
      ],
      [`请编写 ${path},实现算子 ${name} 的两段式 aclnn 接口。`, `需要算子 ${name} 的 aclnn 接口实现,文件为 ${path}。`],
    )
  const isQueued = facts.launches.length > 0
  return voice.say(
    isQueued
      ? `Please write ${path}, which puts the operator ${name} on the launcher list for its aclnn interface.`
      : `Please write ${path}, part of the host interface of the operator ${name}.`,
    isQueued
      ? `请编写 ${path},实现算子 ${name} 的 L0 接口,把任务加入执行队列。`
      : `请编写 ${path},它是算子 ${name} Host 侧接口的一部分。`,
  )
}

/** Functions that other files call, with their parameters. */
function signatures(facts: ApiFacts, voice: Voice): string {
  const visible = plansOf(facts).length > 0 ? plansOf(facts) : facts.functions.filter(({isStatic}) => !isStatic)
  const {shown, more} = some(visible.length > 0 ? visible : facts.prototypes, 4)
  if (shown.length === 0) return ''
  const list = voice.list(shown.map((one) => code(signatureOf(one))))
  return voice.say(
    `${facts.functions.length === 0 ? 'It declares' : 'It provides'} ${list}${more > 0 ? ` and ${more} more` : ''}.`,
    `${facts.functions.length === 0 ? '声明' : '提供'} ${list}${more > 0 ? ` 等 ${more + shown.length} 个函数` : ''}。`,
  )
}

export function signatureOf({name, parameters}: FunctionFlow): string {
  return `${name}(${parameters.map(declared).join(', ')})`
}

/** An array's brackets stand behind its name. */
function declared({type, name}: FunctionFlow['parameters'][number]): string {
  const [, plain = type, brackets = ''] = /^(.*?)\s*((?:\[[^\]]*\])+)$/.exec(type) ?? []
  return `${plain} ${name}${brackets}`.trim()
}

/** Which types are accepted, as the lists of the file say. */
function limits({lists}: ApiFacts, voice: Voice): string {
  const told = some(
    lists.filter(({users, dtypes}) => users.length > 0 && dtypes.length > 0),
    4,
  ).shown
  if (told.length === 0) return ''
  return voice.say(
    `Type lists: ${told.map((one) => listText(one)).join('; ')}.`,
    `类型列表:${told.map((one) => listText(one)).join(';')}。`,
  )
}

export function listText({name, dtypes}: DtypeList): string {
  return `${code(name)} = ${dtypes.map(code).join(', ')}`
}

function computationSentence({computations}: ApiFacts, voice: Voice): string {
  const list = codeList(
    some(
      computations.map((name) => `l0op::${name}`),
      8,
    ).shown,
    voice,
  )
  return voice.say(`Available to build on: ${list}.`, `可以使用的底层接口有 ${list}。`)
}
