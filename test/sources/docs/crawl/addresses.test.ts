import {describe, expect, test} from 'vitest'
import {fileFor} from '../../../../sources/docs/crawl/mirror.ts'
import pageLinks from '../../../../sources/docs/crawl/page-links.ts'
import {parseRobots} from '../../../../sources/docs/crawl/robots.ts'
import {isBelow, pageUrl, sitePath, siteOf} from '../../../../sources/docs/crawl/site.ts'
import {tocLinks} from '../../../../sources/docs/crawl/crawl-site.ts'

describe('an address has one spelling', () => {
  test.each([
    ['a.html#part', 'https://h/docs/a.html'],
    ['/x/../a.html', 'https://h/a.html'],
    ['HTTPS://H:443/a', 'https://h/a'],
    ['https://me:secret@h/a', 'https://h/a'],
    ['a?utm_source=b&v=1&spm=2.3#x', 'https://h/docs/a?v=1'],
    ['a?UTM_medium=b', 'https://h/docs/a'],
    ['a?', 'https://h/docs/a'],
    ['a?b=2&a=1', 'https://h/docs/a?b=2&a=1'],
    ['%7euser/%e4%b8%ad.html', 'https://h/docs/~user/%E4%B8%AD.html'],
    ['中（ISASI）.html', 'https://h/docs/%E4%B8%AD%EF%BC%88ISASI%EF%BC%89.html'],
    [' a.html\n', 'https://h/docs/a.html'],
    ['mailto:a@b', undefined],
    ['javascript:void(0)', undefined],
    ['http://', undefined],
    [`a${'/b'.repeat(1100)}`, undefined],
  ])('%j', (written, url) => {
    expect(pageUrl(written, 'https://h/docs/index.html')).toBe(url)
  })

  test('and people read it without escapes', () => {
    expect(sitePath('https://h/docs/%E4%B8%AD.html?v=1')).toBe('/docs/中.html?v=1')
    expect(sitePath('https://h/docs/%FF.html')).toBe('/docs/%FF.html')
  })
})

describe('a site', () => {
  test('is what lies below the start, or below a path that leads to it', () => {
    expect(siteOf('https://h/docs/zh/index.html').below).toBe('/docs/zh/')
    expect(siteOf('https://h').below).toBe('/')
    expect(siteOf('https://h/docs/zh/', '/docs').below).toBe('/docs/')
    const site = siteOf('https://h/docs/zh/')
    expect(isBelow('https://h/docs/zh/a', site)).toBe(true)
    expect(isBelow('https://h/docs/zhu/a', site)).toBe(false)
    expect(isBelow('http://h/docs/zh/a', site), 'another origin').toBe(false)
    expect(isBelow('https://h:8443/docs/zh/a', site)).toBe(false)
  })

  test.each([
    ['ftp://h/a', undefined],
    ['docs/a.html', undefined],
    ['https://h/docs/', '/other/'],
    ['https://h/docs/', 'https://elsewhere/docs/'],
  ])('%s below %s is none', (start, below) => {
    expect(() => siteOf(start, below)).toThrow(/is not the address|is not below/)
  })
})

describe('a file', () => {
  const at = (path: string, type = 'text/html', taken: string[] = []) =>
    fileFor(`https://h${path}`, type, (file) => taken.includes(file))
  const marked = expect.stringMatching(/~[0-9a-f]{12}/) as string

  test.each([
    ['/docs/a.html', 'docs/a.html'],
    ['/docs/a.HTM', 'docs/a.HTM'],
    ['/docs/', 'docs/index.html'],
    ['/', 'index.html'],
    ['/docs/a', 'docs/a.html'],
    ['/docs/8.0.RC1', 'docs/8.0.RC1.html'],
    ['/docs/%E4%B8%AD.html', 'docs/中.html'],
    ['/docs/a.html/b.html', 'docs/a.html~/b.html'],
    ['/docs/a%2fb.html', 'docs/a_b.html'],
    ['/docs/a%5C..%5Cb.html', 'docs/a_.._b.html'],
    ['/docs//a.html', expect.stringMatching(/^docs\/_~[0-9a-f]{12}\/a\.html$/)],
    ['/.git/config.html', expect.stringMatching(/^git~[0-9a-f]{12}\/config\.html$/)],
    ['/node_modules/a.html', expect.stringMatching(/^node_modules~[0-9a-f]{12}\/a\.html$/)],
    ['/docs/.html', marked],
    ['/docs/a.html?v=1', expect.stringMatching(/^docs\/a~[0-9a-f]{12}\.html$/)],
  ])('of %s is %s', (path, file) => {
    expect(at(path)).toEqual(file)
  })

  test('has an extension that says what it is', () => {
    expect(at('/docs/a', 'text/markdown')).toBe('docs/a.md')
    expect(at('/docs/a.md', 'text/plain')).toBe('docs/a.md')
    expect(at('/docs/figure', 'image/png')).toBe('docs/figure.png')
    expect(at('/docs/f.jpeg', 'image/jpeg')).toBe('docs/f.jpeg')
  })

  test('is never one that another address has', () => {
    expect(at('/docs/', 'text/html', ['docs/index.html'])).toEqual(marked)
    expect(at('/docs/a.html?v=1')).not.toBe(at('/docs/a.html?v=2'))
  })

  test('has a name that every file system takes', () => {
    const long = at(`/docs/${'%E4%B8%AD'.repeat(200)}.html`)
    expect(Buffer.byteLength(long.split('/').at(-1) as string)).toBeLessThan(225)
    expect(long).toEqual(marked)
    expect(at(`/${'%E4%B8%AD'.repeat(199)}a/b.html`)).not.toBe(at(`/${'%E4%B8%AD'.repeat(199)}b/b.html`))
  })

  test('never leaves the folder', () => {
    for (const path of ['/%2e%2e/%2e%2e/a.html', '/..%2f..%2fa.html', '/docs/..%5c..%5ca.html', '/%2e.html']) {
      const segments = at(path).split('/')
      expect(segments.filter((segment) => ['', '.', '..'].includes(segment))).toEqual([])
    }
  })
})

describe('links', () => {
  const read = (html: string, more = {}) =>
    pageLinks({bytes: Buffer.from(html), url: 'https://h/docs/a.html', format: 'html', ...more})

  test('are read from anchors, areas and images, each once, by the base of the page', () => {
    const html =
      '<base href="/other/"><a href="b.html#1">b</a><a href="b.html#2">b</a><area href="c.html">' +
      '<a name="here">x</a><img src="f.png"><link rel="canonical" href="d.html">'
    expect(read(html)).toEqual({
      links: ['https://h/other/b.html', 'https://h/other/c.html'],
      images: ['https://h/other/f.png'],
      canonical: 'https://h/other/d.html',
    })
  })

  test('of Markdown may hold parentheses and titles', () => {
    const text = '[a](a（GM）.md#x) [b](b(ISASI).md "title") ![f](f.png) [c](<c d.md>)'
    expect(read(text, {format: 'markdown'})).toEqual({
      links: ['a（GM）.md', 'b(ISASI).md', 'c d.md'].map((name) => new URL(name, 'https://h/docs/').href),
      images: ['https://h/docs/f.png'],
    })
  })

  test('of a page nested without end are none', () => {
    expect(read(`<a href="b.html">b</a>${'<div>'.repeat(300)}`).links).toEqual([])
  })

  test('of a page in another encoding are links all the same', () => {
    const bytes = Buffer.concat([Buffer.from('<a href="b.html">'), Buffer.from([0x81, 0xff, 0xff])])
    expect(pageLinks({bytes, url: 'https://h/a', format: 'html'}).links).toEqual(['https://h/b.html'])
  })
})

describe('a table of contents', () => {
  const site = siteOf('https://h/docs/start.html')

  test('is any JSON that holds addresses of pages, in their order', () => {
    const tree = {
      data: {
        directory: [
          {nodeName: '第 1 章.md', nodeHtml: 'b.html', children: [{nodeHtml: 'a.html#part'}]},
          {nodeHtml: 'https://h/docs/c.htm?v=1', image: 'f.png', other: 'https://x/docs/d.html', outside: '/e.html'},
          [['x/f.md', 'b.html', null, 3, true]],
        ],
      },
    }
    expect(tocLinks(`\uFEFF${JSON.stringify(tree)}`, site)).toEqual(
      ['b.html', 'a.html', 'c.htm?v=1', 'x/f.md'].map((name) => `https://h/docs/${name}`),
    )
  })

  test('that is not JSON is none', () => {
    expect(tocLinks('<html>', site)).toBeUndefined()
    expect(tocLinks('null', site)).toEqual([])
  })

  test('may be nested without end', () => {
    expect(tocLinks(`${'['.repeat(5000)}"a.html"${']'.repeat(5000)}`, site)).toEqual(['https://h/docs/a.html'])
  })
})

describe('robots.txt', () => {
  const site = siteOf('https://h/docs/')
  const of = (text: string) => parseRobots(text, site)

  test('speaks to this program by its name, else to all', () => {
    const named = of('User-agent: *\nDisallow: /\nUser-agent: Ascend-CoT\nDisallow: /x\nAllow: /x/y\nCrawl-delay: 2.5')
    expect(named.allows('https://h/docs/')).toBe(true)
    expect(named.allows('https://h/x/z')).toBe(false)
    expect(named.allows('https://h/x/y/z')).toBe(true)
    expect(named.delaySeconds).toBe(2.5)
    expect(of('User-agent: *\nDisallow: /*.html$').allows('https://h/a.html')).toBe(false)
  })

  test.each(['', '<html>not found</html>', '\u0000\uFFFD'])('%j allows everything', (text) => {
    expect(of(text)).toMatchObject({delaySeconds: 0})
    expect(of(text).allows('https://h/a')).toBe(true)
    expect(of(text).allows('https://elsewhere/a'), 'it does not speak for others').toBe(false)
  })

  test.each(['-5', 'soon', 'Infinity'])('a delay of %s counts as none', (delay) => {
    expect(of(`User-agent: *\nCrawl-delay: ${delay}`).delaySeconds).toBe(0)
  })

  test('may begin with a byte-order mark', () => {
    expect(of('\uFEFFUser-agent: *\nDisallow: /').allows('https://h/a')).toBe(false)
  })
})
