import type {HostFacts} from '../host-facts.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** Cores, variant and workspace of the launch. */
export function launchParagraph({blockDim, tilingKeys, workspace}: HostFacts, voice: Voice): string {
  return paragraph(voice, [
    blockDim.length > 0 ? coresSentence(blockDim, voice) : '',
    blockDim.length === 1 && blockDim[0] === '1' ? oneCoreSentence(voice) : '',
    tilingKeys.length > 0 ? keySentence(tilingKeys, voice) : '',
    workspace.length > 0 ? workspaceSentence(workspace, voice) : '',
  ])
}

function coresSentence(blockDim: readonly string[], voice: Voice): string {
  const calls = blockDim.map((value) => `SetBlockDim(${value})`)
  const list = codeList(calls, voice)
  return voice.say(`The launch uses ${list}.`, `启动核数由 ${list} 设置。`)
}

function oneCoreSentence(voice: Voice): string {
  return voice.say(
    'A single core does the whole work, which keeps the order of operations fixed.',
    '整个计算由一个核完成,运算顺序固定。',
  )
}

function keySentence(tilingKeys: readonly string[], voice: Voice): string {
  const list = codeList(some(tilingKeys, 6).shown, voice)
  return voice.say(
    `The tiling key is ${list}, so that the kernel picks its variant at compile time.`,
    `tiling key 取 ${list},核函数据此选择编译期分支。`,
  )
}

function workspaceSentence(workspace: readonly string[], voice: Voice): string {
  const list = codeList(workspace, voice)
  return voice.say(`The workspace is ${list}.`, `workspace 大小为 ${list}。`)
}

/** On which conditions tiling fails. */
export function refusalParagraph({refusals}: HostFacts, voice: Voice): string {
  if (refusals.length === 0) return ''
  const {shown, more} = some(refusals, 5)
  const conditions = shown.map(code)
  const rest = more > 0 ? `, and ${more} more checks` : ''
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
  return voice.say(`${list} binds the functions to the operator.`, `${list} 把函数绑定到算子上。`)
}
