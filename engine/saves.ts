import {unwatchFile, watchFile, type Stats} from 'node:fs'

/**
 * Milliseconds between looks at a file: its state is asked for, since notices of a file system do not reach network
 * folders and containers, and stop when an editor replaces the folder.
 */
const interval = 100
/** A save is over when nothing has changed for as long. */
const quiet = 150

/** Yields once for each save of these files, of which some may not exist; ends with the signal. */
export async function* savesOf(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let wake = () => {}
  let saved = false
  let timer: NodeJS.Timeout | undefined
  const note = (now: Stats, before: Stats) => {
    // Node.js calls it once for a file that does not exist.
    if (now.mtimeMs === before.mtimeMs && now.size === before.size && now.ino === before.ino) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      saved = true
      wake()
    }, quiet)
  }
  const end = () => wake()
  for (const file of files) watchFile(file, {interval}, note)
  signal.addEventListener('abort', end)
  try {
    while (!signal.aborted) {
      if (!saved) await new Promise<void>((done) => (wake = done))
      if (signal.aborted) return
      saved = false
      yield
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    for (const file of files) unwatchFile(file, note)
  }
}

/**
 * Looks at once and again after each save: a look that is under way is ended by the next save, and for good by
 * `signal`. @param look rejects for faults of ours only, once its own signal is aborted for any reason
 */
export async function lookOnSaves(
  saves: AsyncIterable<unknown>,
  look: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const begin = () => {
    const own = new AbortController()
    const done = look(AbortSignal.any([own.signal, signal])).catch((error: unknown) => {
      if (!own.signal.aborted && !signal.aborted) throw error
    })
    // It is awaited after the next save.
    done.catch(() => undefined)
    return {own, done}
  }
  let current = begin()
  for await (const _ of saves) {
    current.own.abort()
    await current.done
    if (signal.aborted) return
    current = begin()
  }
  await current.done
}
