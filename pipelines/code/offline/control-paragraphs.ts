import type {FunctionSyntax} from '../cpp-syntax.ts'
import type {KernelFacts, Method} from '../kernel-facts.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** The loop over tiles, and what becomes of the last one. */
export function loopParagraph({methods, vectorCalls}: KernelFacts, voice: Voice): string {
  const process = methods.find(({role, syntax}) => role === 'process' && syntax.loops.length > 0)
  if (!process) return ''
  const tail = tailStatement(process.syntax)
  return paragraph(voice, [
    loopSentence(process.syntax, methods, voice),
    tail === undefined ? '' : tailSentence(tail, vectorCalls.length > 0, voice),
  ])
}

function loopSentence(process: FunctionSyntax, methods: readonly Method[], voice: Voice): string {
  const own = methods.filter(({syntax}) => syntax.owner === process.owner && syntax.returns === 'void')
  const isStage = (name: string) => own.some(({syntax}) => syntax.name === name)
  const stages = [...new Set(process.calls.map(({name}) => name).filter(isStage))]
  const [method, header, list] = [
    code(`${process.name}()`),
    code(process.loops[0]?.header ?? ''),
    codeList(stages, voice),
  ]
  return voice.say(
    `${method} drives the tiles with ${header}${stages.length > 0 ? `, calling ${list} in each round` : ''}.`,
    `${method} 用 ${header} 逐块推进${stages.length > 0 ? `,每轮调用 ${list}` : ''}。`,
  )
}

const tailMarks = / < .* \? |\w % \w|\b(?:std::)?min\(|\w*(?:tail|remain)\w*/i

function tailStatement({assignments, conditions}: FunctionSyntax): string | undefined {
  const statements = [...assignments.map(({name, value}) => `${name} = ${value}`), ...conditions.map(({text}) => text)]
  return statements.find((text) => tailMarks.test(text) && text.length <= 120)
}

function tailSentence(tail: string, hasVectorCalls: boolean, voice: Voice): string {
  return voice.say(
    [
      `The last tile may be shorter; ${code(tail)} takes care of it,`,
      `and counts passed to the instructions follow the real length${hasVectorCalls ? '' : ' too'}.`,
    ].join(' '),
    `最后一块可能不足一个完整 tile,由 ${code(tail)} 处理,后续指令的计算长度随之变化。`,
  )
}

/** What the entry does, and how it chooses a variant. */
export function dispatchParagraph({tilingKeys, methods}: KernelFacts, voice: Voice): string {
  const entry = methods.find(({role}) => role === 'entry')?.syntax
  if (!entry) return ''
  const start = entry.calls.find(({name, receiver}) => name === 'Init' && receiver !== '')
  const opening = start ? startSentence(start, voice) : ''
  if (tilingKeys.length >= 2)
    return paragraph(voice, [opening, variantSentence(voice), variantsSentence(entry, tilingKeys, voice)])
  const isProcessed = entry.calls.some(({name, receiver}) => name === 'Process' && receiver === start?.receiver)
  return isProcessed ? opening : ''
}

function startSentence({receiver, args}: FunctionSyntax['calls'][number], voice: Voice): string {
  const [init, process] = [code(`${receiver}.Init(${args.join(', ')})`), code(`${receiver}.Process()`)]
  return voice.say(
    `${init} hands addresses and tiling over, then ${process} does the work.`,
    `入口中先用 ${init} 传入地址与 tiling,再由 ${process} 完成计算。`,
  )
}

function variantSentence(voice: Voice): string {
  const macro = code('TILING_KEY_IS')
  return voice.say(
    [
      `The host chooses a variant by tiling key,`,
      `and ${macro} lets the compiler make one binary per key instead of a branch at run time.`,
    ].join(' '),
    `Host 侧通过 tiling key 选择实现分支,${macro} 让编译器为每个 key 单独生成二进制,运行时没有分支开销。`,
  )
}

const keyCondition = String.raw`TILING_KEY_IS\(\s*(\w+)\s*\)\s*\)\s*\{\s*(?:\/\/[^\n]*\n\s*)*`
const variantDeclaration = String.raw`([\w:]+\s*<[^;{}]*>)\s+\w+\s*[;({]`
const variant = new RegExp(keyCondition + variantDeclaration, 'g')

function variantsSentence({body}: FunctionSyntax, tilingKeys: readonly string[], voice: Voice): string {
  const variants = [...body.matchAll(variant)].map(([, key, type]) => `${key} → ${type!.replace(/\s+/g, ' ')}`)
  const {shown, more} = some(variants, 6)
  if (shown.length === 0) {
    const keys = codeList(some(tilingKeys, 8).shown, voice)
    return voice.say(`The keys are ${keys}.`, `可选的 key 有 ${keys}。`)
  }
  const list = codeList(shown, voice)
  return voice.say(
    `The variants are ${list}${more > 0 ? ` and ${more} more` : ''}.`,
    `各分支为 ${list}${more > 0 ? ` 等共 ${more + shown.length} 个` : ''}。`,
  )
}
