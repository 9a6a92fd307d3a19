import {withoutTags} from '../../datasets/linear-text.ts'
import {pageLicence} from '../licence.ts'
import {decodeText} from './encoding.ts'
import {htmlToMarkdown} from './html.ts'
import {cleanMarkdown} from './markdown.ts'
import {nestingDepth} from './nesting.ts'
import {products, productSupport, type Support, type Product, supportLines} from './support.ts'
import {decodeEntities} from '../../datasets/entities.ts'

/** A page as it was read. */
export interface RawPage {
  bytes: Uint8Array
  format: 'html' | 'markdown'
  /** Of the known products; its text is kept. */
  product: string
  /** The charset that came with it, where it is known. */
  charset?: string | undefined
}

/** What a page says, and the facts to decide on it: everything that needs its text. */
export type Converted =
  | {refused: {reason: 'encoding-unknown' | 'nested-too-deeply'; detail: string}}
  | {
      refused?: undefined
      title: string
      markdown: string
      /** Lines of the headings in the source; see {@link headingLines}. */
      headingLines: (number | null)[]
      /** Lines of the source. */
      lineCount: number
      linkShare: number
      length: number
      hasCode: boolean
      language: 'zh' | 'en'
      licence: string | undefined
      support: Support
    }

/** Browsers stop at 512; the deepest of 3,129 pages of the vendor's documentation has 16. */
const deepest = 256

const noEncoding = 'neither UTF-8, UTF-16 nor GB18030, or damaged by an earlier conversion'

/** Bytes → Markdown. Runs in a worker: parsers of untrusted mark-up may use unlimited time and memory. */
export default function convert({bytes, format, product, charset}: RawPage): Converted {
  const decoded = decodeText(bytes, charset)
  if (!decoded) return {refused: {reason: 'encoding-unknown', detail: noEncoding}}
  const text = decoded.text.replace(/\r\n?/g, '\n')
  const depth = nestingDepth(text, format)
  if (depth > deepest) {
    return {refused: {reason: 'nested-too-deeply', detail: `elements ${depth} deep, at most ${deepest}`}}
  }
  const wanted = products[product]
  if (!wanted) throw new TypeError(`no product ${product}`)
  const {title, linkShare, ...page} = format === 'markdown' ? cleanMarkdown(text, wanted.marker) : htmlToMarkdown(text)
  const markdown = withoutUnsupportedForms(page.markdown, wanted)
  return {
    title,
    markdown,
    headingLines: headingLines(text, markdown),
    lineCount: text.trimEnd().split('\n').length,
    linkShare,
    length: textLength(markdown),
    hasCode: /^[^\S\n]*```/m.test(markdown),
    language: language(`${title}\n${markdown}`),
    licence: pageLicence(text),
    support: productSupport(markdown, wanted),
  }
}

function textLength(markdown: string): number {
  return withoutTags(markdown.replace(/^#.*$/gm, '')).replace(/[\s|#>*-]/g, '').length
}

/** Chinese when Han characters are a tenth of the letters outside of code: API names are Latin in both languages. */
function language(markdown: string): 'zh' | 'en' {
  const prose = withoutFences(markdown)
  const han = prose.match(/\p{Script=Han}/gu)?.length ?? 0
  const letters = prose.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && han / letters > 0.1 ? 'zh' : 'en'
}

/** An unclosed fence is not a fence. */
function withoutFences(markdown: string): string {
  const kept: string[] = []
  let waiting: string[] | undefined
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) {
      if (waiting) kept.push(line.trimStart().slice('```'.length))
      waiting = waiting ? undefined : [line]
    } else (waiting ?? kept).push(line)
  }
  return kept.concat(waiting ?? []).join('\n')
}

/**
 * Lines of a converted page's headings in its source, 1-based, in order; null for one whose line is not found, because
 * its text was put together from several.
 * @param source Markdown or HTML as read @param markdown the converted page
 */
export function headingLines(source: string, markdown: string): (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [index, line] of source.split('\n').entries()) {
    const text = bare(line)
    const known = places.get(text)
    if (known) known.push(index + 1)
    else places.set(text, [index + 1])
  }
  let last = 0
  return headingsOf(markdown).map((heading) => {
    const line = heading === '' ? undefined : places.get(heading)?.find((one) => one > last)
    last = line ?? last
    return line ?? null
  })
}

/** Texts of the headings outside of listings and tables. */
function headingsOf(markdown: string): string[] {
  const found: string[] = []
  let fence = ''
  let isInTable = false
  for (const line of markdown.split('\n')) {
    isInTable = fence === '' && (isInTable || /^\s*<table\b/i.test(line))
    if (isInTable) {
      isInTable = !/<\/table>/i.test(line)
      continue
    }
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '' && /^#{1,6}\s/.test(line)) found.push(bare(line))
  }
  return found
}

/** Letters and digits alone: links, anchors, escapes and emphasis come and go in the conversion. */
function bare(line: string): string {
  const linked = line.replace(/\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, ']')
  return decodeEntities(withoutTags(linked), {}).replace(/[^\p{L}\p{N}]/gu, '')
}

/**
 * A page without the forms that its support section excludes for the product: list items and bold titles of that name,
 * with everything under them.
 */
export function withoutUnsupportedForms(markdown: string, product: Product): string {
  const denied = new Set(deniedForms(markdown, product).flatMap(namesOf))
  if (denied.size === 0) return markdown
  const kept: string[] = []
  let skipped: Title | undefined
  let isInFence = false
  for (const line of markdown.split('\n')) {
    const title = isInFence ? undefined : titleOf(line)
    if (skipped && ends(skipped, line, title, isInFence)) skipped = undefined
    if (!skipped && title && namesOf(title.text).some((name) => denied.has(name))) skipped = title
    if (/^\s*```/.test(line)) isInFence = !isInFence
    if (!skipped) kept.push(line)
  }
  return kept.join('\n')
}

/** Titles of the support section's own parts that exclude the product. */
function deniedForms(markdown: string, product: Product): string[] {
  const parts = (supportLines(markdown) ?? []).join('\n').split(/^#{3,6}\s+/m)
  return parts.slice(1).flatMap((part) => {
    const [title = '', ...lines] = part.split('\n')
    const own = lines.filter((line) => product.name.test(line))
    return own.length > 0 && own.every((line) => /不支持|not supported/i.test(line)) ? [title] : []
  })
}

interface Title {
  /** How far a list item is set in; -1 for a bold line, which ends at the next one. */
  indent: number
  text: string
}

function titleOf(line: string): Title | undefined {
  const item = /^(\s*)[-*•]\s+(.{4,60})$/.exec(line)
  if (item) return {indent: item[1]!.length, text: item[2]!}
  const bold = /^\*\*(.{4,60})\*\*$/.exec(line.trim())
  return bold ? {indent: -1, text: bold[1]!} : undefined
}

function ends({indent}: Title, line: string, next: Title | undefined, isInFence: boolean): boolean {
  if (isInFence || line.trim() === '') return false
  if (/^#{1,6}\s/.test(line)) return true
  return indent < 0 ? next?.indent === -1 : /^\s*/.exec(line)![0].length <= indent
}

/** `硬同步（支持config指定流水）原型` is also named by the words in its brackets. */
function namesOf(title: string): string[] {
  const bare = title.replace(/[\s*`\\]/g, '').replace(/(?:的?(?:函数)?原型)?[：:。]?$/, '')
  const inner = /（([^）]{4,})）$/.exec(bare)?.[1]
  return inner === undefined ? [bare] : [bare, inner]
}
