import type {CrawlClock} from './crawl-clock.ts'
import {
  commonText,
  content,
  left,
  page,
  pageTree,
  robots,
  startDocSite,
  status,
  type Answer,
  type DocSite,
} from './doc-site.ts'

/** 声明编码 in GBK: none of it is among the words that Chinese is told by. */
const gbkWords = Buffer.from('c9f9c3f7b1e0c2eb', 'hex')

/** Pages of a GBK site that says so in its header alone; its words are too few to be told by looks. */
export const gbkPage = Buffer.concat([Buffer.from('<h1>'), gbkWords, Buffer.from(`</h1><p>${'x'.repeat(60)}</p>`)])

const half = `<html><body><h1>半页</h1><p>${commonText}`

/** Half a page, and then nothing for as long as anybody waits. */
export function stalling(clock: CrawlClock): Answer {
  return (response) => {
    // One alarm for the head, one for the half.
    void clock.heard(2).then(() => {
      left.add(response)
      clock.advance(40_000)
    })
    response.writeHead(200, {'content-type': 'text/html'}).write(half)
  }
}

/** A byte every 20 s for 300 s: never still for long. */
export function dripping(clock: CrawlClock): Answer {
  return async (response) => {
    let heard = clock.heard(2)
    response.writeHead(200, {'content-type': 'text/html'})
    for (let drops = 0; drops < 15; drops += 1) {
      response.write('x')
      await heard
      heard = clock.heard(1)
      if (drops === 14) left.add(response)
      clock.advance(20_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }
}

const busy =
  (times: number, code: number, retryAfter: (now: number) => string): Answer =>
  (response, request) => {
    if (request.repeat >= times) return content(page(`忙过 ${code}`))(response, request)
    response.writeHead(code, {'retry-after': retryAfter(request.at)}).end()
  }

/** What is wrong with the site, by path; all of it is linked from its first page. */
function oddPages(clock: CrawlClock): [string, Answer][] {
  return [
    ['/docs/odd/moved.html', status(301, {location: '../api/p5.html'})],
    ['/docs/odd/to-new.html', status(301, {location: 'only-by-redirect.html'})],
    ['/docs/odd/only-by-redirect.html', content(page('搬来'))],
    ['/docs/odd/loop-a.html', status(302, {location: 'loop-b.html'})],
    ['/docs/odd/loop-b.html', status(302, {location: 'loop-a.html'})],
    ['/docs/odd/away.html', status(302, {location: 'http://127.0.0.1:1/elsewhere.html'})],
    ['/docs/odd/nowhere.html', status(302)],
    ['/docs/odd/secret.html', status(403)],
    ['/docs/odd/busy.html', busy(2, 503, () => '7')],
    ['/docs/odd/dated.html', busy(1, 429, (now) => new Date(now + 90_000).toUTCString())],
    ['/docs/odd/broken-server.html', status(500)],
    ['/docs/odd/stalls.html', stalling(clock)],
    ['/docs/odd/drips.html', dripping(clock)],
    ['/docs/odd/cut.html', (response) => cutShort(response)],
    ['/docs/odd/gbk.html', content(gbkPage, {'content-type': 'text/html; charset=GBK'})],
    ['/docs/odd/copy.html', content(page('接口 P3', ['../index.html', 'p7.html#top', 'p8.html#top']))],
    ['/docs/odd/print.html', content(page('打印', [], {head: '<link rel="canonical" href="/docs/api/p4.html">'}))],
    ['/docs/odd/early.html', content(page('早到', [], {head: '<link rel="canonical" href="late.html">'}))],
    ['/docs/odd/late.html', content(page('晚到'))],
    ['/docs/odd/orphan.html', content(page('孤儿', [], {head: '<link rel="canonical" href="missing-too.html">'}))],
    ['/docs/odd/huge.html', content('x'.repeat((8 << 20) + 1))],
    ['/docs/odd/manual', content('%PDF', {'content-type': 'application/pdf'})],
    [
      '/docs/odd/broken.html',
      content(`<h1>坏<p>${commonText}<a href="behind-broken.html"><table><td><div></p><a href=`),
    ],
    ['/docs/odd/behind-broken.html', content(page('坏页之后'))],
    ...Array.from({length: 9}, (_, depth): [string, Answer] => [
      `/docs/odd/trap/${'deeper/'.repeat(depth)}`,
      content(page('陷阱', ['deeper/', './?utm_source=loop'])),
    ]),
    ['/docs/odd/query.html?v=1', content(page('查询一'))],
    ['/docs/odd/query.html?v=2', content(page('查询二'))],
    ['/docs/private/secret.html', content(page('不许看'))],
    ['/other/page.html', content(page('别处'))],
  ]
}

function cutShort(response: Parameters<Answer>[0]): void {
  response.writeHead(200, {'content-type': 'text/html', 'content-length': '9000'})
  response.write(half, () => setImmediate(() => response.destroy()))
}

const rules = 'User-agent: *\nDisallow: /\n\nUser-agent: ascend-cot\nDisallow: /docs/private/\nCrawl-delay: 3\n'

/** A site of more than 200 pages that does everything wrong that sites do. */
export async function startMisbehavingSite(clock: CrawlClock): Promise<DocSite> {
  const odd = oddPages(clock)
  const hidden = ['only-by-redirect', 'behind-broken', 'late.html', 'deeper']
  const shown = odd.map(([path]) => path).filter((path) => !hidden.some((word) => path.includes(word)))
  const links = [
    'api/p0.html?utm_source=mail&spm=1.2#part',
    ...shown,
    '/docs/odd/gone.html',
    '/docs/private/other.html',
    '/docs/odd/archive.zip',
    'http://127.0.0.1:1/off.html',
    'mailto:a@b',
    'javascript:void(0)',
  ]
  const first: [string, Answer] = ['/docs/index.html', content(page('首页', links))]
  return startDocSite([robots(rules), first, ...odd, ...pageTree(210)], {now: clock.now})
}
