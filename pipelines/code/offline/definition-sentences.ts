import type {DefinedTensor, DefinitionFacts} from '../../../datasets/schema/code-facts.ts'
import {columnTensors} from '../../facts/definition-facts.ts'
import {code, codeList, type Voice} from '../../../datasets/voice.ts'

type Tensors = DefinitionFacts['tensors']

/** `` `x` (required), `bias` (optional) ``. */
export function tensorList(tensors: Tensors, voice: Voice): string {
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
export function columnText(facts: Pick<DefinitionFacts, 'tensors' | 'columns'>, voice: Voice): string {
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
export function formatText(tensors: Tensors, voice: Voice): string {
  const all = [...new Set(tensors.flatMap(({formats}) => formats))]
  if (all.length === 0) return ''
  if (all.length === 1)
    return voice.say(`every tensor has format ${code(all[0]!)}`, `所有张量的格式均为 ${code(all[0]!)}`)
  const columns = tensors.map((one) => ({...one, dtypes: one.formats}))
  const each = columnText({tensors: columns, columns: []}, voice)
  return voice.say(`by the same columns, formats are ${each}`, `按相同的列，格式为 ${each}`)
}

export function attributeText({attributes}: DefinitionFacts, voice: Voice): string {
  return voice.list(
    attributes.map(({name, isRequired, type, default: value}) => {
      const given = value === '' ? '' : voice.say(`, default ${code(value)}`, `，默认 ${code(value)}`)
      const need = isRequired ? voice.say('required', '必选') : voice.say('optional', '可选')
      return voice.say(`${code(name)} (${type}, ${need}${given})`, `${code(name)}(${type},${need}${given})`)
    }),
  )
}

/** Chips with the same configuration are grouped. */
export function chipGroups({chips}: DefinitionFacts): {chips: string[]; flags: string[]; tensors: Tensors}[] {
  const groups = new Map<string, {chips: string[]; flags: string[]; tensors: Tensors}>()
  for (const {chip, flags, tensors} of chips) {
    const key = JSON.stringify([flags, tensors])
    const group = groups.get(key) ?? {chips: [], flags, tensors}
    group.chips.push(chip)
    groups.set(key, group)
  }
  return [...groups.values()]
}
