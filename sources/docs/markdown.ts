import {codeLanguage} from './code-language.ts'
import {cleanTitle, type ConvertedPage} from './html.ts'

/**
 * Cleans a Markdown page of the vendor's documentation repository for one product.
 * Blocks between `<!-- npu="A3,910b" id7 -->` and `<!-- end id7 -->` stay only when their list names the product; anchors go;
 * links become their text; entities outside code and HTML tables become characters.
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
  return {title, markdown: markdown.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n').trim(), linkShare}
}

function frontMatter(source: string): {title: string; body: string} {
  const match = /^---\n([^]*?)\n---\n/.exec(source)
  if (!match) return {title: '', body: source}
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(match[1] ?? '')?.[1] ?? ''
  return {title, body: source.slice(match[0].length)}
}

/**
 * Markers nest, and a block is kept only when every block around it is. Ends name their begin by id; an end without a begin is
 * ignored, and a begin without an end reaches to the end of the page (both occur in hand-edited pages).
 */
export function selectProduct(source: string, product: string): string {
  const open: {id: string; keep: boolean}[] = []
  const kept: string[] = []
  let from = 0
  const take = (to: number) => { if (open.every((block) => block.keep)) kept.push(source.slice(from, to)) }
  for (const marker of source.matchAll(/[ \t]*<!--\s*(?:npu="([^"]*)"\s*(id\w*)|end\s+(id\w*))\s*-->[ \t]*\n?/g)) {
    take(marker.index)
    from = marker.index + marker[0].length
    const [, list, begins, ends] = marker
    if (begins !== undefined) {
      open.push({id: begins, keep: (list ?? '').split(',').map((name) => name.trim()).includes(product)})
    } else {
      const at = open.findLastIndex((block) => block.id === ends)
      if (at >= 0) open.splice(at)
    }
  }
  take(source.length)
  return kept.join('')
}

/** Applies `clean` to everything but fenced code; untagged fences get a language by their looks. */
function outsideCode(source: string, clean: (text: string) => string): string {
  const parts: string[] = []
  let prose: string[] = []
  let fence: {mark: string; declared: string; indent: string; lines: string[]} | undefined
  const flush = () => { parts.push(clean(prose.join('\n'))); prose = [] }
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
  if (fence) prose.push(...fence.lines)
  flush()
  return parts.join('\n')
}

function cleanProse(text: string): string {
  return text
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<a\s[^>]*?(?:name|id)=[^>]*>\s*(?:<\/a>)?/gi, '')
    .replace(/<a\s[^>]*?href=[^>]*>([^]*?)<\/a>/gi, '$1')
    .replace(/<\/a>/gi, '')
    .replace(/<su([bp])>([^<]*)<\/su[bp]>/gi, (_, kind: string, inner: string) => `${kind.toLowerCase() === 'b' ? '_' : '^'}${inner.length > 1 ? `{${inner}}` : inner}`)
    .replace(/<table[^]*?<\/table>/gi, bareTable)
    .replace(linkPattern, (whole, image: string, label: string) => (image === '!' ? whole : label))
    .replace(/!\[([^\]]*)\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\s+"([^"]*)"\)/g, (_, alt: string, target: string, caption: string) => `![${alt || caption}](${target})`)
    .replace(/^(\s*>\s*\[!\w+\])\s*(?:说明|注意|注意事项|警告)?[：:]?\s*$/gm, '$1')
    .replace(/^(\s*)[-*] {2,}/gm, '$1- ')
    .replace(/\\([_*~()[\]<>#.-])/g, '$1')
    .split(/(<table[^]*?<\/table>)/i)
    .map((part) => (/^<table/i.test(part) ? part : decodeEntities(part)))
    .join('')
}

// File names in these pages hold ASCII and full-width parentheses, one level deep: `[DataCopyPad](DataCopyPad(ISASI).md#a)`.
const linkPattern = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)/g

function shareOfLinks(text: string): number {
  const plain = text.replace(/<[^>]*>/g, '')
  let linked = 0
  const labels = plain.replace(linkPattern, (_, image: string, label: string) => {
    if (image !== '!') linked += label.replace(/[\s*`]/g, '').length
    return label
  })
  const all = labels.replace(/[\s*`|#-]/g, '').length
  return all === 0 ? 0 : linked / all
}

/** The authoring tool's ids, widths and classes say nothing; merged cells, code and lists do. */
function bareTable(table: string): string {
  return table
    .replace(/<(\/?)(term|span|strong|b|em|i|div|thead|tbody|colgroup|col)\b[^>]*>/gi, '')
    .replace(/<(td|th|tr|table|p|ul|ol|li|pre|code)\b([^>]*)>/gi, (_, name: string, attributes: string) => {
      const spans = attributes.match(/\b(?:rowspan|colspan)\s*=\s*"?\d+"?/gi) ?? []
      return `<${[name.toLowerCase(), ...spans].join(' ')}>`
    })
    .replace(/<p>\s*([^]*?)\s*<\/p>(?=\s*<\/t[dh]>)/gi, '$1')
    .replace(/<(td|th)([^>]*)>\s*<p>([^<]*)<\/p>/gi, '<$1$2>$3')
    .replace(/\n\s*\n/g, '\n')
}

const entities: Record<string, string> = {lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', bull: '•', ge: '≥', le: '≤', times: '×', middot: '·', hellip: '…', mdash: '—', ndash: '–', ne: '≠', plusmn: '±', infin: '∞', isin: '∈'}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name?.toLowerCase() ?? ''] ?? whole
  })
}
