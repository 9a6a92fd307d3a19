import {appendFileSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import documentationPages from '../../../../sources/docs/pages.ts'
import {crawlWith} from '../../../helpers/crawl.ts'
import {crawlClock} from '../../../helpers/crawl-clock.ts'
import {content, page, pageTree, robots, startDocSite, status, type Answer} from '../../../helpers/doc-site.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

async function crawled(count = 6, more: [string, Answer][] = []) {
  const clock = crawlClock()
  const tree = pageTree(count)
  const first: [string, Answer] = [
    '/docs/index.html',
    content(
      page(
        '首页',
        tree.map(([path]) => path),
      ),
    ),
  ]
  const site = await startDocSite([robots(''), first, ...tree, ...more], {now: clock.now})
  const folder = join(await temporaryFolder(), 'mirror')
  const again = () => crawlWith(clock, {url: site.start, folder})
  const report = await again()
  site.served.length = 0
  return {clock, site, folder, again, report}
}

const bare = (served: readonly {path: string; headers: {'if-none-match'?: string | undefined}}[]) =>
  served.filter(({headers}) => headers['if-none-match'] === undefined).map(({path}) => path)

describe('a second crawl', () => {
  test('that finds nothing new says so, and keeps every file', async () => {
    const {site, again, folder} = await crawled()
    const before = readFileSync(join(folder, 'docs/api/p3.html'))
    expect(await again()).toMatchObject({nothingChanged: true, fetched: 0, unchanged: 7, bytes: 0})
    expect(bare(site.served)).toEqual(['/robots.txt'])
    expect(readFileSync(join(folder, 'docs/api/p3.html')).equals(before)).toBe(true)
    expect(await again(), 'and a third').toMatchObject({nothingChanged: true, unchanged: 7})
  })

  test('asks by date where a server has no tags, and compares bytes where it has neither', async () => {
    const said = 'Sat, 03 Jan 2026 10:00:00 GMT'
    const dated: Answer = (response, {headers}) => {
      const code = headers['if-modified-since'] === said ? 304 : 200
      response.writeHead(code, {'content-type': 'text/html', 'last-modified': said})
      response.end(code === 200 ? page('有日期') : undefined)
    }
    const plain: Answer = (response) =>
      void response.writeHead(200, {'content-type': 'text/html'}).end(page('什么都没有'))
    const {again, folder, site} = await crawled(2, [])
    site.pages.set('/docs/api/p0.html', dated).set('/docs/api/p1.html', plain)
    expect(await again()).toMatchObject({fetched: 2})
    const report = await again()
    expect(report).toMatchObject({nothingChanged: true, unchanged: 3})
    expect(report.bytes).toBe(Buffer.byteLength(page('什么都没有')))
    const {outputs} = await runStage(documentationPages(), [{root: folder}])
    const days = Object.fromEntries(outputs.map(({origin}) => [origin.path, origin.revision]))
    expect(days).toMatchObject({'/docs/api/p0.html': '2026-01-03', '/docs/api/p1.html': '2026-01-31'})
  })

  test('takes what changed, removes what is gone, and finds what is new', async () => {
    const {site, again, folder} = await crawled(6)
    site.pages.set('/docs/api/p1.html', content(page('改过', ['p9.html'])))
    site.pages.set('/docs/api/p9.html', content(page('新的')))
    site.pages.delete('/docs/api/p2.html')
    site.pages.set('/docs/api/p4.html', status(302, {location: 'p5.html'}))
    const report = await again()
    expect(report).toMatchObject({nothingChanged: false, fetched: 2, unchanged: 4})
    expect(report.notFound).toEqual([`${site.origin}/docs/api/p2.html`])
    expect(readFileSync(join(folder, 'docs/api/p1.html'), 'utf8')).toContain('改过')
    expect(['p2', 'p4', 'p9'].map((name) => existsSync(join(folder, `docs/api/${name}.html`)))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('keeps a page that fails, and one that nothing leads to any more', async () => {
    const {site, again, folder} = await crawled(3)
    site.pages.set('/docs/api/p1.html', status(500))
    site.pages.set('/docs/index.html', content(page('首页', ['api/p1.html'])))
    const report = await again()
    expect(report).toMatchObject({failed: [{url: `${site.origin}/docs/api/p1.html`}], nothingChanged: false})
    expect(report.unlinked).toEqual(['p0', 'p2'].map((name) => `${site.origin}/docs/api/${name}.html`))
    expect(existsSync(join(folder, 'docs/api/p1.html'))).toBe(true)
  })

  test('asks without conditions for a file that somebody removed or changed', async () => {
    const {site, again, folder} = await crawled(3)
    rmSync(join(folder, 'docs/api/p0.html'))
    writeFileSync(join(folder, 'docs/api/p1.html'), 'changed')
    expect(await again()).toMatchObject({fetched: 2, unchanged: 2})
    expect(bare(site.served)).toEqual(['/robots.txt', '/docs/api/p0.html', '/docs/api/p1.html'])
    expect(readFileSync(join(folder, 'docs/api/p1.html'), 'utf8')).toContain('接口 P1')
  })

  test('fetches a copy whose first has changed', async () => {
    const {site, again, folder, report} = await crawled(1, [])
    const copy = content(page('接口 P0', ['../index.html']))
    site.pages.set('/docs/index.html', content(page('首页', ['api/p0.html', 'copy.html'])))
    site.pages.set('/docs/copy.html', copy)
    expect(report.duplicates).toEqual([])
    expect((await again()).duplicates).toHaveLength(1)
    site.pages.set('/docs/api/p0.html', content(page('改过')))
    expect(await again()).toMatchObject({duplicates: [], fetched: 2})
    expect(existsSync(join(folder, 'docs/copy.html'))).toBe(true)
  })

  test('does not believe a 304 that it did not ask for', async () => {
    const {site, again} = await crawled(2)
    site.pages.set('/docs/index.html', content(page('首页', ['api/p0.html', 'api/p1.html', 'new.html'])))
    site.pages.set('/docs/new.html', status(304))
    expect((await again()).failed).toEqual([expect.objectContaining({url: `${site.origin}/docs/new.html`})])
  })
})

describe('what was crawled is read', () => {
  test('with its addresses, without what the crawl does not know', async () => {
    const {site, folder} = await crawled(2)
    writeFileSync(join(folder, 'docs/mine.html'), page('我的'))
    const {outputs, dropped} = await runStage(documentationPages(), [{root: folder}])
    expect(dropped).toEqual([{reason: 'not-crawled', detail: expect.stringContaining('docs/mine.html') as string}])
    expect(outputs.map(({origin}) => origin)).toEqual(
      ['/docs/api/p0.html', '/docs/api/p1.html', '/docs/index.html'].map((path) => ({
        repository: `${site.origin}/docs/`,
        revision: '2026-01-31',
        path,
        licence: 'NOASSERTION',
      })),
    )
  })

  test('under the names and terms that the configuration gives', async () => {
    const {folder} = await crawled(1)
    const {outputs} = await runStage(documentationPages(), [{root: folder, repository: 'ours', licence: 'MIT'}])
    expect(outputs[0]?.origin).toMatchObject({repository: 'ours', licence: 'MIT', path: '/docs/api/p0.html'})
  })

  test('while a crawl is still writing its journal', async () => {
    const {folder} = await crawled(2)
    appendFileSync(join(folder, 'crawl.jsonl'), '{"kind":"kept","at":')
    expect((await runStage(documentationPages(), [{root: folder}])).outputs).toHaveLength(3)
  })
})
