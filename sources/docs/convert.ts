import {withoutTags} from '../../datasets/linear-text.ts'
import {pageLicence} from '../licence.ts'
import {decodeText} from './encoding.ts'
import {headingLines} from './heading-lines.ts'
import {htmlToMarkdown} from './html.ts'
import {cleanMarkdown} from './markdown.ts'
import {nestingDepth} from './nesting.ts'
import {products, productSupport, type Support} from './support.ts'
import {withoutUnsupportedForms} from './unsupported-forms.ts'

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
