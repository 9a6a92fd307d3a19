import {spawn, type ChildProcessWithoutNullStreams} from 'node:child_process'
import {interrupted} from './errors.ts'
import {endsWithUs, killGroup} from './process-group.ts'
import {startFailure} from './subprocess.ts'

interface Started {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** The error for a program that ends by itself, or gives no answer. */
  failure: (fault: string) => Error
}

const mostStderr = 1 << 14
const patienceAtEnd = 2000

/**
 * A program that answers each line on its stdin with one on its stdout. Everything that it started is killed with it.
 */
export class Session {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #failure: Started['failure']
  readonly #ended: Promise<void>
  #fault: Error | undefined
  #said = ''
  #errors = ''
  #wake: () => void = () => undefined
  #turn: Promise<unknown> = Promise.resolve()
  #asked = 0

  constructor({program, args, cwd, env, failure}: Started) {
    this.#failure = failure
    // A group of its own, so that a kill reaches what it started.
    this.#child = endsWithUs(spawn(program, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']}))
    this.#ended = this.#end(program)
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text
      this.#wake()
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#errors.length < mostStderr) this.#errors += text
    })
    this.#child.stdin.on('error', () => undefined) // `close` reports that it ended.
  }

  /**
   * One question at a time, in the order of the calls; without a question, only waits for an answer.
   * @throws the session's failure when no answer comes within `seconds`; PipelineError `interrupted` on abort
   */
  ask(line: string | undefined, seconds: number, signal?: AbortSignal): Promise<string> {
    this.#asked += 1
    const mine = this.#turn
      .then(() => this.#exchange(line, seconds, signal))
      .finally(() => {
        this.#asked -= 1
      })
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /** The next line, for a program that answers with several. Fails as `ask` does. */
  hear(seconds: number, signal?: AbortSignal): Promise<string> {
    return this.ask(undefined, seconds, signal)
  }

  /** An idle program ends with its input; nothing else is waited for. */
  async close(): Promise<void> {
    if (this.#asked > 0) this.#kill()
    this.#fault ??= this.#failure('it was closed')
    this.#child.stdin.end()
    const late = setTimeout(() => this.#kill(), patienceAtEnd)
    await this.#ended
    clearTimeout(late)
  }

  #end(program: string): Promise<void> {
    return new Promise((resolve) => {
      const end = (error: Error) => {
        this.#fault ??= error
        this.#wake()
        resolve()
      }
      this.#child.on('error', (error) => end(startFailure(program, error)))
      this.#child.on('close', (code, signal) => {
        const how = signal ?? `status ${code}`
        end(this.#failure(`it ended by itself, ${how}: ${this.#errors.trim() || 'no message'}`))
      })
    })
  }

  async #exchange(line: string | undefined, seconds: number, signal: AbortSignal | undefined): Promise<string> {
    const onAbort = () => this.#stop(interrupted())
    const late = setTimeout(() => this.#stop(this.#failure(`no answer within ${seconds} s`)), seconds * 1000)
    signal?.addEventListener('abort', onAbort, {once: true})
    if (signal?.aborted) onAbort()
    if (line !== undefined) this.#child.stdin.write(`${line}\n`)
    try {
      return await this.#answer()
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #answer(): Promise<string> {
    for (;;) {
      const end = this.#said.indexOf('\n')
      if (end >= 0) {
        const line = this.#said.slice(0, end)
        this.#said = this.#said.slice(end + 1)
        return line
      }
      if (this.#fault) throw this.#fault
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #stop(error: Error): void {
    this.#fault ??= error
    this.#kill()
    this.#wake()
  }

  #kill(): void {
    killGroup(this.#child)
  }
}
