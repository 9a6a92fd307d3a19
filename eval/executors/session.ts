import {spawn} from 'node:child_process'
import {interrupted} from '../../engine/errors.ts'
import {startFailure} from '../../engine/subprocess.ts'
import {toolFailure} from './tool-fault.ts'

interface Started {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/** A program that answers each line on its stdin with one on its stdout. */
export interface Session {
  /**
   * One question at a time, in the order of the calls.
   * @throws PipelineError `executor-failed` when no answer comes within `seconds`, `interrupted` on abort
   */
  ask(line: string, seconds: number, signal?: AbortSignal): Promise<string>
  close(): Promise<void>
}

const mostStderr = 1 << 14

export function openSession({program, args, cwd, env}: Started): Session {
  // A group of its own, so that a kill reaches what the sandbox started.
  const child = spawn(program, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']})
  let fault: Error | undefined
  let said = ''
  let errors = ''
  let waiting: (() => void) | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let asked = 0
  const wake = () => waiting?.()
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      fault ??= startFailure(program, error)
      resolve()
    })
    child.on('close', (code, signal) => {
      fault ??= toolFailure(`the runner ended by itself, ${signal ?? `status ${code}`}: ${errors.trim() || 'no word'}`)
      resolve()
    })
  })
  ended.then(wake)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < mostStderr) errors += text
  })
  child.stdin.on('error', () => undefined) // Its end is told by `close`.
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }
  const answer = () => {
    const end = said.indexOf('\n')
    if (end < 0) return undefined
    const line = said.slice(0, end)
    said = said.slice(end + 1)
    return line
  }
  const exchange = async (line: string, seconds: number, signal?: AbortSignal) => {
    const stop = (error: Error) => {
      fault ??= error
      kill()
      wake()
    }
    const onAbort = () => stop(interrupted())
    const late = setTimeout(() => stop(toolFailure(`the runner gave no answer within ${seconds} s`)), seconds * 1000)
    signal?.addEventListener('abort', onAbort, {once: true})
    if (signal?.aborted) onAbort()
    child.stdin.write(`${line}\n`)
    try {
      for (;;) {
        const got = answer()
        if (got !== undefined) return got
        if (fault) throw fault
        await new Promise<void>((resolve) => (waiting = resolve))
      }
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', onAbort)
    }
  }
  return {
    ask(line, seconds, signal) {
      asked += 1
      const mine = turn.then(() => exchange(line, seconds, signal)).finally(() => (asked -= 1))
      turn = mine.catch(() => undefined)
      return mine
    },
    async close() {
      // One that is idle ends with its input; whatever else it does is not waited for.
      if (asked > 0) kill()
      fault ??= toolFailure('the build was disposed of during a run')
      child.stdin.end()
      const late = setTimeout(kill, 2000)
      await ended
      clearTimeout(late)
    },
  }
}
