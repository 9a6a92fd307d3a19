import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {PipelineError} from '../../../engine/errors.ts'
import {makeFolder, writeWhole} from '../../../engine/files.ts'
import {openJournal} from '../../../engine/journal.ts'
import {lockDirectory} from '../../../engine/lock.ts'
import {ownModule} from '../../../engine/own-package.ts'
import {isolate} from '../../../engine/worker.ts'
import {CrawlEntry, journalName} from './crawl-entries.ts'
import {identityName, readIdentity} from './crawl-origin.ts'
import {reportOf, siteUrl, type CrawlReport, type LeftOver} from './crawl-report.ts'
import {stateOf, type Round, type Asked} from './crawl-state.ts'
import {openMirror, type Mirror} from './mirror.ts'
import type {FetchedPage, PageLinks} from './page-links.ts'
import {politeVisitor, type Visitor, type VisitorOptions} from './polite.ts'
import {fetchRobots, parseRobots, type Robots} from './robots.ts'
import {isOnSite, pageUrl, siteOf, type Site, isBelow, isPageName} from './site.ts'
import {visitPage} from './visit-page.ts'

export interface CrawlRequest {
  /** Where to begin. */
  url: string
  folder: string
  /** The path below which pages are fetched; default: that of the start page. */
  below?: string | undefined
  /** Most pages to fetch; images of kept pages are extra. */
  pages: number
  /** A table of contents in JSON; its pages are fetched instead of following links. */
  toc?: string | undefined
  images: boolean
  licence?: string | undefined
}

/** What a crawl needs from the world. */
export interface CrawlWorld extends VisitorOptions {
  onProgress?: (progress: {asked: number; waiting: number; url: string}) => void
}

/** robots.txt is valid for this long; RFC 9309, 2.4. */
const robotsHours = 24

const pageLimits = {seconds: 60, heapMegabytes: 1024, idleSeconds: 10}

/**
 * Mirrors the pages of one site into a folder, or resumes a stopped crawl, or fetches changes since the last one. The
 * report is also written to the folder. @throws PipelineError when the request is invalid, the folder cannot be used or
 * the site cannot be reached
 */
export async function crawlSite(request: CrawlRequest, world: CrawlWorld): Promise<CrawlReport> {
  const site = siteOf(request.url, request.below)
  const toc = request.toc === undefined ? undefined : tocUrl(request.toc, site)
  prepare(request.folder, site)
  const unlock = lockDirectory(request.folder)
  try {
    const licence = await identify(request, site)
    const journal = openJournal(join(request.folder, journalName), CrawlEntry)
    try {
      const mirror = openMirror(request.folder, stateOf(journal.entries), journal)
      return await goOn({...request, site, toc, licence}, mirror, world)
    } finally {
      journal.close()
    }
  } finally {
    unlock()
  }
}

function tocUrl(written: string, site: Site): string {
  const url = pageUrl(written, site.start)
  if (url !== undefined && isOnSite(url, site)) return url
  const fix = 'Give the address of a JSON file on the same site.'
  throw new PipelineError('config-invalid', `${written} is not on ${site.origin}.`, {fix})
}

/** @throws PipelineError `output-unwritable` for a folder with anything else in it */
function prepare(folder: string, site: Site): void {
  makeFolder(folder)
  const identity = readIdentity(folder)
  const isOther = identity !== undefined && new URL(identity.site).origin !== site.origin
  const isForeign = !identity && !existsSync(join(folder, journalName)) && readdirSync(folder).length > 0
  if (!isOther && !isForeign) return
  const what = isOther ? `holds pages of ${identity.site}` : 'is not empty, and was not made by a crawl'
  const fix = 'Choose another folder with --out.'
  throw new PipelineError('output-unwritable', `${folder} ${what}.`, {fix, evidence: {folder}})
}

/** A stated licence applies until another is stated. */
async function identify({folder, licence: stated}: CrawlRequest, site: Site): Promise<string> {
  const licence = stated ?? readIdentity(folder)?.licence ?? 'NOASSERTION'
  await writeWhole(join(folder, identityName), `${JSON.stringify({site: siteUrl(site), licence}, undefined, 2)}\n`)
  return licence
}

type Settled = CrawlRequest & {site: Site; toc: string | undefined; licence: string}

async function goOn(request: Settled, mirror: Mirror, world: CrawlWorld): Promise<CrawlReport> {
  const {site, folder, licence} = request
  const {clock} = world
  const started = clock.now()
  const round = begin(request, mirror, clock.now())
  const write = async (over: LeftOver, how: {finished: boolean; delaySeconds: number}) => {
    const seconds = Math.round((clock.now() - started) / 1000)
    const report = reportOf(round, over, {site, held: mirror.state.kept.keys(), licence, seconds, ...how})
    await writeWhole(join(folder, 'crawl-report.json'), `${JSON.stringify(report, undefined, 2)}\n`)
    return report
  }
  const visitor = politeVisitor(world)
  const robots = await robotsFor(site, round, {visitor, mirror, now: clock.now})
  const delaySeconds = Math.max(world.delaySeconds, robots.delaySeconds)
  visitor.slowDown(delaySeconds)
  const queue = openQueue(round, robots, request.pages)
  try {
    if (request.toc !== undefined && !round.hasToc) await readToc(request.toc, site, {robots, visitor, mirror, clock})
    await visitAll(request, {robots, visitor, mirror, queue, round}, world)
  } catch (error) {
    await write(queue.leftOver(), {finished: false, delaySeconds})
    throw error
  }
  mirror.record({kind: 'end', at: new Date(clock.now()).toISOString()})
  return write(queue.leftOver(), {finished: true, delaySeconds})
}

/** The stopped crawl, if it is the same; otherwise a new one. */
function begin({site, toc, images}: Settled, mirror: Mirror, now: number): Round {
  const {round} = mirror.state
  const asked = {start: site.start, below: site.below, ...(toc === undefined ? {} : {toc}), images}
  const isSame = ({begin: b}: Round) =>
    b.start === asked.start && b.below === asked.below && b.toc === toc && b.images === images
  if (!round || !isSame(round)) mirror.record({kind: 'begin', at: new Date(now).toISOString(), ...asked})
  return mirror.state.round as Round
}

async function robotsFor(
  site: Site,
  round: Round,
  {visitor, mirror, now}: {visitor: Visitor; mirror: Mirror; now: () => number},
): Promise<Robots> {
  const hours = (now() - Date.parse(round.robots?.at ?? '')) / 3_600_000
  if (round.robots && hours < robotsHours) return parseRobots(round.robots.text, site)
  const fetched = await fetchRobots(site, visitor)
  mirror.record({kind: 'robots', at: new Date(now()).toISOString(), ...fetched})
  return parseRobots(fetched.text, site)
}

async function readToc(
  url: string,
  site: Site,
  {robots, visitor, mirror, clock}: {robots: Robots; visitor: Visitor; mirror: Mirror; clock: CrawlWorld['clock']},
): Promise<void> {
  const unfit = (why: string) =>
    new PipelineError('input-invalid', `${url} is not a table of contents: ${why}.`, {
      fix: 'Check --toc, or remove it to follow the links of pages instead.',
      evidence: {url, why},
    })
  if (!robots.allows(url)) throw unfit('robots.txt disallows it')
  const came = await visitor.visit(url)
  if (came.kind !== 'answered') throw unfit(came.kind === 'failed' ? came.why : 'it is too large')
  if (came.status !== 200) throw unfit(`the answer was status ${came.status}`)
  const pages = tocLinks(came.body.toString('utf8'), site)
  if (!pages) throw unfit('it is not JSON')
  if (pages.length === 0) throw unfit(`it names no page below ${siteUrl(site)}`)
  mirror.record({kind: 'toc', at: new Date(clock.now()).toISOString(), url, pages})
}

interface Under {
  robots: Robots
  visitor: Visitor
  mirror: Mirror
  queue: Queue
  round: Round
}

async function visitAll(request: Settled, under: Under, world: CrawlWorld): Promise<void> {
  const {queue, round, ...rest} = under
  const {site, images: wantsImages, toc} = request
  const now = () => new Date(world.clock.now()).toISOString()
  const module = ownModule('./page-links', import.meta.url)
  const links = isolate<FetchedPage, PageLinks>(module, pageLimits, world.signal)
  try {
    for (let asked = queue.take(); asked; asked = queue.take()) {
      const {answers, queue: found} = round
      world.onProgress?.({asked: answers.size, waiting: found.length - answers.size, url: asked.url})
      await visitPage(asked, {...rest, site, links, followsLinks: toc === undefined, wantsImages, now})
    }
  } finally {
    await links.close()
  }
}

interface Queue {
  /** The next address to fetch. */
  take(): Asked | undefined
  leftOver(): LeftOver
}

/** In the order in which addresses were found; earlier failures come last. */
export function openQueue(round: Round, robots: Robots, budget: number): Queue {
  const again: Asked[] = []
  const disallowed: string[] = []
  const overBudget: Asked[] = []
  let asked = round.queue.filter(({url, image}) => !image && round.answers.has(url)).length
  let at = 0
  function next(): Asked | undefined {
    for (; at < round.queue.length; at += 1) {
      const one = round.queue[at] as Asked
      const answer = round.answers.get(one.url)
      if (answer?.kind === 'failed') again.push(one)
      else if (!answer && !robots.allows(one.url)) disallowed.push(one.url)
      else if (!answer && !one.image && asked >= budget) overBudget.push(one)
      else if (!answer) return round.queue[at++]
    }
    return again.shift()
  }
  return {
    take() {
      const one = next()
      if (one && !one.image && !round.answers.has(one.url)) asked += 1
      return one
    },
    leftOver() {
      const never = new Set([...disallowed, ...overBudget.map(({url}) => url)])
      const waiting = round.queue.filter(({url}) => !round.answers.has(url) && !never.has(url))
      return {disallowed, overBudget, waiting}
    },
  }
}

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
