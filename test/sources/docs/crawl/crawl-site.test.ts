import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {walk} from '../../../../engine/files.ts'
import documentationPages from '../../../../sources/docs/pages.ts'
import {crawlWith} from '../../../helpers/crawl.ts'
import {crawlClock} from '../../../helpers/crawl-clock.ts'
import {gbkPage, startMisbehavingSite} from '../../../helpers/misbehaving-site.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of walk(folder)) if (/\.(html?|md|png)$/.test(file)) files.push(file)
  return files
}

test('a site that does everything wrong is mirrored with manners, and then asked only for changes', async () => {
  const clock = crawlClock()
  const site = await startMisbehavingSite(clock)
  const folder = join(await temporaryFolder(), 'mirror')
  const report = await crawlWith(clock, {url: site.start, folder, licence: 'Apache-2.0'})
  const at = (path: string) => `${site.origin}/docs/${path}`

  // Manners.
  expect(site.paths()[0]).toBe('/robots.txt')
  expect(site.mostAtOnce).toBe(1)
  expect(site.paths().filter((path) => path.startsWith('/docs/private/'))).toEqual([])
  expect(site.paths().filter((path) => !path.startsWith('/docs/') && path !== '/robots.txt')).toEqual([])
  const gaps = site.served.slice(2).map(({at: begun}, index) => begun - (site.served[index + 1]?.at as number))
  expect(Math.min(...gaps), 'the site asks for 3 s, the command for 1').toBe(3000)
  expect(new Set(site.served.map(({headers}) => headers['user-agent']))).toEqual(new Set(['ascend-cot/test']))
  const busy = site.served.filter(({path}) => path.endsWith('/busy.html')).map((one) => one.at)
  expect(
    busy
      .map((one, index) => one - (busy[index - 1] ?? one))
      .slice(1)
      .every((wait) => wait >= 7000),
  ).toBe(true)
  const dated = site.served.filter(({path}) => path.endsWith('/dated.html')).map((one) => one.at)
  expect((dated[1] as number) - (dated[0] as number)).toBeGreaterThanOrEqual(89_000)

  // What was asked for how often.
  const repeated = [...new Set(site.paths())].filter((path) => site.timesAsked(path) > 1).sort()
  expect(repeated.map((path) => `${path} ${site.timesAsked(path)}`)).toEqual([
    '/docs/odd/broken-server.html 4',
    '/docs/odd/busy.html 3',
    '/docs/odd/cut.html 4',
    '/docs/odd/dated.html 2',
    '/docs/odd/drips.html 4',
    '/docs/odd/stalls.html 4',
  ])

  // The report.
  expect(report).toMatchObject({finished: true, nothingChanged: false, unchanged: 0, overBudget: 0, waiting: 0})
  expect(report.fetched).toBe(210 + 12)
  expect(report.delaySeconds).toBe(3)
  expect(report.redirected.map(({url, to}) => [url, to])).toEqual([
    [at('odd/moved.html'), at('api/p5.html')],
    [at('odd/to-new.html'), at('odd/only-by-redirect.html')],
    [at('odd/loop-a.html'), at('odd/loop-b.html')],
    [at('odd/loop-b.html'), at('odd/loop-a.html')],
    [at('odd/away.html'), 'http://127.0.0.1:1/elsewhere.html'],
  ])
  expect(report.notFound).toEqual(['odd/gone.html', 'odd/p7.html', 'odd/p8.html', 'odd/missing-too.html'].map(at))
  expect(report.failed).toEqual([
    {url: at('odd/broken-server.html'), why: 'the server answered with status 500'},
    {url: at('odd/stalls.html'), why: 'the answer stalled for 30 s'},
    {url: at('odd/drips.html'), why: 'the answer was not complete after 300 s'},
    {url: at('odd/cut.html'), why: expect.any(String) as string},
  ])
  expect(report.refused).toEqual([
    {url: at('odd/nowhere.html'), why: 'status 302 that leads nowhere'},
    {url: at('odd/secret.html'), why: 'status 403'},
    {url: at('odd/huge.html'), why: 'too large'},
    {url: at('odd/manual'), why: 'no page: application/pdf'},
  ])
  expect(report.disallowed).toEqual([at('private/secret.html'), at('private/other.html')])
  expect(report.offSite).toEqual(['http://127.0.0.1:1/off.html', 'http://127.0.0.1:1/elsewhere.html'])
  expect(report.outside).toEqual([`${site.origin}/other/page.html`])
  const duplicates = report.duplicates.map(({url, of, by}) => [url, of, by])
  const trapped = [1, 2, 3, 4].map((depth) => at(`odd/trap/${'deeper/'.repeat(depth)}`))
  for (const url of trapped) expect(duplicates).toContainEqual([url, at('odd/trap/'), 'bytes'])
  expect(duplicates).toContainEqual([at('odd/early.html'), at('odd/late.html'), 'canonical'])
  expect(duplicates).toContainEqual([at('odd/print.html'), at('api/p4.html'), 'canonical'])
  expect(duplicates).toContainEqual([at('api/p3.html'), at('odd/copy.html'), 'bytes'])
  expect(duplicates).toHaveLength(3 + trapped.length)
  expect(JSON.parse(readFileSync(join(folder, 'crawl-report.json'), 'utf8'))).toEqual(report)

  // The folder.
  const files = await filesOf(folder)
  expect(files).toHaveLength(report.fetched)
  expect(readFileSync(join(folder, 'docs/odd/gbk.html')).equals(gbkPage)).toBe(true)
  expect(existsSync(join(folder, 'docs/odd/early.html'))).toBe(false)

  // Read as documentation.
  const {outputs, dropped} = await runStage(documentationPages(), [{root: folder}])
  expect(dropped.map(({detail}) => detail)).toEqual([expect.stringMatching(/broken\.html: 0 characters/)])
  expect(outputs.find(({origin}) => origin.path === '/docs/odd/gbk.html')?.title).toBe('声明编码')
  expect(outputs.find(({origin}) => origin.path === '/docs/odd/query.html?v=2')?.origin).toEqual({
    repository: `${site.origin}/docs/`,
    revision: '2026-01-31',
    path: '/docs/odd/query.html?v=2',
    licence: 'Apache-2.0',
  })

  // Once more: nothing but conditions, apart from what is to be tried again.
  site.served.length = 0
  const second = await crawlWith(clock, {url: site.start, folder})
  const bare = site.served.filter(({headers}) => headers['if-none-match'] === undefined).map(({path}) => path)
  const known = report.fetched + report.duplicates.length
  expect(site.served.length - bare.length).toBe(known)
  expect(bare.filter((path) => path.startsWith('/docs/api/'))).toEqual([])
  expect(second).toMatchObject({fetched: 0, unchanged: files.length, bytes: 0, licence: 'Apache-2.0'})
  expect(second.duplicates.map(({url}) => url).sort()).toEqual(report.duplicates.map(({url}) => url).sort())
  expect(await filesOf(folder)).toEqual(files)
})
