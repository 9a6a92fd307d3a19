import {causeOf, realAlarm, type Alarm} from './http.ts'
import {interrupted, PipelineError} from './errors.ts'
import {realSleep, type Clock} from './llm/clock.ts'
import {retryAfterMs} from './retry-after.ts'

export interface RetryOptions {
  now: () => number
  /** In [0, 1); spreads retries. */
  random: () => number
  signal: AbortSignal
  sleep?: Clock['sleep']
  alarm?: Alarm
  /** Default 6. */
  attempts?: number
  /** Seconds until an answer begins, for requests without a file as body. Default 60. */
  answerSeconds?: number
  /**
   * Set for requests that must not be sent twice because each has an effect. Statuses 429 and 503 mean that it had
   * none.
   */
  once?: (url: string, method: string) => boolean
  onPause?: (why: string, seconds: number) => void
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 429, 500, 502, 503, 504])
/** Statuses that mean that nothing was done. */
const turnedAway = new Set([429, 503])

/**
 * `fetch` that tries again: after broken connections, missing answers, 408, 429 and 5xx, with doubling pauses (1 s to
 * 60 s) honouring `Retry-After`. The last answer is returned whatever its status.
 * @throws PipelineError `endpoint-unreachable` when no attempt was answered; `interrupted`
 */
export function retryingFetch(options: RetryOptions): typeof fetch {
  const {attempts = 6, signal, once = () => false, onPause} = options
  const sleep = options.sleep ?? realSleep

  async function attempt(url: string, init: RequestInit): Promise<Response | string> {
    try {
      return await oneAnswer(url, init, options)
    } catch (error) {
      if (signal.aborted) throw interrupted()
      init.signal?.throwIfAborted()
      return causeOf(error)
    }
  }

  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const only = once(url, init.method ?? 'GET')
    for (let tried = 1; ; tried += 1) {
      const answer = await attempt(url, init)
      if (typeof answer === 'string') {
        if (only || tried >= attempts) throw unreachable(url, answer, tried)
      } else if (!passing.has(answer.status) || tried >= attempts || (only && !turnedAway.has(answer.status))) {
        return answer
      }
      const pause = pauseBefore(tried, answer, options)
      onPause?.(typeof answer === 'string' ? answer : `the Hub answered ${answer.status}`, Math.round(pause / 1000))
      if (typeof answer !== 'string') await answer.body?.cancel().catch(() => undefined)
      await sleep(pause, signal)
      if (signal.aborted) throw interrupted()
    }
  }
}

function pauseBefore(tried: number, answer: Response | string, {now, random}: RetryOptions): number {
  const asked = typeof answer === 'string' ? undefined : retryAfterMs(answer.headers.get('retry-after') ?? '', now())
  const doubling = Math.min(1000 * 2 ** (tried - 1), 60_000)
  // Nobody waits longer than five minutes at a terminal.
  return Math.min(asked ?? doubling * (0.5 + random() / 2), 300_000)
}

async function oneAnswer(
  url: string,
  init: RequestInit,
  {signal, alarm = realAlarm, answerSeconds = 60}: RetryOptions,
): Promise<Response> {
  const silence = new AbortController()
  const sendsFile = init.body instanceof Blob || init.body instanceof ReadableStream
  const stop = sendsFile
    ? () => undefined
    : alarm(answerSeconds * 1000, () => silence.abort(new Error(`no answer within ${answerSeconds} s`)))
  const given = init.signal ? [init.signal] : []
  try {
    return await fetch(url, {...init, signal: AbortSignal.any([signal, silence.signal, ...given])})
  } finally {
    stop()
  }
}

/** Storage URLs carry a signature in their query, which must not be shown. */
export const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

function unreachable(url: string, why: string, tried: number): PipelineError {
  const host = URL.canParse(url) ? new URL(url).origin : url
  const times = tried === 1 ? '' : `, ${tried} times`
  return new PipelineError('endpoint-unreachable', `${host} could not be reached${times}: ${why}.`, {
    fix:
      'Check the network and the address (HF_ENDPOINT, if it is set), then run the command again; ' +
      'finished work is kept.',
    evidence: {url: withoutQuery(url), why, tried},
  })
}
