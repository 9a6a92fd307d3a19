import type {DocSection, SectionRole} from '../../datasets/schema/document.ts'
import {type Block, parseBlocks} from './blocks.ts'
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
}

/** What static analysis finds on one section, or on a whole page. */
export interface Facts {
  prototypes: Prototype[]
  parameters: ParameterFact[]
  examples: ExampleFact[]
  /** Sentences by role, in page order. */
  said: Partial<Record<SectionRole, string[]>>
}

/** Facts of the section alone. */
export function sectionFacts(section: DocSection): Facts {
  return factsOf(parseBlocks(section.markdown), section.role)
}

/** Facts of the section and of the rest of its page. */
export function pageFacts(section: DocSection): Facts {
  return factsOf([...parseBlocks(section.markdown), ...parseBlocks(section.context)], section.role)
}

function factsOf(blocks: readonly Block[], startRole: SectionRole): Facts {
  const facts: Facts = {prototypes: [], parameters: [], examples: [], said: {}}
  let role = startRole
  let caption = ''
  let lead = ''
  for (const block of blocks) {
    if (block.kind === 'heading') {
      role =
        block.text
          .split(' / ')
          .map(roleOf)
          .findLast((each) => each !== 'other') ?? 'other'
      lead = ''
    } else if (block.kind === 'code') {
      readCode(block, role, lead, facts)
      lead = ''
    } else if (block.kind === 'table') {
      facts.parameters.push(...readParameters(block, caption))
    } else {
      if (block.kind === 'paragraph' && /^(?:表|Table)\s*\d/i.test(block.text)) caption = block.text
      else (facts.said[role] ??= []).push(...saidIn(block, role))
      lead = block.text
    }
  }
  return facts
}

/** A rule in a list is one thing, however many sentences it takes; prose is taken sentence by sentence. */
function saidIn(block: Extract<Block, {text: string}>, role: SectionRole): string[] {
  const said = sentences(block.text).filter(standsAlone)
  const whole = said.join(/[。！？]$/.test(said[0] ?? '') ? '' : ' ')
  return block.kind === 'list' && role === 'constraints' && said.length > 1 && whole.length <= 300 ? [whole] : said
}

function readCode(block: Extract<Block, {kind: 'code'}>, role: SectionRole, lead: string, facts: Facts): void {
  // Pages without highlighting mark their declarations as text.
  if (role === 'prototype' && block.language === 'text') facts.prototypes.push(...readPrototypes(block.text))
  if (block.language !== 'cpp' && block.language !== '') return
  if (role === 'prototype') facts.prototypes.push(...readPrototypes(block.text))
  else if (role === 'example' || role === 'other')
    facts.examples.push({lead: isTelling(lead) ? lead : '', code: block.text})
}

/** Whether the words before a listing say what it is for. */
function isTelling(lead: string): boolean {
  return (
    !/^(?:调用|使用|代码)?(?:示例|样例|代码)(?:如下)?[：:。]?$|^examples?:?$/i.test(lead) &&
    !isPointer(lead.replace(/如下(?:所示)?[：:]?$/, ''))
  )
}

const nameColumn = /^(?:参数名|参数名称|参数|字段|成员|名称|parameter|member|name|field)/i
const meaningColumn = /^(?:描述|含义|说明|参数说明|功能|description|meaning)/i
const directionColumn = /输入\s*\/\s*输出|input\s*\/\s*output/i

function readParameters(block: Extract<Block, {kind: 'table'}>, caption: string): ParameterFact[] {
  const table = readTable(block)
  const name = table.header.findIndex((cell) => nameColumn.test(cell))
  const meaning = table.header.findIndex((cell) => meaningColumn.test(cell))
  const direction = table.header.findIndex((cell) => directionColumn.test(cell))
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

/** A cell's own words first. An item with a label explains one value, so it is never what the parameter means. */
function describe(cell: string): Pick<ParameterFact, 'meaning' | 'choices'> {
  const lines = cell.replace(pointerTail, '').split('\n')
  const named = (line: string) => /^(?:[•·*-]\s*)?((?:\w+::)*[A-Za-z_]\w*)\s*[：:]\s*(?![：:])(.+)$/.exec(line)
  const items = lines.filter((line) => named(line) ?? labelled.test(line))
  const prose = lines.filter((line) => !items.includes(line))
  const said = prose.flatMap(sentences).filter(standsAlone)
  // "The mode, of type X:" before a list says what the parameter is.
  const opening = (prose[0] ?? '').replace(/[，,；;]?\s*(?:取值|支持|包括|分别)?(?:如下|为|有)?[：:]\s*$/, '').trim()
  const summary = said.length === 0 && items.length > 0 && prose.length === 1 && standsAlone(opening) ? [opening] : said
  const choices = items.flatMap((line) => {
    const match = named(line)
    const text = sentences(match?.[2] ?? '')
      .filter(standsAlone)
      .join('')
    return match && text !== '' ? [{name: match[1]!.split('::').at(-1)!, text}] : []
  })
  const others = items
    .filter((line) => !named(line))
    .flatMap(sentences)
    .filter(standsAlone)
  return {meaning: summary.length > 0 ? [...summary, ...others] : [], choices}
}

function directionOf(cell: string): ParameterFact['direction'] {
  const reads = /输入|\binput\b/i.test(cell)
  const writes = /输出|\boutput\b/i.test(cell)
  return reads && writes ? 'both' : writes ? 'output' : reads ? 'input' : ''
}
