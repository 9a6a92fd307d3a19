import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import {isSize} from '../../facts/host-sizes.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

type Structure = HostFacts['structures'][number]

/** The structures that carry the tiling, and what their fields are set to. */
export function structureParagraph({structures, sets, flows, bindings}: HostFacts, voice: Voice): string {
  // Of a field that is set in several places, which value reaches the kernel depends on the way through the code.
  const once = sets.filter(({field, operator}) => operator === '=' && !isSetAgain(field, sets))
  const told = flows.flatMap(({statements}) => statements.filter(isSize).map(({target, text}) => `${target} ${text}`))
  const isTold = (field: string, value: string) => told.some((one) => one.endsWith(`${field} ${value}`))
  const values = new Map(once.filter(({field, value}) => !isTold(field, value)).map(({field, value}) => [field, value]))
  const {shown} = some(structures, 3)
  return paragraph(voice, [
    ...shown.map((one) => fieldsSentence(one, sets.length > 0, voice)),
    setSentence(values, new Set(sets.map(({field}) => field)).size, voice),
    bindings.length > 0 ? bindingSentence(bindings, voice) : '',
    shown.some(mixesWidths) ? layoutSentence(voice) : '',
  ])
}

function bindingSentence(bindings: HostFacts['bindings'], voice: Voice): string {
  const list = codeList(
    some(bindings, 4).shown.map(({operator, structure}) => `REGISTER_TILING_DATA_CLASS(${operator}, ${structure})`),
    voice,
  )
  const keyed = bindings.some(({operator}) => /_\d+$/.test(operator))
  return paragraph(voice, [
    voice.say(
      `${list} ${bindings.length > 1 ? 'tell' : 'tells'} which structure the kernel reads its tiling from.`,
      `${list} 指明核函数按哪个结构体读取 tiling。`,
    ),
    keyed
      ? voice.say(
          'A number behind the operator stands for a tiling key with a structure of its own.',
          '算子名后的数字是 tiling key,表示该分支使用单独的结构体。',
        )
      : '',
  ])
}

function isSetAgain(field: string, sets: HostFacts['sets']): boolean {
  return new Set(sets.filter((one) => one.field === field).map(({operator, value}) => operator + value)).size > 1
}

function fieldsSentence({name, fields}: Structure, isFilled: boolean, voice: Voice): string {
  const {shown, more} = some(fields, 16)
  const list = codeList(
    shown.map((field) => field.name),
    voice,
  )
  const [en, zh] = [more > 0 ? `, and ${more} more` : '', more > 0 ? ` 等 ${fields.length} 个` : '']
  return isFilled
    ? voice.say(
        `The values travel in ${code(name)}, whose fields are ${list}${en}.`,
        `这些数值通过 ${code(name)} 传递,字段有 ${list}${zh}。`,
      )
    : voice.say(
        `${code(name)} carries the fields ${list}${en} from the host to the kernel.`,
        `${code(name)} 把 ${list}${zh || ' '}字段从 Host 侧传给 Kernel。`,
      )
}

function setSentence(values: ReadonlyMap<string, string>, fields: number, voice: Voice): string {
  const telling = [...values].filter(([field, value]) => value.length <= 80 && !isSameName(value, field))
  const own = [...values].filter(([field, value]) => isSameName(value, field)).map(([field]) => field)
  const {shown, more} = some(telling, 12)
  const isAll = shown.length === fields
  const assignments = shown.map(([field, value]) => `${field} = ${value}`)
  const list = codeList(assignments, voice)
  return paragraph(voice, [
    shown.length === 0
      ? ''
      : voice.say(
          `${isAll ? 'They' : 'Some'} are set as ${list}${more > 0 ? ` and ${more} more` : ''}.`,
          `${isAll ? '' : '部分字段'}赋值为 ${list}${more > 0 ? ' 等' : ''}。`,
        ),
    own.length >= 3 ? ownNamesSentence(own, voice) : '',
  ])
}

/** `x`, `this->x`, `info.x` and casts of these for the field `x`. */
function isSameName(value: string, field: string): boolean {
  const bare = value.replace(/^(?:static_cast<[^<>]*>|\([\w:]+\)\s*)(?=\(?\w)/, '').replace(/^\((.*)\)$/, '$1')
  return /^[\w.>:-]+$/.test(bare) && new RegExp(`(?:^|[.>:])${field}_?$`).test(bare)
}

function ownNamesSentence(fields: readonly string[], voice: Voice): string {
  const {shown, more} = some(fields, 12)
  const list = codeList(shown, voice)
  return voice.say(
    `${list}${more > 0 ? `, and ${more} more,` : ''} take the variables of the same name.`,
    `${list}${more > 0 ? ` 等 ${fields.length} 个字段` : ''} 取同名变量的值。`,
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
