import {crawlSite, type CrawlRequest, type CrawlWorld} from '../../sources/docs/crawl/crawl-site.ts'
import type {CrawlReport} from '../../sources/docs/crawl/crawl-report.ts'
import type {CrawlClock} from './crawl-clock.ts'

/** A crawl on a clock of its own, without waiting. */
export function crawlWith(
  clock: CrawlClock,
  request: Pick<CrawlRequest, 'url' | 'folder'> & Partial<CrawlRequest>,
  world: Partial<CrawlWorld> = {},
): Promise<CrawlReport> {
  return crawlSite(
    {pages: 20_000, images: false, ...request},
    {
      agent: 'ascend-cot/test',
      delaySeconds: 1,
      clock,
      alarm: clock.alarm,
      random: () => 0.5,
      signal: new AbortController().signal,
      ...world,
    },
  )
}
