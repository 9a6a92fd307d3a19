import type {TeacherProfile} from './profile.ts'

/** Which limit of the profile was exceeded, its value, and what had not happened yet. */
export interface Silence {
  limit: 'timeoutSeconds' | 'idleSeconds' | 'patienceSeconds'
  seconds: number
  before: 'began' | 'ended'
}

interface SilenceWatch {
  /** Fires on silence; connection and body are then closed. */
  readonly controller: AbortController
  /** Passes a body through; every chunk counts as a sign of life. */
  listen(body: AsyncIterable<Uint8Array> | null): AsyncIterable<Uint8Array>
  /** Set once the watch has fired. */
  silentFor(): Silence | undefined
  stop(): void
}

/**
 * Aborts a request that has gone silent. The timeout of the package `openai` ends with the headers, so a stream that
 * stalls would hang forever. Bytes are watched, not pieces: keep-alive comments, such as those of a queue, are a sign
 * of life.
 */
export function watchSilence(profile: TeacherProfile): SilenceWatch {
  const controller = new AbortController()
  let begun = false
  let fired: Silence | undefined
  const start = (limit: Silence['limit']) =>
    setTimeout(() => {
      fired = {limit, seconds: profile[limit], before: begun ? 'ended' : 'began'}
      controller.abort(new Error(limit))
    }, profile[limit] * 1000)
  let timer = start('timeoutSeconds')
  // Keep-alives alone must not hold a request forever.
  const overall = start('patienceSeconds')
  const heard = () => {
    if (begun) timer.refresh()
    else {
      begun = true
      clearTimeout(timer)
      timer = start('idleSeconds')
    }
  }
  return {
    controller,
    async *listen(body) {
      for await (const bytes of body ?? []) {
        heard()
        yield bytes
      }
    },
    silentFor: () => fired,
    stop() {
      clearTimeout(timer)
      clearTimeout(overall)
    },
  }
}
