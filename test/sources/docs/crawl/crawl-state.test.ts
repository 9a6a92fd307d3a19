import {expect, test} from 'vitest'
import type {CrawlEntry} from '../../../../sources/docs/crawl/crawl-entries.ts'
import {applyEntry, stateOf, type CrawlState} from '../../../../sources/docs/crawl/crawl-state.ts'

const at = '2026-01-31T12:00:00.000Z'
const begin = (part: object = {}): CrawlEntry => ({
  ...({kind: 'begin', at, start: 'start', below: '/', images: true} as const),
  ...part,
})
const nothing = {pages: [], images: [], left: []}
const kept = (url: string, part: object = {}): CrawlEntry => ({
  ...({kind: 'kept', at, url, ...nothing, file: `${url}.html`, sha256: `#${url}`, bytes: 10, image: false} as const),
  ...part,
})
const duplicate = (url: string, of: string, part: object = {}): CrawlEntry => ({
  ...({kind: 'duplicate', at, url, ...nothing, of, by: 'bytes', sha256: `#${of}`, bytes: 10} as const),
  ...part,
})
const missing = (url: string): CrawlEntry => ({kind: 'missing', at, url, status: 404})
const after = (...entries: CrawlEntry[]) => stateOf([begin(), ...entries])
const held = ({kept: pages, duplicates, owners, byHash, aliases}: CrawlState) => ({
  kept: [...pages.keys()],
  duplicates: [...duplicates.keys()],
  owners: [...owners],
  byHash: [...byHash],
  aliases: [...aliases].map(([url, of]) => [url, [...of]]),
})

test('a crawl begins at its start, or at its table of contents', () => {
  expect(after().round).toEqual({
    begin: begin(),
    hasToc: false,
    queue: [{url: 'start', image: false}],
    seen: new Set(['start']),
    answers: new Map(),
    left: new Set(),
    copies: new Map(),
    bytes: 0,
  })
  const toc = stateOf([begin({toc: 'toc'})])
  expect(toc.round).toMatchObject({queue: [], hasToc: false})
  applyEntry(toc, {kind: 'toc', at, url: 'toc', pages: ['a', 'b', 'a']})
  expect(toc.round).toMatchObject({
    hasToc: true,
    queue: [
      {url: 'a', image: false},
      {url: 'b', image: false},
    ],
  })
})

test('outside of a crawl nothing is said', () => {
  expect(held(stateOf([kept('a')])).kept).toEqual([])
  const ended = after(kept('a'), {kind: 'end', at})
  expect(ended.round).toBeUndefined()
  expect(held(ended).kept).toEqual(['a'])
})

test('robots.txt is remembered as it came', () => {
  const robots: CrawlEntry = {kind: 'robots', at, status: 200, text: 'x'}
  expect(after(robots).round?.robots).toEqual(robots)
})

test('what is seen is waited for once, images as images, and bytes are added up', () => {
  const {round} = after(
    kept('start', {pages: ['a', 'b'], images: ['f', 'a'], left: ['x']}),
    {...kept('a', {pages: ['b', 'c'], left: ['x', 'y']}), kind: 'unchanged', bytes: 5} as CrawlEntry,
    missing('b'),
  )
  expect(round?.queue).toEqual(['start', 'a', 'b', 'f', 'c'].map((url) => ({url, image: url === 'f'})))
  expect([...round!.left]).toEqual(['x', 'y'])
  expect(round?.bytes).toBe(15)
  expect([...round!.answers].map(([url, {kind}]) => `${url} ${kind}`)).toEqual([
    'start kept',
    'a unchanged',
    'b missing',
  ])
})

test('a page has a file, and its bytes and the address that it says it has lead to it', () => {
  const state = after(kept('a', {canonical: 'c', pages: ['p']}), kept('b', {canonical: 'c'}), kept('f', {image: true}))
  expect(held(state)).toEqual({
    kept: ['a', 'b', 'f'],
    duplicates: [],
    owners: [
      ['a.html', 'a'],
      ['b.html', 'b'],
      ['f.html', 'f'],
    ],
    byHash: [
      ['#a', 'a'],
      ['#b', 'b'],
    ],
    aliases: [['c', ['a', 'b']]],
  })
  const {file, sha256} = {file: 'a.html', sha256: '#a'}
  expect(state.kept.get('a')).toEqual({at, url: 'a', file, sha256, bytes: 10, image: false, canonical: 'c'})
})

test('an address that is gone leaves nothing, and what failed stays', () => {
  expect(held(after(kept('a', {canonical: 'c'}), missing('a')))).toEqual({
    ...{kept: [], duplicates: [], owners: [], byHash: []},
    aliases: [['c', []]],
  })
  expect(held(after(kept('a'), {kind: 'failed', at, url: 'a', why: 'x'})).kept).toEqual(['a'])
  expect(held(after(kept('a'), duplicate('b', 'a'), missing('b'))).duplicates).toEqual([])
  const shared = after(kept('a'), kept('b', {sha256: '#a'}), missing('a'))
  expect(held(shared).byHash, 'whose bytes they are now').toEqual([['#a', 'b']])
})

test('copies of a page are counted', () => {
  const state = after(kept('a'), duplicate('b', 'a'), duplicate('c', 'a'))
  expect([...state.round!.copies]).toEqual([['a', 2]])
  expect(held(state)).toMatchObject({kept: ['a'], duplicates: ['b', 'c']})
  expect(held(after(kept('b'), duplicate('b', 'a')))).toMatchObject({kept: [], duplicates: ['b'], owners: []})
})

test('of what is unchanged the newest marks count', () => {
  const unchanged = (url: string, part: object): CrawlEntry => ({
    ...({kind: 'unchanged', at, url, ...nothing, bytes: 0} as const),
    ...part,
  })
  const state = after(
    kept('a', {etag: '1', lastModified: 'Mon'}),
    unchanged('a', {etag: '2'}),
    duplicate('b', 'a', {etag: '1'}),
    unchanged('b', {lastModified: 'Tue'}),
    unchanged('unknown', {etag: '3'}),
  )
  expect(state.kept.get('a')).toMatchObject({etag: '2', lastModified: 'Mon'})
  expect(state.duplicates.get('b')).toMatchObject({etag: '1', lastModified: 'Tue'})
  expect([...state.kept.keys()]).toEqual(['a'])
})
