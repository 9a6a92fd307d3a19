import type {HttpHead} from '../../../engine/http.ts'
import type {Asked, Duplicate, Kept} from './crawl-state.ts'
import {sha256, type Mirror} from './mirror.ts'
import type {Visited, Visitor} from './polite.ts'
import {isBelow, pageUrl, isOnSite, mayBePage, type Site} from './site.ts'
import type {Isolated} from '../../../engine/worker.ts'
import type {EntryOf} from './crawl-entries.ts'
import type {FetchedPage, PageLinks} from './page-links.ts'
import type {Robots} from './robots.ts'

/** The state of a crawl while it visits addresses. */
interface Visiting extends Following {
  visitor: Visitor
  now: () => string
}

/** Fetches one address, stores the response, and records it. */
export async function visitPage(asked: Asked, crawl: Visiting): Promise<void> {
  const {url} = asked
  const {mirror, visitor, now} = crawl
  const conditions = await conditionsFor(url, mirror)
  const came = await visitor.visit(url, conditions, (head) => head.status === 200 && isWanted(asked, head))
  const at = {at: now(), url}
  if (came.kind === 'failed') mirror.record({kind: 'failed', ...at, why: came.why})
  else if (came.kind === 'too-large') await mirror.withdraw({kind: 'refused', ...at, why: 'too large'})
  else if (came.status === 200) await takeBody(asked, came, crawl)
  else if (came.status === 304) await takeUnchanged(url, came, conditions, crawl)
  else if (came.status >= 300 && came.status < 400) await takeRedirect(url, came, crawl)
  else if (came.status === 404 || came.status === 410) {
    await mirror.withdraw({kind: 'missing', ...at, status: came.status})
  } else await mirror.withdraw({kind: 'refused', ...at, why: `status ${came.status}`})
}

type Answered = Extract<Visited, {kind: 'answered'}>

const pageTypes = ['text/html', 'application/xhtml+xml', 'text/markdown', 'text/x-markdown', 'text/plain']

const typeOf = ({header}: HttpHead) => (header('content-type').split(';')[0] as string).trim().toLowerCase()

function isWanted({url, image}: Asked, head: HttpHead): boolean {
  const type = typeOf(head)
  if (image) return type.startsWith('image/') || type === '' || type === 'application/octet-stream'
  // Plain text is only a page if its extension is that of one: servers label unknown types as text.
  if (type === '' || type === 'text/plain') return /\.(?:md|html?)$/i.test(new URL(url).pathname)
  return pageTypes.includes(type)
}

const formatOf = (path: string) => (/\.md$/i.test(path) ? 'markdown' : 'html')

/** Headers for a conditional request; none if the bytes are missing. */
async function conditionsFor(url: string, {state, stored}: Mirror): Promise<Record<string, string>> {
  const version = (await hasBytes(url, state, stored)) ? (state.kept.get(url) ?? state.duplicates.get(url)) : undefined
  const conditions: Record<string, string> = {}
  if (version?.etag !== undefined) conditions['if-none-match'] = version.etag
  if (version?.lastModified !== undefined) conditions['if-modified-since'] = version.lastModified
  return conditions
}

async function hasBytes(url: string, state: Mirror['state'], stored: Mirror['stored']): Promise<boolean> {
  const duplicate = state.duplicates.get(url)
  const kept = state.kept.get(duplicate?.of ?? url)
  if (!kept || (duplicate?.by === 'bytes' && duplicate.sha256 !== kept.sha256)) return false
  return (await stored(kept)) !== undefined
}

function versionOf({header}: HttpHead): {etag?: string; lastModified?: string} {
  const [etag, lastModified] = [header('etag'), header('last-modified')]
  return {...(etag === '' ? {} : {etag}), ...(lastModified === '' ? {} : {lastModified})}
}

async function takeUnchanged(
  url: string,
  head: Answered,
  conditions: Record<string, string>,
  crawl: Visiting,
): Promise<void> {
  const {mirror, now} = crawl
  if (Object.keys(conditions).length === 0) {
    mirror.record({kind: 'failed', at: now(), url, why: 'status 304, which was not requested'})
    return
  }
  const copy = mirror.state.duplicates.get(url)
  const kept = mirror.state.kept.get(copy?.of ?? url)
  const bytes = kept && !kept.image ? await mirror.stored(kept) : undefined
  const read =
    kept && bytes ? await readLinks({url, bytes, format: formatOf(kept.file), charset: kept.charset}, crawl) : undefined
  const seen = read?.seen ?? nothingSeen
  const version = {...versionOf(head), bytes: 0}
  if (copy) mirror.record({...copy, kind: 'duplicate', at: now(), ...seenIn(copy, seen, mirror), ...version})
  else mirror.record({kind: 'unchanged', at: now(), url, ...seen, ...version})
}

/** A trap serves the same page under endless addresses; two versions of a book share a few pages at most. */
const copiesFollowed = 3

/** Relative links of a copy may lead where those of the first do not; one that names its first itself adds that. */
function seenIn({of, by}: Pick<Duplicate, 'of' | 'by'>, seen: Seen, {state}: Mirror): Seen {
  if (by === 'canonical') return {...nothingSeen, pages: [of]}
  const isFollowed = (state.round?.copies.get(of) ?? 0) < copiesFollowed
  return isFollowed ? seen : nothingSeen
}

async function takeRedirect(url: string, head: Answered, {site, mirror, now}: Visiting): Promise<void> {
  const written = head.header('location')
  const to = written === '' ? undefined : pageUrl(written, url)
  if (to === undefined) {
    await mirror.withdraw({kind: 'refused', at: now(), url, why: `status ${head.status} that leads nowhere`})
    return
  }
  const seen = isBelow(to, site) ? {...nothingSeen, pages: [to]} : {...nothingSeen, left: [to]}
  await mirror.withdraw({kind: 'redirected', at: now(), url, ...seen, status: head.status, to})
}

async function takeBody(asked: Asked, answer: Answered, crawl: Visiting): Promise<void> {
  const {url, image} = asked
  const {mirror, now} = crawl
  const type = typeOf(answer)
  if (!isWanted(asked, answer)) {
    await mirror.withdraw({
      kind: 'refused',
      at: now(),
      url,
      why: `no ${image ? 'image' : 'page'}: ${type || 'no type'}`,
    })
    return
  }
  const {body} = answer
  const hash = sha256(body)
  const version = {...versionOf(answer), bytes: body.length}
  const charset = /charset\s*=\s*["']?([\w-]+)/i.exec(answer.header('content-type'))?.[1]?.toLowerCase()
  const format = type.includes('markdown') ? 'markdown' : formatOf(new URL(url).pathname)
  const read = image ? undefined : await readLinks({url, bytes: body, format, charset}, crawl)
  const seen = read?.seen ?? nothingSeen
  const known = mirror.state.kept.get(url)
  if (known?.sha256 === hash && (await mirror.stored(known))) {
    mirror.record({kind: 'unchanged', at: now(), url, ...seen, ...version})
    return
  }
  const first = image ? undefined : otherCopy(url, hash, read?.canonical, mirror)
  if (first) {
    const copy = {...seenIn(first, seen, mirror), ...version, ...first, sha256: hash}
    await mirror.withdraw({kind: 'duplicate', at: now(), url, ...copy})
    return
  }
  const file = await mirror.store(url, type, body)
  const said = {...(charset === undefined ? {} : {charset}), ...(read?.canonical ? {canonical: read.canonical} : {})}
  mirror.record({kind: 'kept', at: now(), url, ...seen, ...version, ...said, file, sha256: hash, image})
  await settleAliases(url, crawl)
}

/** Under which other address the page is stored already. */
function otherCopy(
  url: string,
  hash: string,
  canonical: string | undefined,
  {state}: Mirror,
): {of: string; by: 'bytes' | 'canonical'} | undefined {
  const same = state.kept.get(state.byHash.get(hash) ?? url)
  if (same && same.url !== url && same.canonical !== url) return {of: same.url, by: 'bytes'}
  return canonical !== undefined && state.kept.has(canonical) ? {of: canonical, by: 'canonical'} : undefined
}

/** Pages that say they are this one have been kept until now, since it might not have been there. */
async function settleAliases(url: string, {mirror, now}: Visiting): Promise<void> {
  for (const alias of [...(mirror.state.aliases.get(url) ?? [])]) {
    const {etag, lastModified, sha256: hash} = mirror.state.kept.get(alias) as Kept
    const version = {...(etag === undefined ? {} : {etag}), ...(lastModified === undefined ? {} : {lastModified})}
    const copy = {of: url, by: 'canonical', sha256: hash, bytes: 0} as const
    await mirror.withdraw({kind: 'duplicate', at: now(), url: alias, ...nothingSeen, ...version, ...copy})
  }
}

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

type Seen = Pick<EntryOf<'kept'>, 'pages' | 'images' | 'left'>

const nothingSeen: Seen = {pages: [], images: [], left: []}

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
