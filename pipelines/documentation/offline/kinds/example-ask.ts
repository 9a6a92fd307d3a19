import type {ExampleFact, Facts} from '../../section-facts.ts'
import {dtypesIn, weight} from '../../sentences.ts'
import {type Base, hasWord, mentioning} from '../ask-base.ts'
import {argumentsOf, type CallFact} from '../calls.ts'
import {elementBytes} from '../element-bytes.ts'
import {apisIn, isWholeCode} from '../listing.ts'
import {amountUnit} from './check-ask.ts'

/** A listing of the page, asked for by what sets it apart, and explained argument by argument. */
export interface ExampleAsk {
  kind: 'example'
  api: string
  example: ExampleFact
  call: CallFact | undefined
  /** Arguments with a number, by the parameter's name. */
  settings: {name: string; value: string}[]
  size: SizeFact | undefined
  /** Local variables of the listing with their element type and length. */
  arrays: {name: string; dtype: string; count: number; bytes: number}[]
  apis: string[]
  /** What its comments say is done, in order. */
  steps: string[]
  constraints: string[]
  rules: string[]
}

/** What a literal element count comes to, where the example leaves no doubt about the type. */
interface SizeFact {
  count: number
  dtype: string
  bytes: number
  /** Bytes of which the page wants a multiple; undefined where it demands none. */
  unitBytes: number | undefined
}

export function exampleAsks(own: Facts, page: Facts, base: Base): ExampleAsk[] {
  return own.examples
    .filter((example) => isWholeCode(example.code) && mentionsApi(example.code, base.api, page))
    .filter(hasOwnLead)
    .slice(0, 3)
    .map((example) => exampleAsk(example, page, base.api))
    .filter((ask) => isTelling(ask) || !base.hasNeed)
}

/** The first listing that makes no question of its own: one call of which nothing can be worked out. */
export function plainExample(page: Facts, base: Base): ExampleFact | undefined {
  const [first] = page.examples.filter(({code}) => isWholeCode(code) && mentionsApi(code, base.api, page))
  return first && !isTelling(exampleAsk(first, page, base.api)) ? first : undefined
}

function isTelling({call, arrays, apis, steps}: ExampleAsk): boolean {
  return (call?.arguments ?? []).length > 1 || arrays.length > 0 || apis.length > 1 || steps.length > 1
}

function exampleAsk(example: ExampleFact, page: Facts, api: string): ExampleAsk {
  const call = argumentsOf(example.code, page.prototypes, page.parameters)
  const given = call?.arguments ?? []
  const used = given.flatMap(({parameter}) => parameter?.names ?? [])
  const said = page.said.constraints ?? []
  const rules = mentioning(
    said,
    given.flatMap(({choice}) => choice?.name ?? []),
  )
  const constraints = said
    .filter((line) => !rules.includes(line) && (weight(line) >= 3 || used.some((name) => line.includes(name))))
    .slice(0, 2)
  return {
    kind: 'example',
    api,
    example,
    call,
    settings: settingsOf(example.code, call),
    size: sizeOf(example, call, amountUnit(page)),
    arrays: arraysIn(example.code),
    apis: apisIn(example.code),
    steps: stepsIn(example.code),
    constraints,
    rules,
  }
}

/** Of examples that say nothing about themselves only the first is asked for: the questions would be the same. */
function hasOwnLead(example: ExampleFact, index: number): boolean {
  return index === 0 || (example.lead.length >= 4 && example.lead.length <= 120)
}

function mentionsApi(code: string, api: string, page: Facts): boolean {
  const names = [...(api.match(/[A-Za-z_]\w{2,}/g) ?? []), ...page.prototypes.map((prototype) => prototype.name)]
  return names.some((name) => hasWord(code, name))
}

/** Numbers among the arguments, written there or as a constant of the listing. */
function settingsOf(code: string, call: CallFact | undefined): ExampleAsk['settings'] {
  return (call?.arguments ?? [])
    .filter((_, index) => isInput(call!.prototype.parameters[index]!.type))
    .flatMap(({name, value}) => {
      const number = /^\d+$/.test(value) ? value : constantIn(code, value)
      return number === undefined ? [] : [{name, value: number}]
    })
    .slice(0, 4)
}

/** What an interface writes is set beforehand only to have a value. */
function isInput(type: string): boolean {
  return !/[&*]\s*$/.test(type) || /^const\b/.test(type)
}

/** The number that a name stands for all over the listing; undefined where it is set twice or worked out. */
function constantIn(code: string, name: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined
  const [set, ...others] = [
    ...code.matchAll(new RegExp(String.raw`(?<![\w.])${name}\s*(?:[+*/-]?=(?!=)|\+\+|--)`, 'g')),
  ]
  if (!set || others.length > 0) return undefined
  return /^\s*(\d+)\s*;/.exec(code.slice(set.index + set[0].length))?.[1]
}

function sizeOf(example: ExampleFact, call: CallFact | undefined, unitBytes: number | undefined): SizeFact | undefined {
  const [given, ...others] = settingsOf(example.code, call).filter(({name}) => /^(?:count|calCount)$/.test(name))
  const [dtype, ...more] = dtypesIn(`${example.lead} ${example.code}`).filter(isElementType)
  const bytes = elementBytes[dtype ?? '']
  if (!given || others.length > 0 || dtype === undefined || more.length > 0 || bytes === undefined) return undefined
  const count = Number(given.value)
  return {count, dtype, bytes: count * bytes, unitBytes}
}

/** Integers also type counters and flags, so they do not tell what the tensors hold. */
function isElementType(dtype: string): boolean {
  return !/^(?:bool|u?int(?:8|16|32|64)_t)$/.test(dtype)
}

/** Comments on lines of their own that are no code: what the lines below them do. */
function stepsIn(code: string): string[] {
  const comments = [...code.matchAll(/^[^\S\n]*\/\/\s*([^\n]+)$/gm)].map(([, text = '']) => text.trim())
  const isStep = (text: string) => text.length >= 4 && text.length <= 50 && !/[;{}=]|^\W*$/.test(text)
  // `srcLocal: the input` explains a name.
  return comments.filter((text) => isStep(text) && !/^\w+\s*(?:[:：,，]|是|为|is\b)/.test(text)).slice(0, 6)
}

/** `__ubuf__ half src[total];` with a length that the listing gives. */
function arraysIn(code: string): ExampleAsk['arrays'] {
  return [...code.matchAll(/__(?:ubuf|gm|cbuf|ca|cb|cc)__\s+(\w+)\s+(\w+)\[\s*(\w+)\s*\]/g)].flatMap((found) => {
    const [, dtype = '', name = '', length = ''] = found
    const count = Number(/^\d+$/.test(length) ? length : constantIn(code, length))
    const size = elementBytes[dtype]
    return size === undefined || Number.isNaN(count) ? [] : [{name, dtype, count, bytes: count * size}]
  })
}
