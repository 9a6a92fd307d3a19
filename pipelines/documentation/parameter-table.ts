import type {Block} from '../../datasets/blocks.ts'
import {announcedBy, isLabel, type Label, labelOf, labelsAbove, underLabels} from './labels.ts'
import {fateOf, isLimitedToOthers} from './sentence-fate.ts'
import {type Reading, readText, sentences} from './sentences.ts'
import {listingMark, readTable} from '../../datasets/tables.ts'

export interface ParameterFact {
  /** As the table writes it: `src0、src1` and `mask/mask[]` stay one row. */
  name: string
  names: string[]
  direction: 'input' | 'output' | 'both' | ''
  /** Self-contained sentences and list items, without pointers to other pages and tables. */
  meaning: string[]
  /** Values with a name that the description lists: enumerators, mostly. Never part of `meaning`. */
  choices: {name: string; text: string}[]
  /** What the description says beyond that and is not understood without the page. */
  unread: string[]
  /** The structure whose member it is; '' for a parameter of the API itself. */
  structure: string
}

const nameColumn = /^(?:参数名|参数名称|参数|字段|成员|名称|parameter|member|name|field)/i
const meaningColumn = /^(?:描述|含义|说明|参数说明|功能|description|meaning)/i
const directionColumn = /输入\s*\/\s*输出|input\s*\/\s*output/i

/** "Members of the structure X", or "parameters of MatmulFuncParams", which is not a function's name. */
const structureOf =
  /([A-Z]\w+)(?:<\w+>)?\s*(?:结构体|结构|structure|struct)|([A-Z][a-z]\w+(?:Params|Info|Config|Args))\s*参数说明/

/** The rows of a table that has names and meanings; empty for another table. */
export function readParameters(block: Extract<Block, {kind: 'table'}>, caption: string): ParameterFact[] {
  const table = readTable(block)
  const direction = table.header.findIndex((cell) => directionColumn.test(cell))
  const named = table.header.findIndex((cell) => nameColumn.test(cell))
  // A table that tells directions has parameters, whatever its first column is called.
  const name = named < 0 && direction > 0 ? 0 : named
  const meaning = table.header.findIndex((cell, index) => index !== name && meaningColumn.test(cell))
  if (name < 0 || meaning < 0 || name === meaning) return []
  const structure = structureOf.exec(caption)?.slice(1).find(Boolean) ?? ''
  return table.rows.flatMap((row) => {
    const label = (row[name] ?? '').replace(/\s+/g, ' ').trim()
    const names = label.match(/[A-Za-z_]\w*/g) ?? []
    const described = describe(row[meaning] ?? '')
    if (names.length === 0 || (described.meaning.length === 0 && described.unread.length === 0)) return []
    return [{name: label, names, direction: directionOf(row[direction] ?? ''), ...described, structure}]
  })
}

const labelled = /^[•·*-]\s*(?:[^：:。，,]{1,40})[：:]/

const namedItem = /^(?:[•·*-]\s*)?((?:\w+::)*[A-Za-z_]\w*)\s*[：:]\s*(?![：:])(.+)$/

/** A cell's own text first. An item with a label explains one value, so it is never what the parameter means. */
function describe(cell: string): Pick<ParameterFact, 'meaning' | 'choices' | 'unread'> {
  // A word or two is not a sentence, but some cells have nothing else.
  if (/^\p{Script=Han}{2,3}。?$/u.test(cell) && fateOf(`${cell}说明`) === 'told' && !/^暂?无/.test(cell))
    return {meaning: [cell], choices: [], unread: []}
  // An enumeration may continue in a separate paragraph.
  const all = cell.replace(/、\n+/g, '、').split('\n')
  const {told: lines, lost} = withLabels(all.filter((line) => line !== listingMark))
  const isItem = (line: string) => namedItem.test(line) || labelled.test(line)
  const items = lines.filter(isItem)
  const summary = summaryOf(
    lines.filter((line) => !isItem(line)),
    items.length > 0,
  )
  const others = readItems(items.filter((line) => !namedItem.test(line)))
  const choices = items.filter((line) => namedItem.test(line)).map(choiceOf)
  return {
    meaning: summary.told.length > 0 ? [...summary.told, ...others.told] : [],
    choices: oneByName(choices.flatMap(({choice}) => choice ?? [])),
    unread: [
      ...all.filter((line) => line === listingMark),
      ...lost,
      ...summary.lost,
      ...others.lost,
      ...choices.flatMap((each) => each.lost),
    ],
  }
}

/** Lines of a cell, each with its parent item: of `• false：` and `•• x`, the second says x about false. */
function withLabels(lines: readonly string[]): Reading {
  let labels: Label[] = []
  let last = ''
  let isOpen = false
  const lost: string[] = []
  const told = lines.flatMap((line, index) => {
    const marks = /^[•·]*/.exec(line)![0].length
    // A line without a mark continues the previous item if that one is empty so far.
    const depth = marks === 0 && isLabel(last) ? labels.length + 1 : marks
    labels = labelsAbove(labels, depth)
    last = line
    if (labels.some(({text}) => fateOf(text) === 'foreign')) return []
    if (isLabel(line) && marks > 0) {
      labels.push(labelOf(line, depth))
      isOpen = false
      return []
    }
    if (isLabel(line) && (index > 0 || line.includes('。'))) {
      isOpen = false
      const end = line.lastIndexOf('。') + 1
      const {head, label} = announcedBy(line.slice(end), 0)
      labels = [label]
      return end > 0 || head !== '' ? [`${line.slice(0, end)}${head}`] : []
    }
    // After an item with text, it may continue that item, or the whole cell.
    if (marks === 0 && isOpen && !namedItem.test(line) && !isOnAll.test(line)) {
      lost.push(line)
      return []
    }
    isOpen = marks > 0
    const isAlone = labels.every(({text}) => text === '') || namedItem.test(line)
    const value = marks === 0 ? namedItem.exec(line)?.[1] : undefined
    // `false: two cases.` without a mark, and the cases after it with marks.
    if (value !== undefined) labels = [{depth: 0, text: value}]
    if (isAlone) return [line]
    const whole = underLabels(labels, line.replace(/^[•·]+\s*/, ''))
    if (whole === undefined) lost.push(line)
    return whole === undefined ? [] : [`• ${whole}`]
  })
  return {told, lost: lost.flatMap((line) => [line].filter((each) => fateOf(each) !== 'elsewhere'))}
}

/** A remark at the end of a cell is about the parameter, not about the last value. */
const isOnAll = /^(?:注|说明|注意|取值范围|默认值?|单位)[^：:]{0,4}[：:]|该参数|此参数|本参数/

function readLines(lines: readonly string[]): Reading {
  const all: Reading = {told: [], lost: []}
  for (const line of lines) {
    const {told, lost} = readText(line, all.lost.length > 0)
    all.told.push(...told)
    all.lost.push(...lost)
  }
  return all
}

/** What an item says holds under its label, all of it. */
function readItems(lines: readonly string[]): Reading {
  const all = lines.map((line) => readText(line))
  return {
    told: all.flatMap(({told}) => (told.length > 0 ? [told.join(/[。；]$/.test(told[0]!) ? '' : ' ')] : [])),
    lost: all.flatMap(({lost}) => lost),
  }
}

/** "The mode, of type X:" before a list says what the parameter is. */
function summaryOf(prose: readonly string[], hasItems: boolean): Reading {
  const [first = '', ...rest] = prose
  if (!hasItems || !isLabel(first)) return readLines(prose)
  const opening = first.replace(/[，,；;]?\s*可?(?:支持的取值|取值|支持|包括|分别)?(?:如下|为|有)?[：:]\s*$/, '').trim()
  if (fateOf(opening) !== 'told' && labelOf(first, 0).text !== '') return readLines(prose)
  const {told, lost} = readLines(rest)
  return {told: fateOf(opening) === 'told' ? [opening, ...told] : told, lost}
}

function choiceOf(line: string): {choice?: ParameterFact['choices'][number]; lost: string[]} {
  const [, name = '', words = ''] = namedItem.exec(line) ?? []
  const {told, lost} = isForOthers(words) ? {told: [], lost: []} : readText(words)
  return told.length > 0 ? {choice: {name: name.split('::').at(-1)!, text: told.join('')}, lost} : {lost}
}

/** A value of which the first words say that another product has it. */
function isForOthers(words: string): boolean {
  return isLimitedToOthers(sentences(words)[0] ?? '')
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
