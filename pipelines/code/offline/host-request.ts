import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {HostFacts} from '../host-facts.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** What a developer would ask for so that the target file, the operator's host side, is the answer. */
export function hostRequest(source: OperatorSource, facts: HostFacts, voice: Voice): string {
  const [definition] = facts.definitions
  return paragraph(voice, [
    opening(source, voice),
    purposeSentence(source, voice),
    definition ? interfaceSentence(definition, voice) : '',
    definition && definition.attributes.length > 0 ? attributesSentence(definition, voice) : '',
    provides(source, facts, voice),
    facts.registrations.length > 0 ? registrationSentence(facts.registrations, voice) : '',
    facts.tilingKeys.length > 0
      ? voice.say('Choose the tiling key by the case at hand.', '并根据不同情况选择 tiling key。')
      : '',
    definition ? operatorSentence(facts, voice) : '',
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
      `请编写 ${path},完成 ${operator} 在 Atlas A2 上的 Host 侧 tiling。`,
      `需要 ${operator} 算子的 tiling 实现,文件为 ${path}。`,
    ],
  )
}

type Definition = HostFacts['definitions'][number]

function interfaceSentence({inputs, outputs}: Definition, voice: Voice): string {
  const [taken, given] = [voice.list(inputs.map(tensorText)), voice.list(outputs.map(tensorText))]
  return voice.say(`The operator takes ${taken} and gives ${given}.`, `算子输入为 ${taken},输出为 ${given}。`)
}

/** `x (float16/float32) [optional]`. */
function tensorText({name, dtypes, kind}: Definition['inputs'][number]): string {
  const types = dtypes.length > 0 ? ` (${[...new Set(dtypes)].join('/')})` : ''
  return `${code(name)}${types}${kind === 'required' ? '' : ` [${kind}]`}`
}

function attributesSentence({attributes}: Definition, voice: Voice): string {
  const texts = attributes.map(({name, type, default: value}) => `${name}: ${type}${value === '' ? '' : ` = ${value}`}`)
  const list = codeList(texts, voice)
  return voice.say(`Its attribute${texts.length > 1 ? 's are' : ' is'} ${list}.`, `属性有 ${list}。`)
}

/** The tiling fields that the kernel needs, or the functions that other files call. */
function provides(source: OperatorSource, {sets, functions, blockDim}: HostFacts, voice: Voice): string {
  const fields = [...new Set(sets.map(({field}) => field))]
  if (fields.length > 0) return tilingSentence(fields, blockDim.length > 0, voice)
  const named = functions.filter(({name, owner}) => owner === '' && name !== source.operator).map(({name}) => name)
  if (named.length === 0) return ''
  const list = codeList(some(named, 5).shown, voice)
  return voice.say(`It provides ${list}.`, `文件提供 ${list}。`)
}

function tilingSentence(fields: readonly string[], setsCores: boolean, voice: Voice): string {
  const list = codeList(some(fields, 10).shown, voice)
  return voice.say(
    `The tiling function fills ${list} for the kernel${setsCores ? ' and sets the block dimension' : ''}.`,
    `tiling 函数需为核函数填好 ${list}${setsCores ? ',并设置 blockDim' : ''}。`,
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
