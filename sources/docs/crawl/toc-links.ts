import {isBelow, isPageName, pageUrl, type Site} from './site.ts'

/**
 * The pages that a table of contents in JSON names, in its order: every string in it, at any depth and under any key,
 * that is the address of a page below the site's path. Relative ones are resolved against the start of the crawl.
 * @returns undefined for what is not JSON
 */
export function tocLinks(json: string, site: Site): string[] | undefined {
  let tree: unknown
  try {
    tree = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
  const found = new Set<string>()
  const waiting: unknown[] = [tree]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at === 'string') {
      const url = addressIn(at, site)
      if (url !== undefined) found.add(url)
    } else if (typeof at === 'object' && at !== null) {
      for (const inner of Object.values(at).reverse()) waiting.push(inner)
    }
  }
  return [...found]
}

/** Titles are texts as well, and some hold blanks and dots. */
function addressIn(text: string, site: Site): string | undefined {
  if (text.length > 2000 || /[\s<>]/.test(text.trim())) return undefined
  const url = pageUrl(text, site.start)
  return url !== undefined && isPageName(url) && isBelow(url, site) ? url : undefined
}
