import type {DocSection} from '../../../datasets/schema/document.ts'
import type {Random} from '../../../engine/random.ts'
import {type ExampleFact, type Facts, pageFacts, type ParameterFact, sectionFacts} from '../facts.ts'
import type {Prototype} from '../prototype.ts'
import {dtypesIn, weight} from '../sentences.ts'
import {isDeclarations, stripComments} from '../snippet.ts'
import {argumentsOf, type CallFact} from './calls.ts'
import {type Subject, subjectOf} from './subject.ts'
import {alignedElements, trimStop} from './text.ts'

/** One question that the page can answer, with every fact that its reasoning and answer use. */
export type Ask =
  | {
      kind: 'parameter'
      api: string
      purpose: string
      parameter: ParameterFact
      uses: ParameterUse[]
      constraints: string[]
    }
  | {kind: 'range'; api: string; parameter: ParameterFact; sentence: string; low: number; high: number; value: number}
  | {
      kind: 'multiple'
      api: string
      sentence: string
      unitBytes: number
      dtype: string
      dtypeBytes: number
      count: number
    }
  | {
      kind: 'data-types'
      api: string
      owner: string
      sentence: string
      supported: string[]
      asked: string | undefined
      constraints: string[]
    }
  | {
      kind: 'constraints'
      api: string
      purpose: string
      isCall: boolean
      items: {text: string; about: string[]}[]
      dtypes: string[]
    }
  | {
      kind: 'prototypes'
      api: string
      purpose: string
      prototypes: Prototype[]
      shared: string[]
      forms: FormFact[]
      parameters: ParameterFact[]
    }
  | {
      kind: 'example'
      api: string
      purpose: string
      example: ExampleFact
      call: CallFact | undefined
      size: SizeFact | undefined
      apis: string[]
      constraints: string[]
      rules: string[]
    }
  | {
      kind: 'purpose'
      api: string
      sentences: string[]
      prototype: Prototype | undefined
      operands: ParameterFact[]
      constraints: string[]
    }
  | {kind: 'returns'; api: string; purpose: string; sentences: string[]; prototypes: Prototype[]}
  | {kind: 'pipe'; api: string; purpose: string; sentence: string}
  | {kind: 'topic-code'; page: string; heading: string; example: ExampleFact; apis: string[]; points: string[]}
  | {kind: 'topic'; page: string; heading: string; points: string[]}

export interface ParameterUse {
  prototype: Prototype
  /** 1-based. */
  position: number
  of: number
  type: string
}

/** What sets one form of a call apart. */
export interface FormFact {
  /** The function's name where the forms have different ones, else ''. */
  name: string
  /** Parameters that not every form has. */
  own: string[]
  /** An earlier form (0-based) with the same parameter names, and the parameters whose type differs. */
  twin: {form: number; differs: {name: string; here: string; there: string}[]} | undefined
}

/** What a literal element count comes to, where the example leaves no doubt about the type. */
export interface SizeFact {
  count: number
  dtype: string
  bytes: number
}

const dtypeBytes: Record<string, number> = {
  int8_t: 1,
  uint8_t: 1,
  int16_t: 2,
  uint16_t: 2,
  half: 2,
  bfloat16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  float: 4,
  int64_t: 8,
  uint64_t: 8,
}

/** The questions that a section supports; none when it says nothing that stands alone. */
export function asksOf(section: DocSection, random: Random): Ask[] {
  const own = sectionFacts(section)
  const page = pageFacts(section)
  const subject = subjectOf(section, page)
  if (subject.kind === 'guide') return topicAsks(section, own)
  const api = displayName(section)
  const base = {api, purpose: purposeOf(page), subject}
  const constraints = page.said.constraints ?? []
  switch (section.role) {
    case 'parameters':
      return parameterAsks(own, page, base, random)
    case 'data-types':
      return dataTypeAsk(own.said['data-types'] ?? [], '', base.api, constraints, random)
    case 'constraints':
      return constraintAsks(own, page, base, random)
    case 'prototype':
      return prototypeAsk(own, page, base)
    case 'example':
      return exampleAsks(own, page, base)
    case 'function':
      return purposeAsk(own, page, api)
    case 'returns':
      return returnsAsks(own, page, base)
    case 'pipe':
      return own.said.pipe?.[0] ? [{kind: 'pipe', ...base, sentence: own.said.pipe[0]}] : []
    case 'other':
      return topicAsks(section, own)
    case 'support':
    case 'headers':
      return []
  }
}

/**
 * The page's title, with the class or family that it belongs to where the title alone is common to several pages:
 * `Init` of a dozen classes, `GetTiling` of as many.
 */
export function displayName(section: DocSection): string {
  const family = section.origin.path.split('/').at(-2) ?? ''
  const isFamily = /^[A-Z][a-z]*[A-Z]\w*$/.test(family) || /(?:侧接口|类)$/.test(family)
  if (!isFamily || family === section.page || !/^[A-Za-z_]\w*$/.test(section.page)) return section.page
  return section.language === 'zh' ? `${section.page}（${family}）` : `${section.page} (${family})`
}

/** The sentence that says what the API does: not a definition of a symbol, not a condition. */
function purposeOf(page: Facts): string {
  const said = page.said.function ?? []
  return (
    said.find(
      (sentence) =>
        !/^(?:其中|当|如果|若|注|where\b|when\b|if\b)/i.test(sentence) &&
        !/^\$|\w\s=\s/.test(sentence) &&
        sentence.length <= 160,
    ) ?? ''
  )
}

interface Base {
  api: string
  purpose: string
  subject: Subject
}

/** The members of a class, qualified, that one of the names belongs to; the API itself where the page is no class's. */
function ownersOf(base: Base, names: readonly string[]): string[] {
  const {subject} = base
  return subject.kind === 'class'
    ? subject.members.filter((member) => names.includes(member)).map((member) => `${subject.name}::${member}`)
    : [base.api]
}

/** What a class's members return is asked member by member, of the sentences that name one. */
function returnsAsks(own: Facts, page: Facts, base: Base): Ask[] {
  const said = own.said.returns ?? []
  if (base.subject.kind !== 'class')
    return said.length > 0
      ? [{kind: 'returns', ...base, sentences: said.slice(0, 4), prototypes: page.prototypes.slice(0, 3)}]
      : []
  const {name, members} = base.subject
  return members.flatMap((member) => {
    const sentences = mentioning(said, [member])
    return sentences.length === 0
      ? []
      : [
          {
            kind: 'returns' as const,
            api: `${name}::${member}`,
            purpose: '',
            sentences,
            prototypes: page.prototypes.filter((prototype) => prototype.name === member),
          },
        ]
  })
}

function parameterAsks(own: Facts, page: Facts, base: Base, random: Random): Ask[] {
  const telling = own.parameters
    .map((parameter, index) => ({
      parameter,
      index,
      score:
        Math.max(...parameter.meaning.map(weight)) + Math.min(parameter.meaning.length + parameter.choices.length, 4),
    }))
    .filter(({parameter, score}) => score >= 3 && parameter.meaning.join('').length >= 12)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 4)
  const asks: Ask[] = telling.flatMap(({parameter}) => {
    const uses = usesOf(parameter, page.prototypes)
    const [api, ...others] = ownersOf(
      base,
      uses.map((use) => use.prototype.name),
    )
    const names = [...parameter.names, ...parameter.choices.map((choice) => choice.name)]
    // A parameter of several members is named by the first: the table describes them all at once.
    return api === undefined
      ? []
      : [
          {
            kind: 'parameter' as const,
            api,
            purpose: others.length === 0 ? base.purpose : '',
            parameter,
            uses: uses.filter((use) => base.subject.kind !== 'class' || api.endsWith(`::${use.prototype.name}`)),
            constraints: mentioning(page.said.constraints ?? [], names).slice(0, 3),
          },
        ]
  })
  if (base.subject.kind === 'class') return asks
  const ranged = own.parameters.flatMap((parameter) => rangeAsk(parameter, base.api, random)).slice(0, 1)
  const typed = own.parameters
    .filter((parameter) => /^[A-Z]\w?$/.test(parameter.name))
    .flatMap((parameter) =>
      dataTypeAsk(parameter.meaning, parameter.name, base.api, page.said.constraints ?? [], random),
    )
    .slice(0, 1)
  return [...asks, ...ranged, ...typed]
}

function usesOf(parameter: ParameterFact, prototypes: readonly Prototype[]): ParameterUse[] {
  return prototypes.flatMap((prototype) => {
    const index = prototype.parameters.findIndex((each) => parameter.names.includes(each.name))
    const found = prototype.parameters[index]
    return found ? [{prototype, position: index + 1, of: prototype.parameters.length, type: found.type}] : []
  })
}

function mentioning(lines: readonly string[], names: readonly string[]): string[] {
  return lines.filter((line) =>
    names.some((name) => name.length > 1 && new RegExp(`(?<![\\w])${name}(?![\\w])`).test(line)),
  )
}

/** "Is this value allowed?" for a parameter with a closed integer range; half of the time a value just outside. */
function rangeAsk(parameter: ParameterFact, api: string, random: Random): Ask[] {
  const ranged = parameter.meaning.filter((sentence) => /\[\s*-?\d+\s*[,，]/.test(sentence))
  // A range that holds on a condition, or for each element, or beside another one, makes a plain yes or no wrong.
  if (
    ranged.length !== 1 ||
    !/^[A-Za-z_]\w*$/.test(parameter.name) ||
    /时|当|开启|每个|个数范围|但|若|如果|仅|模式|\b(?:when|if|each|but|only)\b/i.test(ranged[0]!)
  )
    return []
  for (const sentence of ranged) {
    const range = [...sentence.matchAll(/\[\s*(-?\d+)\s*[,，]\s*(-?\d+)\s*\]/g)]
    if (range.length !== 1 || parameter.names.length !== 1) continue
    const low = Number(range[0]![1])
    const high = Number(range[0]![2])
    if (!(high > low) || high > 2 ** 31) continue
    const value = random.integer(0, 1) === 0 ? high + random.integer(1, 45) : random.integer(low, high)
    return [{kind: 'range', api, parameter, sentence, low, high, value}]
  }
  return []
}

function dataTypeAsk(
  lines: readonly string[],
  owner: string,
  api: string,
  constraints: readonly string[],
  random: Random,
): Ask[] {
  const telling = lines.filter((line) => /支持|support|element type|类型为/i.test(line) && dtypesIn(line).length > 0)
  const sentence = telling[0]
  if (sentence === undefined || telling.length > 1) return []
  // "T supports half; only int32_t needs EQ" carries exceptions: a yes or no would be too simple.
  const supported = dtypesIn(sentence)
  const isPlain = !/[；;]|仅|只|除|except|only|不支持|not /.test(sentence.replace(/\bonly\b.*$/, ''))
  const others = ['bfloat16_t', 'int8_t', 'int64_t', 'half', 'float', 'int32_t', 'int16_t'].filter(
    (dtype) => !supported.includes(dtype),
  )
  const asked = !isPlain
    ? undefined
    : random.integer(0, 2) === 0 || others.length === 0
      ? random.pick(supported)
      : random.pick(others)
  return [
    {
      kind: 'data-types',
      api,
      owner,
      sentence,
      supported,
      asked,
      constraints: asked === undefined ? [] : mentioning(constraints, [asked]).slice(0, 2),
    },
  ]
}

function constraintAsks(own: Facts, page: Facts, base: Base, random: Random): Ask[] {
  const said = own.said.constraints ?? []
  if (said.length === 0) return []
  const ranked = said
    .map((text, index) => ({text, index}))
    .sort((a, b) => weight(b.text) - weight(a.text) || a.index - b.index)
    .slice(0, 6)
    .sort((a, b) => a.index - b.index)
  const names = [...new Set(page.parameters.flatMap((parameter) => parameter.names))].filter((name) => name.length > 1)
  const items = ranked.map(({text}) => ({
    text,
    about: names.filter((name) => new RegExp(`(?<![\\w])${name}(?![\\w])`).test(text)),
  }))
  return [
    {kind: 'constraints', ...base, isCall: base.subject.kind === 'api', items, dtypes: elementTypesOf(page)},
    ...multipleAsk(said, page, base.api, random),
  ]
}

/** The types that T may have: a structure's fields and other template parameters have types of their own. */
function elementTypesOf(page: Facts): string[] {
  const element = page.parameters
    .filter((parameter) => parameter.structure === '' && parameter.name === 'T')
    .flatMap((parameter) => parameter.meaning)
  const operands = page.parameters
    .filter((parameter) => parameter.structure === '' && /^(?:dst|src)/i.test(parameter.name))
    .flatMap((parameter) => parameter.meaning)
    .filter((sentence) => /支持的数据类型|element types?/i.test(sentence))
  return dtypesIn([...(element.length > 0 ? element : operands), ...(page.said['data-types'] ?? [])].join(' ')).filter(
    (dtype) => dtypeBytes[dtype],
  )
}

// Number and demand stand right behind the amount: a rule about another buffer in the same sentence is not this rule.
const multipleRule =
  /(?:count\s*\*\s*sizeof\(T\)|数据量)\s*(?:必须|需要|需|应|要)(?:是|为)?\s*(\d+)\s*(?:字节|B)\s*(?:的?(?:整数)?倍|对齐)|count \* sizeof\(T\) must be a multiple of (\d+) bytes/

/** "Is this count allowed?" where the page demands that `count * sizeof(T)` is a multiple of some bytes. */
function multipleAsk(said: readonly string[], page: Facts, api: string, random: Random): Ask[] {
  const lines = [...said, ...page.parameters.flatMap((parameter) => parameter.meaning)]
  const sentence = lines.find((line) => multipleRule.test(line))
  const unit = sentence === undefined ? undefined : multipleRule.exec(sentence)
  if (sentence === undefined || !unit) return []
  const unitBytes = Number(unit[1] ?? unit[2])
  const dtype = random.pick(['half', 'float'])
  const size = dtypeBytes[dtype]!
  const whole = random.integer(2, 20) * (unitBytes / size)
  const count = random.integer(0, 1) === 0 ? whole : whole + random.integer(1, unitBytes / size - 1)
  return [{kind: 'multiple', api, sentence, unitBytes, dtype, dtypeBytes: size, count}]
}

function prototypeAsk(own: Facts, page: Facts, base: Base): Ask[] {
  const named = own.prototypes.filter(
    (prototype) => prototype.parameters.every((parameter) => parameter.name !== '') && prototype.text.length < 900,
  )
  const prototypes = named.slice(0, 4)
  if (prototypes.length === 0) return []
  const lists = prototypes.map((prototype) => prototype.parameters.map((parameter) => parameter.name))
  const shared = lists[0]!.filter((name) => lists.every((list) => list.includes(name)))
  const namesDiffer = new Set(prototypes.map((prototype) => prototype.name)).size > 1
  const forms = prototypes.map((prototype, index) => ({
    name: namesDiffer ? prototype.name : '',
    own: lists[index]!.filter((name) => !shared.includes(name)),
    twin: twinOf(prototypes, index),
  }))
  return [{kind: 'prototypes', ...base, prototypes, shared, forms, parameters: page.parameters}]
}

function twinOf(prototypes: readonly Prototype[], index: number): FormFact['twin'] {
  const names = (prototype: Prototype) => prototype.parameters.map((parameter) => parameter.name).join()
  const here = prototypes[index]!
  const form = prototypes.findIndex(
    (prototype, at) => at < index && prototype.name === here.name && names(prototype) === names(here),
  )
  if (form < 0) return undefined
  const there = prototypes[form]!
  const differs = here.parameters.flatMap((parameter, at) =>
    parameter.type === there.parameters[at]!.type
      ? []
      : [{name: parameter.name, here: parameter.type, there: there.parameters[at]!.type}],
  )
  return {form, differs}
}

function exampleAsks(own: Facts, page: Facts, base: Base): Ask[] {
  return own.examples
    .filter((example) => isWholeCode(example.code) && mentionsApi(example.code, base.api, page))
    .filter(hasOwnLead)
    .slice(0, 3)
    .map((example) => {
      const call = argumentsOf(example.code, page.prototypes, page.parameters)
      const used = new Set(call?.arguments.flatMap((argument) => argument.parameter?.names ?? []) ?? [])
      const rules = mentioning(
        page.said.constraints ?? [],
        call?.arguments.flatMap((argument) => argument.choice?.name ?? []) ?? [],
      )
      const constraints = (page.said.constraints ?? [])
        .filter((line) => !rules.includes(line) && (weight(line) >= 3 || [...used].some((name) => line.includes(name))))
        .slice(0, 2)
      return {
        kind: 'example',
        ...base,
        example,
        call,
        size: sizeOf(example, call),
        apis: apisIn(example.code),
        constraints,
        rules,
      }
    })
}

/** Of examples that say nothing about themselves only the first is asked for: the questions would be the same. */
function hasOwnLead(example: ExampleFact, index: number): boolean {
  return index === 0 || (example.lead.length >= 4 && example.lead.length <= 120)
}

function sizeOf(example: ExampleFact, call: CallFact | undefined): SizeFact | undefined {
  const counts =
    call?.arguments.filter(({name, value}) => /^(?:count|calCount)$/.test(name) && /^\d+$/.test(value)) ?? []
  const dtypes = dtypesIn(`${example.lead} ${example.code}`).filter(
    (dtype) => !/^(?:bool|u?int(?:8|16|32|64)_t)$/.test(dtype),
  )
  const bytes = dtypeBytes[dtypes[0] ?? '']
  if (counts.length !== 1 || dtypes.length !== 1 || bytes === undefined) return undefined
  const count = Number(counts[0]!.value)
  return {count, dtype: dtypes[0]!, bytes: count * bytes}
}

/** Listings with left-out parts cannot be compiled and teach nothing; very long ones are whole programs of another kind. */
function isWholeCode(code: string): boolean {
  return (
    code.length >= 20 &&
    code.length <= 6000 &&
    !/^\s*(?:\/\/\s*)?(?:\.{3}|…+)/m.test(code) &&
    !/<<<|\.\.\.\s*;/.test(code)
  )
}

function mentionsApi(code: string, api: string, page: Facts): boolean {
  const names = [...(api.match(/[A-Za-z_]\w{2,}/g) ?? []), ...page.prototypes.map((prototype) => prototype.name)]
  return names.some((name) => new RegExp(`(?<![\\w])${name}(?![\\w])`).test(code))
}

function apisIn(code: string): string[] {
  const calls = [
    ...code
      .replace(/\/\/[^\n]*/g, '')
      .matchAll(/(?:AscendC::|\.|->|\b)([A-Z][A-Za-z0-9_]{2,})\s*(?:<[^;(){}=]*>)?\s*\(/g),
  ]
  return [...new Set(calls.map((match) => match[1]!))].slice(0, 12)
}

function purposeAsk(own: Facts, page: Facts, api: string): Ask[] {
  const first = purposeOf(own)
  const sentences = [
    first,
    ...(own.said.function ?? []).filter((sentence) => sentence !== first && !/^\$.{120,}/s.test(sentence)),
  ]
    .filter(Boolean)
    .slice(0, 5)
  const operands = page.parameters
    .filter((parameter) => parameter.direction !== '' && parameter.structure === '')
    .slice(0, 5)
  const constraints = (page.said.constraints ?? []).filter((line) => weight(line) >= 3).slice(0, 2)
  // One short sentence would make the answer a copy of it.
  if (sentences.length === 0 || (sentences.join('').length < 20 && constraints.length + operands.length === 0))
    return []
  return [{kind: 'purpose', api, sentences, prototype: page.prototypes[0], operands, constraints}]
}

/** A guide's title such as 概述 or 算子实现 says nothing without the chapter that it stands in. */
function topicName(section: DocSection): string {
  const chapter = section.origin.path.split('/').at(-2) ?? ''
  return section.language === 'zh' &&
    section.page.length <= 8 &&
    /\p{Script=Han}/u.test(chapter) &&
    chapter !== section.page
    ? `${chapter}：${section.page}`
    : section.page
}

/**
 * A guide is asked by its headings: prose is answered by the sentences that bind most, never more than half of the section;
 * a listing is asked for and explained by what it calls and by what the text says about it.
 */
function topicAsks(section: DocSection, own: Facts): Ask[] {
  const base = {page: topicName(section), heading: section.headings.slice(1).at(-1) ?? ''}
  const said = (own.said[section.role] ?? []).filter((sentence) => sentence.length >= 10)
  const best = (count: number) =>
    said
      .map((text, index) => ({text, index}))
      .sort((a, b) => weight(b.text) - weight(a.text) || a.index - b.index)
      .slice(0, count)
      .sort((a, b) => a.index - b.index)
      .map(({text}) => text)
  const listings = own.examples
    .filter(({code}) => isWholeCode(code) && apisIn(code).length > 0 && !isDeclarations(stripComments(code)))
    .slice(0, 2)
  const asks: Ask[] = listings.map((example) => ({
    kind: 'topic-code',
    ...base,
    example,
    apis: apisIn(example.code),
    points: best(3).filter((point) => point.length <= 200),
  }))
  const points = best(Math.min(5, Math.ceil(said.length / 2)))
  const length = points.join('').length
  if (said.length >= 3 && length >= 40 && length <= 1200) asks.push({kind: 'topic', ...base, points})
  return asks
}

/** Whether the answer would only repeat the one fact that its reasoning holds. */
export function addsNothing(ask: Ask): boolean {
  switch (ask.kind) {
    case 'parameter':
      return (
        ask.parameter.meaning.length + ask.parameter.choices.length + ask.constraints.length === 1 &&
        !/[。；;：:]|\.\s/.test(trimStop(ask.parameter.meaning[0]!))
      )
    case 'data-types':
      return ask.asked === undefined
    case 'constraints':
      return (
        ask.items.length === 1 &&
        ask.items[0]!.about.length === 0 &&
        alignedElements(ask.items[0]!.text, ask.dtypes).length === 0
      )
    case 'purpose':
      return ask.sentences.length + ask.operands.length + ask.constraints.length === 1
    case 'returns':
      return (
        ask.sentences.length === 1 &&
        ask.prototypes.every(({returns}) => returns === '' || returns === 'void' || ask.sentences[0]!.includes(returns))
      )
    default:
      return false
  }
}
