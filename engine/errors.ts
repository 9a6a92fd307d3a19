/**
 * Every way in which the outside world can stop a record or a run. The list is closed so that callers can switch on it.
 */
export type ErrorCode =
  | 'config-invalid'
  | 'input-missing'
  | 'input-invalid'
  | 'input-unreadable'
  | 'record-invalid'
  | 'output-unwritable'
  | 'disk-full'
  | 'run-locked'
  | 'run-missing'
  | 'job-missing'
  | 'recipe-missing'
  | 'toolchain-missing'
  | 'sandbox-missing'
  | 'executor-failed'
  | 'endpoint-unreachable'
  | 'endpoint-rejected'
  | 'endpoint-overloaded'
  | 'endpoint-stalled'
  | 'reply-invalid'
  | 'key-missing'
  | 'teacher-missing'
  | 'budget-exceeded'
  | 'interrupted'

/**
 * `record`: only this record fails; it is recorded and retried on resume. `run`: going on is pointless, the run stops.
 */
export type ErrorScope = 'record' | 'run'

interface ErrorDetails {
  /** What the user should do, in the imperative. */
  fix: string
  scope?: ErrorScope
  cause?: unknown
  /** The facts that the message was made from, for machines. JSON values only. */
  evidence?: Record<string, unknown>
}

/**
 * A failure of the outside world: a missing file, a dead endpoint, a full disk.
 * The message says what happened and what was seen against what was expected; `fix` says what to do about it.
 * Unfit data is `context.drop`, never this; a fault of our own is `assert`.
 */
export class PipelineError extends Error {
  override readonly name = 'PipelineError'
  readonly code: ErrorCode
  readonly fix: string
  readonly scope: ErrorScope
  readonly evidence: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : {cause: details.cause})
    this.code = code
    this.fix = details.fix
    this.scope = details.scope ?? 'record'
    this.evidence = details.evidence ?? {}
  }
}

/** The failure of work that stops because its run was stopped. */
export function interrupted(): PipelineError {
  return new PipelineError('interrupted', 'The run was interrupted.', {
    fix: 'Run `ascend-cot resume` to continue a run that had begun, or the same command again; finished work is kept.',
    scope: 'run',
  })
}

/** Ctrl-C reaches every process of a terminal, and so esbuild, which `tsx` asks to read files of users. */
const lostLoader = /^The service (was stopped|is no longer running)/

/** What an aborted system call, a `throwIfAborted` or a lost loader throws says no more than that the signal fired. */
export function asInterrupted(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof PipelineError) return error
  if (error === signal.reason) return interrupted()
  const [name, message] = error instanceof Error ? [error.name, error.message] : ['', '']
  return name === 'AbortError' || lostLoader.test(message) ? interrupted() : error
}

/** Whether `error` is a Node system error with this code, such as `ENOENT`. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
