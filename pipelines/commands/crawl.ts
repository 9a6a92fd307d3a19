import {resolve} from 'node:path'
import {realAlarm, type Alarm} from '../../engine/http.ts'
import {realSleep, type Clock} from '../../engine/llm/clock.ts'
import {ownVersion} from '../../engine/own-package.ts'
import {randomFrom} from '../../engine/random.ts'
import type {CrawlReport} from '../../sources/docs/crawl/crawl-report.ts'
import {crawlSite, type CrawlRequest} from '../../sources/docs/crawl/crawl-site.ts'
import {productToken} from '../../sources/docs/crawl/robots.ts'
import {wrapped} from './text-table.ts'
import type {Terminal} from './terminal.ts'
import type {World} from './world.ts'

interface Asked extends CrawlRequest {
  delay: number
  contact?: string
  json: boolean
}

/** The crawl's clock; tests replace it. */
export interface CrawlTime {
  sleep: Clock['sleep']
  alarm: Alarm
}

/** `ascend-cot crawl`. Exit code 1 if a page failed or nothing was kept. */
export async function crawl(
  {delay, contact, json, ...asked}: Asked,
  world: World,
  {sleep, alarm}: CrawlTime = {sleep: realSleep, alarm: realAlarm},
): Promise<number> {
  const {terminal, signal, now} = world
  const report = await crawlSite(
    {...asked, folder: resolve(asked.folder)},
    {
      agent: agentOf(contact),
      delaySeconds: delay,
      clock: {now, sleep},
      // Spreads retries; seeded per crawl, so that two crawls do not retry together.
      random: randomFrom('crawl', asked.url, now()).unit,
      alarm,
      signal,
      onPause: (why, seconds) => terminal.say(`${why}; retrying in ${seconds} s`),
      onProgress: progress(terminal),
    },
  )
  terminal.display?.draw([])
  terminal.print(json ? JSON.stringify(report) : inWords(report, asked.folder, terminal.width))
  return report.failed.length > 0 || report.fetched + report.unchanged === 0 ? 1 : 0
}

function agentOf(contact: string | undefined): string {
  return `${productToken}/${ownVersion()}${contact === undefined ? '' : ` (${contact})`}`
}

/** Without a terminal that can redraw a line, an occasional progress line is enough. */
const everySoMany = 100

function progress({display, say}: Terminal) {
  return ({asked, waiting, url}: {asked: number; waiting: number; url: string}) => {
    const line = `asked ${asked}, waiting ${waiting}: ${url}`
    if (display) display.draw([line.slice(0, display.width - 1)])
    else if (asked > 0 && asked % everySoMany === 0) say(line)
  }
}

/** How many entries of a long list are shown; crawl-report.json has all of them. */
const shown = 10

function inWords(report: CrawlReport, folder: string, width = Infinity): string {
  const {fetched, images, unchanged, bytes, seconds, delaySeconds} = report
  const came = `fetched ${fetched} (${(bytes / 1e6).toFixed(2)} MB), images ${images}, unchanged ${unchanged}`
  const lines = [
    `${report.site}: ${report.nothingChanged ? 'nothing changed' : came}`,
    ...(report.nothingChanged ? [came] : []),
    ...list(
      'redirected',
      report.redirected.map(({url, to}) => `${url} → ${to}`),
    ),
    ...list('not found', report.notFound),
    ...list('failed; the next crawl retries them', report.failed.map(because)),
    ...list('not kept', report.refused.map(because)),
    ...list('disallowed by robots.txt', report.disallowed),
    ...list(
      'duplicates of another page',
      report.duplicates.map(({url, of}) => `${url} = ${of}`),
    ),
    ...list('no longer linked, still in the folder', report.unlinked),
    `links skipped: ${report.offSite.length} to other sites, ${report.outside.length} on this site outside its path`,
    ...(report.overBudget === 0 ? [] : [`over the limit of --pages: ${report.overBudget}`]),
    `${seconds} s, ${delaySeconds} s between requests; pages, journal and crawl-report.json are in ${folder}`,
    ...warnings(report),
  ]
  return lines.map((line) => wrapped(line, 4, width)).join('\n')
}

const because = ({url, why}: {url: string; why: string}) => `${url}: ${why}`

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length > shown ? [`  … and ${items.length - shown} more`] : []
  return [`${title}: ${items.length}`, ...items.slice(0, shown).map((item) => `  ${item}`), ...more]
}

function warnings({licence, fetched, unchanged, redirected, start}: CrawlReport): string[] {
  const away = redirected.find(({url}) => url === start)
  const nothing = fetched + unchanged === 0
  return [
    ...(nothing && away
      ? [`nothing was kept: the start page redirects to ${away.to}; start there, or widen --below`]
      : []),
    ...(licence === 'NOASSERTION'
      ? ['warning: no licence was stated, so releases will refuse rows made from these pages; pass --licence <id>']
      : []),
  ]
}
