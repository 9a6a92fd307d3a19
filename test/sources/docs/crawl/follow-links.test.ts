import {expect, test} from 'vitest'
import {stateOf} from '../../../../sources/docs/crawl/crawl-state.ts'
import {readLinks, type Following} from '../../../../sources/docs/crawl/visit-page.ts'
import type {Mirror} from '../../../../sources/docs/crawl/mirror.ts'
import type {PageLinks} from '../../../../sources/docs/crawl/page-links.ts'
import {siteOf} from '../../../../sources/docs/crawl/site.ts'

const url = (path: string) => `https://h/docs/${path}`
const site = siteOf(url('index.html'))
const none = {pages: [], images: [], left: []}

/** What is followed of a page `a.html` that leads to what is given. */
function follow(found: Partial<PageLinks>, part: Partial<Following> = {}, isSeen: readonly string[] = []) {
  const begin = {kind: 'begin' as const, at: '', start: site.start, below: site.below, images: true}
  const state = stateOf([begin])
  for (const one of isSeen) state.round!.seen.add(one)
  state.round!.left.add('https://left/')
  return readLinks(
    {bytes: Buffer.from(''), url: url('a.html'), format: 'html'},
    {
      site,
      robots: {allows: (one) => !one.includes('private'), delaySeconds: 0},
      mirror: {state} as Mirror,
      links: {
        call: () => Promise.resolve({ok: true, value: {links: [], images: [], ...found}}),
        close: () => Promise.resolve(),
      },
      followsLinks: true,
      wantsImages: true,
      ...part,
    },
  )
}

test('pages below the site are followed, once; what lies elsewhere is noted, once', async () => {
  const links = [
    ...[url('b.html'), url('seen.html'), url('b.html'), url('f.zip'), site.start],
    ...['https://h/other.html', 'https://left/', 'https://else/f.png'],
  ]
  expect(await follow({links}, {}, [url('seen.html')])).toEqual({
    seen: {...none, pages: [url('b.html')], left: ['https://h/other.html', 'https://else/f.png']},
    canonical: undefined,
  })
})

test('images of the whole site are wanted, or none', async () => {
  const images = [url('f.png'), 'https://h/f.png', 'https://else/f.png', url('seen.png')]
  expect((await follow({images}, {}, [url('seen.png')])).seen).toEqual({
    ...none,
    images: [url('f.png'), 'https://h/f.png'],
  })
  expect((await follow({images}, {wantsImages: false})).seen).toEqual(none)
})

test('with a table of contents no link is followed, but the address that a page says it has', async () => {
  const found = {links: [url('b.html')], canonical: url('c.html')}
  expect(await follow(found, {followsLinks: false})).toEqual({
    seen: {...none, pages: [url('c.html')]},
    canonical: url('c.html'),
  })
  expect((await follow(found)).seen.pages).toEqual([url('c.html'), url('b.html')])
})

test.each([
  ['its own', url('a.html')],
  ['that of the whole site', site.start],
  ['outside', 'https://h/c.html'],
  ['no page', url('c.zip')],
  ['not allowed', url('private.html')],
])('an address that a page says it has is not honoured where it is %s', async (_, canonical) => {
  expect(await follow({canonical})).toEqual({seen: none, canonical: undefined})
})

test('a page that cannot be read in time leads nowhere', async () => {
  const links = {
    call: () => Promise.resolve({ok: false as const, why: 'too-slow' as const, detail: ''}),
    close: () => Promise.resolve(),
  }
  expect(await follow({}, {links})).toEqual({seen: none})
})
