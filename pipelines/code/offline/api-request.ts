import {plansOf} from '../../facts/api-facts.ts'
import type {ApiFacts, DtypeList} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {plainName} from '../scenarios/contract-names.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What a developer would request to get the file of the operator's C interface. */
export function apiRequest(source: OperatorSource, facts: ApiFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    signatures(facts, voice),
    limits(facts, voice),
    documentedLimits(source, facts, voice),
    facts.computations.length > 0 ? computationSentence(facts, voice) : '',
  ])
}

function opening({target, operator}: OperatorSource, facts: ApiFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  if (facts.functions.length === 0)
    return voice.say(
      `Please write the header ${path} with the interface of the operator ${name}.`,
      `请编写头文件 ${path}，声明算子 ${name} 的接口。`,
    )
  if (plansOf(facts).length > 0)
    return voice.say(
      [
        `Please write ${path}, the two-phase aclnn interface of the operator ${name}.`,
        `I need the aclnn interface of ${name} in ${path}.`,
      ],
      [
        `请编写 ${path}，实现算子 ${name} 的两段式 aclnn 接口。`,
        `需要算子 ${name} 的 aclnn 接口实现，文件为 ${path}。`,
      ],
    )
  const isQueued = facts.launches.length > 0
  return voice.say(
    isQueued
      ? `Please write ${path}, which puts the operator ${name} on the launcher list for its aclnn interface.`
      : `Please write ${path}, part of the host interface of the operator ${name}.`,
    isQueued
      ? `请编写 ${path}，实现算子 ${name} 的 L0 接口，把任务加入执行队列。`
      : `请编写 ${path}，它是算子 ${name} Host 侧接口的一部分。`,
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

/** An array's brackets follow its name. */
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
    `类型列表：${told.map((one) => listText(one)).join(';')}。`,
  )
}

export function listText({name, dtypes}: DtypeList): string {
  return `${code(name)} = ${dtypes.map(code).join(', ')}`
}

/** What the operator's pages allow for the caller's parameters. */
function documentedLimits({purpose}: OperatorSource, facts: ApiFacts, voice: Voice): string {
  const names = new Set(plansOf(facts).flatMap(({parameters}) => parameters.map(({name}) => name)))
  const told = [...names].flatMap((name) => {
    const own = purpose?.limits?.find((one) => plainName(one.name) === plainName(name))
    const words = own ? limitWords(own, voice) : []
    return words.length === 0
      ? []
      : voice.say(`${code(name)} (${words.join('; ')})`, `${code(name)}（${words.join('；')}）`)
  })
  if (told.length === 0) return ''
  return voice.say(`Documented limits: ${told.join(', ')}.`, `文档规定的限制：${told.join('、')}。`)
}

type Limits = NonNullable<NonNullable<OperatorSource['purpose']>['limits']>[number]

function limitWords({dtypes, ranks, like, range}: Limits, voice: Voice): string[] {
  const [least, most] = [Math.min(...ranks), Math.max(...ranks)]
  const isWhole = ranks.length > 2 && ranks.length === most - least + 1
  const counts = isWhole ? voice.say(`${least} to ${most}`, `${least} 至 ${most}`) : ranks.join(', ')
  return [
    ...(dtypes.length > 0 ? [dtypes.join(voice.say(', ', '、'))] : []),
    ...(ranks.length > 0 ? [voice.say(`${counts} dimension${counts === '1' ? '' : 's'}`, `${counts} 维`)] : []),
    ...(like === undefined ? [] : [voice.say(`the shape of ${code(like)}`, `形状与 ${code(like)} 相同`)]),
    ...(range ? [voice.say(`${range[0]} to ${range[1]}`, `取值 ${range[0]} 至 ${range[1]}`)] : []),
  ]
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
