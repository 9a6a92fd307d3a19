import type {HostFacts} from '../host-facts.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

type Structure = HostFacts['structures'][number]

/** The structure that carries the tiling, and what its fields are set to. */
export function structureParagraph({structures: [structure], sets}: HostFacts, voice: Voice): string {
  // Of a field that is set in several places, which value reaches the kernel depends on the way through the code.
  const once = sets.filter(({field, operator}) => operator === '=' && !isSetAgain(field, sets))
  const values = new Map(once.map(({field, value}) => [field, value]))
  return paragraph(voice, [
    structure ? fieldsSentence(structure, voice) : '',
    setSentence(values, new Set(sets.map(({field}) => field)).size, voice),
    structure && mixesWidths(structure) ? layoutSentence(voice) : '',
  ])
}

function isSetAgain(field: string, sets: HostFacts['sets']): boolean {
  return new Set(sets.filter((one) => one.field === field).map(({operator, value}) => operator + value)).size > 1
}

function fieldsSentence({name, fields}: Structure, voice: Voice): string {
  const names = fields.map((field) => field.name)
  const list = codeList(some(names, 12).shown, voice)
  return voice.say(
    `The values travel in ${code(name)}, whose fields are ${list}.`,
    `这些数值通过 ${code(name)} 传递,字段有 ${list}。`,
  )
}

function setSentence(values: ReadonlyMap<string, string>, fields: number, voice: Voice): string {
  const telling = [...values].filter(([field, value]) => value.length <= 80 && value !== field)
  const {shown, more} = some(telling, 8)
  if (shown.length === 0) return ''
  const isAll = shown.length === fields
  const assignments = shown.map(([field, value]) => `${field} = ${value}`)
  const list = codeList(assignments, voice)
  return voice.say(
    `${isAll ? 'They' : 'Some'} are set as ${list}${more > 0 ? ` and ${more} more` : ''}.`,
    `${isAll ? '' : '部分字段'}赋值为 ${list}${more > 0 ? ' 等' : ''}。`,
  )
}

function mixesWidths({fields}: Structure): boolean {
  const isWide = (type: string) => /64/.test(type)
  return fields.some(({type}) => isWide(type)) && fields.some(({type}) => /32|16|8/.test(type) && !isWide(type))
}

function layoutSentence(voice: Voice): string {
  return voice.say(
    [
      'The structure mixes 64-bit and narrower fields,',
      'so host and kernel must share one declaration to agree on the layout.',
    ].join(' '),
    '结构体中 64 位与更窄的字段混用,Host 与 Kernel 必须共用同一份声明以保证布局一致。',
  )
}
