import {PipelineError} from '../../../engine/errors.ts'
import {httpGet, type Alarm, type HttpAnswer, type HttpHead, type HttpLimits} from '../../../engine/http.ts'
import type {Clock} from '../../../engine/llm/clock.ts'
import {retryAfterMs} from '../../../engine/retry-after.ts'

/** The outcome of a visit, after all its attempts. */
export type Visited = Exclude<HttpAnswer, {kind: 'silent' | 'broken'}> | {kind: 'failed'; why: string}

export interface Visitor {
  /**
   * One request at a time; waits as long as the site asks.
   * @throws PipelineError `interrupted`; `endpoint-unreachable` or `endpoint-overloaded` when continuing is pointless
   */
  visit(url: string, headers?: Readonly<Record<string, string>>, wants?: (head: HttpHead) => boolean): Promise<Visited>
  /** Seconds between the end of a request and the next; a smaller value than the present one changes nothing. */
  slowDown(seconds: number): void
}

export interface VisitorOptions {
  agent: string
  delaySeconds: number
  clock: Clock
  /** In [0, 1); spreads retries. */
  random: () => number
  alarm: Alarm
  signal: AbortSignal
  limits?: Partial<HttpLimits>
  /** Called with the reason for a retry. */
  onPause?: (why: string, seconds: number) => void
}

/** The page reader's limit: longer ones are useless. */
const usualLimits: HttpLimits = {firstSeconds: 60, idleSeconds: 30, wholeSeconds: 300, bytes: 8 << 20}

const attempts = 4
const backoffMostMs = 60_000
/** If a site asks for a longer wait, the crawl stops. */
const longestWaitMs = 600_000
/** This many unanswered pages in a row, each after all attempts, mean that the host is down. */
const outagesToStop = 5

const accept = 'text/html, application/xhtml+xml, text/markdown;q=0.9, image/*;q=0.8, */*;q=0.1'

export function politeVisitor(options: VisitorOptions): Visitor {
  const {agent, clock, signal} = options
  const limits = {...usualLimits, ...options.limits}
  let delayMs = options.delaySeconds * 1000
  let lastEnd = -Infinity
  let outages = 0

  async function pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await clock.sleep(milliseconds, signal)
    if (signal.aborted) throw stopped()
  }

  async function once(url: string, headers: Readonly<Record<string, string>>, wants?: (head: HttpHead) => boolean) {
    await pause(lastEnd + delayMs - clock.now())
    const all = {'user-agent': agent, accept, ...headers}
    const answer = await httpGet({url, headers: all, limits, alarm: options.alarm, signal, ...(wants ? {wants} : {})})
    lastEnd = clock.now()
    if (signal.aborted) throw stopped()
    return answer
  }

  async function visit(...asked: Parameters<Visitor['visit']>): Promise<Visited> {
    const [url, headers = {}, wants] = asked
    for (let tries = 1; ; tries += 1) {
      const answer = await once(url, headers, wants)
      const fault = faultOf(answer)
      if (!fault) {
        outages = 0
        return answer as Visited
      }
      const wait = retryAfter(answer, clock.now())
      if (wait > longestWaitMs) throw leftAlone(url, fault, wait)
      if (tries === attempts) {
        outages = isOutage(answer) ? outages + 1 : 0
        if (outages >= outagesToStop) throw deadHost(url, fault)
        return {kind: 'failed', why: fault}
      }
      const backoff = wait + options.random() * Math.min(backoffMostMs, 1000 * 2 ** tries)
      options.onPause?.(`${url}: ${fault}`, Math.ceil(backoff / 1000))
      await pause(backoff)
    }
  }

  return {
    visit,
    slowDown(seconds) {
      delayMs = Math.max(delayMs, seconds * 1000)
    },
  }
}

/** Undefined for an answer that a second attempt would not change. */
function faultOf(answer: HttpAnswer): string | undefined {
  if (answer.kind === 'silent' || answer.kind === 'broken') return answer.what
  const passing = answer.status >= 500 || answer.status === 429 || answer.status === 408
  return passing ? `the server answered with status ${answer.status}` : undefined
}

/** Whether the whole host is down, rather than one page broken. */
function isOutage(answer: HttpAnswer): boolean {
  if (answer.kind === 'silent') return true
  return answer.kind !== 'broken' && [408, 429, 502, 503, 504].includes(answer.status)
}

function retryAfter(answer: HttpAnswer, now: number): number {
  if (answer.kind === 'silent' || answer.kind === 'broken') return 0
  return retryAfterMs(answer.header('retry-after'), now) ?? 0
}

const again = 'Run the command again later; it resumes where it stopped, and kept pages stay.'

function stopped(): PipelineError {
  const fix = 'Run the command again to continue; kept pages stay.'
  return new PipelineError('interrupted', 'The crawl was interrupted.', {fix})
}

function leftAlone(url: string, fault: string, wait: number): PipelineError {
  const seconds = Math.ceil(wait / 1000)
  return new PipelineError('endpoint-overloaded', `${url}: ${fault}, and the server asks to wait ${seconds} s.`, {
    fix: again,
    scope: 'run',
    evidence: {url, fault, seconds},
  })
}

function deadHost(url: string, fault: string): PipelineError {
  const host = new URL(url).host
  return new PipelineError(
    'endpoint-unreachable',
    `${host} returned no page for ${outagesToStop} addresses in a row, each tried ${attempts} times; last: ${fault}.`,
    {fix: again, evidence: {url, fault, host}},
  )
}
