import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {crawlWith} from '../../../helpers/crawl.ts'
import {crawlClock} from '../../../helpers/crawl-clock.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

type Reply = [status: number, body: string, headers?: Record<string, string>]

/** Crawls a site of these answers by its table of contents; the server is another program, and only played. */
async function crawl(answers: Record<string, Reply>, pages = 20_000) {
  const folder = await temporaryFolder()
  globalThis.fetch = (url) => {
    const [status, body, headers = {}] = answers[new URL(url as string).pathname] ?? [404, '']
    return Promise.resolve(new Response(body, {status, headers}))
  }
  const clock = crawlClock()
  const request = {url: 'https://h/docs/', folder: join(folder, 'mirror'), toc: '/docs/toc.json', pages}
  return {folder: request.folder, crawled: crawlWith(clock, request)}
}

test.each<[string, Record<string, Reply>, string]>([
  ['is disallowed', {'/robots.txt': [200, 'User-agent: *\nDisallow: /docs/toc.json']}, 'robots.txt disallows it'],
  ['is not there', {}, 'the answer was status 404'],
  ['is created', {'/docs/toc.json': [201, '["a.html"]']}, 'the answer was status 201'],
  ['does not come', {'/docs/toc.json': [500, '']}, 'the server answered with status 500'],
  ['is too large', {'/docs/toc.json': [200, '', {'content-length': '9000000'}]}, 'it is too large'],
  ['is another thing', {'/docs/toc.json': [200, '<html>']}, 'it is not JSON'],
  ['names no page', {'/docs/toc.json': [200, '["/other/a.html"]']}, 'it names no page below https://h/docs/'],
])('a table of contents that %s ends the crawl, and the report says so', async (_, answers, why) => {
  const {folder, crawled} = await crawl(answers)
  const url = 'https://h/docs/toc.json'
  await expect(crawled).rejects.toMatchObject({
    code: 'input-invalid',
    message: `${url} is not a table of contents: ${why}.`,
    fix: 'Check --toc, or remove it to follow the links of pages instead.',
    scope: 'run',
    evidence: {url, why},
  })
  expect(JSON.parse(readFileSync(join(folder, 'crawl-report.json'), 'utf8'))).toMatchObject({
    ...{site: 'https://h/docs/', finished: false, fetched: 0, waiting: 0, delaySeconds: 1, licence: 'NOASSERTION'},
  })
})
