import type {TeacherProfile} from './profile.ts'

/** Which limit of the profile was passed, its value, and what had not happened yet. */
export interface Silence {
  limit: 'timeoutSeconds' | 'idleSeconds' | 'patienceSeconds'
  seconds: number
  before: 'began' | 'ended'
}

export interface SilenceWatch {
  /** Fires on silence; connection and body are then gone. */
  readonly controller: AbortController
  /** A fetch whose answers are listened to, byte by byte. */
  observe(fetch: typeof globalThis.fetch): typeof globalThis.fetch
  /** Set once the watch has fired. */
  silentFor(): Silence | undefined
  stop(): void
}

/**
 * Ends a request that has gone silent. The timeout of the package `openai` ends with the headers, so a stream that stalls
 * would hang for ever. Bytes are watched, not pieces: keep-alive comments, as of a queue, are a sign of life.
 */
export function watchSilence(profile: TeacherProfile): SilenceWatch {
  const controller = new AbortController()
  let begun = false
  let fired: Silence | undefined
  const start = (limit: Silence['limit']) => setTimeout(() => {
    fired = {limit, seconds: profile[limit], before: begun ? 'ended' : 'began'}
    controller.abort(new Error(limit))
  }, profile[limit] * 1000)
  let timer = start('timeoutSeconds')
  // Keep-alives alone must not hold a request for ever.
  const overall = start('patienceSeconds')
  const listen = () => {
    if (begun) timer.refresh()
    else {
      begun = true
      clearTimeout(timer)
      timer = start('idleSeconds')
    }
  }
  return {
    controller,
    observe: (fetch) => async (input, init) => {
      const response = await fetch(input, init)
      if (response.body === null) return response
      const heard = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, out) {
          listen()
          out.enqueue(bytes)
        },
      }))
      return new Response(heard, {status: response.status, statusText: response.statusText, headers: response.headers})
    },
    silentFor: () => fired,
    stop() {
      clearTimeout(timer)
      clearTimeout(overall)
    },
  }
}
