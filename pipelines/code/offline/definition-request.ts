import type {DefinitionFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {attributeText, chipGroups, columnText, formatText, tensorList} from './definition-sentences.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'

/** What has to be known to write the definition: tensors, table of types, attributes, chips with their settings. */
export function definitionRequest(source: OperatorSource, facts: DefinitionFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    interfaceSentence(facts, voice),
    facts.columns.length > 0 ? typesSentence(facts, voice) : '',
    facts.attributes.length > 0
      ? voice.say(`Attributes: ${attributeText(facts, voice)}.`, `属性：${attributeText(facts, voice)}。`)
      : '',
    ...propertySentences(facts, voice),
    ...chipSentences(facts, voice),
  ])
}

function opening(source: OperatorSource, facts: DefinitionFacts, voice: Voice): string {
  const [path, operator] = [code(source.target.path), code(facts.operator)]
  return voice.say(
    [
      `Please write ${path}, which registers the definition of the Ascend C operator ${operator}.`,
      `I need the operator definition of ${operator} in ${path}.`,
    ],
    [
      `请编写 ${path}，完成 Ascend C 算子 ${operator} 的原型注册。`,
      `需要算子 ${operator} 的原型定义，文件为 ${path}。`,
    ],
  )
}

function interfaceSentence({tensors}: DefinitionFacts, voice: Voice): string {
  const list = (direction: string) =>
    tensorList(
      tensors.filter((one) => one.direction === direction),
      voice,
    )
  const [inputs, outputs] = [list('input'), list('output')]
  if (tensors.length === 0) return ''
  const nothing = voice.say('nothing', '无')
  return voice.say(
    `It takes ${inputs || nothing} and gives ${outputs || nothing}.`,
    `输入为 ${inputs || nothing}，输出为 ${outputs || nothing}。`,
  )
}

function typesSentence(facts: DefinitionFacts, voice: Voice): string {
  const {columns, tensors} = facts
  const formats = formatText(tensors, voice)
  const count = columns.length
  return voice.say(
    [
      `${count === 1 ? 'One combination of types is' : `${count} combinations of types are`} supported,`,
      `column by column ${columnText(facts, voice)}${formats === '' ? '' : `; ${formats}`}.`,
    ].join(' '),
    `共支持 ${count} 种类型组合，按列为 ${columnText(facts, voice)}${formats === '' ? '' : `；${formats}`}。`,
  )
}

/** Tensors with further calls, grouped if equal. */
function propertySentences({tensors}: DefinitionFacts, voice: Voice): string[] {
  const byProperty = new Map<string, Set<string>>()
  for (const {name, properties} of tensors)
    for (const one of properties) byProperty.set(one, (byProperty.get(one) ?? new Set()).add(name))
  return [...byProperty].map(([property, names]) => {
    const list = codeList([...names], voice)
    return voice.say(
      `${list} ${names.size > 1 ? 'have' : 'has'} ${code(property)}.`,
      `${list} 设置 ${code(property)}。`,
    )
  })
}

function chipSentences(facts: DefinitionFacts, voice: Voice): string[] {
  const usual = formatText(facts.tensors, voice)
  return chipGroups(facts).map(({chips, flags, tensors}) => {
    const list = codeList(chips, voice)
    const given = flags.length === 0 ? voice.say('the default configuration', '默认配置') : codeList(flags, voice)
    const columns = tensors[0]?.dtypes.length ?? 0
    const formats = formatText(tensors, voice)
    const table = [columnText({tensors, columns: []}, voice), ...(formats === '' || formats === usual ? [] : [formats])]
    const redefined =
      tensors.length > 0 && columns > 0
        ? voice.say(`, and its own table: ${table.join('; ')}`, `，并单独给出类型表：${table.join('；')}`)
        : ''
    return voice.say(
      `Register it for ${list} with ${given}${redefined}.`,
      `为 ${list} 注册，配置为 ${given}${redefined}。`,
    )
  })
}
