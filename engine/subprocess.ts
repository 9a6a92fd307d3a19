import {spawn} from 'node:child_process'
import {access, constants} from 'node:fs/promises'
import {delimiter, join} from 'node:path'
import {interrupted, isSystemError, PipelineError} from './errors.ts'
import {endsWithUs, killGroup} from './process-group.ts'

interface CommandOptions {
  cwd?: string
  stdin?: string | Uint8Array
  /**
   * The whole environment; default PATH and HOME of this process and nothing else, so that a build cannot depend on the
   * caller's shell.
   */
  env?: Readonly<Record<string, string>>
  timeoutSeconds?: number
  /** Per stream; the rest is read and discarded. Default 1 MiB. */
  maxOutputBytes?: number
  signal?: AbortSignal
}

export interface CommandResult {
  /** Exit status, or null when a signal ended the process. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  timedOut: boolean
  truncated: boolean
}

/**
 * Runs a program without a shell, in a process group of its own that is killed as a whole on time-out or abort.
 * Exit codes and signals are values.
 * @throws PipelineError `toolchain-missing` when the program does not exist, `interrupted` on abort
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const {cwd, stdin, env = defaultEnvironment(), timeoutSeconds, maxOutputBytes = 1 << 20, signal} = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(interrupted())
    const child = endsWithUs(spawn(command, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']}))
    const stdout = limited(maxOutputBytes)
    const stderr = limited(maxOutputBytes)
    let timedOut = false
    const stop = () => killGroup(child)
    const timer =
      timeoutSeconds === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            stop()
          }, timeoutSeconds * 1000)
    signal?.addEventListener('abort', stop, {once: true})
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    child.stdout.on('data', stdout.add)
    child.stderr.on('data', stderr.add)
    child.stdin.on('error', () => undefined) // A program may exit without reading its input.
    child.stdin.end(stdin)
    child.on('error', (error) => {
      settle()
      reject(startFailure(command, error))
    })
    child.on('close', (code, ended) => {
      settle()
      if (signal?.aborted) return reject(interrupted())
      resolve({
        code,
        signal: ended,
        stdout: stdout.text(),
        stderr: stderr.text(),
        timedOut,
        truncated: stdout.truncated() || stderr.truncated(),
      })
    })
  })
}

/** Whether a folder of PATH has the program: trying to start a missing program takes as long as starting one. */
export async function isInstalled(command: string): Promise<boolean> {
  const folders = command.includes('/') ? [''] : searchPath().split(delimiter)
  const found = folders.map((folder) => access(join(folder, command), constants.X_OK))
  return Promise.any(found).then(
    () => true,
    () => false,
  )
}

const searchPath = () => process.env['PATH'] ?? '/usr/bin:/bin'

/** Those that are set. */
export function givenVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

function defaultEnvironment(): Record<string, string> {
  return {PATH: searchPath(), HOME: process.env['HOME'] ?? '/', LC_ALL: 'C.UTF-8'}
}

function limited(maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  let cut = false
  return {
    add(chunk: Buffer) {
      const room = maxBytes - bytes
      if (chunk.length > room) cut = true
      if (room <= 0) return
      chunks.push(chunk.subarray(0, room))
      bytes += Math.min(chunk.length, room)
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
    truncated: () => cut,
  }
}

/** The error for a program that cannot be started. */
export function startFailure(command: string, error: Error): PipelineError {
  if (isSystemError(error, 'ENOENT')) {
    return new PipelineError('toolchain-missing', `${command} was not found.`, {
      fix:
        `Install ${command}, or put it on PATH. ` +
        '`ascend-cot doctor` lists what is installed and what each missing tool disables.',
      cause: error,
      evidence: {command},
      scope: 'record',
    })
  }
  return new PipelineError('executor-failed', `${command} could not be started: ${error.message}`, {
    fix: "Check its permissions and this account's limits.",
    cause: error,
    evidence: {command},
  })
}
