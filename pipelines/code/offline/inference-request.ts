import type {InferenceFacts, InferredShape, ShapeSource} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {interfaceSentence} from './interface-sentence.ts'
import {isReadable, purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What a developer would request to get the file that infers shapes. */
export function inferenceRequest(source: OperatorSource, facts: InferenceFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    commentSentence(facts, voice),
    source.definition ? interfaceSentence(source.definition, voice) : dtypesSentence(source, facts, voice),
    resultSentence(facts, voice),
    registrationSentence(facts, voice),
  ])
}

function opening({target, operator}: OperatorSource, {types, registrations}: InferenceFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  const both = types.length > 0 || registrations.some(({calls}) => calls.some((one) => one.name === 'InferDataType'))
  const [en, zh] = both ? ['shape and type inference', 'shape 与 dtype 推导'] : ['shape inference', 'shape 推导']
  return voice.say(
    [`Please write ${path}: ${en} of the operator ${name}.`, `I need the ${en} of ${name} in ${path}.`],
    [`请编写 ${path}，实现算子 ${name} 的 ${zh}。`, `需要算子 ${name} 的 ${zh}，文件为 ${path}。`],
  )
}

/** What the author wrote above the functions, if it is informative. */
function commentSentence({functions}: InferenceFacts, voice: Voice): string {
  const found = functions
    .map(({comment}) => comment)
    .find((one) => one.length >= 16 && one.length <= 240 && !/copyright/i.test(one) && isReadable(one, voice))
  if (found === undefined) return ''
  return voice.say(`Note: ${found.replace(/\.$/, '')}.`, `说明：${found.replace(/[.。]$/, '')}。`)
}

/** A definition may leave the type of a tensor to another; such a list would be short of names. */
function dtypesSentence({dtypes}: OperatorSource, {asked}: InferenceFacts, voice: Voice): string {
  const names = Object.keys(dtypes)
  const inputs = asked.flatMap(({what, index}) => (what === 'attribute' ? [] : [Number(index) + 1]))
  if (names.length <= Math.max(0, ...inputs) || names.length > 12) return ''
  const list = codeList(names, voice)
  return voice.say(`Its tensors are ${list}, in the order of the definition.`, `算子的张量按定义顺序为 ${list}。`)
}

/** What must come out, in facts and not in steps. */
function resultSentence(facts: InferenceFacts, voice: Voice): string {
  const {asked, handlesUnknownRank, handlesUnknownDims, types} = facts
  const fixed = types.flatMap((one) => one.fixed ?? [])
  return paragraph(voice, [
    wantedShapes(facts, voice),
    asked.length > 0 ? askedSentence(asked, voice) : '',
    handlesUnknownRank ? voice.say('Inputs of unknown rank must be handled.', '需要处理维度数未知的输入。') : '',
    handlesUnknownDims ? voice.say('Unknown dimensions must be handled.', '需要处理未知维度。') : '',
    fixed.length > 0 ? typeSentence(fixed, voice) : '',
  ])
}

function askedSentence(asked: InferenceFacts['asked'], voice: Voice): string {
  const nouns = {
    shape: ['the shape of input', '的 shape'],
    type: ['the type of input', '的类型'],
    values: ['the values of input', '的值'],
    attribute: ['attribute', ''],
  } as const
  const parts = asked.map(({what, index}) =>
    voice.say(
      `${nouns[what][0]} ${index}`,
      what === 'attribute' ? `第 ${index} 个属性` : `第 ${index} 个输入${nouns[what][1]}`,
    ),
  )
  const list = voice.list(some(parts, 8).shown)
  return voice.say(`It works from ${list}, counted from 0.`, `推导依据为${list}（从 0 计数）。`)
}

function typeSentence(fixed: readonly {output: string; dtype: string}[], voice: Voice): string {
  const list = voice.list(
    fixed.map(({output, dtype}) =>
      voice.say(`output ${output} has type ${code(dtype)}`, `输出 ${output} 的类型为 ${code(dtype)}`),
    ),
  )
  return voice.say(`Whatever the inputs, ${list}.`, `无论输入如何，${list}。`)
}

function registrationSentence({registrations}: InferenceFacts, voice: Voice): string {
  if (registrations.length === 0) return ''
  const list = codeList(
    registrations.map(({macro}) => macro),
    voice,
  )
  return voice.say(`Register with ${list}.`, `用 ${list} 注册。`)
}

/** What the shared rules of the operator base give, in our words. */
const sharedRules: Readonly<Record<string, {en: string; zh: string}>> = {
  InferShape4Elewise: {en: 'the output has the shape of the input', zh: '输出 shape 与输入相同'},
  InferShape4Broadcast: {
    en: 'the output has the shape to which the inputs broadcast',
    zh: '输出 shape 为各输入按广播规则合并的结果',
  },
}

/** What must come out, as far as it can be asked for without the code: shapes that no branch decides. */
export function wantedShapes({shapes, rules}: InferenceFacts, voice: Voice): string {
  const texts = shapes.filter((one) => !one.hasCases).map((one) => resultText(one, voice))
  const shared = rules.flatMap((name) => sharedRules[name] ?? []).map(({en, zh}) => capital(voice.say(en, zh)))
  const said = [...new Set([...texts, ...shared])].filter((one) => one !== '')
  return paragraph(
    voice,
    said.map((one) => voice.say(`${one}.`, `${one}。`)),
  )
}

/** '' for a shape with an expression that is not understood. */
function resultText({output, rule}: InferredShape, voice: Voice): string {
  if (rule.kind === 'scalar') return voice.say(`Output ${output} is a scalar`, `输出 ${output} 为标量`)
  if (rule.kind === 'same') {
    const noun = voice.say(`${rule.of} ${rule.index}`, `${rule.of === 'input' ? '输入' : '输出'} ${rule.index}`)
    const count = rule.without
    if (count !== undefined) {
      const last = count > 1 ? `${count} dimensions` : 'dimension'
      return voice.say(
        `Output ${output} has the shape of ${noun} without its last ${last}`,
        `输出 ${output} 的 shape 为${noun} 去掉最后 ${count} 维`,
      )
    }
    return voice.say(`Output ${output} has the shape of ${noun}`, `输出 ${output} 的 shape 与${noun} 相同`)
  }
  const {values} = rule
  const sources = values.flatMap(({source}) => source ?? [])
  if (sources.length < values.length) return ''
  const list = sources.map((source) => sourceText(source, voice)).join(', ')
  return voice.say(
    `Output ${output} has ${values.length} dimension${values.length > 1 ? 's' : ''}: (${list})`,
    `输出 ${output} 为 ${values.length} 维：(${list})`,
  )
}

function sourceText(source: ShapeSource, voice: Voice): string {
  switch (source.kind) {
    case 'number':
      return source.value
    case 'attribute':
      return voice.say(`attribute ${source.index}`, `属性 ${source.index}`)
    case 'rank':
      return voice.say(`the rank of input ${source.of}`, `输入 ${source.of} 的维数`)
    case 'dimension':
      return voice.say(`dimension ${source.index} of input ${source.of}`, `输入 ${source.of} 的第 ${source.index} 维`)
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
