import robotsParser from 'robots-parser'
import {PipelineError} from '../../../engine/errors.ts'
import type {Visitor} from './polite.ts'
import {isOnSite, pageUrl, type Site} from './site.ts'

/** This program's name in robots.txt. */
export const productToken = 'ascend-cot'

/** What a site allows. */
export interface Robots {
  allows(url: string): boolean
  /** Seconds between requests that the site requires; 0 when it requires none. */
  delaySeconds: number
}

interface Parsed {
  /** Undefined for another site. */
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
}

export function parseRobots(text: string, {origin}: Site): Robots {
  const parse = robotsParser as unknown as (url: string, text: string) => Parsed
  const parsed = parse(`${origin}/robots.txt`, text.replace(/^\uFEFF/, ''))
  const delay = parsed.getCrawlDelay(productToken) ?? 0
  return {
    allows: (url) => parsed.isAllowed(url, productToken) === true,
    delaySeconds: Number.isFinite(delay) && delay > 0 ? delay : 0,
  }
}

/** RFC 9309, 2.3.1.2. */
const mostRedirects = 5
/** RFC 9309, 2.5: a parser has to read that much. The rest is ignored. */
const mostBytes = 512_000

/**
 * Fetches robots.txt. If a site has none (any 4xx), everything is allowed; if it does not answer, nothing is (RFC 9309,
 * 2.3.1). @throws PipelineError `endpoint-unreachable` when it cannot be fetched, `endpoint-rejected` when it is on
 * another site
 */
export async function fetchRobots(site: Site, visitor: Visitor): Promise<{status: number; text: string}> {
  let url = `${site.origin}/robots.txt`
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const came = await visitor.visit(url)
    if (came.kind === 'failed') throw noRobots(url, came.why)
    if (came.kind === 'too-large') throw noRobots(url, 'it is far too long')
    const {status, body} = came
    if (status === 200) return {status, text: body.subarray(0, mostBytes).toString('utf8')}
    if (status >= 400 && status < 500) return {status, text: ''}
    if (status < 300 || status >= 400) throw noRobots(url, `the answer was status ${status}`)
    const next = pageUrl(came.header('location'), url)
    if (next === undefined || !isOnSite(next, site)) throw elsewhere(url, next ?? came.header('location'))
    url = next
  }
  return {status: 404, text: ''}
}

function noRobots(url: string, why: string): PipelineError {
  return new PipelineError('endpoint-unreachable', `${url} could not be read: ${why}.`, {
    fix: 'Check the address and try again later; without robots.txt nothing is crawled.',
    evidence: {url, why},
  })
}

function elsewhere(url: string, target: string): PipelineError {
  return new PipelineError('endpoint-rejected', `${url} redirects to another site, ${target}.`, {
    fix: 'Start at that site if you mean it (http and https are different sites).',
    evidence: {url, target},
  })
}
