import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {HttpHead} from '../../../../engine/http.ts'
import type {CrawlEntry} from '../../../../sources/docs/crawl/crawl-entries.ts'
import {applyEntry, stateOf} from '../../../../sources/docs/crawl/crawl-state.ts'
import {openMirror, sha256} from '../../../../sources/docs/crawl/mirror.ts'
import pageLinks from '../../../../sources/docs/crawl/page-links.ts'
import type {Visited} from '../../../../sources/docs/crawl/polite.ts'
import {siteOf} from '../../../../sources/docs/crawl/site.ts'
import {visitPage} from '../../../../sources/docs/crawl/visit-page.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const site = siteOf('https://h/docs/index.html')
const at = 'now'
const begin: CrawlEntry = {kind: 'begin', at, start: site.start, below: site.below, images: true}
const url = (path: string) => `https://h/docs/${path}`
const seen = {pages: [], images: [], left: []}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A site that answers what it is told to, and a crawl of it that has begun. */
async function crawl(start: CrawlEntry = begin) {
  const folder = await temporaryFolder()
  const written: CrawlEntry[] = []
  const state = stateOf([start])
  const mirror = openMirror(folder, state, {entries: [], append: (entry) => void written.push(entry), close: () => {}})
  const asked: Record<string, string>[] = []
  let reply: Reply | Visited = {}
  const visit = (_url: string, headers: Record<string, string> = {}, wants?: (head: HttpHead) => boolean) => {
    asked.push(headers)
    if ('kind' in reply) return Promise.resolve(reply)
    const {status = 200, headers: given = {'content-type': 'text/html'}, body = ''} = reply
    const head = {status, header: (name: string) => given[name] ?? ''}
    const isRead = wants === undefined || wants(head)
    return Promise.resolve({...head, kind: 'answered' as const, body: Buffer.from(isRead ? body : '')})
  }
  const links = {
    call: (page: Parameters<typeof pageLinks>[0]) => Promise.resolve({ok: true as const, value: pageLinks(page)}),
    close: () => Promise.resolve(),
  }
  const robots = {allows: () => true, delaySeconds: 0}
  const visiting = {site, robots, mirror, links, followsLinks: true, wantsImages: true, now: () => at}
  /** Visits one address and gives what was recorded. */
  const ask = async (path: string, next: Reply | Visited, image = false): Promise<CrawlEntry[]> => {
    reply = next
    const before = written.length
    await visitPage({url: url(path), image}, {...visiting, visitor: {visit, slowDown: () => {}}})
    return written.slice(before)
  }
  return {ask, asked, state, folder, mirror}
}

const html = (body: string, headers: Record<string, string> = {}): Reply => ({
  headers: {'content-type': 'text/html; charset=UTF-8', ...headers},
  body,
})

test('what is no page is recorded as what it is', async () => {
  const {ask} = await crawl()
  const one = (reply: Reply | Visited) => ask('a.html', reply).then(([entry]) => entry)
  const refused = (why: string) => ({kind: 'refused', at, url: url('a.html'), why})
  expect(await one({kind: 'failed', why: 'gone'})).toEqual({kind: 'failed', at, url: url('a.html'), why: 'gone'})
  expect(await one({kind: 'too-large', status: 200, header: () => ''})).toEqual(refused('too large'))
  for (const status of [404, 410])
    expect(await one({status})).toEqual({kind: 'missing', at, url: url('a.html'), status})
  for (const status of [201, 299, 400, 403, 405, 409, 411]) {
    expect(await one({status})).toEqual(refused(`status ${status}`))
  }
  for (const status of [300, 302, 399])
    expect(await one({status})).toEqual(refused(`status ${status} that leads nowhere`))
  expect(await one({status: 302, headers: {location: 'mailto:a@h'}})).toEqual(refused('status 302 that leads nowhere'))
})

test('a redirect is followed below the site, and noted where it leads elsewhere', async () => {
  const {ask} = await crawl()
  const moved = {kind: 'redirected', at, url: url('a.html'), ...seen, status: 301}
  const to = (location: string) => ask('a.html', {status: 301, headers: {location}})
  expect(await to('b.html#x')).toEqual([{...moved, pages: [url('b.html')], to: url('b.html')}])
  expect(await to('/other.html')).toEqual([{...moved, left: ['https://h/other.html'], to: 'https://h/other.html'}])
})

test.each([
  ['a.html', 'text/html', undefined],
  ['a', 'application/xhtml+xml', undefined],
  ['a', 'TEXT/Markdown ; charset=x', undefined],
  ['a', 'text/x-markdown', undefined],
  ['a.md', 'text/plain', undefined],
  ['a.HTM', '', undefined],
  ['a', 'text/plain', 'no page: text/plain'],
  ['a.txt', 'text/plain', 'no page: text/plain'],
  ['a', '', 'no page: no type'],
  ['a.html', 'application/json', 'no page: application/json'],
  ['a.html', 'image/png', 'no page: image/png'],
])('%s of type %j is a page unless it is said to be none', async (path, type, why) => {
  const {ask} = await crawl()
  const [entry] = await ask(path, {headers: {'content-type': type}, body: 'x'})
  if (why === undefined) expect(entry?.kind).toBe('kept')
  else expect(entry).toEqual({kind: 'refused', at, url: url(path), why})
})

test.each([
  ['image/png', 'f.png'],
  ['application/octet-stream', 'f.html'],
  ['', 'f.html'],
])('an image may be of type %j', async (type, file) => {
  const {ask} = await crawl()
  const [entry] = await ask('f', {headers: {'content-type': type}, body: '<a href="b.html">'}, true)
  expect(entry).toEqual({
    ...{kind: 'kept', at, url: url('f'), ...seen, file: `docs/${file}`, image: true, bytes: 17},
    sha256: sha256(Buffer.from('<a href="b.html">')),
  })
})

test('an image is no page', async () => {
  const {ask} = await crawl()
  expect(await ask('f.png', html('x'), true)).toEqual([
    {kind: 'refused', at, url: url('f.png'), why: 'no image: text/html'},
  ])
})

test('a page is kept with what it leads to and what it says of itself', async () => {
  const {ask, asked, mirror, state} = await crawl()
  const body = '<a href="b.html"><a href="/x.html"><img src="f.png"><link rel="canonical" href="c.html">'
  const tagged = {etag: '"1"', 'last-modified': 'Mon'}
  const kept = {
    ...{kind: 'kept', at, url: url('a.html'), file: 'docs/a.html', image: false, charset: 'utf-8'},
    ...{pages: [url('c.html'), url('b.html')], images: [url('f.png')], left: ['https://h/x.html']},
    ...{canonical: url('c.html'), sha256: sha256(Buffer.from(body)), bytes: body.length},
    ...{etag: '"1"', lastModified: 'Mon'},
  }
  expect(await ask('a.html', html(body, tagged))).toEqual([kept])
  expect((await mirror.stored(state.kept.get(url('a.html'))!))?.toString()).toBe(body)
  expect(asked).toEqual([{}])
})

test('an unchanged page is asked for on condition, and not stored again', async () => {
  const {ask, asked, state, folder} = await crawl()
  const body = '<a href="b.html">'
  await ask('a.html', html(body, {etag: '"1"'}))
  const unchanged = {kind: 'unchanged', at, url: url('a.html'), ...seen}
  expect(await ask('a.html', html(body, {'last-modified': 'Tue'}))).toEqual([
    {...unchanged, lastModified: 'Tue', bytes: body.length},
  ])
  expect(await ask('a.html', {status: 304, headers: {etag: '"2"'}})).toEqual([{...unchanged, etag: '"2"', bytes: 0}])
  expect(state.kept.get(url('a.html'))).toMatchObject({etag: '"2"', lastModified: 'Tue'})
  await ask('a.html', {status: 304})
  writeFileSync(join(folder, 'docs/a.html'), 'changed by somebody')
  expect(await ask('a.html', html(body))).toMatchObject([{kind: 'kept', file: 'docs/a.html'}])
  expect(asked).toEqual([
    {},
    {'if-none-match': '"1"'},
    {'if-none-match': '"1"', 'if-modified-since': 'Tue'},
    {'if-none-match': '"2"', 'if-modified-since': 'Tue'},
    {},
  ])
})

test('links of an unchanged page lead on in the next crawl; those of an image do not', async () => {
  const {ask, state} = await crawl()
  await ask('a.html', html('<a href="b.html">', {etag: '"1"'}))
  await ask('f.png', {headers: {'content-type': 'image/png', etag: '"1"'}, body: '<a href="c.html">'}, true)
  applyEntry(state, begin)
  expect(await ask('a.html', {status: 304})).toMatchObject([{kind: 'unchanged', pages: [url('b.html')], bytes: 0}])
  expect(await ask('f.png', {status: 304}, true)).toMatchObject([{kind: 'unchanged', pages: [], bytes: 0}])
})

test('"not changed" is no answer to who has nothing', async () => {
  const {ask} = await crawl()
  const why = 'status 304, which was not requested'
  expect(await ask('a.html', {status: 304})).toEqual([{kind: 'failed', at, url: url('a.html'), why}])
})

test('the same bytes are stored once; links of the first copies are followed, those of a trap are not', async () => {
  const {ask, asked, state} = await crawl()
  const body = '<a href="next.html">'
  await ask('a.html', html(body))
  const copy = (path: string, pages: string[]) => ({
    ...{kind: 'duplicate', at, url: url(path), ...seen, pages, of: url('a.html'), by: 'bytes'},
    ...{sha256: sha256(Buffer.from(body)), bytes: body.length},
  })
  for (const folder of ['x1', 'x2', 'x3'])
    expect(await ask(`${folder}/a.html`, html(body))).toEqual([copy(`${folder}/a.html`, [url(`${folder}/next.html`)])])
  expect(await ask('x4/a.html', html(body, {etag: '"4"'}))).toEqual([{...copy('x4/a.html', []), etag: '"4"'}])
  expect(await ask('x4/a.html', {status: 304})).toEqual([{...copy('x4/a.html', []), etag: '"4"', bytes: 0}])
  expect(asked.at(-1)).toEqual({'if-none-match': '"4"'})
  await ask('a.html', html('<p>other'))
  await ask('x4/a.html', html(body))
  expect(asked.at(-1), 'what it was a copy of has other bytes now').toEqual({})
  expect(state.kept.get(url('x4/a.html'))?.file).toBe('docs/x4/a.html')
})

test('an image may look like another, and is kept all the same', async () => {
  const {ask} = await crawl()
  const image = {headers: {'content-type': 'image/png'}, body: 'pixels'}
  for (const path of ['f.png', 'g.png'])
    expect(await ask(path, image, true)).toMatchObject([{kind: 'kept', file: `docs/${path}`, image: true}])
})

test('a page that names another as itself gives way when that is there', async () => {
  const {ask, asked, state, folder} = await crawl()
  const alias = '<p>alias<link rel="canonical" href="c.html">'
  const hash = sha256(Buffer.from(alias))
  await ask('a.html', html(alias, {etag: '"a"', 'last-modified': 'Mon'}))
  expect(await ask('c.html', html('<p>first'))).toMatchObject([
    {kind: 'kept', url: url('c.html')},
    {
      ...{kind: 'duplicate', at, url: url('a.html'), ...seen, of: url('c.html'), by: 'canonical', sha256: hash},
      ...{bytes: 0, etag: '"a"', lastModified: 'Mon'},
    },
  ])
  expect([...state.kept.keys()]).toEqual([url('c.html')])
  expect(await ask('a.html', {status: 304})).toEqual([
    {
      ...{kind: 'duplicate', at, url: url('a.html'), ...seen, pages: [url('c.html')], of: url('c.html')},
      ...{by: 'canonical', sha256: hash, bytes: 0, etag: '"a"', lastModified: 'Mon'},
    },
  ])
  expect(asked.at(-1)).toEqual({'if-none-match': '"a"', 'if-modified-since': 'Mon'})
  const other = `${alias}<a href="never.html">`
  expect(await ask('b.html', html(other))).toEqual([
    {
      ...{kind: 'duplicate', at, url: url('b.html'), ...seen, pages: [url('c.html')], of: url('c.html')},
      ...{by: 'canonical', sha256: sha256(Buffer.from(other)), bytes: other.length},
    },
  ])
  writeFileSync(join(folder, 'docs/c.html'), 'changed by somebody')
  await ask('a.html', html(alias))
  expect(asked.at(-1), 'the bytes that it stands for are not here').toEqual({})
})

test('two pages with the same bytes, of which one is named as the other, are told apart', async () => {
  const {ask} = await crawl()
  const body = '<link rel="canonical" href="c.html">'
  await ask('a.html', html(body))
  expect(await ask('c.html', html(body))).toMatchObject([
    {kind: 'kept', url: url('c.html')},
    {kind: 'duplicate', url: url('a.html'), of: url('c.html'), by: 'canonical'},
  ])
})

test.each([
  ['a.html', 'text/markdown', 'https://h/docs/b.html'],
  ['a.md', 'text/plain', 'https://h/docs/b.html'],
  ['a.html', 'text/html', undefined],
])('%s of type %s has the links of its format', async (path, type, link) => {
  const {ask} = await crawl()
  const [entry] = await ask(path, {headers: {'content-type': type, etag: '"1"'}, body: '[b](b.html)'})
  expect(entry).toMatchObject({kind: 'kept', pages: link === undefined ? [] : [link]})
})

test('the encoding is that of the header', async () => {
  const {ask} = await crawl()
  const [entry] = await ask('a.html', {headers: {'content-type': 'text/html; Charset = "GBK"'}, body: 'x'})
  expect(entry).toMatchObject({kind: 'kept', charset: 'gbk'})
  expect((await ask('b.html', {body: 'y'}))[0]).not.toHaveProperty('charset')
})
