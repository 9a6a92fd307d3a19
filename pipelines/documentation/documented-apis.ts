import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {DocPage} from '../../datasets/schema/document.ts'
import {parseBlocks} from '../../datasets/blocks.ts'
import {declaredForms} from './declared-forms.ts'
import {deprecations} from './deprecation.ts'
import {documentedPurpose} from './documented-purpose.ts'
import {subjectOf} from './page-subject.ts'
import {type Prototype, splitTop} from './prototype.ts'
import type {ParameterFact} from './parameter-table.ts'
import {factsOfPage, type Facts} from './section-facts.ts'
import {roleOf} from './segment.ts'
import {dtypesIn} from './sentences.ts'
import {readTable, type Table} from '../../datasets/tables.ts'

/** What only a page says about an interface. */
type DocumentedApi = Omit<ApiEntry, 'product' | 'stages'>

/** The interfaces that a page documents, each by its name, and old names of interfaces; none for a guide. */
export function documentedApis(page: DocPage): DocumentedApi[] {
  const facts = factsOfPage(page.markdown)
  const named = namesOf(page, facts)
  const deprecatedOf = deprecations(page, [...named.keys()])
  const declared = [...named].map(([name, prototypes]) => {
    const {parameters, constraints} = ownWords(prototypes, [...named.values()].flat(), facts)
    return {
      ...emptyEntry(page, name),
      purpose: documentedPurpose(page.markdown, facts),
      prototypes: prototypes.map(({name: _, ...prototype}) => prototype),
      parameters: parameters.map(({name: _, unread: __, ...parameter}) => parameter),
      dtypes: documentedTypes(page.markdown, facts, prototypes),
      constraints,
      alignment: alignmentOf(parameters, constraints),
      pipe: /\bPIPE_\w+/.exec((facts.said.pipe ?? []).join(' '))?.[0] ?? '',
      examples: facts.examples.filter(
        ({code}) => hasWord(code, name.split('::').at(-1)!) && !prototypes.some(({text}) => code.includes(text)),
      ),
      ...deprecatedOf(name),
    }
  })
  const renamed = renamedApis(page).map(({name, ...deprecated}) => ({...emptyEntry(page, name), deprecated}))
  return [...declared, ...renamed]
}

/** Without parameters that only other functions of the page have. */
function ownWords(own: readonly Prototype[], all: readonly Prototype[], {parameters, said}: Facts) {
  const names = declaredNames(own)
  const others = [...declaredNames(all)].filter((name) => !names.has(name) && name.length > 1)
  const isOwn = (mentioned: readonly string[]) =>
    mentioned.some((name) => names.has(name)) || !mentioned.some((name) => others.includes(name))
  const known = [...names].filter((name) => name.length > 1)
  return {
    parameters: parameters.filter((row) => row.meaning.length > 0 && (row.structure !== '' || isOwn(row.names))),
    constraints: (said.constraints ?? []).filter((text) =>
      isOwn([...known, ...others].filter((name) => hasWord(text, name))),
    ),
  }
}

function declaredNames(prototypes: readonly Prototype[]): Set<string> {
  return new Set(prototypes.flatMap(({templates, parameters}) => [...templates, ...parameters].map(({name}) => name)))
}

function emptyEntry(page: DocPage, name: string): DocumentedApi {
  return {
    name,
    kind: kindOf(page.origin.path),
    page: page.title,
    language: page.language,
    purpose: '',
    prototypes: [],
    parameters: [],
    dtypes: [],
    constraints: [],
    alignment: [],
    pipe: '',
    examples: [],
    origin: page.lineCount === undefined ? page.origin : {...page.origin, lines: [1, page.lineCount]},
  }
}

/**
 * Every function that a page declares, whatever its title: `asc_exp` declares `asc_exp_sync` too. Members go by their
 * class: the title where it is one, else the folder of the page where its examples call them on an object.
 */
function namesOf(page: DocPage, facts: Facts): Map<string, Prototype[]> {
  const functions = facts.prototypes.filter(({name, text}) => !/^(?:~|operator$)/.test(name) && !/^[:,]/.test(text))
  const forms = declaredForms(page)
  if (functions.length + forms.length === 0) return byName(macroForms(page.title, page.markdown))
  const classOf = classesOf(page, facts)
  const members = functions.map((prototype) => {
    const owner = classOf(prototype.name)
    return {
      ...prototype,
      name: owner === undefined || owner === prototype.name ? prototype.name : `${owner}::${prototype.name}`,
    }
  })
  return byName([...members, ...forms])
}

function byName(prototypes: readonly Prototype[]): Map<string, Prototype[]> {
  const found = new Map<string, Prototype[]>()
  for (const prototype of prototypes) found.set(prototype.name, [...(found.get(prototype.name) ?? []), prototype])
  return found
}

/** The class that a function of the page is a member of, if it is one. */
function classesOf({title, origin}: DocPage, facts: Facts): (name: string) => string | undefined {
  const subject = subjectOf({page: title}, facts)
  // A single function that differs from a non-constructor title is usually a spelling variant.
  const isClass = subject.kind === 'class' && (subject.members.length > 1 || hasConstructor(title, facts))
  if (isClass) return () => title
  const folder = origin.path.split('/').at(-2) ?? ''
  if (!/^[A-Z]+[a-z]\w*$/.test(folder)) return () => undefined
  const code = facts.examples.map((example) => example.code).join('\n')
  return (name) => (new RegExp(String.raw`(?:\.|->)\s*(?:template\s+)?${name}\s*[(<]`).test(code) ? folder : undefined)
}

const hasConstructor = (title: string, {prototypes}: Facts) => prototypes.some(({name}) => name === title)

/** `GET_TILING_DATA(tiling_data, tiling_arg)`: macros are documented by a call, their parameters have no types. */
function macroForms(title: string, markdown: string): Prototype[] {
  if (!/^[A-Z][A-Z\d_]{3,}$/.test(title)) return []
  const listings = parseBlocks(markdown).flatMap((block) => (block.kind === 'code' ? [block.text] : []))
  const call = new RegExp(String.raw`^\s*${title}\s*\(([\w\s,.]*)\)\s*;?\s*$`)
  const forms = listings.map((text) => call.exec(text)).filter((match) => match !== null)
  return forms.slice(0, 1).map(([text, list = '']) => ({
    name: title,
    returns: '',
    templates: [],
    parameters: splitTop(list).map((name) => ({name, type: ''})),
    text: text.trim().replace(/;$/, ''),
  }))
}

const parts: readonly [ApiEntry['kind'], RegExp][] = [
  ['c', /C-API/i],
  ['simt', /SIMT-API/i],
  ['basic', /基础API|basic[-_ ]?api/i],
  ['high-level', /高阶API|adv[-_ ]?api|high[-_ ]level/i],
  ['utils', /Utils-API/i],
  ['ai-cpu', /AI-?CPU/i],
]

function kindOf(path: string): ApiEntry['kind'] {
  return parts.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other'
}

const wholeBytes = /(\d+)\s*(?:字节|B\b|-?\s?bytes?)\s*(?:的?(?:整数)?倍|对齐|-?\s?align)|multiple of (\d+) bytes/gi

function alignmentOf(parameters: readonly ParameterFact[], constraints: readonly string[]): ApiEntry['alignment'] {
  const own = parameters.filter(({structure}) => structure === '')
  const all = own.flatMap(({names}) => names)
  const ofParameters = own.flatMap(({names, meaning}) => meaning.flatMap((text) => rulesIn(text, () => names)))
  const ofAll = constraints.flatMap((text) => rulesIn(text, (part) => spokenOf(part, all)))
  return [...new Map([...ofParameters, ...ofAll].map((rule) => [JSON.stringify(rule), rule])).values()]
}

/** The parameters that a part of a sentence names, or means by "source" and "destination". */
function spokenOf(part: string, all: readonly string[]): string[] {
  const named = all.filter((name) => name.length > 1 && hasWord(part, name))
  if (named.length > 0) return named
  const [isTarget, isSource] = [/目的|\bdestination\b/i.test(part), /源|\bsource\b/i.test(part)]
  return all.filter((name) => (isTarget && /^dst/i.test(name)) || (isSource && /^src/i.test(name)))
}

/** What need not be aligned, or is rounded to a multiple by the interface itself, is not a rule. */
const isNoDemand =
  /是否|不需要|无需|不要求|不满足|未对齐|非\d*\s*字节|补齐|取整|whether|need not|not required|rounded|padded/i

/** Clauses with their own amounts are separate rules; one byte is not a rule. */
function rulesIn(text: string, of: (part: string) => readonly string[]): ApiEntry['alignment'] {
  if (isNoDemand.test(text)) return []
  const parts = text
    .split(/(?<=[。；;])/)
    .flatMap((part) => (amountsIn(part).length > 1 ? part.split(/(?<=，)/) : [part]))
  return parts.flatMap((part) => amountsIn(part).map((bytes) => ({bytes, of: [...of(part)], text})))
}

function amountsIn(part: string): number[] {
  const amounts = [...part.matchAll(wholeBytes)].map((match) => Number(match[1] ?? match[2]))
  return [...new Set(amounts)].filter((bytes) => bytes > 1)
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w])${word}(?![\\w])`).test(text)
}

/**
 * The element types of an interface's tensors, from the first of these places that names any: statements about `T` and
 * its operands with the section on data types and its tables, the constraints, the other template parameters, the
 * pointers of the declarations. `b16` means every 16-bit type, as pages write it.
 */
export function documentedTypes(markdown: string, facts: Facts, prototypes: readonly Prototype[]): string[] {
  const places = [
    () => [...elementSentences(facts), ...typeTables(markdown)],
    () =>
      (facts.said.constraints ?? []).filter((text) =>
        /支持的?数据类型|data types? .*support|support.* data type/i.test(text),
      ),
    () => templateSentences(facts, prototypes),
    () => prototypes.flatMap(({parameters}) => parameters.flatMap(({type}) => memoryPointer.exec(type)?.[1] ?? [])),
  ]
  for (const place of places) {
    const found = typesIn(place().join(' '))
    if (found.length > 0) return found
  }
  return []
}

const memoryPointer = /__(?:gm|ubuf|cbuf|ca|cb|cc|fbuf|biasbuf)__\s+(?:const\s+)?(\w+)\s*\*/

function typesIn(text: string): string[] {
  return [...dtypesIn(text), ...new Set(text.match(/(?<!\w)b(?:8|16|32|64)(?!\w)/g) ?? [])]
}

/** Tables of the section on data types: which types go together. */
function typeTables(markdown: string): string[] {
  let isHere = false
  return parseBlocks(markdown).flatMap((block) => {
    if (block.kind === 'heading') isHere = block.level > 2 ? isHere : roleOf(block.text) === 'data-types'
    return isHere && block.kind === 'table' ? [block.source.replace(/<[^>\n]*>/g, ' ')] : []
  })
}

function templateSentences({parameters}: Facts, prototypes: readonly Prototype[]): string[] {
  const types = prototypes.flatMap(({templates}) => templates.filter(({type}) => /^(?:typename|class)$/.test(type)))
  const names = new Set(types.map(({name}) => name))
  return parameters
    .filter((row) => row.structure === '' && row.names.every((name) => names.has(name)))
    .flatMap(({meaning}) => meaning)
}

/** "U supports half": template parameters other than T have their own types. */
const otherTemplate = /(?<![A-Za-z])(?!T\b)[A-Z]\w{0,12}\s*(?:支持的数据类型|支持的?类型|supports)/

/** A page's statements about T, or its operands, and about data types as a whole. */
function elementSentences(page: Facts): string[] {
  const meaningOf = (isAsked: (parameter: ParameterFact) => boolean) =>
    page.parameters
      .filter((parameter) => parameter.structure === '' && isAsked(parameter))
      .flatMap((parameter) => parameter.meaning)
  const element = meaningOf(({name}) => name === 'T')
  const operands = meaningOf(({name}) => /^(?:dst|src)/i.test(name)).filter((sentence) =>
    /支持的数据类型|element types?/i.test(sentence),
  )
  const ofAll = (page.said['data-types'] ?? []).filter((sentence) => !otherTemplate.test(sentence))
  return [...(element.length > 0 ? element : operands), ...ofAll]
}

/** An interface that goes by another name now. */
interface Renamed {
  name: string
  /** The row of the table, with its header. */
  text: string
  instead: string[]
}

// Statements about parameters do not apply to interfaces.
const oldColumn =
  /^(?!.*(?:param|argument|参数))(?:(?:原|旧|废弃)(?:接口|API)|(?:old|deprecated|former)\b.*(?:name|api|interface))/i
const newColumn =
  /^(?!.*(?:param|argument|参数))(?:(?:新|替代)(?:接口|API)|(?:new|replacement)(?:\b.*(?:name|api|interface)|\s*$))/i

/** Renamed interfaces from the tables of a page; one that keeps its name does not count. */
export function renamedApis({markdown}: Pick<DocPage, 'markdown'>): Renamed[] {
  return parseBlocks(markdown).flatMap((block) => (block.kind === 'table' ? renamedIn(readTable(block)) : []))
}

function renamedIn({header, rows}: Table): Renamed[] {
  const old = header.findIndex((cell) => oldColumn.test(cell))
  const now = header.findIndex((cell) => newColumn.test(cell))
  if (old < 0 || now < 0) return []
  return rows.flatMap((row) => {
    const instead = namesIn(row[now] ?? '')
    const said = row.flatMap((cell, at) => (at === old || isNothing(cell) ? [] : [`${header[at]}：${inOneLine(cell)}`]))
    return namesIn(row[old] ?? '')
      .filter((name) => instead.length > 0 && !instead.includes(name))
      .map((name) => ({name, text: [`${header[old]}：${name}`, ...said].join('；'), instead}))
  })
}

const isNothing = (cell: string) => /^(?:无|-|none|n\/a)?$/i.test(cell.trim())
const inOneLine = (cell: string) => cell.replace(/\s*\n[•·\s]*/g, ' ').replace(/^[•·\s]+/, '')

/** The first name of each part; brackets distinguish overloads: `Cast（float转half、int32_t）`. */
function namesIn(cell: string): string[] {
  const parts = cell.replace(/[（(][^）)\n]*[）)]/g, '').split(/[/、\n]/)
  return parts.flatMap((part) => /^[\s•·`]*([A-Za-z_][\w:]*)/.exec(part)?.[1] ?? [])
}
