import type {Isolated} from '../../../engine/worker.ts'
import type {EntryOf} from './crawl-entries.ts'
import type {Mirror} from './mirror.ts'
import type {FetchedPage, PageLinks} from './page-links.ts'
import type {Robots} from './robots.ts'
import {isBelow, isOnSite, mayBePage, type Site} from './site.ts'

/** What decides which links of a page are followed. */
export interface Following {
  site: Site
  robots: Robots
  mirror: Mirror
  links: Isolated<FetchedPage, PageLinks>
  /** With a table of contents they are not. */
  followsLinks: boolean
  wantsImages: boolean
}

export type Seen = Pick<EntryOf<'kept'>, 'pages' | 'images' | 'left'>

export const nothingSeen: Seen = {pages: [], images: [], left: []}

/** What a page leads to and the crawl has not seen yet; nothing of a page that cannot be read in time. */
export async function readLinks(
  page: FetchedPage,
  crawl: Following,
): Promise<{seen: Seen; canonical?: string | undefined}> {
  const answer = await crawl.links.call(page)
  if (!answer.ok) return {seen: nothingSeen}
  const found = answer.value
  const canonical = isHonoured(found.canonical, page.url, crawl) ? found.canonical : undefined
  const {site, mirror, followsLinks, wantsImages} = crawl
  const {round} = mirror.state
  const isNew = (one: string) => !round?.seen.has(one) && !round?.left.has(one)
  const candidates = [...(canonical === undefined ? [] : [canonical]), ...(followsLinks ? found.links : [])]
  const fresh = [...new Set(candidates)].filter(isNew)
  const isInside = (one: string) => isBelow(one, site)
  const seen = {
    pages: fresh.filter((one) => isInside(one) && mayBePage(one)),
    images: wantsImages ? found.images.filter((one) => isNew(one) && isOnSite(one, site)) : [],
    left: fresh.filter((one) => !isInside(one)),
  }
  return {seen, canonical}
}

/** A site whose pages all claim to be its first page is wrong. */
function isHonoured(canonical: string | undefined, url: string, {site, robots}: Following): boolean {
  if (canonical === undefined || canonical === url || canonical === site.start) return false
  return isBelow(canonical, site) && mayBePage(canonical) && robots.allows(canonical)
}
