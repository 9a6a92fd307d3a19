import type {HostFacts, SourceRun} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {callSentence} from './case-sentence.ts'
import {interfaceSentence} from './interface-sentence.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What a developer would request to get the target file, the operator's host side. */
export function hostRequest(source: OperatorSource, facts: HostFacts, voice: Voice, ran?: SourceRun): string {
  const [definition] = facts.definitions
  const known = definition ?? (readsCall(facts) ? source.definition : undefined)
  return paragraph(voice, [
    opening(source, voice),
    purposeSentence(source, voice),
    known ? interfaceSentence(known, voice) : '',
    provides(source, facts, voice),
    facts.registrations.length > 0 ? registrationSentence(facts.registrations, voice) : '',
    facts.launch.keys.length > 1
      ? voice.say('Choose the tiling key by the case at hand.', '并根据不同情况选择 tiling key。')
      : '',
    definition ? operatorSentence(facts, voice) : '',
    ran ? callSentence(ran, voice) : '',
  ])
}

function opening(source: OperatorSource, voice: Voice): string {
  const [path, operator] = [code(source.target.path), code(source.operator)]
  return voice.say(
    [
      `Please implement the host side of the Ascend C operator ${operator} in ${path}.`,
      `Write ${path}: the host-side tiling of ${operator} for Atlas A2.`,
      `I need the tiling code of the ${operator} operator (${path}).`,
    ],
    [
      `请实现 Ascend C 算子 ${operator} 的 Host 侧代码(${path})。`,
      `请编写 ${path}，完成 ${operator} 在 Atlas A2 上的 Host 侧 tiling。`,
      `需要 ${operator} 算子的 tiling 实现，文件为 ${path}。`,
    ],
  )
}

/** Then it must know the order of tensors and attributes. */
function readsCall({registrations, inputs, attributes}: HostFacts): boolean {
  return registrations.length + inputs.shapes.length + inputs.types.length + attributes.length > 0
}

/** The tiling fields that the kernel needs, or the functions that other files call. */
function provides(source: OperatorSource, facts: HostFacts, voice: Voice): string {
  const {sets, functions, launch} = facts
  const fields = [...new Set(sets.map(({field}) => field))]
  if (fields.length > 0) return tilingSentence(fields, launch.cores.length > 0, voice)
  const stubs = new Set(facts.flows.filter(isStub).map(({name}) => name))
  const named = functions
    .filter(({name, owner}) => owner === '' && name !== source.operator && !stubs.has(name))
    .map(({name}) => name)
  if (named.length === 0) return declares(facts, voice)
  const list = codeList(some(named, 5).shown, voice)
  return paragraph(voice, [declares(facts, voice), voice.say(`It provides ${list}.`, `文件提供 ${list}。`)])
}

/** Structures with their fields: other files name each of them. */
function declares({structures}: HostFacts, voice: Voice): string {
  const texts = structures.map(({name, fields}) => {
    const list = fields.map((one) => code(`${one.type} ${one.name}${one.size ? `[${one.size}]` : ''}`)).join(', ')
    return voice.say(`${code(name)} (${list})`, `${code(name)}(${list})`)
  })
  if (texts.length === 0) return ''
  return voice.say(
    `It declares the tiling structure ${voice.list(texts)}.`,
    `文件声明 tiling 结构体 ${voice.list(texts)}。`,
  )
}

function tilingSentence(fields: readonly string[], setsCores: boolean, voice: Voice): string {
  const {shown, more} = some(fields, 16)
  const list = codeList(shown, voice)
  const rest =
    more > 0 ? voice.say(` and ${more} more ${more > 1 ? 'fields' : 'field'}`, ` 等 ${fields.length} 个字段`) : ''
  return voice.say(
    `The tiling function fills ${list}${rest} for the kernel${setsCores ? ' and sets the block dimension' : ''}.`,
    `tiling 函数需为核函数填好 ${list}${rest}${setsCores ? '，并设置 blockDim' : ''}。`,
  )
}

function registrationSentence(registrations: readonly string[], voice: Voice): string {
  const list = codeList(registrations, voice)
  return voice.say(`Register it with ${list}.`, `用 ${list} 完成注册。`)
}

function operatorSentence({functions}: HostFacts, voice: Voice): string {
  const infers = functions.some(({calls}) => calls.some(({name}) => name === 'SetInferShape'))
  return infers
    ? voice.say('Register the operator with shape and type inference.', '同时完成算子原型注册与 shape、dtype 推导。')
    : voice.say('Register the operator in the same file.', '同时在该文件中完成算子原型注册。')
}

/** A function that only gives back a constant is not one that others call for. */
function isStub({statements: [only, ...others]}: HostFacts['flows'][number]): boolean {
  return others.length === 0 && (only === undefined || (only.kind === 'return' && /^[\w:]*$/.test(only.text)))
}
