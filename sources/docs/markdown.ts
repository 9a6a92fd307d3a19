import {decodeEntities} from '../../datasets/entities.ts'
import {
  replaceBetween,
  replaceLinks,
  splitBetween,
  withinTags,
  withoutTags,
  withoutTrailingBlanks,
} from '../../datasets/linear-text.ts'
import {codeLanguage} from './code-language.ts'
import {cleanTitle, type ConvertedPage} from './html.ts'
import {withoutSiteWords} from './site-words.ts'

/**
 * Cleans a Markdown page of the vendor's documentation repository for one product. Blocks between `<!-- npu="A3,910b"
 * id7 -->` and `<!-- end id7 -->` stay only when their list names the product; anchors go; links become their text;
 * entities outside code and HTML tables become characters.
 * @param product as the markers write it, e.g. `910b` for Atlas A2
 */
export function cleanMarkdown(source: string, product: string): ConvertedPage {
  const {title: frontTitle, body} = frontMatter(source.replaceAll('\r\n', '\n').replace(/^\uFEFF/, ''))
  const selected = selectProduct(body, product)
  const linkShare = shareOfLinks(selected)
  const text = outsideCode(selected, cleanProse)
  const heading = /^# +(.+)$/m.exec(text.replace(/^```[^]*?^```/gm, (code) => ' '.repeat(code.length)))
  const title = cleanTitle(heading?.[1]?.replace(/[*`]/g, '').replace(/\\([_*])/g, '$1') ?? frontTitle)
  const markdown = heading ? text.slice(0, heading.index) + text.slice(heading.index + heading[0].length) : text
  return {
    title,
    markdown: withoutSiteWords(
      withoutTrailingBlanks(markdown)
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    ),
    linkShare,
  }
}

function frontMatter(source: string): {title: string; body: string} {
  const match = /^---\n([^]*?)\n---\n/.exec(source)
  if (!match) return {title: '', body: source}
  const written = /^title:\s*(.*)/m.exec(match[1] ?? '')?.[1] ?? ''
  const title = written.trimEnd().replace(/^["']/, '').replace(/["']$/, '')
  return {title, body: source.slice(match[0].length)}
}

/**
 * Markers nest, and a block is kept only when every block around it is. Ends name their begin by id; an end without a
 * begin is ignored, and a begin without an end reaches to the end of the page (both occur in hand-edited pages).
 */
export function selectProduct(source: string, product: string): string {
  const open: {id: string; keep: boolean}[] = []
  const kept: string[] = []
  let from = 0
  const take = (to: number) => {
    const part = source.slice(from, to)
    if (open.every((block) => block.keep) || isLimit.test(part.trim())) kept.push(part)
  }
  for (const marker of source.matchAll(/<!--\s*(?:npu="([^"]*)"\s*(id\w*)|end\s+(id\w*))\s*-->[ \t]*\n?/g)) {
    let before = marker.index
    while (before > from && ' \t'.includes(source.charAt(before - 1))) before -= 1
    take(before)
    from = marker.index + marker[0].length
    const [, list, begins, ends] = marker
    if (begins !== undefined) {
      open.push({
        id: begins,
        keep: (list ?? '')
          .split(',')
          .map((name) => name.trim())
          .includes(product),
      })
    } else {
      const at = open.findLastIndex((block) => block.id === ends)
      if (at >= 0) open.splice(at)
    }
  }
  take(source.length)
  return kept.join('')
}

/** "Only supported on X" about the text after it: without these words it would apply to every product. */
const isLimit = /^(?:该|此|本)?(?:参数|取值|接口|功能|算法)?仅(?:支持|适用于?)\s*(?:Ascend|Atlas|Kirin)[^\n：:]*$/

/** Applies `clean` to everything but fenced code; untagged fences get a language by their looks. */
function outsideCode(source: string, clean: (text: string) => string): string {
  const parts: string[] = []
  let prose: string[] = []
  let fence: {mark: string; declared: string; indent: string; lines: string[]} | undefined
  const flush = () => {
    parts.push(clean(prose.join('\n')))
    prose = []
  }
  for (const line of source.split('\n')) {
    const mark = /^(\s*)(`{3,}|~{3,})\s*([\w+-]*)/.exec(line)
    if (fence) {
      if (mark && mark[2]!.startsWith(fence.mark) && mark[3] === '') {
        const code = fence.lines.join('\n')
        parts.push(`${fence.indent}\`\`\`${codeLanguage(code, fence.declared)}\n${code}\n${fence.indent}\`\`\``)
        fence = undefined
      } else fence.lines.push(line)
    } else if (mark) {
      flush()
      fence = {mark: mark[2]!, declared: mark[3]!, indent: mark[1]!, lines: []}
    } else prose.push(line)
  }
  if (fence) prose = prose.concat(fence.lines)
  flush()
  return parts.join('\n')
}

function cleanProse(text: string): string {
  const withoutComments = replaceBetween(text, /<!--/g, /-->/g, () => '')
  const flat = unwrapLinks(withinTags(withoutComments, dropAnchors))
    .replace(/<\/a>/gi, '')
    .replace(/<su([bp])>([^<]*)<\/su[bp]>/gi, (_, kind: string, inner: string) => raised(kind, inner))
  const bare = replaceBetween(flat, tableOpens, tableCloses, bareTable)
  const marked = replaceLinks(bare, ({whole, image, label}) => (image ? whole : label))
  const plain = captionImages(marked)
    .replace(/^([^\S\n]*>\s*\[!\w+\])(?:\s*(?:(?:说明|注意事项|注意|警告)[：:]?|[：:]))?\s*$/gm, '$1')
    .replace(/^([^\S\n]*)[-*] {2,}/gm, '$1- ')
    .replace(mathOrEscape, (_, math?: string, char = '') => math ?? char)
  const parts = splitBetween(plain, tableOpens, tableCloses)
  return parts.map((part) => (/^<table/i.test(part) ? part : decodeEntities(part, proseEntities))).join('')
}

/** Within LaTeX, `\_` and `\\[4pt]` are not Markdown's. */
const mathOrEscape = /(\$\$[^$]+\$\$|(?<![\\$\w])\$(?![\s{$])[^$\n]{1,300}?(?<![\s\\])\$(?![\w$]))|\\([_*~()[\]<>#.-])/g

const tableOpens = /<table/gi
const tableCloses = /<\/table>/gi

function raised(kind: string, inner: string): string {
  return `${kind.toLowerCase() === 'b' ? '_' : '^'}${inner.length > 1 ? `{${inner}}` : inner}`
}

function dropAnchors(text: string): string {
  const isAnchor = (attributes: string) => /\s.*?(?:name|id)=/is.test(attributes)
  return text.replace(/<a(\s[^>]*)>\s*(?:<\/a>)?/gi, (whole, attributes: string) => (isAnchor(attributes) ? '' : whole))
}

/** `<a href=…>text</a>` → `text`. */
function unwrapLinks(text: string): string {
  return withinTags(text, (part) => {
    const tag = /<a(\s[^>]*)>/gi
    const close = /<\/a>/gi
    const parts: string[] = []
    let from = 0
    for (let begin = tag.exec(part); begin; begin = tag.exec(part)) {
      if (!/href=/i.test(begin[1] as string)) continue
      close.lastIndex = tag.lastIndex
      const end = close.exec(part)
      if (!end) break
      parts.push(part.slice(from, begin.index), part.slice(tag.lastIndex, end.index))
      from = tag.lastIndex = close.lastIndex
    }
    return parts.join('') + part.slice(from)
  })
}

/** An image without alternative text uses its title. */
function captionImages(text: string): string {
  const rest = /\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\s+"([^"]*)"\)/y
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf('!['); at >= 0; at = text.indexOf('![', at)) {
    const close = text.indexOf(']', at + 2)
    if (close < 0) break
    rest.lastIndex = close
    const match = rest.exec(text)
    if (match) {
      parts.push(text.slice(from, at), `![${text.slice(at + 2, close) || match[2]}](${match[1]})`)
      from = rest.lastIndex
    }
    at = match ? from : close
  }
  return parts.join('') + text.slice(from)
}

function shareOfLinks(text: string): number {
  let linked = 0
  const labels = replaceLinks(withoutTags(text), ({image, label}) => {
    if (!image) linked += label.replace(/[\s*`]/g, '').length
    return label
  })
  const all = labels.replace(/[\s*`|#-]/g, '').length
  return all === 0 ? 0 : linked / all
}

/** The authoring tool's ids, widths and classes say nothing; merged cells, code and lists do. */
function bareTable(table: string): string {
  const bare = withinTags(table, (part) =>
    part
      .replace(/<(\/?)(term|span|strong|b|em|i|div|thead|tbody|colgroup|col)\b[^>]*>/gi, '')
      .replace(/<(td|th|tr|table|p|ul|ol|li|pre|code)\b([^>]*)>/gi, (_, name: string, attributes: string) => {
        const spans = attributes.match(/\b(?:rowspan|colspan)\s*=\s*"?\d+"?/gi) ?? []
        return `<${[name.toLowerCase(), ...spans].join(' ')}>`
      }),
  )
  const opening = /(<(?:td|th)[^>]*>)(?:\s*<p>([^<]*)<\/p>)?/gi
  const flat = withinTags(unwrapLast(bare), (part) =>
    part.replace(opening, (whole, cell: string, inner?: string) => (inner === undefined ? whole : `${cell}${inner}`)),
  )
  return flat.replace(/\n\s*\n/g, '\n')
}

/** From a paragraph to the next end of one that ends its cell, the outer marks go. */
function unwrapLast(table: string): string {
  const inner = (part: string) => part.slice('<p>'.length, -'</p>'.length).trim()
  return replaceBetween(table, /<p>/gi, /<\/p>(?=\s*<\/t[dh]>)/gi, inner)
}

/** Names that the vendor's pages use in prose, besides those in code. */
const proseEntities: Readonly<Record<string, string>> = {
  bull: '•',
  ge: '≥',
  le: '≤',
  times: '×',
  middot: '·',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  ne: '≠',
  plusmn: '±',
  infin: '∞',
  isin: '∈',
}
