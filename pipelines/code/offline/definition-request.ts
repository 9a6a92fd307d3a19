import type {DefinitionFacts, DefinedTensor} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'
import {columnTensors} from '../../facts/definition-facts.ts'

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

type Tensors = DefinitionFacts['tensors']

/** `` `x` (required), `bias` (optional) ``. */
function tensorList(tensors: Tensors, voice: Voice): string {
  return voice.list(tensors.map(({name, kind}) => `${code(name)} ${kindText(kind, voice)}`))
}

function kindText(kind: DefinedTensor['kind'], voice: Voice): string {
  const zh = {required: '（必选）', optional: '（可选）', dynamic: '（动态个数）'}
  return voice.say(`(${kind})`, zh[kind])
}

/**
 * The table of types in as few words as possible: tensors with the same column are grouped, and the columns are listed
 * for each such group.
 */
function columnText(facts: Pick<DefinitionFacts, 'tensors' | 'columns'>, voice: Voice): string {
  return sharedColumns(facts.tensors)
    .map(({names, dtypes}) => {
      const list = codeList(names, voice)
      const kinds = [...new Set(dtypes)]
      const types = kinds.length === 1 ? onlyText(kinds[0]!, dtypes.length, voice) : runsText(dtypes)
      return `${list}${voice.say(': ', ':')}${types}`
    })
    .join(voice.say('; ', ';'))
}

function onlyText(dtype: string, columns: number, voice: Voice): string {
  if (columns === 1) return code(dtype)
  return voice.say(`${code(dtype)} in every column`, `每列均为 ${code(dtype)}`)
}

/** `DT_INT32 ×5, DT_INT64 ×5`, in the order of the columns. */
function runsText(dtypes: readonly string[]): string {
  const runs: {dtype: string; count: number}[] = []
  for (const dtype of dtypes) {
    const last = runs.at(-1)
    if (last?.dtype === dtype) last.count += 1
    else runs.push({dtype, count: 1})
  }
  return runs.map(({dtype, count}) => `${code(dtype)}${count > 1 ? ` ×${count}` : ''}`).join(', ')
}

/** Inputs and outputs with equal type lists together. */
function sharedColumns(tensors: Tensors): {names: string[]; dtypes: string[]}[] {
  const groups = new Map<string, {names: string[]; dtypes: string[]}>()
  for (const {name, direction, dtypes} of columnTensors(tensors)) {
    const group = groups.get(dtypes.join()) ?? {names: [], dtypes}
    const isTwice = tensors.some((one) => one.name === name && one.direction !== direction)
    group.names.push(isTwice && direction === 'output' ? `${name} (output)` : name)
    groups.set(dtypes.join(), group)
  }
  return [...groups.values()].map(({names, dtypes}) => ({names: [...new Set(names)], dtypes}))
}

/** Formats, stated once if all tensors have the same. */
function formatText(tensors: Tensors, voice: Voice): string {
  const all = [...new Set(tensors.flatMap(({formats}) => formats))]
  if (all.length === 0) return ''
  if (all.length === 1)
    return voice.say(`every tensor has format ${code(all[0]!)}`, `所有张量的格式均为 ${code(all[0]!)}`)
  const columns = tensors.map((one) => ({...one, dtypes: one.formats}))
  const each = columnText({tensors: columns, columns: []}, voice)
  return voice.say(`by the same columns, formats are ${each}`, `按相同的列，格式为 ${each}`)
}

function attributeText({attributes}: DefinitionFacts, voice: Voice): string {
  return voice.list(
    attributes.map(({name, isRequired, type, default: value}) => {
      const given = value === '' ? '' : voice.say(`, default ${code(value)}`, `，默认 ${code(value)}`)
      const need = isRequired ? voice.say('required', '必选') : voice.say('optional', '可选')
      return voice.say(`${code(name)} (${type}, ${need}${given})`, `${code(name)}(${type},${need}${given})`)
    }),
  )
}

/** Chips with the same configuration are grouped. */
function chipGroups({chips}: DefinitionFacts): {chips: string[]; flags: string[]; tensors: Tensors}[] {
  const groups = new Map<string, {chips: string[]; flags: string[]; tensors: Tensors}>()
  for (const {chip, flags, tensors} of chips) {
    const key = JSON.stringify([flags, tensors])
    const group = groups.get(key) ?? {chips: [], flags, tensors}
    group.chips.push(chip)
    groups.set(key, group)
  }
  return [...groups.values()]
}
