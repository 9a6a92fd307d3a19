import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {DocPage} from '../../datasets/schema/document.ts'
import {parseBlocks} from '../../datasets/blocks.ts'
import {declaredForms} from './declared-forms.ts'
import {deprecations} from './deprecation.ts'
import {documentedTypes} from './documented-types.ts'
import {documentedPurpose} from './documented-purpose.ts'
import {subjectOf} from './page-subject.ts'
import {type Prototype, splitTop} from './prototype.ts'
import {renamedApis} from './renamed-apis.ts'
import type {ParameterFact} from './parameter-table.ts'
import {factsOfPage, type Facts} from './section-facts.ts'

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
