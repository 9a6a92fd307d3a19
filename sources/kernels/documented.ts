import {join, posix} from 'node:path'
import type {Purpose} from '../../datasets/schema/operator.ts'
import {readInput} from '../../engine/input-files.ts'
import {sourceBytes} from '../checkout.ts'
import {decodeSource} from './decode.ts'
import {replaceLinks, withoutImages} from '../../datasets/linear-text.ts'
import {pageParameters} from './contracts/page-parameters.ts'

interface DocumentedFolder {
  root: string
  /** Of the operator, relative to the root. */
  path: string
  /** Every file below the root, relative to it. */
  paths: readonly string[]
}

/**
 * What an operator computes, by the first of these that says it: the README next to its code, the page of its C
 * interface in `docs/`, the comment of its registration for graphs in `op_graph/`. Undefined when none does.
 */
export async function documentedPurpose(
  operator: string,
  {root, path, paths}: DocumentedFolder,
): Promise<Purpose | undefined> {
  const below = path === '' || path === '.' ? '' : `${path}/`
  const inFolder = paths.filter((one) => one.startsWith(below)).map((one) => one.slice(below.length))
  const graph = inFolder.filter((one) => /^op_graph\/[^/]*_proto\.h$/.test(one))
  const pages = ['README.md', interfacePage(operator, inFolder)].flatMap((page) => page ?? [])
  const texts = new Map<string, string>()
  for (const page of [...pages, ...graph]) {
    const bytes = await readInput(join(root, path, page), sourceBytes)
    const text = Buffer.isBuffer(bytes) ? decodeSource(bytes) : undefined
    if (text !== undefined) texts.set(page, text)
  }
  const textsOf = (names: readonly string[]) => names.flatMap((page) => texts.get(page) ?? [])
  const found = [...textsOf(pages).map(purposeOf), ...textsOf(graph).map((text) => briefOf(text, operator))]
  const purpose = found.find((one) => one !== undefined)
  const limits = textsOf(pages).flatMap(limitsOf)
  const own = limits.filter(({name}, at) => limits.findIndex((one) => one.name === name) === at)
  return purpose && own.length > 0 ? {...purpose, limits: own} : purpose
}

/** The page named after the operator, `aclnnName.md` or `aclnnName&aclnnInplaceName.md`; or the only one there is. */
function interfacePage(operator: string, inFolder: readonly string[]): string | undefined {
  const pages = inFolder.filter((one) => /^docs\/aclnn[^/]*\.md$/.test(one))
  const named = pages.find((page) => posix.basename(page, '.md').split('&')[0]?.slice('aclnn'.length) === operator)
  return named ?? (pages.length === 1 ? pages[0] : undefined)
}

/** Characters. */
const longest = {text: 400, formulas: 800}

/**
 * What an operator computes, as a page of Markdown says, its README or that of its interface: the first section on its
 * function with content, a sentence or two and the formula in LaTeX. Undefined when none does.
 */
export function purposeOf(page: string): Purpose | undefined {
  for (const section of functionSections(page.replaceAll('\r\n', '\n'))) {
    const text = firstParagraph(withFormulas(section.replace(/\$\$[^]*$/, '')))
    const formulas = formulasIn(section)
    const parameters = pageParameters(page, '').flatMap(({name, meaning = ''}) =>
      meaning !== '' && meaning.length <= longest.text ? [{name, meaning: withoutLinks(meaning)}] : [],
    )
    if (text !== '' || formulas.length > 0) return {text, formulas, ...(parameters.length > 0 && {parameters})}
  }
  return undefined
}

/** What its tables allow of parameters, only those that they describe. */
function limitsOf(page: string): NonNullable<Purpose['limits']> {
  return pageParameters(page, '').flatMap(({name, dtypes, ranks, like, range}) => {
    const isOpen = dtypes.length === 0 && ranks.length === 0 && like === undefined && range === undefined
    return isOpen ? [] : [{name, dtypes, ranks, ...(like !== undefined && {like}), ...(range && {range})}]
  })
}

/** What the comment before an operator's registration for graphs says in brief; undefined if it says nothing. */
export function briefOf(header: string, operator: string): Purpose | undefined {
  const end = new RegExp(String.raw`\bREG_OP\s*\(\s*${operator}\s*\)`).exec(header)?.index
  const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(header.slice(0, end ?? 0))?.[0] ?? ''
  const brief = /[@\\]brief\b([^@]*?)(?=\n[\s*]*\n|@|\\n|\*\/)/.exec(comment)?.[1] ?? ''
  const text = brief
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length <= longest.text && / \w/.test(text) ? {text: text.replace(/:$/, ''), formulas: []} : undefined
}

const heading = /^#{1,6}\s*(?:\d[\d.]*\s*)?(.*)$/
const functionTitle =
  /^(?:功能(?:说明|描述|介绍|概述|简介)?|算子(?:功能|描述|说明|介绍|概述|简介)|数学公式|description|function(?:ality| description)?)$/i

function functionSections(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, start) => {
    if (!functionTitle.test((heading.exec(line)?.[1] ?? '').trim())) return []
    const end = lines.findIndex((other, index) => index > start && heading.test(other))
    return [lines.slice(start + 1, end < 0 ? undefined : end).join('\n')]
  })
}

/** A formula of one line in a fence, where one is announced or the section begins, as a part of its sentence. */
function withFormulas(section: string): string {
  return section.replace(
    /(^\s*|[:：]\s*\n\s*)```\w*\n\s*([^\n`;{}]{1,160}=[^\n`;{}]{1,160})\n\s*```/,
    (_, before: string, formula: string) => `${before.trim()} \`${formula.trim()}\``,
  )
}

/** `- 算子功能：` and the like, alone or before what they announce. */
const label =
  /^\s*(?:[-*+•]\s*)?(?:\*\*)?(?:(?:算子|接口)?功能(?:描述|说明)?|计算公式|description)(?:\*\*)?\s*(?:[:：](?:\*\*)?|$)/i

/** The first prose; what follows a blank line, a table or a formula's label tells of other things. */
function firstParagraph(prose: string): string {
  const found: string[] = []
  for (const line of prose.split('\n')) {
    const isLabelled = label.test(line)
    const words = line
      .replace(label, '')
      .replace(/^\s*[-*+•]\s+/, '')
      .trim()
    if (found.length > 0 && (words === '' || isLabelled || /^\s*[-*+•]\s/.test(line))) break
    // A name in single ticks begins a sentence; a fence begins a listing.
    if (/^(?:[<|!>]|```)/.test(words)) break
    if (words !== '') found.push(words)
  }
  const text = withoutLinks(found.join(' '))
  // What announces a formula, an example or a list says nothing without it.
  return text.length <= longest.text ? withoutAnnouncement(text) : ''
}

/** A link into the repository is useless in a request: its text is kept. Anchors and images are removed. */
function withoutLinks(text: string): string {
  const named = withoutImages(text).replace(/<\/?(?:a|img)\b[^>]*>/gi, '')
  return replaceLinks(named, ({whole, label, target}) => (/^https?:/.test(target) ? whole : label))
}

function withoutAnnouncement(text: string): string {
  const left = text.replace(/[,，;；。.]?[^,，;；。.]*[:：]$/, '')
  return left === text ? text : left.replace(/(?:^|[;；。])[^;；。]*(?:如下|以下|下述)[^;；。]*$/, '')
}

/**
 * All of them or none: some of the steps alone would be another function. Where one value has several formulas, each
 * begins with the words on when it holds.
 */
function formulasIn(section: string): string[] {
  const blocks = [...section.matchAll(/([^$]*)\$\$([^$]*)\$\$/g)]
    .map(([, before = '', block = '']) => ({before, block: block.replace(/\s+/g, ' ').trim()}))
    .filter(({block}) => block !== '' && !outputSize.test(block) && !example.test(block))
  const values = blocks.map(({block}) => valueOf(block))
  const isAmbiguous = values.some((value, at) => value !== '' && values.indexOf(value) !== at)
  if (blocks.map(({block}) => block).join('').length > longest.formulas) return []
  return blocks.map(({before, block}) => (isAmbiguous ? `${conditionBefore(before)}${block}` : block))
}

/** The text before the first `=`, if it is one name: `h_{src}`. */
function valueOf(block: string): string {
  return /^([^=&]{1,40})&?\s*=/.exec(block)?.[1]?.replace(/\s/g, '') ?? ''
}

/** The line before a formula, as words of LaTeX; '' where it only announces one. */
function conditionBefore(text: string): string {
  const line = text.split('\n').findLast((one) => one.trim() !== '') ?? ''
  const words = line
    .replace(/^\s*(?:[-*+•]|\d+[.)、])\s+/, '')
    .replace(/[`*\\]/g, '')
    .trim()
  const isSaid =
    /[:：]$/.test(words) && words.length <= 80 && !/^(?:[^:：]*(?:公式|如下|其中)[^:：]{0,6})[:：]$/.test(words)
  return isSaid ? `\\text{${words.replace(/[_{}$%#&]/g, '\\$&')}} ` : ''
}

/** `H_{out} = …`: the length of an axis of the output, not its content. */
const outputSize = /^\\?(?:text|mathrm)?\{?[A-Z]{1,3}\}?_\{?\\?(?:text|mathrm)?\{?o(?:ut)?\b/

/** A matrix of digits: a result that was worked out, not how it is. */
const example = /^[\w\s]*=\s*\\begin\{[bp]?matrix\}[\s\d&\\.,-]*\\end\{[bp]?matrix\}$/
