import type {DocSection, SectionRole} from '../../datasets/schema/document.ts'
import {type Block, parseBlocks} from '../../datasets/blocks.ts'
import {formsBeside} from './declared-forms.ts'
import {announcedBy, isAnnounced, isLabel, type Label, labelsAbove, underLabels} from './labels.ts'
import {type Prototype, readPrototypes} from './prototype.ts'
import {roleOf} from './segment.ts'
import {fateOf, isLimitedToOthers, isPointer} from './sentence-fate.ts'
import {type ParameterFact, readParameters} from './parameter-table.ts'
import {type Reading, readText, sentences} from './sentences.ts'

interface ExampleFact {
  /** What the page says just before the code; '' when it says nothing. */
  lead: string
  code: string
  /** What the page gives as its result. */
  result?: string
}

/** What static analysis finds on a page. */
export interface Facts {
  prototypes: Prototype[]
  /** Macros and types that the section on prototypes declares besides functions. */
  macros: Prototype[]
  types: Prototype[]
  parameters: ParameterFact[]
  examples: ExampleFact[]
  /** Sentences by role, in page order. */
  said: Partial<Record<SectionRole, string[]>>
}

/** Facts of a whole page, or of any text with headings. */
export function factsOfPage(markdown: string): Facts {
  return factsOf(parseBlocks(markdown), 'other')
}

/** Facts of the section and of the rest of its page. */
export function pageFacts(section: DocSection): Facts {
  return factsOf([...parseBlocks(section.markdown), ...parseBlocks(section.context)], section.role)
}

type Said = Extract<Block, {text: string; kind: 'list' | 'quote' | 'paragraph'}>

/** Where the reading of a page stands. */
interface Place {
  role: SectionRole
  /** The last title of a table. */
  caption: string
  /** The last words before a listing. */
  lead: string
  /** The subject of the next list item. */
  labels: Label[]
  /** Whether this text is shown as the wrong way. */
  isCounter: boolean
  /** Whether the last block was an item of a list, or announced one. */
  isInList: boolean
  /** Whether the last words could not be read. */
  isAfterLoss: boolean
  /** Whether the last item of a list turned out to be for other products. */
  isForOthers: boolean
}

function factsOf(blocks: readonly Block[], startRole: SectionRole): Facts {
  const facts: Facts = {
    prototypes: [],
    macros: [],
    types: [],
    parameters: [],
    examples: [],
    said: {},
  }
  const place: Place = {
    role: startRole,
    caption: '',
    lead: '',
    labels: [],
    isCounter: false,
    isInList: false,
    isAfterLoss: false,
    isForOthers: false,
  }
  for (const [index, block] of blocks.entries()) readBlock(block, blocks[index + 1], place, facts)
  return facts
}

function readBlock(block: Block, next: Block | undefined, place: Place, facts: Facts): void {
  if (block.kind === 'heading' || block.kind === 'list') place.isForOthers = false
  // "Only X supports it." below the title of an item.
  if (block.kind === 'paragraph' && place.isInList && isLimitedToOthers(block.text)) place.isForOthers = true
  if (place.isForOthers) return
  switch (block.kind) {
    case 'heading':
      place.role =
        block.text
          .split(' / ')
          .map(roleOf)
          .findLast((each) => each !== 'other') ?? 'other'
      place.lead = ''
      place.labels = []
      place.isCounter = false
      place.isAfterLoss = false
      return
    case 'code':
      if (!place.isCounter) readCode(block, place, facts)
      place.lead = ''
      return
    case 'table':
      facts.parameters.push(...readParameters(block, place.caption))
      return
    default:
      if (/^【?(?:反例|正例)】?/.test(block.text)) place.isCounter = /^【?反例/.test(block.text)
      if (block.kind === 'paragraph' && /^(?:表|Table)\s*\d/i.test(block.text)) place.caption = block.text
      else if (isBoldTitle(block)) place.labels = []
      else if (!place.isCounter) {
        const {told, lost} = saidHere(block, next, place)
        ;(facts.said[place.role] ??= []).push(...told)
        place.isAfterLoss = lost.length > 0 || (told.length === 0 && place.isAfterLoss)
      }
      place.isInList =
        block.kind === 'list' || isLabelled(block, next, place.role) || (place.isInList && depthOf(block) > 0)
      place.lead = block.text
  }
}

/** A line in bold letters is a title, however it is marked. */
function isBoldTitle({kind, source, text}: Said): boolean {
  return kind === 'paragraph' && /^\*\*[^*]+\*\*$/.test(source.trim()) && !/[。！？.：:]$/.test(text)
}

/** A block's text, with its labels; one that ends in a colon ends in such a label. */
function saidHere(block: Said, next: Block | undefined, place: Place): Reading {
  const depth = depthOf(block)
  place.labels = labelsAbove(place.labels, depth)
  if (place.labels.some(({text}) => fateOf(text) === 'foreign')) return {told: [], lost: []}
  if (isOnProducts(block, next)) {
    const text = block.text.replace(forProducts, '')
    return withTheirLabels(saidIn({...block, text}, place), place.labels)
  }
  if (!isLabelled(block, next, place.role)) return withTheirLabels(saidIn(block, place), labelsOn(block, place))
  const {said, label} = splitLabel(block.text, depth, place.isAfterLoss)
  const reading = withTheirLabels(said, place.labels)
  place.labels.push(label)
  return reading
}

const forProducts = /(?<=。)(?:上述|以上)说明适用于[：:]$/

/** "The above holds for:" and a list that opens on the product of interest. */
function isOnProducts({text}: Said, next: Block | undefined): boolean {
  return forProducts.test(text) && next?.kind === 'list' && next.text.includes('Atlas A2')
}

/** Text among declarations is about all of them, unless it points at the one above. */
function labelsOn({text}: Said, {role, labels}: Place): readonly Label[] {
  return role === 'prototype' && !/^(?:该|此|这|其)(?!接口)/.test(text) ? [] : labels
}

/** Prose 0; an item, and prose that is set in as one, by how far. */
function depthOf(block: Said): number {
  const indent = /^ */.exec(block.source)![0].length
  return block.kind === 'list' || indent > 0 ? 1 + indent : 0
}

/** A title that goes without a colon has its text set in below it. */
function isLabelled(block: Said, next: Block | undefined, role: SectionRole): boolean {
  if (block.kind === 'quote') return false
  // An item among declarations says when the ones below it are called.
  if (role === 'prototype' && block.kind === 'list' && !/[。；]$/.test(block.text)) return true
  const isTitle = block.kind === 'list' && next?.kind === 'paragraph' && !/[。！？；.;:：]$/.test(block.text)
  return isLabel(block.text) || isAnnounced(block.text) || (isTitle && depthOf(next) > depthOf(block))
}

/** The sentences before the one that announces, and of that one what it says before it announces. */
function splitLabel(text: string, depth: number, isAfterLoss: boolean): {said: Reading; label: Label} {
  const last = sentences(text).at(-1) ?? ''
  const {told, lost} = readText(text.slice(0, Math.max(0, text.lastIndexOf(last))), isAfterLoss)
  const {head, label} = announcedBy(last, depth)
  return {said: {told: head === '' ? told : [...told, head], lost}, label}
}

function withTheirLabels({told, lost}: Reading, labels: readonly Label[]): Reading {
  if (labels.every(({text}) => text === '') || told.length === 0) return {told, lost}
  const text = asOne(told)
  const whole = labels.some((label) => isPointer(label.text)) ? undefined : underLabels(labels, text)
  return whole === undefined ? {told: [], lost: [...lost, text]} : {told: [whole], lost}
}

function asOne(told: readonly string[]): string {
  return told.join(/[。！？]$/.test(told[0] ?? '') ? '' : ' ')
}

/** A rule in a list is one thing, however many sentences it takes; prose is taken sentence by sentence. */
function saidIn(block: Said, {role, isAfterLoss}: Place): Reading {
  const {told, lost} = readText(block.text, isAfterLoss)
  const whole = asOne(told)
  const isOne = block.kind === 'list' && role === 'constraints' && told.length > 1 && whole.length <= 300
  return {told: isOne ? [whole] : told, lost}
}

function readCode(block: Extract<Block, {kind: 'code'}>, {role, lead}: Place, facts: Facts): void {
  // Pages without highlighting mark their declarations as text.
  const isDeclaration = role === 'prototype' && ['cpp', '', 'text'].includes(block.language)
  if (isDeclaration) {
    facts.prototypes.push(...readPrototypes(block.text))
    const {macros, types} = formsBeside(block.text)
    facts.macros.push(...macros)
    facts.types.push(...types)
  }
  // "This example is for:" with the products gone is for others.
  const isForeign = /适用于[：:]?$/.test(lead)
  const isExample = (role === 'example' || role === 'other') && ['cpp', ''].includes(block.language) && !isForeign
  const last = facts.examples.at(-1)
  if (last && role === 'example' && isResult(block.text)) last.result ??= block.text
  else if (isExample && !isFaulty(block.text))
    facts.examples.push({lead: isTelling(lead) ? lead : '', code: block.text})
}

/** Data rather than code: `输入数据 srcLocal: [1 2 3]`, `output: [2.0, 4.0]`. */
function isResult(text: string): boolean {
  return (
    /^\s*(?:输[入出]数据|输[入出]|结果|inputs?|outputs?|result|\w+\s*[:：=]?\s*\[)/i.test(text) && !/[;{]/.test(text)
  )
}

/** Whether the words before a listing say what it is for. */
function isTelling(lead: string): boolean {
  return (
    !/^(?:调用|使用|代码)?(?:示例|样例|代码)(?:如下)?[：:。]?$|^examples?:?$/i.test(lead) &&
    !/^(?:Atlas|Ascend|Kirin|比如|例如)|该约束|不满足|反例|错误示例/.test(lead) &&
    !isPointer(lead.replace(/如下(?:所示)?[：:]?$/, ''))
  )
}

/** Faulty listings of the CANN documentation that reading found, by pieces of text that one of them has together. */
const knownFaults: readonly (readonly string[])[] = [
  // GetCmpMask: with a mask of 64 in the continuous mode the first 64 elements take part, not one of each block.
  ['GetCmpMask', '只有第7个'],
  // HasTensorInQue is called, another function is spoken of.
  ['HasTensorInQue', '根据VacantInQue'],
  // Two repeats of half give 128 sums.
  ['dst_length = 16;', 'asc_pair_reduce_sum(dst, src, 2,'],
]

/** Types as comments write them, and as the members of `ge::DataType` and `matmul_tiling::DataType` go. */
const members: Readonly<Record<string, string>> = {
  half: 'FLOAT16',
  bfloat16_t: 'BF16',
  BFLOAT16: 'BF16',
  bfloat16: 'BF16',
  float32: 'FLOAT',
  float: 'FLOAT',
  float16: 'FLOAT16',
}

const typed = /\/\/[^\n]*数据类型为(\w+)[^\n]*\n[^\n]*DataType::DT_(\w+)/g

/** Whether a listing says what is not so: a known one, or one with a type in a comment that the next line denies. */
function isFaulty(code: string): boolean {
  const member = (name: string) => members[name] ?? name.replace(/_t$/, '').toUpperCase()
  const isOther = [...code.matchAll(typed)].some(([, said = '', passed = '']) => member(said) !== member(passed))
  return isOther || knownFaults.some((pieces) => pieces.every((piece) => code.includes(piece)))
}
