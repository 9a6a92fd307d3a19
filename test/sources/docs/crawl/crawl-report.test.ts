import {expect, test} from 'vitest'
import type {CrawlEntry} from '../../../../sources/docs/crawl/crawl-entries.ts'
import {reportOf} from '../../../../sources/docs/crawl/crawl-report.ts'
import {stateOf} from '../../../../sources/docs/crawl/crawl-state.ts'
import {siteOf} from '../../../../sources/docs/crawl/site.ts'

const at = '2026-01-31T12:00:00.000Z'
const site = siteOf('https://h/docs/index.html')
const url = (path: string) => `https://h/docs/${path}`
const nothing = {pages: [], images: [], left: []}
const kept = (path: string, image = false): CrawlEntry => ({
  ...({kind: 'kept', at, url: url(path), ...nothing, file: path, sha256: path, bytes: 10, image} as const),
})
const unchanged = (path: string, part: object = {}): CrawlEntry => ({
  ...({kind: 'unchanged', at, url: url(path), ...nothing, bytes: 1} as const),
  ...part,
})
const failed: CrawlEntry = {kind: 'failed', at, url: url('x'), why: 'gone'}
const over = {disallowed: [], overBudget: [], waiting: []}
const how = {site, held: [], finished: true, delaySeconds: 2, licence: 'MIT', seconds: 7}

const report = (entries: CrawlEntry[], part: Partial<typeof how> = {}, left = over) => {
  const begin: CrawlEntry = {kind: 'begin', at, start: site.start, below: site.below, images: true}
  return reportOf(stateOf([begin, ...entries]).round!, left, {...how, ...part})
}

test('all that became of addresses is told', () => {
  const entries: CrawlEntry[] = [
    unchanged('index.html', {left: ['https://else/a', 'https://h/b', url('c')], pages: [url('seen')]}),
    kept('a.html'),
    kept('b.html'),
    kept('f.png', true),
    {kind: 'redirected', at, url: url('d'), ...nothing, status: 301, to: url('a.html')},
    {kind: 'missing', at, url: url('e'), status: 404},
    failed,
    {kind: 'refused', at, url: url('g'), why: 'no page: x'},
    {kind: 'duplicate', at, url: url('i'), ...nothing, of: url('a.html'), by: 'bytes', sha256: '', bytes: 5},
  ]
  const one = {url: url('z'), image: false}
  const left = {disallowed: [url('j')], overBudget: [one, one], waiting: [one, one, one]}
  const held = [url('old'), url('seen')]
  expect(report(entries, {held: held as never[]}, left as unknown as typeof over)).toEqual({
    ...{site: 'https://h/docs/', start: site.start, finished: true, delaySeconds: 2, licence: 'MIT', seconds: 7},
    ...{nothingChanged: false, fetched: 2, images: 1, unchanged: 1, bytes: 36, overBudget: 2, waiting: 3},
    redirected: [{url: url('d'), to: url('a.html')}],
    notFound: [url('e')],
    failed: [{url: url('x'), why: 'gone'}],
    refused: [{url: url('g'), why: 'no page: x'}],
    disallowed: [url('j')],
    duplicates: [{url: url('i'), of: url('a.html'), by: 'bytes'}],
    offSite: ['https://else/a'],
    outside: ['https://h/b'],
    unlinked: [url('old')],
  })
})

test('nothing has changed where all that was asked for is as it was', () => {
  const whole = [unchanged('index.html')]
  expect(report(whole).nothingChanged).toBe(true)
  expect(report(whole, {finished: false}).nothingChanged).toBe(false)
  expect(report([]).nothingChanged).toBe(false)
  expect(report([...whole, kept('a')]).nothingChanged).toBe(false)
  expect(report([...whole, failed]).nothingChanged).toBe(false)
})

test('what is no longer led to is known only at the end', () => {
  const held = [url('old')] as never[]
  expect(report([], {held}).unlinked).toEqual([url('old')])
  expect(report([], {held, finished: false}).unlinked).toEqual([])
})
