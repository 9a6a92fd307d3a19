import type {DocSection, SectionRole} from '../../datasets/schema/document.ts'
import {type Block, parseBlocks} from './blocks.ts'
import {isLabel, type Label, labelOf, labelsAbove, underLabels} from './labels.ts'
import {type Prototype, readPrototypes} from './prototype.ts'
import {roleOf} from './segment.ts'
import {isPointer, sentences, standsAlone} from './sentences.ts'
import {readTable} from './tables.ts'

export interface ParameterFact {
  /** As the table writes it: `src0、src1` and `mask/mask[]` stay one row. */
  name: string
  names: string[]
  direction: 'input' | 'output' | 'both' | ''
  /** Sentences and list items that stand alone: pointers to other pages and tables are left out. */
  meaning: string[]
  /** Values with a name that the description lists: enumerators, mostly. Never part of `meaning`. */
  choices: {name: string; text: string}[]
  /** The structure whose member it is; '' for a parameter of the API itself. */
  structure: string
}

export interface ExampleFact {
  /** What the page says just before the code; '' when it says nothing. */
  lead: string
  code: string
  /** What the page gives as its result. */
  result?: string
}

/** What static analysis finds on one section, or on a whole page. */
export interface Facts {
  prototypes: Prototype[]
  parameters: ParameterFact[]
  examples: ExampleFact[]
  /** Sentences by role, in page order. */
  said: Partial<Record<SectionRole, string[]>>
  /** For what each of the prototypes is, in the words above it; '' where there are none. */
  uses: string[]
  /** The same, paragraph by paragraph; a list with the words that announce it is one. */
  passages: Partial<Record<SectionRole, string[][]>>
}

/** Facts of the section alone. */
export function sectionFacts(section: DocSection): Facts {
  return factsOf(parseBlocks(section.markdown), section.role)
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
  /** What the next item of a list is said of. */
  labels: Label[]
  /** Whether what stands here is shown as the wrong way. */
  isCounter: boolean
  /** Whether the last block was an item of a list, or announced one. */
  isInList: boolean
}

function factsOf(blocks: readonly Block[], startRole: SectionRole): Facts {
  const facts: Facts = {prototypes: [], parameters: [], examples: [], uses: [], said: {}, passages: {}}
  const place: Place = {role: startRole, caption: '', lead: '', labels: [], isCounter: false, isInList: false}
  for (const [index, block] of blocks.entries()) readBlock(block, blocks[index + 1], place, facts)
  return facts
}

function readBlock(block: Block, next: Block | undefined, place: Place, facts: Facts): void {
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
      else if (!place.isCounter)
        addSaid(saidHere(block, next, place), depthOf(block) > 0 && place.isInList, place.role, facts)
      place.isInList =
        block.kind === 'list' || isLabelled(block, next, place.role) || (place.isInList && depthOf(block) > 0)
      place.lead = block.text
  }
}

/** A line in bold letters is a title, however it is marked. */
function isBoldTitle({kind, source, text}: Said): boolean {
  return kind === 'paragraph' && /^\*\*[^*]+\*\*$/.test(source.trim()) && !/[。！？.：:]$/.test(text)
}

function addSaid(said: readonly string[], goesOn: boolean, role: SectionRole, {said: all, passages}: Facts): void {
  ;(all[role] ??= []).push(...said)
  const found = (passages[role] ??= [])
  const last = goesOn ? found.at(-1) : undefined
  if (last) last.push(...said)
  else found.push([...said])
}

/** What a block says, with the labels that it stands under; one that ends in a colon ends in such a label. */
function saidHere(block: Said, next: Block | undefined, place: Place): string[] {
  const depth = depthOf(block)
  place.labels = labelsAbove(place.labels, depth)
  if (!isLabelled(block, next, place.role)) return withTheirLabels(saidIn(block, place.role), place.labels)
  const {said, label} = splitLabel(block.text, depth)
  const told = withTheirLabels(said, place.labels)
  place.labels.push(label)
  return told
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
  if (role === 'prototype' && block.kind === 'list') return true
  const isTitle = block.kind === 'list' && next?.kind === 'paragraph' && !/[。！？；.;:：]$/.test(block.text)
  return isLabel(block.text) || (isTitle && depthOf(next) > depthOf(block))
}

/** The sentences before the one that announces, and of that one what it says before it announces. */
function splitLabel(text: string, depth: number): {said: string[]; label: Label} {
  const all = sentences(text)
  const last = all.at(-1) ?? ''
  const before = all.slice(0, -1).filter(standsAlone)
  const comma = Math.max(last.lastIndexOf('，'), last.lastIndexOf(', '))
  const [head, tail] = [last.slice(0, comma), last.slice(comma + 1)]
  const isAnnounced = comma >= 8 && announcesList.test(tail.trim()) && labelOf(tail, 0).text === '' && standsAlone(head)
  // "When count is 0, the interface does the following:" says nothing by itself: it is when the list holds.
  if (isAnnounced && isCondition.test(head)) return {said: before, label: {depth, text: head}}
  return isAnnounced
    ? {said: [...before, head], label: labelOf(tail, depth)}
    : {said: before, label: labelOf(last, depth)}
}

/** Of "the outputs of both and the space at hand, the count is derived as:" the first half is no sentence. */
const announcesList =
  /^(?:该|其|具体|支持|包括|包含|分为|分别|可选|取值|有|共有|格式|参数|如下|以下|主要|with|which|as|the|in|for)/i

const isCondition = /(?:时|后|前|下|场景|情况)$|^(?:当|如果|若|对于|针对|(?:if|when|for)\b)/i

function withTheirLabels(said: readonly string[], labels: readonly Label[]): string[] {
  if (labels.every(({text}) => text === '') || said.length === 0) return [...said]
  const whole = underLabels(labels, said.join(/[。！？]$/.test(said[0] ?? '') ? '' : ' '))
  return whole === undefined ? [] : [whole]
}

/** A rule in a list is one thing, however many sentences it takes; prose is taken sentence by sentence. */
function saidIn(block: Said, role: SectionRole): string[] {
  const said = sentences(block.text).filter(standsAlone)
  const whole = said.join(/[。！？]$/.test(said[0] ?? '') ? '' : ' ')
  return block.kind === 'list' && role === 'constraints' && said.length > 1 && whole.length <= 300 ? [whole] : said
}

function readCode(block: Extract<Block, {kind: 'code'}>, {role, lead, labels}: Place, facts: Facts): void {
  // Pages without highlighting mark their declarations as text.
  const isDeclaration = role === 'prototype' && ['cpp', '', 'text'].includes(block.language)
  if (isDeclaration) {
    const declared = readPrototypes(block.text)
    facts.prototypes.push(...declared)
    const above = commentsAbove(block.text, declared)
    facts.uses.push(...declared.map((_, index) => above[index] || useOf(labels, lead)))
  }
  const isExample = (role === 'example' || role === 'other') && ['cpp', ''].includes(block.language)
  const last = facts.examples.at(-1)
  if (last && role === 'example' && isResult(block.text)) last.result ??= block.text
  else if (isExample) facts.examples.push({lead: isTelling(lead) ? lead : '', code: block.text})
}

/** What a comment says right above each of several declarations; '' where there is none. */
function commentsAbove(code: string, declared: readonly Prototype[]): string[] {
  if (declared.length < 2) return []
  const lines = code.split('\n')
  let from = 0
  return declared.map(({name}) => {
    const at = lines.findIndex((line, index) => index >= from && new RegExp(`\\b${name}\\s*\\(`).test(line))
    const before = lines.slice(from, Math.max(at, from)).findLast((line) => !/^\s*template\b|^\s*$/.test(line)) ?? ''
    from = at + 1
    const said = /^\s*\/\/\s*(.{4,60})$/.exec(before)?.[1]?.trim() ?? ''
    return /[;{}()]/.test(said) || isPointer(said) ? '' : said
  })
}

/** `通过入参传入临时空间：部分参与计算`: the titles above a declaration. */
function useOf(labels: readonly Label[], lead: string): string {
  const titles = [...labels.map(({text}) => text), lead.replace(/[：:。]$/, '')].filter((text) => text !== '')
  const said = [...new Set(titles)].filter((text) => !isPointer(text) && !/^(?:函数)?原型|如下$/.test(text))
  return said.some((text) => text.length > 60) ? '' : said.join('：')
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

const nameColumn = /^(?:参数名|参数名称|参数|字段|成员|名称|parameter|member|name|field)/i
const meaningColumn = /^(?:描述|含义|说明|参数说明|功能|description|meaning)/i
const directionColumn = /输入\s*\/\s*输出|input\s*\/\s*output/i

function readParameters(block: Extract<Block, {kind: 'table'}>, caption: string): ParameterFact[] {
  const table = readTable(block)
  const direction = table.header.findIndex((cell) => directionColumn.test(cell))
  const named = table.header.findIndex((cell) => nameColumn.test(cell))
  // A table that tells directions has parameters, whatever its first column is called.
  const name = named < 0 && direction > 0 ? 0 : named
  const meaning = table.header.findIndex((cell, index) => index !== name && meaningColumn.test(cell))
  if (name < 0 || meaning < 0 || name === meaning) return []
  const structure = /([A-Z]\w+)(?:<\w+>)?\s*(?:结构体|结构|structure|struct)/.exec(caption)?.[1] ?? ''
  return table.rows.flatMap((row) => {
    const label = (row[name] ?? '').replace(/\s+/g, ' ').trim()
    const names = label.match(/[A-Za-z_]\w*/g) ?? []
    const described = describe(row[meaning] ?? '')
    if (names.length === 0 || described.meaning.length === 0) return []
    return [{name: label, names, direction: directionOf(row[direction] ?? ''), ...described, structure}]
  })
}

const pointerTail = /[，,]\s*(?:具体|详细)?(?:请)?(?:参见|详见|参考|见|see)\s*(?:表|table)\s*\d+(?=[。.]|$)/gi
const labelled = /^[•·*-]\s*(?:[^：:。，,]{1,40})[：:]/

const namedItem = /^(?:[•·*-]\s*)?((?:\w+::)*[A-Za-z_]\w*)\s*[：:]\s*(?![：:])(.+)$/

/** A cell's own words first. An item with a label explains one value, so it is never what the parameter means. */
function describe(cell: string): Pick<ParameterFact, 'meaning' | 'choices'> {
  const lines = withLabels(cell.replace(pointerTail, '').split('\n'))
  const isItem = (line: string) => namedItem.test(line) || labelled.test(line)
  const items = lines.filter(isItem)
  const summary = summaryOf(
    lines.filter((line) => !isItem(line)),
    items.length > 0,
  )
  const others = saidAlone(items.filter((line) => !namedItem.test(line)))
  return {meaning: summary.length > 0 ? [...summary, ...others] : [], choices: oneByName(items.flatMap(choiceOf))}
}

/** Lines of a cell, each with the item that it stands under: of `• false：` and `•• x`, the second says x of false. */
function withLabels(lines: readonly string[]): string[] {
  let labels: Label[] = []
  let last = ''
  let isOpen = false
  return lines.flatMap((line, index) => {
    const marks = /^[•·]*/.exec(line)![0].length
    // A line without a mark goes on with the item before it where that one has said nothing yet.
    const depth = marks === 0 && isLabel(last) ? labels.length + 1 : marks
    labels = labelsAbove(labels, depth)
    last = line
    if (isLabel(line) && marks > 0) {
      labels.push(labelOf(line, depth))
      isOpen = false
      return []
    }
    if (isLabel(line) && (index > 0 || line.includes('。'))) {
      isOpen = false
      const end = line.lastIndexOf('。') + 1
      labels = [labelOf(line.slice(end), 0)]
      return end > 0 ? [line.slice(0, end)] : []
    }
    // Behind an item that has said something it may go on with that, or with the whole cell.
    if (marks === 0 && isOpen && !namedItem.test(line)) return []
    isOpen = marks > 0
    const isAlone = labels.every(({text}) => text === '') || namedItem.test(line)
    const value = marks === 0 ? namedItem.exec(line)?.[1] : undefined
    // `false: two cases.` without a mark, and the cases after it with marks.
    if (value !== undefined) labels = [{depth: 0, text: value}]
    if (isAlone) return [line]
    const whole = underLabels(labels, line.replace(/^[•·]+\s*/, ''))
    return whole === undefined ? [] : [`• ${whole}`]
  })
}

function saidAlone(lines: readonly string[]): string[] {
  return lines.flatMap(sentences).filter(standsAlone)
}

/** "The mode, of type X:" before a list says what the parameter is. */
function summaryOf(prose: readonly string[], hasItems: boolean): string[] {
  const said = saidAlone(prose)
  if (said.length > 0 || !hasItems || prose.length !== 1) return said
  const opening = prose[0]!.replace(/[，,；;]?\s*可?(?:取值|支持|包括|分别)?(?:如下|为|有)?[：:]\s*$/, '').trim()
  return standsAlone(opening) ? [opening] : said
}

function choiceOf(line: string): ParameterFact['choices'] {
  const [, name, words = ''] = namedItem.exec(line) ?? []
  const text = saidAlone([words]).join('')
  return name !== undefined && text !== '' ? [{name: name.split('::').at(-1)!, text}] : []
}

/** What several lines say of one value. */
function oneByName(choices: ParameterFact['choices']): ParameterFact['choices'] {
  const texts = new Map<string, string[]>()
  for (const {name, text} of choices) texts.set(name, [...(texts.get(name) ?? []), text])
  return [...texts].map(([name, all]) => ({name, text: all.length === 1 ? all[0]! : joinedClauses(all)}))
}

function joinedClauses(texts: readonly string[]): string {
  const isChinese = /\p{Script=Han}/u.test(texts.join(''))
  return texts.map((text) => text.replace(/[。；;.]$/, '')).join(isChinese ? '；' : '; ')
}

function directionOf(cell: string): ParameterFact['direction'] {
  const reads = /输入|\binput\b/i.test(cell)
  const writes = /输出|\boutput\b/i.test(cell)
  if (reads && writes) return 'both'
  if (writes) return 'output'
  return reads ? 'input' : ''
}
