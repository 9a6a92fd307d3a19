import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import {evaluate} from '../../../cpp/expressions.ts'
import {branchText} from './branch-text.ts'
import {flowSentence} from './flow-paragraph.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** Cores, variant and workspace of the launch: what is the same in any case as such, the rest with its conditions. */
export function launchParagraph({launch, flows, constants}: HostFacts, voice: Voice): string {
  const groups = [launch.cores, launch.keys, launch.workspace]
  const open = new Set(
    groups
      .filter((group) => !isOne(group))
      .flat()
      .map(keyOf),
  )
  const isOpen = (one: Statement) => open.has(keyOf(one))
  const [cores, key, workspace] = groups.map((group) => (isOne(group) ? group[0] : undefined))
  return paragraph(voice, [
    cores ? coresSentence(cores, voice) : '',
    cores?.call?.args[0] === '1' ? oneCoreSentence(voice) : '',
    key ? keySentence(key, constants, voice) : '',
    workspace ? workspaceSentence(workspace.text, voice) : '',
    open.size > 0 ? casesSentence(launch.keys.some(isOpen), voice) : '',
    ...flows.map((flow) => (open.size > 0 ? flowSentence(flow, voice, {keep: isOpen}) : '')),
  ])
}

/** What a statement is known by in facts that were kept: they are values. */
const keyOf = (one: Statement) => JSON.stringify(one)

/** A single statement that runs in any case. */
function isOne(group: readonly Statement[]): boolean {
  const [one] = group
  return group.length === 1 && one !== undefined && one.loops.length === 0 && one.branches.every(isGuard(one))
}

/** That the framework gave what is written to is no case. */
function isGuard({target, call}: Statement): (branch: Statement['branches'][number]) => boolean {
  return ({condition, arm}) => {
    const name = /^(\w+) != nullptr$/.exec(condition)?.[1]
    return arm === 'then' && name !== undefined && new RegExp(`\\b${name}\\b`).test(`${target} ${call?.receiver ?? ''}`)
  }
}

function coresSentence({call}: Statement, voice: Voice): string {
  const set = code(`SetBlockDim(${call?.args.join(', ') ?? ''})`)
  return voice.say(`The launch uses ${set}.`, `启动核数由 ${set} 设置。`)
}

function oneCoreSentence(voice: Voice): string {
  return voice.say(
    'A single core does the whole work, which keeps the order of operations fixed.',
    '整个计算由一个核完成,运算顺序固定。',
  )
}

/** Only a constant is the same in every case; an expression is told as the one way in which the key is computed. */
function keySentence({kind, call, text}: Statement, constants: HostFacts['constants'], voice: Voice): string {
  const value = kind === 'call' ? (call?.args[0] ?? text) : text
  const key = code(value)
  const isFixed =
    evaluate(value, {constants: new Map(constants), types: new Map()}) !== undefined || fixedKey.test(value)
  return isFixed
    ? voice.say(`The tiling key is ${key} in every case.`, `tiling key 固定为 ${key}。`)
    : voice.say(`The tiling key is computed as ${key}.`, `tiling key 由 ${key} 得到。`)
}

/** Names in capitals and enumerators stand for constants, also where they are declared elsewhere. */
const fixedKey =
  /^(?:static_cast<[^<>]*>\()?(?:GET_TPL_TILING_KEY\()?(?:\w+::)*[A-Z][A-Z\d_]*(?:, (?:\w+::)*[A-Z\d_]+)*\)*$/

function casesSentence(hasKeys: boolean, voice: Voice): string {
  return hasKeys
    ? voice.say(
        'The tiling key names the variant of the kernel that runs, so it has to follow the case.',
        'tiling key 决定运行核函数的哪个分支,因此要按情况取值。',
      )
    : voice.say('What the launch gets depends on the case.', '启动参数随情况而定。')
}

function workspaceSentence(size: string, voice: Voice): string {
  return voice.say(`The workspace is ${code(size)} bytes.`, `workspace 大小为 ${code(size)} 字节。`)
}

/** On which conditions tiling fails. */
export function refusalParagraph({refusals}: HostFacts, voice: Voice): string {
  if (refusals.length === 0) return ''
  const {shown, more} = some(refusals, 8)
  const conditions = shown.map(({condition, branches}) => {
    const where = branchText(branches, voice)
    return `${code(condition)}${where && voice.say(` (${where})`, `(${where})`)}`
  })
  const rest = more > 0 ? `, and ${more} more ${more > 1 ? 'checks' : 'check'}` : ''
  const verb = refusals.length > 1 ? 'lead' : 'leads'
  const failure = code('GRAPH_FAILED')
  return voice.say(
    `Tiling must fail early when it cannot work: ${conditions.join(', ')}${rest} ${verb} to ${failure}.`,
    `不满足条件时应尽早失败:${conditions.join('、')}${more > 0 ? ` 等 ${refusals.length} 项检查` : ''} 返回 ${failure}。`,
  )
}

type Definition = HostFacts['definitions'][number]

/** What the operator's definition lists, and how its functions are bound to it. */
export function definitionParagraph({definitions: [definition], registrations}: HostFacts, voice: Voice): string {
  return paragraph(voice, [
    definition ? columnsSentence(definition, voice) : '',
    definition && definition.socs.length > 0 ? chipsSentence(definition.socs, voice) : '',
    registrations.length > 0 ? bindingSentence(registrations, voice) : '',
  ])
}

function columnsSentence({inputs, outputs}: Definition, voice: Voice): string {
  const columns = Math.max(...[...inputs, ...outputs].map(({dtypes}) => dtypes.length), 0)
  const [taken, given] = [counted(inputs.length, 'input'), counted(outputs.length, 'output')]
  return voice.say(
    [
      `The definition lists ${taken} and ${given}; their type lists are columns of one table,`,
      `here with ${counted(columns, 'combination')}, so all lists have the same length.`,
    ].join(' '),
    [
      `算子原型包含 ${inputs.length} 个输入、${outputs.length} 个输出;`,
      `各自的类型列表按列对应,共 ${columns} 种组合,长度必须一致。`,
    ].join(''),
  )
}

/** `1 input`, `3 inputs`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function chipsSentence(socs: readonly string[], voice: Voice): string {
  const list = codeList(socs, voice)
  return voice.say(`It is registered for ${list}.`, `注册的芯片为 ${list}。`)
}

function bindingSentence(registrations: readonly string[], voice: Voice): string {
  const list = codeList(registrations, voice)
  const bind = registrations.length > 1 ? 'bind' : 'binds'
  return voice.say(`${list} ${bind} the functions to the operator.`, `${list} 把函数绑定到算子上。`)
}
