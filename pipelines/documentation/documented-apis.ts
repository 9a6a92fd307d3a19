import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {DocPage} from '../../datasets/schema/document.ts'
import {parseBlocks} from './blocks.ts'
import {elementTypesOf} from './element-types.ts'
import {hasWord, purposeOf} from './offline/ask-base.ts'
import {subjectOf} from './offline/page-subject.ts'
import {type Prototype, splitTop} from './prototype.ts'
import {factsOfPage, type Facts} from './section-facts.ts'

/** What a page alone tells of an interface. */
type DocumentedApi = Omit<ApiEntry, 'product' | 'stages'>

/** The interfaces that a page documents, each by its name; none for a guide. */
export function documentedApis(page: DocPage): DocumentedApi[] {
  const facts = factsOfPage(page.markdown)
  const named = namesOf(page, facts)
  return [...named].map(([name, prototypes]) => ({
    name,
    kind: kindOf(page.origin.path),
    page: page.title,
    language: page.language,
    purpose: purposeOf(facts),
    prototypes: prototypes.map(({name: _, ...prototype}) => prototype),
    parameters: facts.parameters.map(({name: _, ...parameter}) => parameter),
    dtypes: elementTypesOf(facts),
    constraints: facts.said.constraints ?? [],
    alignment: alignmentOf(facts),
    pipe: /\bPIPE_\w+/.exec((facts.said.pipe ?? []).join(' '))?.[0] ?? '',
    examples: facts.examples.filter(({code}) => hasWord(code, name.split('::').at(-1)!)),
    ...deprecation(page),
    origin: page.lineCount === undefined ? page.origin : {...page.origin, lines: [1, page.lineCount]},
  }))
}

/** A page declares what its title names, or, where the title is a class, the class's members. */
function namesOf({title, markdown}: DocPage, facts: Facts): Map<string, Prototype[]> {
  const subject = subjectOf({page: title}, facts)
  const macros = macroForms(title, markdown)
  if (subject.kind === 'guide') return new Map(macros.length > 0 ? [[title, macros]] : [])
  const titled: string[] = title.match(/[A-Za-z_]\w*/g) ?? []
  const isOwn = ({name}: Prototype) => (subject.kind === 'class' ? subject.members : titled).includes(name)
  const found = new Map<string, Prototype[]>()
  for (const prototype of facts.prototypes.filter(isOwn)) {
    const name = subject.kind === 'class' ? `${subject.name}::${prototype.name}` : prototype.name
    found.set(name, [...(found.get(name) ?? []), prototype])
  }
  return found
}

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

function alignmentOf({parameters, said}: Facts): ApiEntry['alignment'] {
  const own = parameters.filter(({structure}) => structure === '')
  const all = own.flatMap(({names}) => names)
  const ofParameters = own.flatMap(({names, meaning}) => meaning.flatMap((text) => rulesIn(text, names)))
  const ofAll = (said.constraints ?? []).flatMap((text) =>
    rulesIn(
      text,
      all.filter((name) => name.length > 1 && hasWord(text, name)),
    ),
  )
  return [...ofParameters, ...ofAll]
}

/** What need not be aligned, or is rounded to a multiple by the interface itself, is no rule. */
const isNoDemand = /不需要|无需|不要求|不满足|未对齐|非\d*\s*字节|补齐|取整|need not|not required|rounded|padded/i

function rulesIn(text: string, of: readonly string[]): ApiEntry['alignment'] {
  if (isNoDemand.test(text)) return []
  const amounts = [...text.matchAll(wholeBytes)].map((match) => Number(match[1] ?? match[2]))
  return [...new Set(amounts)].filter((bytes) => bytes > 0).map((bytes) => ({bytes, of: [...of], text}))
}

const discouraged = /接口(?:已)?废弃|接口.{0,10}后续版本.{0,6}(?:移除|删除)|不推荐使用(?:本|该)接口|deprecated/i

/** The first sentence that warns of the interface as a whole, with the names that it sends to. */
function deprecation({title, markdown}: DocPage): Pick<ApiEntry, 'deprecated'> {
  const text = markdown
    .replace(/^\s*>\s?/gm, '')
    .replace(/\*\*/g, '')
    .split(/(?<=。)|\n/)
    .find((one) => discouraged.test(one))
    ?.trim()
  const isTitled = /废弃|deprecated/i.test(title)
  if (text === undefined && !isTitled) return {}
  const after = /(?:使用|改用|替换为|use)\s*([^]*)$/.exec(text ?? '')?.[1] ?? ''
  const instead = [...new Set(after.match(/[A-Za-z_]\w{2,}/g) ?? [])].filter((name) => !title.includes(name))
  return {deprecated: {text: text ?? title, instead}}
}
