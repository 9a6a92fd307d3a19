import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import {interrupted, PipelineError} from './errors.ts'
import {endsWithUs, killGroup} from './process-group.ts'
import {startFailure} from './subprocess.ts'

interface ConversationOptions {
  cwd?: string
  /** The whole environment; default PATH and HOME of this process. */
  env?: Readonly<Record<string, string>>
}

/** A program that answers each line with a line. */
export interface Conversation {
  /**
   * Sends a line (undefined: only waits) and returns the next line of the answer. One request at a time.
   * @throws PipelineError `executor-failed` when the program ends or takes longer, `interrupted` on abort; the program
   *   has then ended
   */
  ask(line: string | undefined, how: {timeoutSeconds: number; signal?: AbortSignal | undefined}): Promise<string>
  /** Ends the program; a pending request fails. */
  close(): void
}

/** Last bytes of stderr that a failure quotes. */
const rememberedBytes = 4000

/** Starts a program and keeps it running. @throws PipelineError `toolchain-missing` when it does not exist */
export async function converse(
  command: string,
  args: readonly string[],
  options: ConversationOptions = {},
): Promise<Conversation> {
  const child = spawnGroup(command, args, options)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(startFailure(command, error)))
  })
  const program: Program = {command, child, said: '', ended: undefined, waiting: undefined}
  listenTo(program)
  return {
    ask: (line, how) => ask(program, line, how),
    close() {
      program.ended ??= 'was closed'
      // The answer may arrive before the signal does; the request still counts as failed.
      takeWaiting(program)?.reject(gone(program))
      child.stdin.end()
      killGroup(child)
    },
  }
}

/** A running program, and what is known about it. */
interface Program {
  command: string
  child: ReturnType<typeof spawnGroup>
  /** The last bytes of its stderr. */
  said: string
  /** How it ended; undefined while it runs. */
  ended: string | undefined
  /** The caller that waits for the next line. */
  waiting: {resolve: (line: string) => void; reject: (error: unknown) => void} | undefined
}

function spawnGroup(command: string, args: readonly string[], {cwd, env}: ConversationOptions) {
  const usual = {PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: process.env['HOME'] ?? '/', LC_ALL: 'C.UTF-8'}
  return endsWithUs(
    spawn(command, args, {cwd, env: {...usual, ...env}, detached: true, stdio: ['pipe', 'pipe', 'pipe']}),
  )
}

function listenTo(program: Program): void {
  const {child} = program
  child.stderr.on('data', (data: Buffer) => {
    program.said = (program.said + data.toString('utf8')).slice(-rememberedBytes)
  })
  child.stdin.on('error', () => undefined) // A program that ended cannot read; `close` reports it.
  createInterface({input: child.stdout, crlfDelay: Infinity}).on('line', (line) => takeWaiting(program)?.resolve(line))
  child.on('close', (code, signal) => {
    program.ended ??= `ended with ${signal ?? `status ${code}`}`
    takeWaiting(program)?.reject(gone(program))
  })
}

function takeWaiting(program: Program): Program['waiting'] {
  const {waiting} = program
  program.waiting = undefined
  return waiting
}

function gone({command, ended, said}: Program): PipelineError {
  const lastLine = said.trim().split('\n').at(-1) || 'it printed nothing'
  return new PipelineError('executor-failed', `${command} ${ended ?? 'was closed'}: ${lastLine}`, {
    fix: 'Run `ascend-cot resume`, which starts it again. If it fails again, the last lines it printed say why.',
    evidence: {command, said},
  })
}

type How = Parameters<Conversation['ask']>[1]

function ask(program: Program, line: string | undefined, {timeoutSeconds, signal}: How): Promise<string> {
  return new Promise((resolve, reject) => {
    if (program.ended !== undefined) return reject(gone(program))
    if (program.waiting) return reject(new TypeError('the previous request has not been answered yet'))
    const stop = (how: string, error?: unknown) => {
      program.ended ??= how
      takeWaiting(program)?.reject(error ?? gone(program))
      killGroup(program.child)
    }
    const timer = setTimeout(() => stop(`gave no answer within ${timeoutSeconds} s`), timeoutSeconds * 1000)
    const abort = () => stop('was interrupted', interrupted())
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    program.waiting = {
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
    if (line !== undefined) program.child.stdin.write(`${line}\n`)
  })
}
