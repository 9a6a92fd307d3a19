import {tables} from '@joplin/turndown-plugin-gfm'
import * as cheerio from 'cheerio'
import type {AnyNode, Element} from 'domhandler'
import TurndownService from 'turndown'
import {withoutTrailingBlanks} from '../../datasets/linear-text.ts'
import {codeLanguage} from './code-language.ts'
import {withoutSiteWords} from './site-words.ts'

export interface ConvertedPage {
  /** '' when the page has no heading and no title. */
  title: string
  /**
   * Without the title. Tables with merged cells or blocks in cells stay HTML; figures stay images with their
   * alternative text.
   */
  markdown: string
  /** Share of the page's text that is links, 0 to 1. */
  linkShare: number
}

type Document = cheerio.CheerioAPI

/** Turns a page of the vendor's DITA output, or any similar HTML, into Markdown. */
export function htmlToMarkdown(html: string): ConvertedPage {
  const $ = cheerio.load(html)
  $(boilerplate).remove()
  const root = alone($, contentRoot($))
  const title = cleanTitle(root.find('h1').first().text() || $('title').first().text())
  root.find('h1').remove()
  const linkShare = shareOfLinks(root)
  dropGutters($, root)
  markNotes($, root)
  normaliseHeadings(root)
  root.find('pre').each((_, pre) => markCode($, pre))
  root.find('table').each((_, table) => simplifyTable($, table))
  root.find('a').each((_, anchor) => {
    $(anchor).replaceWith($(anchor).contents())
  })
  const markdown = converter().turndown(root.children().html() ?? '')
  return {title, markdown: withoutSiteWords(tidy(markdown)), linkShare}
}

/** Navigation, feedback forms and link lists that crawled pages carry around the text. */
const boilerplate =
  `script style noscript nav header footer form button iframe [hidden] [role=navigation] [role=search] .breadcrumb
  .breadcrumbs .familylinks .parentlink .related-links .relatedlinks .feedback .document-score .search-result
  .sidebar`.replace(/\s+/g, ',')

function contentRoot($: Document): cheerio.Cheerio<Element> {
  for (const selector of ['.document-main', 'article', 'main', '.topicbody', 'body']) {
    const found = $(selector).first() as cheerio.Cheerio<Element>
    if (found.length === 0) continue
    // A topic's heading is next to its body, not in it.
    return selector === '.topicbody' ? (found.parent() as cheerio.Cheerio<Element>) : found
  }
  return $.root().children().first() as cheerio.Cheerio<Element>
}

/**
 * What the element holds, in a parent of its own. To search below an element, cheerio compares all its children with
 * each other; below a parent with one child there is nothing to compare, and a page of 10,000 paragraphs takes no
 * longer than its text.
 */
function alone($: Document, root: cheerio.Cheerio<Element>): cheerio.Cheerio<Element> {
  const inner = $('<div></div>').append(root.contents())
  return $('<div></div>').append(inner) as unknown as cheerio.Cheerio<Element>
}

export function cleanTitle(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function shareOfLinks(root: cheerio.Cheerio<Element>): number {
  const all = root.text().replace(/\s+/g, '').length
  const linked = root.find('a[href]').text().replace(/\s+/g, '').length
  return all === 0 ? 0 : linked / all
}

/** A listing is often a table of one row: line numbers on the left, code on the right. Only the code is text. */
function dropGutters($: Document, root: cheerio.Cheerio<Element>): void {
  root.find('table').each((_, table) => {
    const cells = $(table).find('td')
    if (cells.length !== 2) return
    const numbers = cells.eq(0).text().trim().split(/\s+/)
    const isGutter = numbers.every((number, index) => number === String(index + 1))
    const code = cells.eq(1).find('pre').first()
    if (isGutter && code.length > 0) $(table).replaceWith(code)
  })
}

const alertOf: Record<string, string> = {
  caution: 'CAUTION',
  warning: 'WARNING',
  danger: 'WARNING',
  tip: 'TIP',
  important: 'IMPORTANT',
  notice: 'IMPORTANT',
}

/** `<div class="note">` with its title image becomes a blockquote that opens with `[!NOTE]`. */
function markNotes($: Document, root: cheerio.Cheerio<Element>): void {
  root.find('div.note, div.notice, div.caution, div.warning, div.danger, div.tip, div.important').each((_, note) => {
    const classes = ($(note).attr('class') ?? '').split(/\s+/)
    const alert = classes.map((name) => alertOf[name]).find((name) => name !== undefined) ?? 'NOTE'
    $(note).find('.notetitle').remove()
    const body = $(note).find('.notebody').first()
    const inner = (body.length > 0 ? body : $(note)).html() ?? ''
    $(note).replaceWith(`<blockquote><p>[!${alert}]</p>${inner}</blockquote>`)
  })
}

/** The title is level 1 and is cut off; the levels that occur below it become 2, 3, … without gaps. */
function normaliseHeadings(root: cheerio.Cheerio<Element>): void {
  const headings = root.find('h2,h3,h4,h5,h6')
  const levels = [...new Set(headings.toArray().map((heading) => heading.tagName))].sort()
  headings.each((_, heading) => {
    heading.tagName = `h${Math.min(2 + levels.indexOf(heading.tagName), 6)}`
  })
}

function markCode($: Document, pre: AnyNode): void {
  const element = $(pre)
  element.find('br').replaceWith('\n')
  const declared =
    element.attr('codetype') ??
    /(?:language|lang)-(\w+)/.exec(`${element.attr('class')} ${element.find('code').attr('class')}`)?.[1]
  const text = element.text().replaceAll('\r\n', '\n').replaceAll('\u00A0', ' ').replace(/^\n+/, '').trimEnd()
  const code = $('<code></code>')
    .attr('class', `language-${codeLanguage(text, declared)}`)
    .text(text)
  element.replaceWith($('<pre></pre>').append(code))
}

/**
 * A table that Markdown can express loses its mark-up inside cells; one that it cannot (merged cells, code or tables in
 * cells) is kept as bare HTML without the ids, widths and classes of the authoring tool.
 */
function simplifyTable($: Document, table: Element): void {
  const element = $(table)
  if (element.parents('table').length > 0) return
  element.find('pre').each((_, pre) => {
    const text = $(pre).text()
    if (!text.includes('\n')) $(pre).replaceWith($('<code></code>').text(text))
  })
  const caption = element.find('caption').first()
  if (caption.length > 0) element.before($('<p></p>').append($('<strong></strong>').text(cleanTitle(caption.text()))))
  caption.remove()
  const merged = element
    .find('[rowspan],[colspan]')
    .toArray()
    .some((cell) => Number($(cell).attr('rowspan') ?? 1) > 1 || Number($(cell).attr('colspan') ?? 1) > 1)
  element.find('li').each((_, item) => {
    $(item).replaceWith(`<br>• ${$(item).html() ?? ''}`)
  })
  element.find('ul,ol').each((_, list) => {
    $(list).replaceWith($(list).html() ?? '')
  })
  // From last to first: the text before a paragraph is checked before it changes.
  for (const paragraph of element.find('td p, th p').toArray().reverse()) {
    const lead = beginsItsCell(paragraph) ? '' : '<br>'
    $(paragraph).replaceWith(`${lead}${$(paragraph).html() ?? ''}`)
  }
  element.find('td > br:first-child, th > br:first-child').each((_, br) => {
    if (!br.prev) $(br).remove()
  })
  if (!merged && element.find('pre,table').length === 0) return
  element.attr('data-keep', 'html')
  for (const node of [
    element,
    ...element
      .find('*')
      .toArray()
      .map((child) => $(child)),
  ]) {
    for (const name of Object.keys(node.attr() ?? {})) {
      const kept =
        name === 'data-keep' ||
        name === 'rowspan' ||
        name === 'colspan' ||
        (name === 'class' && (node.attr('class') ?? '').startsWith('language-'))
      if (!kept) node.removeAttr(name)
    }
  }
  element.find('colgroup').remove()
  element.find('span,term').each((_, span) => {
    $(span).replaceWith($(span).contents())
  })
}

/** Whether only blanks, or a line break, precede it. */
function beginsItsCell({prev}: AnyNode): boolean {
  let before = prev
  while (before?.type === 'text' && before.data.trim() === '') before = before.prev
  return !before || (before.type === 'tag' && before.name === 'br')
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  tables(service)
  // Identifiers such as dst_rep_stride and LocalTensor<T> must stay as they are: the text is read by people and models,
  // not by a renderer.
  service.escape = (text) => text
  service.addRule('rows-once', {filter: rememberRows, replacement: (content) => content})
  service.addRule('kept-table', {
    filter: (node) =>
      node.nodeName === 'TABLE' &&
      (node as unknown as {getAttribute(name: string): string | null}).getAttribute('data-keep') === 'html',
    replacement: (_, node) => {
      const {outerHTML} = node as unknown as {outerHTML: string}
      return `\n\n${outerHTML.replace(' data-keep="html"', '').replace(/\n\s*\n/g, '\n')}\n\n`
    },
  })
  // The tool repeats the alternative text as a title.
  service.addRule('figure', {
    filter: 'img',
    replacement: (_, node) => {
      const image = node as unknown as {getAttribute(name: string): string | null}
      const alt = cleanTitle(image.getAttribute('alt') ?? '').replace(/[[\]]/g, '\\$&')
      return image.getAttribute('src') === null ? '' : `![${alt}](${image.getAttribute('src')!})`
    },
  })
  service.addRule('script', {
    filter: ['sub', 'sup'],
    replacement: (content, node) =>
      `${node.nodeName === 'SUB' ? '_' : '^'}${content.length > 1 ? `{${content}}` : content}`,
  })
  service.addRule('emphasis-off', {filter: ['em', 'i'], replacement: (content) => content})
  return service
}

/** Caches the rows of a table, because the table rules query all rows once per row. Matches nothing itself. */
function rememberRows(node: unknown): boolean {
  const table = node as {nodeName: string; rows: ArrayLike<unknown>}
  if (table.nodeName === 'TABLE' && !Object.hasOwn(table, 'rows')) {
    Object.defineProperty(table, 'rows', {value: Array.from(table.rows)})
  }
  return false
}

function narrowCells(row: string): string {
  return row.replace(/ {2,}(\|)?/g, (run, bar?: string) => (bar === undefined ? run : ' |'))
}

function tidy(markdown: string): string {
  const rows = markdown
    .replaceAll('\u00A0', ' ')
    .replace(/ +(<br>)?/g, (run, br?: string) => br ?? run)
    .replace(/^(\|.*\|)$/gm, narrowCells)
    .replace(/^> \\?\[!(\w+)\\?\]\n(?:>\s*\n)*/gm, '> [!$1]\n')
    .replace(/^([> ]*)-\s{2,}/gm, '$1- ')
  return withoutTrailingBlanks(rows)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
