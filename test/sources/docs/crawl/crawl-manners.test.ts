import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {crawlWith} from '../../../helpers/crawl.ts'
import {crawlClock} from '../../../helpers/crawl-clock.ts'
import {content, page, pageTree, robots, startDocSite, status, type Answer} from '../../../helpers/doc-site.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const index = (links: readonly string[]): [string, Answer] => ['/docs/index.html', content(page('首页', links))]

async function siteWith(pages: Iterable<readonly [string, Answer]>) {
  const clock = crawlClock()
  const site = await startDocSite(pages, {now: clock.now})
  const folder = join(await temporaryFolder(), 'mirror')
  return {clock, site, folder, at: (path: string) => `${site.origin}/docs/${path}`}
}

describe('robots.txt', () => {
  test.each([404, 403, 410])('of status %i allows everything', async (code) => {
    const {clock, site, folder} = await siteWith([['/robots.txt', status(code)], index([])])
    expect((await crawlWith(clock, {url: site.start, folder})).fetched).toBe(1)
  })

  test.each([500, 503, 429])('of status %i stops the crawl before any page', async (code) => {
    const {clock, site, folder} = await siteWith([['/robots.txt', status(code)], index([])])
    const crawled = crawlWith(clock, {url: site.start, folder})
    await expect(crawled).rejects.toMatchObject({code: 'endpoint-unreachable', scope: 'run'})
    expect(new Set(site.paths())).toEqual(new Set(['/robots.txt']))
  })

  test('is followed where it leads on the site, and not to another', async () => {
    const near = await siteWith([
      ['/robots.txt', status(301, {location: '/other-robots.txt'})],
      ['/other-robots.txt', content('User-agent: *\nDisallow: /docs/api/')],
      index(['api/p0.html']),
      ...pageTree(1),
    ])
    const report = await crawlWith(near.clock, {url: near.site.start, folder: near.folder})
    expect(report.disallowed).toEqual([near.at('api/p0.html')])
    const far = await siteWith([['/robots.txt', status(301, {location: 'https://elsewhere.invalid/robots.txt'})]])
    const crawled = crawlWith(far.clock, {url: far.site.start, folder: far.folder})
    await expect(crawled).rejects.toMatchObject({code: 'endpoint-rejected'})
    const round = await siteWith([['/robots.txt', status(302, {location: '/robots.txt'})], index([])])
    expect((await crawlWith(round.clock, {url: round.site.start, folder: round.folder})).fetched).toBe(1)
    expect(round.site.timesAsked('/robots.txt')).toBe(6)
  })

  test('that disallows the start leaves nothing', async () => {
    const {clock, site, folder} = await siteWith([robots('User-agent: *\nDisallow: /docs/'), index([])])
    const report = await crawlWith(clock, {url: site.start, folder})
    expect(report).toMatchObject({fetched: 0, disallowed: [site.start]})
    expect(site.paths()).toEqual(['/robots.txt'])
  })

  test('holds for images and tables of contents as well', async () => {
    const shown = content(`${page('图')}<img src="../private/f.png">`)
    const rules = robots('User-agent: *\nDisallow: /private/')
    const {clock, site, folder} = await siteWith([rules, ['/docs/index.html', shown]])
    const report = await crawlWith(clock, {url: site.start, folder, images: true})
    expect(report.disallowed).toEqual([`${site.origin}/private/f.png`])
    const toc = crawlWith(clock, {url: site.start, folder, toc: '/private/toc.json'})
    await expect(toc).rejects.toThrow(/robots.txt disallows it/)
    expect(site.paths().filter((path) => path.startsWith('/private/'))).toEqual([])
  })
})

describe('the delay', () => {
  test.each([
    [5, 5000],
    [1, 2000],
    [0, 2000],
  ])('of %i s is that of the command or that of the site, whichever is longer', async (delaySeconds, expected) => {
    const rules = robots('User-agent: *\nCrawl-delay: 2')
    const {clock, site, folder} = await siteWith([rules, index(['api/p0.html']), ...pageTree(20)])
    await crawlWith(clock, {url: site.start, folder}, {delaySeconds})
    const gaps = site.served.slice(1).map(({at}, before) => at - (site.served[before]?.at as number))
    expect(gaps).toHaveLength(21)
    expect(new Set(gaps.slice(1))).toEqual(new Set([expected]))
  })

  test('is kept between two tries as well', async () => {
    const failing: [string, Answer] = ['/docs/api/p0.html', status(500)]
    const {clock, site, folder} = await siteWith([robots(''), index(['api/p0.html']), failing])
    await crawlWith(clock, {url: site.start, folder}, {delaySeconds: 30, random: () => 0})
    const gaps = site.served.slice(1).map(({at}, before) => at - (site.served[before]?.at as number))
    expect(gaps).toEqual([30_000, 30_000, 30_000, 30_000, 30_000])
  })
})

describe('a site that has trouble', () => {
  test('is left alone when it asks for a long wait', async () => {
    const busy: [string, Answer] = ['/docs/api/p0.html', status(429, {'retry-after': '86400'})]
    const {clock, site, folder} = await siteWith([robots(''), index(['api/p0.html', 'api/p1.html']), busy])
    const crawled = crawlWith(clock, {url: site.start, folder})
    await expect(crawled).rejects.toMatchObject({
      code: 'endpoint-overloaded',
      message: expect.stringContaining('86400'),
    })
    expect(site.timesAsked('/docs/api/p0.html')).toBe(1)
    expect(site.timesAsked('/docs/api/p1.html')).toBe(0)
    const written = JSON.parse(readFileSync(join(folder, 'crawl-report.json'), 'utf8')) as {finished: boolean}
    expect(written).toMatchObject({finished: false, fetched: 1, waiting: 2})
  })

  test('that is dead stops the crawl after a few pages; the next one goes on where it stopped', async () => {
    const tree = pageTree(30)
    const {clock, site, folder} = await siteWith([robots(''), index(tree.map(([path]) => path)), ...tree])
    for (const [path] of tree.slice(10)) site.pages.set(path, status(503))
    const crawled = crawlWith(clock, {url: site.start, folder})
    await expect(crawled).rejects.toMatchObject({
      code: 'endpoint-unreachable',
      fix: expect.stringContaining('Run the command again'),
    })
    expect(site.served.length).toBe(2 + 10 + 5 * 4)
    for (const [path, answer] of tree) site.pages.set(path, answer)
    site.served.length = 0
    const report = await crawlWith(clock, {url: site.start, folder})
    expect(report).toMatchObject({finished: true, fetched: 31, failed: []})
    expect(site.paths().sort()).toEqual(
      tree
        .slice(10)
        .map(([path]) => path)
        .sort(),
    )
  })

  test('on some pages only goes on', async () => {
    const tree = pageTree(8)
    const broken = tree.map(([path]): [string, Answer] => [path, status(500)])
    const {clock, site, folder} = await siteWith([robots(''), index(tree.map(([path]) => path)), ...broken])
    const report = await crawlWith(clock, {url: site.start, folder})
    expect(report).toMatchObject({finished: true, fetched: 1})
    expect(report.failed).toHaveLength(8)
  })

  test('and stops answering in the middle of a wait can be interrupted', async () => {
    const {clock, site, folder} = await siteWith([robots(''), index(['api/p0.html'])])
    const controller = new AbortController()
    site.pages.set('/docs/api/p0.html', () => controller.abort())
    const crawled = crawlWith(clock, {url: site.start, folder}, {signal: controller.signal})
    await expect(crawled).rejects.toMatchObject({code: 'interrupted'})
    site.pages.set('/docs/api/p0.html', content(page('好')))
    expect(await crawlWith(clock, {url: site.start, folder})).toMatchObject({finished: true, fetched: 2})
    expect(site.timesAsked('/docs/index.html')).toBe(1)
    expect(site.timesAsked('/robots.txt'), 'it holds for a day').toBe(1)
  })
})

describe('what is taken', () => {
  test('ends with the budget, and says how much is left', async () => {
    const {clock, site, folder} = await siteWith([robots(''), index(['api/p0.html']), ...pageTree(50)])
    const report = await crawlWith(clock, {url: site.start, folder, pages: 20})
    expect(report).toMatchObject({finished: true, fetched: 20})
    expect(report.overBudget).toBeGreaterThan(0)
    expect(site.served).toHaveLength(21)
  })

  test('is what a table of contents names, and nothing that pages link to', async () => {
    const toc = content(JSON.stringify({tree: [{nodeHtml: 'api/p3.html'}, {nodeHtml: 'api/p4.html'}]}))
    const {clock, site, folder} = await siteWith([robots(''), ['/toc.json', toc], ...pageTree(50)])
    const report = await crawlWith(clock, {url: site.start, folder, toc: '/toc.json'})
    expect(report).toMatchObject({fetched: 2, notFound: []})
    expect(site.paths()).toEqual(['/robots.txt', '/toc.json', '/docs/api/p3.html', '/docs/api/p4.html'])
  })

  test.each([
    ['<html>', /is not JSON/],
    ['{"a": "b"}', /names no page below/],
  ])('needs a table of contents that is one, not %s', async (text, words) => {
    const {clock, site, folder} = await siteWith([robots(''), ['/toc.json', content(text)]])
    await expect(crawlWith(clock, {url: site.start, folder, toc: '/toc.json'})).rejects.toThrow(words)
    await expect(crawlWith(clock, {url: site.start, folder, toc: 'https://x/toc.json'})).rejects.toThrow(/is not on/)
  })

  test('holds the images that kept pages show, when asked', async () => {
    const shown = content(`${page('图')}<img src="../figure/f.png"><img src="http://x.invalid/g.png"><img src="h.png">`)
    const png = content(Buffer.from([137, 80, 78, 71]), {'content-type': 'image/png'})
    const pages: [string, Answer][] = [
      ['/docs/index.html', shown],
      ['/figure/f.png', png],
      ['/docs/h.png', content('no image')],
    ]
    const {clock, site, folder} = await siteWith([robots(''), ...pages])
    expect(await crawlWith(clock, {url: site.start, folder})).toMatchObject({fetched: 1, images: 0})
    expect(site.timesAsked('/figure/f.png')).toBe(0)
    const report = await crawlWith(clock, {url: site.start, folder, images: true, pages: 1})
    expect(report).toMatchObject({images: 1, unchanged: 1, overBudget: 0, failed: [], disallowed: []})
    expect(report.refused).toEqual([{url: `${site.origin}/docs/h.png`, why: 'no image: text/html'}])
    expect([...readFileSync(join(folder, 'figure/f.png'))]).toEqual([137, 80, 78, 71])
  })

  test('reaches as far as --below says', async () => {
    const other: [string, Answer] = ['/other/page.html', content(page('别处'))]
    const {clock, site, folder} = await siteWith([robots(''), index(['../other/page.html', 'api/p0.html']), other])
    expect((await crawlWith(clock, {url: site.start, folder})).outside).toEqual([`${site.origin}/other/page.html`])
    expect(await crawlWith(clock, {url: site.start, folder, below: '/'})).toMatchObject({fetched: 1, outside: []})
    expect(existsSync(join(folder, 'other/page.html'))).toBe(true)
  })
})

describe('the folder', () => {
  test('of another site, or of something else, is refused', async () => {
    const {clock, site, folder} = await siteWith([robots(''), index([])])
    const foreign = await temporaryFolder()
    writeFileSync(join(foreign, 'notes.txt'), 'mine')
    await expect(crawlWith(clock, {url: site.start, folder: foreign})).rejects.toThrow(/was not made by a crawl/)
    await crawlWith(clock, {url: site.start, folder})
    await expect(crawlWith(clock, {url: 'http://127.0.0.1:9/', folder})).rejects.toThrow(/holds pages of http/)
    writeFileSync(join(folder, 'crawl.json'), '{}')
    await expect(crawlWith(clock, {url: site.start, folder})).rejects.toThrow(/does not state where/)
  })

  test('is used by one crawl at a time', async () => {
    const {clock, site, folder} = await siteWith([robots(''), index([])])
    await crawlWith(clock, {url: site.start, folder})
    writeFileSync(join(folder, 'lock'), '1 ')
    await expect(crawlWith(clock, {url: site.start, folder})).rejects.toMatchObject({code: 'run-locked'})
  })
})
