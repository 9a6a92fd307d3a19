/** Calls back after some time, unless it is stopped by the function that it returns. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void

export const realAlarm: Alarm = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

export interface HttpLimits {
  /** Until the answer begins. */
  firstSeconds: number
  /** Between two chunks of the body. */
  idleSeconds: number
  /** For the whole exchange: a body may trickle in. */
  wholeSeconds: number
  /** Of the body, unpacked. */
  bytes: number
}

export interface HttpHead {
  status: number
  /** '' when absent. */
  header(name: string): string
}

/** The outcome of a request. `silent`: no answer began; `broken`: one began and did not end. */
export type HttpAnswer =
  | (HttpHead & {kind: 'answered'; body: Buffer})
  | (HttpHead & {kind: 'too-large'})
  | {kind: 'silent'; what: string}
  | {kind: 'broken'; what: string}

export interface HttpRequest {
  url: string
  headers: Readonly<Record<string, string>>
  limits: HttpLimits
  /** Whether the body is worth reading; otherwise it is not read and `body` is empty. */
  wants?: (head: HttpHead) => boolean
  alarm?: Alarm
  signal?: AbortSignal
}

/** One GET. Redirects are returned, not followed. Never throws for what the server does. */
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
    // Also releases a body that is not read to its end.
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
      stopShort = start(idleSeconds, `the answer stalled for ${idleSeconds} s`)
    },
    stop() {
      stopShort()
      stopWhole()
    },
  }
}

/** `fetch failed` does not say why; the system error behind it does. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return code === '' || cause.message.includes(code) ? cause.message : `${cause.message} (${code})`
}
