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
  /** Until an answer begins, for requests without a file as body. Default 60. */
  answerSeconds?: number
  /** What must not be sent twice, e.g. because it has an effect each time. Answers 429 and 503 are no effect. */
  once?: (url: string, method: string) => boolean
  onPause?: (why: string, seconds: number) => void
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 429, 500, 502, 503, 504])
/** Those that say that nothing was done. */
const turnedAway = new Set([429, 503])

/**
 * `fetch` that tries again: after broken connections, answers that never begin, 408, 429 and 5xx, with doubling pauses
 * (1 s to 60 s) and after `Retry-After`. The last answer is handed over whatever it says.
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
  // More than five minutes is longer than a person waits in front of a terminal.
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

/** Addresses of storage are signed in their query, which is therefore nobody's to see. */
export const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

function unreachable(url: string, why: string, tried: number): PipelineError {
  const host = URL.canParse(url) ? new URL(url).origin : url
  const times = tried === 1 ? '' : `, ${tried} times`
  return new PipelineError('endpoint-unreachable', `${host} could not be reached${times}: ${why}.`, {
    fix:
      'Check the network and the address (HF_ENDPOINT, if it is set), then repeat the command: ' +
      'what was done is not done again.',
    scope: 'run',
    evidence: {url: withoutQuery(url), why, tried},
  })
}
