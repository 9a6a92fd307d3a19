import {PipelineError} from '../../../engine/errors.ts'

/** The part of the web that a crawl may visit: one origin, and in it the pages below one path. */
export interface Site {
  origin: string
  /** Begins and ends with a slash. */
  below: string
  /** Where the crawl begins. */
  start: string
}

/** @throws PipelineError `config-invalid` for an invalid web address, or a start outside the path */
export function siteOf(address: string, below?: string): Site {
  const start = pageUrl(address)
  if (start === undefined) {
    throw wrong(`${address} is not the address of a web page.`, 'Give an address that begins with http:// or https://.')
  }
  const {origin, pathname} = new URL(start)
  if (below === undefined) return {origin, below: pathname.slice(0, pathname.lastIndexOf('/') + 1), start}
  const folder = pageUrl(below.endsWith('/') ? below : `${below}/`, start)
  const site = {origin, below: folder === undefined ? '/' : new URL(folder).pathname, start}
  if (folder !== undefined && new URL(folder).origin === origin && isBelow(start, site)) return site
  throw wrong(`${address} is not below ${below}.`, 'Set --below to a path of the same site that contains it.')
}

function wrong(message: string, fix: string): PipelineError {
  return new PipelineError('config-invalid', message, {fix})
}

export function isOnSite(url: string, {origin}: Site): boolean {
  return new URL(url).origin === origin
}

export function isBelow(url: string, site: Site): boolean {
  return isOnSite(url, site) && new URL(url).pathname.startsWith(site.below)
}

/** Parameters that track visitors and do not change the page. */
const tracking = /^(?:utm_\w+|spm|gclid|fbclid|msclkid|yclid|dclid|_ga|mc_[ce]id)$/i

/** Real pages have shorter addresses; longer ones are crawler traps. */
const longest = 2000

/**
 * The one spelling of an address under which a page is known: absolute, without fragment, credentials and tracking
 * parameters, escapes in capitals. Undefined for addresses that cannot be requested.
 */
export function pageUrl(written: string, base?: string): string | undefined {
  if (!URL.canParse(written.trim(), base)) return undefined
  const url = new URL(written.trim(), base)
  if (!/^https?:$/.test(url.protocol) || url.href.length > longest) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  const kept = url.search.slice(1).split('&')
  url.search = kept.filter((pair) => pair !== '' && !tracking.test(pair.split('=', 1)[0] as string)).join('&')
  return url.href.replace(/%[0-9a-f]{2}/gi, oneSpelling)
}

/** `%7e` and `~` are the same; other escapes differ in case alone. */
function oneSpelling(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}

/** A page's readable name: its path on the site, with escapes decoded. */
export function sitePath(url: string): string {
  const {pathname, search} = new URL(url)
  try {
    return decodeURI(pathname) + search
  } catch {
    return pathname + search
  }
}

/** Names that promise a page; without one, or with a dot that begins no known extension, anything may be returned. */
const otherFile = new RegExp(
  [
    String.raw`\.(?:png|jpe?g|gif|svg|webp|ico|bmp|css|m?js|json|xml|txt|csv|pdf|docx?|xlsx?|pptx?`,
    'zip|t?gz|tar|7z|rar|run|rpm|deb|whl|exe|bin|mp[34]|webm|woff2?|ttf|eot|c|cc|cpp|h|hpp|py|sh|ipynb)$',
  ].join('|'),
  'i',
)

export function mayBePage(url: string): boolean {
  return !otherFile.test(new URL(url).pathname)
}

/** Whether a table of contents means a page by this name. */
export function isPageName(url: string): boolean {
  return /\.(?:html?|md)$/i.test(new URL(url).pathname)
}
