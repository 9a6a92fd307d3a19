import {describe, expect, test} from 'vitest'
import {openQueue, tocLinks} from '../../../../sources/docs/crawl/crawl-site.ts'
import type {Round} from '../../../../sources/docs/crawl/crawl-state.ts'
import {fileFor} from '../../../../sources/docs/crawl/mirror.ts'
import pageLinks from '../../../../sources/docs/crawl/page-links.ts'
import type {Visited, Visitor} from '../../../../sources/docs/crawl/polite.ts'
import {fetchRobots, parseRobots} from '../../../../sources/docs/crawl/robots.ts'
import {
  isBelow,
  isOnSite,
  isPageName,
  mayBePage,
  pageUrl,
  sitePath,
  siteOf,
} from '../../../../sources/docs/crawl/site.ts'
import {products, productSupport, supportLines} from '../../../../sources/docs/support.ts'
import {withoutUnsupportedForms} from '../../../../sources/docs/convert.ts'

const site = siteOf('https://a.test/docs/start.html')

describe('addresses', () => {
  test.each([
    ['https://a.test/x#y', 'https://a.test/x'],
    ['https://u:p@a.test/x', 'https://a.test/x'],
    ['https://a.test/x?utm_source=1&b=2&&SPM=3', 'https://a.test/x?b=2'],
    ['https://a.test/x?spm=1', 'https://a.test/x'],
    ['https://a.test/%7ex/%e4%b8', 'https://a.test/~x/%E4%B8'],
    [' ../y.html ', 'https://a.test/y.html'],
    ['mailto:x@a.test', undefined],
    ['ftp://a.test/x', undefined],
    ['http://', undefined],
    [`https://a.test/${'x'.repeat(1985)}`, `https://a.test/${'x'.repeat(1985)}`],
    [`https://a.test/${'x'.repeat(1986)}`, undefined],
  ])('%s is spelled %s', (written, url) => {
    expect(pageUrl(written, 'https://a.test/docs/start.html')).toBe(url)
  })

  test('a site is an origin and a folder', () => {
    expect(site).toEqual({origin: 'https://a.test', below: '/docs/', start: 'https://a.test/docs/start.html'})
    expect(siteOf('https://a.test/docs/x/start.html', '/docs').below).toBe('/docs/')
    expect(siteOf('https://a.test/docs/x/start.html', '/docs/').below).toBe('/docs/')
    for (const below of ['/other', 'https://b.test/docs', 'https://a.test/docs/y'])
      expect(() => siteOf('https://a.test/docs/x/start.html', below)).toThrow(
        expect.objectContaining({code: 'config-invalid'}) as Error,
      )
    expect(() => siteOf('no address')).toThrow(expect.objectContaining({code: 'config-invalid'}) as Error)
    expect(
      ['https://a.test/docs/x', 'https://a.test/other', 'http://a.test/docs/x'].map((url) => [
        isOnSite(url, site),
        isBelow(url, site),
      ]),
    ).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ])
    expect([sitePath('https://a.test/%E4%B8%AD?a=b'), sitePath('https://a.test/%E4?a')]).toEqual(['/中?a=b', '/%E4?a'])
    expect(
      [
        'https://a.test/x.PNG',
        'https://a.test/x.tgz',
        'https://a.test/x',
        'https://a.test/x.html',
        'https://a.test/v1.2',
      ].map(mayBePage),
    ).toEqual([false, false, true, true, true])
    expect(
      ['https://a.test/x.HTM', 'https://a.test/x.md', 'https://a.test/x', 'https://a.test/x.mdx'].map(isPageName),
    ).toEqual([true, true, false, false])
  })

  test('a table of contents names pages below the site', () => {
    const toc = {
      a: 'one.html',
      b: [{c: 'two.md#x', d: 'https://a.test/docs/three.html'}, 'one.html'],
      e: 'A title. html',
      f: '/other/x.html',
      g: 'x.png',
      h: 7,
      i: null,
      j: `${'x'.repeat(1996)}.html`,
    }
    expect(tocLinks(`\uFEFF${JSON.stringify(toc)}`, site)).toEqual([
      'https://a.test/docs/one.html',
      'https://a.test/docs/two.md',
      'https://a.test/docs/three.html',
    ])
    expect(tocLinks('no', site)).toBeUndefined()
  })
})

describe('files of addresses', () => {
  const free = () => false
  const file = (url: string, type = 'text/html', isTaken: (name: string) => boolean = free) =>
    fileFor(url, type, isTaken).replace(/~[\da-f]{12}/g, '~#')

  test.each([
    ['https://a.test/docs/x.html', 'docs/x.html'],
    ['https://a.test/docs/', 'docs/index.html'],
    ['https://a.test/', 'index.html'],
    ['https://a.test/docs/x', 'docs/x.html'],
    ['https://a.test/docs/x.html?a=b', 'docs/x~#.html'],
    ['https://a.test/a.html/b.html', 'a.html~/b.html'],
    ['https://a.test/a.png/b.html', 'a.png~/b.html'],
    ['https://a.test/.git/b.html', 'git~#/b.html'],
    ['https://a.test/node_modules/b.html', 'node_modules~#/b.html'],
    ['https://a.test//b.html', '_~#/b.html'],
    ['https://a.test/.b', '.b~#.html'],
    ['https://a.test/%E4%B8%AD.html', '中.html'],
    ['https://a.test/%2F%0A.html', '__.html'],
    ['https://a.test/%E4.html', '%E4.html'],
  ])('%s lies in %s', (url, name) => {
    expect(file(url)).toBe(name)
  })

  test('have an extension that says what they are', () => {
    expect([
      file('https://a.test/x.png', 'image/png'),
      file('https://a.test/x', 'image/jpeg'),
      file('https://a.test/x.jpeg', 'image/jpeg'),
      file('https://a.test/x.html', 'image/png'),
      file('https://a.test/x', 'text/markdown'),
      file('https://a.test/x.md', 'text/html'),
    ]).toEqual(['x.png', 'x.jpg', 'x.jpeg', 'x.html.png', 'x.md', 'x.md'])
  })

  test('are marked where another address has them, or their name is too long', () => {
    expect(file('https://a.test/x.html', 'text/html', (name) => name === 'x.html')).toBe('x~#.html')
    const long = (letters: number) => file(`https://a.test/${'x'.repeat(letters)}.html`)
    expect([long(200), long(201)]).toEqual([`${'x'.repeat(200)}.html`, `${'x'.repeat(200)}~#.html`])
    expect(file(`https://a.test/${'中'.repeat(67)}.html`)).toBe(`${'中'.repeat(66)}~#.html`)
    expect(file(`https://a.test/${'x'.repeat(201)}/a.html`)).toBe(`${'x'.repeat(200)}~#/a.html`)
  })
})

describe('robots.txt', () => {
  test('says what is allowed, and how often', () => {
    const robots = parseRobots('\uFEFFUser-agent: *\nDisallow: /docs/private/\nCrawl-delay: 3\n', site)
    expect(
      ['https://a.test/docs/x', 'https://a.test/docs/private/x', 'https://b.test/docs/x'].map((url) =>
        robots.allows(url),
      ),
    ).toEqual([true, false, false])
    expect([
      robots.delaySeconds,
      parseRobots('', site).delaySeconds,
      parseRobots('User-agent: *\nCrawl-delay: -1', site).delaySeconds,
    ]).toEqual([3, 0, 0])
  })

  const answer = (status: number, body = '', location = '') =>
    ({
      kind: 'whole',
      status,
      body: Buffer.from(body),
      header: (name: string) => (name === 'location' ? location : ''),
    }) as unknown as Visited
  const fetched = (...answers: Visited[]) => {
    const visited: string[] = []
    const visitor = {
      visit: (url: string) => Promise.resolve(answers[visited.push(url) - 1]!),
      slowDown: () => {},
    } as Visitor
    return fetchRobots(site, visitor).then((found) => ({...found, visited: visited.length}))
  }

  test('is read as it comes, and missing where the site says so', async () => {
    expect(await fetched(answer(200, 'x'))).toEqual({status: 200, text: 'x', visited: 1})
    expect((await fetched(answer(200, 'x'.repeat(512_001)))).text).toHaveLength(512_000)
    for (const status of [400, 404, 499])
      expect(await fetched(answer(status, 'x'))).toEqual({status, text: '', visited: 1})
    for (const status of [199, 201, 500])
      await expect(fetched(answer(status))).rejects.toMatchObject({code: 'endpoint-unreachable'})
    await expect(fetched({kind: 'failed', why: 'gone'})).rejects.toMatchObject({
      code: 'endpoint-unreachable',
      evidence: {why: 'gone'},
    })
    await expect(fetched({kind: 'too-large'} as Visited)).rejects.toMatchObject({code: 'endpoint-unreachable'})
  })

  test('is looked for through five redirects, on the same site', async () => {
    const moved = answer(301, '', '/other.txt')
    expect(await fetched(...Array<Visited>(5).fill(moved), answer(200, 'x'))).toEqual({
      status: 200,
      text: 'x',
      visited: 6,
    })
    expect(await fetched(...Array<Visited>(6).fill(moved))).toEqual({status: 404, text: '', visited: 6})
    for (const to of ['https://b.test/robots.txt', 'mailto:x'])
      await expect(fetched(answer(302, '', to))).rejects.toMatchObject({code: 'endpoint-rejected'})
  })
})

describe('what is asked for next', () => {
  const round = (urls: readonly string[], answers: Record<string, string> = {}) =>
    ({
      queue: urls.map((url) => ({url, image: url.endsWith('.png')})),
      answers: new Map(Object.entries(answers).map(([url, kind]) => [url, {kind}])),
    }) as unknown as Round
  const robots = {allows: (url: string) => !url.includes('private'), delaySeconds: 0}
  const taken = (from: Round, budget: number) => {
    const queue = openQueue(from, robots, budget)
    const urls: string[] = []
    for (let one = queue.take(); one; one = queue.take()) urls.push(one.url)
    return {urls, left: queue.leftOver()}
  }

  test('comes in the order in which it was found, what failed before at the end', () => {
    expect(taken(round(['a', 'b', 'c', 'd'], {a: 'failed', b: 'kept'}), 9).urls).toEqual(['c', 'd', 'a'])
  })

  test('is allowed, and within the budget, which images do not count for', () => {
    const {urls, left} = taken(round(['a', 'private', 'x.png', 'b', 'c', 'y.png'], {a: 'kept'}), 2)
    expect(urls).toEqual(['x.png', 'b', 'y.png'])
    expect(left).toEqual({
      disallowed: ['private'],
      overBudget: [{url: 'c', image: false}],
      waiting: [
        {url: 'x.png', image: true},
        {url: 'b', image: false},
        {url: 'y.png', image: true},
      ],
    })
    expect(taken(round(['a', 'b'], {a: 'failed'}), 1).urls).toEqual(['a'])
    expect(taken(round(['a', 'b', 'c']), 2).urls).toEqual(['a', 'b'])
  })
})

describe('what a page leads to', () => {
  const links = (text: string, format: 'html' | 'markdown' = 'html') =>
    pageLinks({bytes: Buffer.from(text), url: 'https://a.test/docs/x.html', format})

  test('in HTML, from its base', () => {
    expect(
      links(
        '<a href="y.html">y</a><area href="z"><a>n</a><a href="y.html#q">y</a><img src="i.png"><link ' +
          'rel="canonical" href="c.html">',
      ),
    ).toEqual({
      links: ['https://a.test/docs/y.html', 'https://a.test/docs/z'],
      images: ['https://a.test/docs/i.png'],
      canonical: 'https://a.test/docs/c.html',
    })
    expect(links('<base href="/other/"><a href="y.html">y</a>')).toMatchObject({
      links: ['https://a.test/other/y.html'],
      canonical: undefined,
    })
    const deep = (depth: number) => links(`${'<div>'.repeat(depth)}<a href="y.html">y</a>`).links.length
    expect([deep(256), deep(257)]).toEqual([1, 0])
  })

  test('in Markdown', () => {
    expect(links('[a](y.md "title") ![b](i.png) [c](<z w.md>) [d](y.md)', 'markdown')).toEqual({
      links: ['https://a.test/docs/y.md', 'https://a.test/docs/z%20w.md'],
      images: ['https://a.test/docs/i.png'],
    })
  })
})

describe('what a page says of products', () => {
  const a2 = products['910b']!

  test.each([
    ['## 产品支持情况\n\n- Atlas A2 训练系列产品：支持', 'supported'],
    ['## 产品支持情况\n\n- Atlas A2 训练系列产品：不支持', 'unsupported'],
    ['## 产品支持情况\n\n| Atlas A2 训练系列产品 | √ |', 'supported'],
    ['## 产品支持情况\n\n| Atlas A2 训练系列产品 | x |', 'unsupported'],
    ['## 产品支持情况\n\n- Atlas A3 训练系列产品：支持', 'unsupported'],
    ['## 产品支持情况\n\n## 其他\n\n- Atlas A2 训练系列产品：支持', 'unsupported'],
    ['## Product Support\n\n### A\n\n- Atlas A2 Training', 'supported'],
    ['# 说明\n\n文字。', 'unsaid'],
    ['适用的产品：\n\n- Kirin X90', 'unsupported'],
    ['适用的产品：\n\n- Atlas A2 训练系列产品', 'unsaid'],
    [`${'甲'.repeat(794)}适用的产品：\n- Kirin X90`, 'unsupported'],
    [`${'甲'.repeat(795)}适用的产品：\n- Kirin X90`, 'unsaid'],
    [`适用的产品：${'\n'.repeat(7)}- Atlas A2 训练系列产品`, 'unsaid'],
    [`适用的产品：${'\n'.repeat(8)}- Atlas A2 训练系列产品`, 'unsupported'],
  ])('%j: %s', (page, support) => {
    expect(productSupport(page, a2)).toBe(support)
  })

  test('forms that are denied go, with all that stands under them', () => {
    const page = (body: string) =>
      `## 产品支持情况\n\n### 硬同步（支持流水）\n\n- Atlas A2 训练系列产品：不支持\n\n### 软同步\n\n- Atlas A2 训练系列产品：支持\n\n## 函数原型\n\n${body}`
    const kept = (body: string) => withoutUnsupportedForms(page(body), a2).slice(page('').length)
    expect(kept('- 硬同步（支持流水）\n\n  被去掉\n- 软同步的原型\n\n  留下')).toBe('- 软同步的原型\n\n  留下')
    expect(kept('**支持流水原型：**\n被去掉\n- 列表\n**软同步的说明**\n留下')).toBe('**软同步的说明**\n留下')
    expect(kept('- 硬同步（支持流水）\n# 标题\n留下')).toBe('# 标题\n留下')
    expect(kept('- 硬同步（支持流水）\n  ```\n# 代码\n  ```\n留下')).toBe('留下')
    expect(kept('```\n- 硬同步（支持流水）\n```\n留下')).toBe('```\n- 硬同步（支持流水）\n```\n留下')
    expect(kept('  - 硬同步（支持流水）\n    被去掉\n- 留下的列表')).toBe('- 留下的列表')
    expect(withoutUnsupportedForms('## 函数原型\n\n- 硬同步', a2)).toBe('## 函数原型\n\n- 硬同步')
    expect(supportLines(page('x'))?.filter((line) => line.startsWith('#'))).toEqual([
      '### 硬同步（支持流水）',
      '### 软同步',
    ])
  })
})
