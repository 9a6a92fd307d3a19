import {createHash} from 'node:crypto'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'

export interface SiteRequest {
  path: string
  headers: IncomingMessage['headers']
  /** On the clock that the site was given. */
  at: number
  /** How often the same path came before. */
  repeat: number
}

export type Answer = (response: ServerResponse, request: SiteRequest) => void

export interface DocSite {
  origin: string
  /** Where a crawl begins. */
  start: string
  served: SiteRequest[]
  /** Requests that were open when another one came, that one counted; those that the other side left are not. */
  mostAtOnce: number
  /** Answers by path; may be changed while the site runs. */
  pages: Map<string, Answer>
  /** Paths in order of arrival. */
  paths(): string[]
  timesAsked(path: string): number
}

export const commonText =
  '这一页说明接口的作用、参数与约束，长度足够成为一页文档，因此不会被当作空页丢弃，也不会被看成目录。'

/** A site on loopback whose pages are given; it answers "not modified" to those who know a page, and 404 to the rest. */
export async function startDocSite(
  pages: Iterable<readonly [string, Answer]>,
  {now = () => 0, patience = () => false}: {now?: () => number; patience?: (path: string) => boolean} = {},
): Promise<DocSite> {
  const counts = new Map<string, number>()
  const open = new Set<ServerResponse>()
  const server = createServer((message, response) => {
    const path = message.url ?? ''
    const repeat = counts.get(path) ?? 0
    counts.set(path, repeat + 1)
    const request = {path, headers: message.headers, at: now(), repeat}
    site.served.push(request)
    for (const other of open) if (other.writableEnded || other.destroyed || left.has(other)) open.delete(other)
    site.mostAtOnce = Math.max(site.mostAtOnce, open.add(response).size)
    if (patience(path)) return
    const answer = site.pages.get(path) ?? status(404)
    // Not at once, so that a second request would find the first one open.
    setTimeout(() => answer(response, request), 2)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site: DocSite = {
    origin,
    start: `${origin}/docs/index.html`,
    served: [],
    mostAtOnce: 0,
    pages: new Map(pages),
    paths: () => site.served.map(({path}) => path),
    timesAsked: (path) => counts.get(path) ?? 0,
  }
  return site
}

/** Responses that nobody waits for any more, though the server has not seen that yet. */
export const left = new WeakSet<ServerResponse>()

/** Answers with these bytes, or with 304 to those who have them. */
export function content(body: string | Uint8Array, headers: Record<string, string> = {}): Answer {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  return (response, request) => {
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, {etag}).end()
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', etag, ...headers}).end(body)
  }
}

export function page(title: string, links: readonly string[] = [], {head = '', text = commonText} = {}): string {
  const anchors = links.map((link) => `<a href="${link}">${link.slice(-8)}</a>`).join('\n')
  const shown = `<h1>${title}</h1><p>${title}：${text}${text}</p>`
  return `<html><head><title>${title}</title>${head}</head><body>${shown}<nav>${anchors}</nav></body></html>`
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end()

/** `/docs/api/p0.html` and so on: a tree in which each page leads to two more and back to the first. */
export function pageTree(count: number): [string, Answer][] {
  return Array.from({length: count}, (_, number) => {
    const children = [2 * number + 1, 2 * number + 2].filter((child) => child < count)
    const links = ['../index.html', ...children.map((child) => `p${child}.html#top`)]
    return [`/docs/api/p${number}.html`, content(page(`接口 P${number}`, links))]
  })
}

export const robots = (text: string): [string, Answer] => [
  '/robots.txt',
  (response) => void response.writeHead(200, {'content-type': 'text/plain'}).end(text),
]
