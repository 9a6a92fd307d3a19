import {spawn, type ChildProcess} from 'node:child_process'
import {createInterface} from 'node:readline'
import {onTestFinished} from 'vitest'
import {programOf} from './program.ts'

export interface Asking {
  child: ChildProcess
  /** What it said that was answered. */
  given: string[]
  /** Resolves when it has said so many lines, the first being that it started, others perhaps that it waits. */
  said(lines: number): Promise<void>
  ended: Promise<number | null>
  kill(): Promise<void>
}

/** A process that asks a teacher; gone when the test is over. `count`: without it, it asks on and on. */
export function startAsking({
  url,
  cacheFile,
  account = 'all',
  count,
}: {
  url: string
  cacheFile: string
  account?: string
  count?: number
}): Asking {
  const args = [
    programOf('test/engine/llm/asking.ts'),
    url,
    cacheFile,
    account,
    ...(count === undefined ? [] : [String(count)]),
  ]
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  const given: string[] = []
  const waiting: {lines: number; wake: () => void}[] = []
  let lines = 0
  createInterface({input: child.stdout}).on('line', (line) => {
    lines += 1
    if (line.startsWith('question')) given.push(line)
    for (const one of waiting) if (lines >= one.lines) one.wake()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    given,
    ended,
    said: (wanted) =>
      new Promise((resolve, reject) => {
        waiting.push({lines: wanted, wake: resolve})
        if (lines >= wanted) resolve()
        void ended.then((code) => reject(new Error(`it ended with ${code} after ${lines} lines`)))
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
