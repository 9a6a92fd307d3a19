import {spawn} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {crawl} from '../../../pipelines/commands/crawl.ts'
import type {CrawlReport} from '../../../sources/docs/crawl/crawl-report.ts'
import {command as program} from '../../helpers/command.ts'
import {crawlClock} from '../../helpers/crawl-clock.ts'
import {content, page, pageTree, robots, startDocSite, status, type Answer} from '../../helpers/doc-site.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const first: [string, Answer] = ['/docs/index.html', content(page('首页', ['api/p0.html']))]

/** The command as a process of its own, which ends or is killed. */
function start(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {stdio: ['ignore', 'pipe', 'pipe']})
  let printed = ''
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<{code: number | null; printed: string; said: string}>((resolve) =>
    child.once('close', (code) => resolve({code, printed, said})),
  )
  return {kill: () => child.kill('SIGKILL'), ended}
}

describe('a crawl that is killed again and again', () => {
  test('fetches nothing twice that it had, and ends with the same folder', async () => {
    const kills = ['/docs/index.html', '/docs/api/p0.html', '/docs/api/p17.html', '/docs/api/p18.html']
    let running: ReturnType<typeof start> | undefined
    const killed = new Set<string>()
    // The page at which it is killed is never answered, so it is the only one that may be asked for again.
    const patience = (path: string) => {
      if (!kills.includes(path) || killed.has(path)) return false
      killed.add(path)
      running?.kill()
      return true
    }
    const site = await startDocSite([robots(''), first, ...pageTree(40)], {patience})
    const folder = join(await temporaryFolder(), 'mirror')
    const args = ['crawl', site.start, '--out', folder, '--delay', '0', '--json']
    for (const path of kills) {
      running = start(args)
      expect((await running.ended).code, path).toBeNull()
    }
    const {code, printed, said} = await start(args).ended
    expect([code, said]).toEqual([0, ''])
    expect(JSON.parse(printed)).toMatchObject({finished: true, fetched: 41, failed: [], waiting: 0})
    const twice = [...new Set(site.paths())].filter((path) => site.timesAsked(path) > 1)
    expect(twice.sort()).toEqual([...kills].sort())
    expect(kills.map((path) => site.timesAsked(path))).toEqual([2, 2, 2, 2])

    site.served.length = 0
    const again = await start(args.slice(0, -1)).ended
    expect(again.printed).toContain('nothing changed')
    expect(site.served.slice(1).every(({headers}) => headers['if-none-match'] !== undefined)).toBe(true)
    expect(site.served).toHaveLength(42)
    expect(readFileSync(join(folder, 'docs/api/p39.html'), 'utf8')).toBe(page('接口 P39', ['../index.html']))
  })
})

describe('what is printed', () => {
  async function crawled(pages: [string, Answer][], more = {}) {
    const clock = crawlClock()
    const world = {...recordedWorld(), now: clock.now}
    const site = await startDocSite(pages, {now: clock.now})
    const folder = join(await temporaryFolder(), 'mirror')
    const asked = {url: site.start, folder, delay: 1, pages: 100, images: false, json: false, ...more}
    const code = await crawl(asked, world, {sleep: clock.sleep, alarm: clock.alarm})
    return {code, site, folder, printed: world.printed.join('\n'), said: world.said.join('\n')}
  }

  const index = (links: readonly string[]): [string, Answer] => ['/docs/index.html', content(page('首页', links))]
  const many = Array.from({length: 12}, (_, number) => `gone-${number}.html`)

  test('says what came and what did not', async () => {
    const links = ['api/p0.html', '/docs/private/a.html', 'moved.html', 'http://x.invalid/', '/other.html', ...many]
    const rules = robots('User-agent: *\nDisallow: /docs/private/')
    const moved: [string, Answer] = ['/docs/moved.html', status(301, {location: 'api/p1.html'})]
    const {code, printed, site, folder} = await crawled([rules, index(links), moved, ...pageTree(3)])
    const at = (path: string) => `${site.origin}/docs/${path}`
    expect(code).toBe(0)
    expect(printed.split('\n')).toEqual([
      expect.stringMatching(/docs\/: fetched 4 \(0\.00 MB\), images 0, unchanged 0$/),
      'redirected: 1',
      `  ${at('moved.html')} → ${at('api/p1.html')}`,
      'not found: 12',
      ...many.slice(0, 10).map((path) => `  ${at(path)}`),
      '  … and 2 more',
      'disallowed by robots.txt: 1',
      `  ${at('private/a.html')}`,
      'links skipped: 1 to other sites, 1 on this site outside its path',
      `17 s, 1 s between requests; pages, journal and crawl-report.json are in ${folder}`,
      expect.stringContaining('warning: no licence was stated'),
    ])
  })

  test('is the report as JSON, when asked, and fails when a page failed', async () => {
    const broken: [string, Answer] = ['/docs/api/p0.html', status(500)]
    const {code, printed, said} = await crawled([robots(''), index(['api/p0.html']), broken], {
      json: true,
      licence: 'Apache-2.0',
      contact: 'mailto:me@example.org',
    })
    expect(code).toBe(1)
    const report = JSON.parse(printed) as CrawlReport
    expect(report).toMatchObject({licence: 'Apache-2.0', failed: [{why: 'the server answered with status 500'}]})
    expect(said).toMatch(/status 500; retrying in \d+ s/)
  })

  test('says where the start leads when that is elsewhere', async () => {
    const away: [string, Answer] = ['/docs/index.html', status(301, {location: 'https://elsewhere.invalid/zh/'})]
    const {code, printed} = await crawled([robots(''), away])
    expect(code).toBe(1)
    expect(printed).toContain('nothing was kept: the start page redirects to https://elsewhere.invalid/zh/')
  })

  test('names the program and the contact to the site', async () => {
    const {site} = await crawled([robots(''), index([])], {contact: 'me@example.org'})
    expect(site.served[0]?.headers['user-agent']).toMatch(/^ascend-cot\/\d+\.\d+\.\d+(?:-[\w.]+)? \(me@example\.org\)$/)
  })
})

describe('a command line that cannot be', () => {
  test.each([
    [['crawl', 'https://h/'], "required option '--out <folder>' not specified"],
    [['crawl', 'https://h/', '--out', 'x', '--delay', '-1'], 'Expected seconds, 0 or more.'],
    [['crawl', 'https://h/', '--out', 'x', '--delay', 'soon'], 'Expected seconds, 0 or more.'],
    [['crawl', 'https://h/', '--out', 'x', '--pages', '0'], 'Expected a whole number above 0.'],
    [['crawl', 'https://h/', '--out', 'x', '--licence', 'Apache 2'], 'Expected a name such as Apache-2.0.'],
    [['crawl', 'https://h/', '--out', 'x', '--contact', 'a\r\nb: c'], 'Expected one line of ASCII.'],
    [['crawl', 'docs.html', '--out', 'x'], 'docs.html is not the address of a web page.'],
  ])('%j says so, and makes nothing', async (args, words) => {
    const folder = await temporaryFolder()
    const world = recordedWorld()
    const out = args.map((one) => (one === 'x' ? join(folder, 'x') : one))
    expect(await main(out, world)).toBe(2)
    expect(world.said.join('\n')).toContain(words)
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })
})
