/** Calls back after some time, unless it is stopped by the function that it returns. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void

export const realAlarm: Alarm = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

export interface HttpLimits {
  /** Until the answer begins. */
  firstSeconds: number
  /** Between two parts of the body. */
  idleSeconds: number
  /** Of the whole exchange: a body may come in drops. */
  wholeSeconds: number
  /** Of the body, unpacked. */
  bytes: number
}

export interface HttpHead {
  status: number
  /** '' for one that is not there. */
  header(name: string): string
}

/** What became of a request. `silent`: no answer began; `broken`: one began and did not end. */
export type HttpAnswer =
  | (HttpHead & {kind: 'answered'; body: Buffer})
  | (HttpHead & {kind: 'too-large'})
  | {kind: 'silent'; what: string}
  | {kind: 'broken'; what: string}

export interface HttpRequest {
  url: string
  headers: Readonly<Record<string, string>>
  limits: HttpLimits
  /** Whether the body is worth reading; else it is left on the line and `body` is empty. */
  wants?: (head: HttpHead) => boolean
  alarm?: Alarm
  signal?: AbortSignal
}

/** One GET. Redirects are answers like others. Never throws for what the other side does. */
export async function httpGet(request: HttpRequest): Promise<HttpAnswer> {
  const {url, headers, limits, signal} = request
  const watch = watchTime(limits, request.alarm ?? realAlarm)
  const stop = () => watch.controller.abort()
  signal?.addEventListener('abort', stop, {once: true})
  if (signal?.aborted) stop()
  let begun = false
  try {
    const response = await fetch(url, {headers, redirect: 'manual', signal: watch.controller.signal})
    begun = true
    const head = {status: response.status, header: (name: string) => response.headers.get(name) ?? ''}
    if (request.wants && !request.wants(head)) return {...head, kind: 'answered', body: Buffer.alloc(0)}
    if (Number(head.header('content-length')) > limits.bytes) return {...head, kind: 'too-large'}
    const body = await readBody(response.body, limits.bytes, watch.heard)
    return body ? {...head, kind: 'answered', body} : {...head, kind: 'too-large'}
  } catch (error) {
    return {kind: begun ? 'broken' : 'silent', what: watch.passed() ?? causeOf(error)}
  } finally {
    signal?.removeEventListener('abort', stop)
    // Also lets go of a body that nobody wants to read to its end.
    watch.stop()
    stop()
  }
}

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
  heard: () => void,
): Promise<Buffer | undefined> {
  heard()
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    heard()
    bytes += part.length
    if (bytes > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function watchTime({firstSeconds, idleSeconds, wholeSeconds}: HttpLimits, alarm: Alarm) {
  const controller = new AbortController()
  let passed: string | undefined
  const start = (seconds: number, what: string) =>
    alarm(seconds * 1000, () => {
      passed ??= what
      controller.abort()
    })
  let stopShort = start(firstSeconds, `no answer within ${firstSeconds} s`)
  const stopWhole = start(wholeSeconds, `the answer was not complete after ${wholeSeconds} s`)
  return {
    controller,
    passed: () => passed,
    heard() {
      stopShort()
      stopShort = start(idleSeconds, `the answer stood still for ${idleSeconds} s`)
    },
    stop() {
      stopShort()
      stopWhole()
    },
  }
}

/** `fetch failed` says nothing; the system error behind it does. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return code === '' || cause.message.includes(code) ? cause.message : `${cause.message} (${code})`
}
