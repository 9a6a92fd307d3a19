import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import {interrupted, PipelineError} from './errors.ts'
import {startFailure} from './subprocess.ts'

export interface ConversationOptions {
  cwd?: string
  /** The whole environment; default PATH and HOME of this process. */
  env?: Readonly<Record<string, string>>
}

/** A program that answers each line with a line. */
export interface Conversation {
  /**
   * Sends a line (undefined: only listens) and waits for the next line of the answer. One question at a time.
   * @throws PipelineError `executor-failed` when the program ends or takes longer, `interrupted` on abort; the program is then gone
   */
  ask(line: string | undefined, how: {timeoutSeconds: number; signal?: AbortSignal | undefined}): Promise<string>
  /** Ends the program; what was asked and not answered fails. */
  close(): void
}

/** Last bytes of stderr that a failure quotes. */
const rememberedBytes = 4000

/** Starts a program and keeps it running. @throws PipelineError `toolchain-missing` when it does not exist */
export async function converse(
  command: string,
  args: readonly string[],
  {cwd, env}: ConversationOptions = {},
): Promise<Conversation> {
  const child = spawn(command, args, {
    cwd,
    env: {PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: process.env['HOME'] ?? '/', LC_ALL: 'C.UTF-8', ...env},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(startFailure(command, error)))
  })
  let said = ''
  let waiting: {resolve: (line: string) => void; reject: (error: unknown) => void} | undefined
  let ended: string | undefined
  const gone = () =>
    new PipelineError(
      'executor-failed',
      `${command} ${ended ?? 'was closed'}: ${said.trim().split('\n').at(-1) || 'it said nothing'}`,
      {
        fix: 'Run `ascend-cot resume`: it is started again. If this comes back, the last lines say why.',
        evidence: {command, said},
      },
    )
  const settle = () => {
    const one = waiting
    waiting = undefined
    return one
  }
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone already.
    }
  }
  child.stderr.on('data', (data: Buffer) => {
    said = (said + data.toString('utf8')).slice(-rememberedBytes)
  })
  child.stdin.on('error', () => undefined) // A program that ended cannot read; `close` tells.
  createInterface({input: child.stdout, crlfDelay: Infinity}).on('line', (line) => settle()?.resolve(line))
  child.on('close', (code, signal) => {
    ended ??= `ended with ${signal ?? `status ${code}`}`
    settle()?.reject(gone())
  })
  return {
    ask: (line, {timeoutSeconds, signal}) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(gone())
        if (waiting) return reject(new TypeError('a question is open already'))
        const stop = (how: string, error?: unknown) => {
          ended ??= how
          settle()?.reject(error ?? gone())
          kill()
        }
        const timer = setTimeout(() => stop(`gave no answer within ${timeoutSeconds} s`), timeoutSeconds * 1000)
        const abort = () => stop('was interrupted', interrupted())
        const done = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
        }
        waiting = {
          resolve: (reply) => {
            done()
            resolve(reply)
          },
          reject: (error) => {
            done()
            reject(error as Error)
          },
        }
        if (signal?.aborted) return abort()
        signal?.addEventListener('abort', abort, {once: true})
        if (line !== undefined) child.stdin.write(`${line}\n`)
      }),
    close() {
      ended ??= 'was closed'
      child.stdin.end()
      kill()
    },
  }
}
