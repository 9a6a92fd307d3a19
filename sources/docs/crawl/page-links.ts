import * as cheerio from 'cheerio'
import {replaceLinks} from '../../../datasets/linear-text.ts'
import {decodeText} from '../encoding.ts'
import {nestingDepth} from '../nesting.ts'
import {pageUrl} from './site.ts'

export interface FetchedPage {
  bytes: Uint8Array
  url: string
  format: 'html' | 'markdown'
  /** From the response header. */
  charset?: string | undefined
}

/** Absolute addresses, each once, in the order of the page. */
export interface PageLinks {
  links: string[]
  images: string[]
  /** The page's canonical address. */
  canonical?: string | undefined
}

/** Converting drops such pages, so what they lead to is not worth the time either. */
const deepest = 256

/** What a page leads to. Runs in a worker, like every parser of untrusted mark-up. */
export default function pageLinks({bytes, url, format, charset}: FetchedPage): PageLinks {
  // Addresses are ASCII in practice: links of a page of unknown encoding are still links.
  const text = decodeText(bytes, charset)?.text ?? Buffer.from(bytes).toString('latin1')
  return format === 'markdown' ? ofMarkdown(text, url) : ofHtml(text, url)
}

function ofHtml(text: string, url: string): PageLinks {
  if (nestingDepth(text, 'html') > deepest) return {links: [], images: []}
  const $ = cheerio.load(text)
  const base = pageUrl($('base[href]').first().attr('href') ?? '', url) ?? url
  const all = (selector: string, attribute: string) =>
    absolute(
      $(selector)
        .toArray()
        .map((element) => $(element).attr(attribute) ?? ''),
      base,
    )
  const canonical = $('link[rel=canonical][href]').first().attr('href')
  return {
    links: all('a[href], area[href]', 'href'),
    images: all('img[src]', 'src'),
    canonical: canonical === undefined ? undefined : pageUrl(canonical, base),
  }
}

function ofMarkdown(text: string, url: string): PageLinks {
  const links: string[] = []
  const images: string[] = []
  replaceLinks(text, ({image, target, whole}) => {
    // A title may follow: `[a](b.md "title")`.
    const written = target.trim().replace(/\s+["'(][^]*$/, '')
    const list = image ? images : links
    list.push(written.replace(/^<([^>]*)>$/, '$1'))
    return whole
  })
  return {links: absolute(links, url), images: absolute(images, url)}
}

function absolute(written: readonly string[], base: string): string[] {
  const urls = written.flatMap((one) => pageUrl(one, base) ?? [])
  return [...new Set(urls)]
}
