import type {AnswerEntry, EntryOf} from './crawl-entries.ts'
import type {Asked, Round} from './crawl-state.ts'
import {isBelow, isOnSite, type Site} from './site.ts'

/** What a crawl did, over all its processes; `crawl-report.json`. */
export interface CrawlReport {
  site: string
  start: string
  /** False when it stopped before its end; the same command continues it. */
  finished: boolean
  /** Whether nothing had changed since the previous crawl. */
  nothingChanged: boolean
  /** Pages that are new or have changed, and the same of images. */
  fetched: number
  images: number
  unchanged: number
  redirected: {url: string; to: string}[]
  notFound: string[]
  failed: {url: string; why: string}[]
  refused: {url: string; why: string}[]
  disallowed: string[]
  duplicates: {url: string; of: string; by: 'bytes' | 'canonical'}[]
  offSite: string[]
  /** On the site, but not below its path. */
  outside: string[]
  /** From an earlier crawl, still in the folder, and no longer linked. */
  unlinked: string[]
  overBudget: number
  /** Found, but not fetched yet. */
  waiting: number
  delaySeconds: number
  licence: string
  bytes: number
  /** Of this process. */
  seconds: number
}

/** Addresses that are not fetched, and why. */
export interface LeftOver {
  disallowed: readonly string[]
  overBudget: readonly Asked[]
  waiting: readonly Asked[]
}

interface Circumstances {
  site: Site
  /** Addresses of the files in the folder. */
  held: Iterable<string>
  finished: boolean
  delaySeconds: number
  licence: string
  seconds: number
}

export function reportOf(round: Round, over: LeftOver, how: Circumstances): CrawlReport {
  const {site, held, ...circumstances} = how
  const of = <Kind extends AnswerEntry['kind']>(kind: Kind) =>
    [...round.answers.values()].filter((entry): entry is EntryOf<Kind> & AnswerEntry => entry.kind === kind)
  const kept = of('kept')
  const why = (entry: {url: string; why: string}) => ({url: entry.url, why: entry.why})
  const left = [...round.left]
  const unchanged = of('unchanged').length
  return {
    site: siteUrl(site),
    start: site.start,
    ...circumstances,
    nothingChanged: how.finished && unchanged > 0 && kept.length === 0 && of('failed').length === 0,
    fetched: kept.filter(({image}) => !image).length,
    images: kept.filter(({image}) => image).length,
    unchanged,
    redirected: of('redirected').map(({url, to}) => ({url, to})),
    notFound: of('missing').map(({url}) => url),
    failed: of('failed').map(why),
    refused: of('refused').map(why),
    disallowed: [...over.disallowed],
    duplicates: of('duplicate').map(({url, of: first, by}) => ({url, of: first, by})),
    offSite: left.filter((url) => !isOnSite(url, site)),
    outside: left.filter((url) => isOnSite(url, site) && !isBelow(url, site)),
    unlinked: [...held].filter((url) => how.finished && !round.seen.has(url)),
    overBudget: over.overBudget.length,
    waiting: over.waiting.length,
    bytes: round.bytes,
  }
}

/** The repository name for records of its pages. */
export function siteUrl({origin, below}: Site): string {
  return origin + below
}
