import {existsSync, writeFileSync} from 'node:fs'
import {threadId} from 'node:worker_threads'

/** What a page can make of a library: an answer, an exception, no end, or all the memory there is. */
export default function moody(mood: string): string {
  if (mood === 'thread') return `thread ${threadId}`
  if (mood === 'throws') throw new RangeError('Maximum call stack size exceeded')
  if (mood === 'hangs' || isFirst(mood)) for (;;);
  const kept: number[][] = []
  while (mood === 'grows') kept.push(Array.from({length: 10_000}, (_, n) => n + kept.length + 0.5))
  return `${mood}!`
}

/** A path is a mood of its own: it hangs the first time. */
function isFirst(mood: string): boolean {
  if (!mood.startsWith('/') || existsSync(mood)) return false
  writeFileSync(mood, '')
  return true
}
