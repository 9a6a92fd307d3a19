import {cutComments} from '../../../cpp/code-pieces.ts'
import type {ParameterFact} from '../parameter-table.ts'
import {factOf} from './kinds/forms-ask.ts'
import {definedIn} from './listing.ts'
import {partsAt, type Prototype} from '../prototype.ts'

export interface CallFact {
  name: string
  prototype: Prototype
  arguments: ArgumentFact[]
}

export interface ArgumentFact {
  name: string
  value: string
  parameter: ParameterFact | undefined
  /** The item of the parameter's list that the value names: `SELMODE::X` picks X. */
  choice: ParameterFact['choices'][number] | undefined
}

/**
 * The first call in the code, if exactly one form of the page's prototypes explains it: same name, arguments of fitting
 * types. Forms that fit alike count as one when their parameters have the same names. Values are given as written.
 * What a listing defines itself is no call of the page's; listings that call different forms are programs, of which
 * one call would explain little.
 */
export function argumentsOf(
  code: string,
  prototypes: readonly Prototype[],
  parameters: readonly ParameterFact[],
): CallFact | undefined {
  const text = cutComments(code)
  const own = definedIn(text)
  const named = callsIn(text).filter(({name}) => !own.has(name) && prototypes.some((each) => each.name === name))
  const calls = named.map(({name, open}) => ({name, values: partsAt(text, open)}))
  const [first, ...others] = calls.filter(({values}) => values.length > 0)
  if (!first || others.some(({name, values}) => name !== first.name || values.length !== first.values.length))
    return undefined
  const forms = prototypes.filter(({name}) => name === first.name)
  const prototype = formOf(first.values, forms, text)
  return prototype && callFact(prototype, first.values, parameters)
}

/** Whether a listing gives the template arguments of a call itself. */
export function hasWrittenTemplates(code: string, name: string): boolean {
  return new RegExp(String.raw`(?<!\w)${name}\s*<`).test(code)
}

/** The arguments of a call, all of them, if the page explains any. */
export function explained(call: CallFact | undefined): readonly ArgumentFact[] {
  const given = call?.arguments ?? []
  return given.some(({parameter}) => parameter !== undefined) ? given : []
}

/** Each call by its name, with the place of its opening parenthesis. */
function callsIn(text: string): {name: string; open: number}[] {
  const calls = text.matchAll(/(?<![\w])([A-Za-z_]\w*)\s*(?:<[^;(){}=]*>)?\s*\(/g)
  return [...calls].map((call) => ({name: call[1]!, open: call.index + call[0].length - 1}))
}

function callFact(prototype: Prototype, values: readonly string[], parameters: readonly ParameterFact[]): CallFact {
  const argument = (value: string, index: number) => argumentOf(prototype.parameters[index]!.name, value, parameters)
  return {name: prototype.name, prototype, arguments: values.map(argument)}
}

function argumentOf(name: string, value: string, parameters: readonly ParameterFact[]): ArgumentFact {
  const parameter = factOf(name, parameters)
  const picked = /(?:^|::)(\w+)$/.exec(value.trim())?.[1]
  return {
    name,
    value: value.replace(/\s+/g, ' '),
    parameter,
    choice: parameter?.choices.find((choice) => choice.name === picked),
  }
}

function formOf(values: readonly string[], prototypes: readonly Prototype[], code: string): Prototype | undefined {
  const types = values.map((value) => valueType(value, code))
  const fitting = prototypes
    .map((prototype) => ({prototype, score: fit(types, prototype)}))
    .filter(({score}) => score >= 0)
  const best = Math.max(...fitting.map(({score}) => score))
  const chosen = fitting.filter(({score}) => score === best).map(({prototype}) => prototype)
  const names = new Set(chosen.map((prototype) => prototype.parameters.map((parameter) => parameter.name).join()))
  return names.size === 1 ? chosen[0] : undefined
}

/** How many arguments have a type that is known to be the parameter's; -1 when one of them cannot be passed. */
function fit(types: readonly string[], prototype: Prototype): number {
  const required = prototype.parameters.filter((parameter) => parameter.defaultValue === undefined).length
  if (types.length < required || types.length > prototype.parameters.length) return -1
  const free = prototype.templates.map((parameter) => parameter.name)
  const scores = types.map((type, index) => {
    const wanted = typeClass(prototype.parameters[index]!.type)
    const isFree = free.includes(wanted) || /^[A-Z]$/.test(wanted)
    if (type === '' || (isFree && type !== 'number')) return 0
    return type === wanted || (isFree && type === 'number') ? 1 : -1
  })
  return scores.includes(-1) ? -1 : scores.filter((score) => score === 1).length
}

const numbers = [
  'bool|char|double|float|half|bfloat16_t|int|long|short|size_t',
  String.raw`unsigned(?: \w+)?|u?int(?:8|16|32|64)_t|event_t|TEventID`,
]
const number = new RegExp(`^(?:${numbers.join('|')})$`)

/** `LocalTensor`, `number`, `array` or the name of a structure, enumeration or template parameter. */
function typeClass(type: string): string {
  const bare = type
    .replace(/\b(?:const|constexpr|static|__gm__|__ubuf__)\b|\w+::/g, '')
    .replace(/<.*>/s, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (/[\]*]$/.test(bare)) return 'array'
  const name = bare.replace(/\s*&+$/, '').trim()
  return number.test(name) ? 'number' : name
}

/** The class of an argument's type as the listing declares it; '' where the listing leaves it open. */
function valueType(value: string, code: string): string {
  const text = value.trim()
  if (isLiteral(text) || isConversion(text)) return 'number'
  const enumerator = /^(?:AscendC::)?([A-Z]\w*)::[A-Z]\w*$/.exec(text)
  if (enumerator) return enumerator[1]!
  const [, name, subscript] = /^([A-Za-z_]\w*)(\[[^\]]*\])?$/.exec(text) ?? []
  if (name === undefined) return ''
  const type = declaredType(name, code) ?? typeByCustom(name)
  return subscript !== undefined && type === 'array' ? 'number' : type
}

function isLiteral(text: string): boolean {
  return /^-?(?:0[xX][\da-fA-F]+|[\d.]+)\w*$/.test(text) || /^(?:true|false)$/.test(text)
}

function isConversion(text: string): boolean {
  return /^(?:static_cast\s*<|\((?:half|float|u?int\d+_t)\)|sizeof\b)/.test(text)
}

const writtenType = String.raw`((?:const |constexpr )?(?:\w+::)*[A-Za-z_]\w*(?:<[^;=(){}]*>)?)\s*[&*]?`
const arraySize = String.raw`(\[[^\]]*\])?\s*(?=[=;{(,)])`

function declaredType(name: string, code: string): string | undefined {
  const declaration = new RegExp(String.raw`(?:^|[;{}(,])\s*${writtenType}\s+${name}\s*${arraySize}`, 'm')
  const [, type, size = ''] = declaration.exec(code) ?? []
  return type === undefined || /^(?:auto|return|const auto)$/.test(type) ? undefined : typeClass(`${type}${size}`)
}

/** Pages name undeclared tensors by where they live. */
function typeByCustom(name: string): string {
  if (/(?:local|ub)$/i.test(name)) return 'LocalTensor'
  return /(?:global|gm)$/i.test(name) ? 'GlobalTensor' : ''
}
