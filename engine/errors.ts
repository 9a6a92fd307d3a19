/**
 * Every way in which the outside world can stop a record or a run. The list is closed so that callers can switch on it.
 */
export type ErrorCode =
  /** A flag, a variable or a key of the configuration or of a training specification is not valid. */
  | 'config-invalid'
  /** A file or folder that a command was given does not exist, or a run that it reads has not been made yet. */
  | 'input-missing'
  /** A file can be read, but its content is not what was expected. */
  | 'input-invalid'
  /** A file cannot be read. */
  | 'input-unreadable'
  /** A record of a run is not what its schema says: the file was changed, or another version wrote it. */
  | 'record-invalid'
  /** A file cannot be written. */
  | 'output-unwritable'
  /** The disk is full. */
  | 'disk-full'
  /** Another process is using the same run. */
  | 'run-locked'
  /** The output folder has no such run. */
  | 'run-missing'
  /** The output folder has no such training job. */
  | 'job-missing'
  /** There is no recipe of this name, and no file of this path. */
  | 'recipe-missing'
  /** No compiler, interpreter or trainer that can do the work is installed. */
  | 'toolchain-missing'
  /** Neither bubblewrap nor user namespaces work here, so no candidate is run. */
  | 'sandbox-missing'
  /** A tool failed while it judged (compiler crash, full disk, lost process): no verdict on the candidate. */
  | 'executor-failed'
  /** The endpoint does not answer. */
  | 'endpoint-unreachable'
  /** The endpoint rejected a request permanently; the message quotes its reason. */
  | 'endpoint-rejected'
  /** The endpoint asked to wait, or failed, more often than a request may be retried. */
  | 'endpoint-overloaded'
  /** A reply began, then stalled past the time limit. */
  | 'endpoint-stalled'
  /** The endpoint sent something other than a reply. */
  | 'reply-invalid'
  /** The environment variable that should hold a key or token is empty, or the key was refused. */
  | 'key-missing'
  /** The recipe needs a model, and no profile for it is configured. */
  | 'teacher-missing'
  /** The forecast exceeds the budget, or the budget is spent. */
  | 'budget-exceeded'
  /** Ctrl-C or SIGTERM; finished work is kept. */
  | 'interrupted'

/**
 * `record`: only this record fails; it is recorded and retried on resume. `run`: the run stops, because every other
 * record would fail too.
 */
export type ErrorScope = 'record' | 'run'

/** What most often goes wrong with one record while the others are well. */
const ofOneRecord: ReadonlySet<ErrorCode> = new Set([
  'executor-failed',
  'endpoint-overloaded',
  'endpoint-stalled',
  'reply-invalid',
])

interface ErrorDetails {
  /** What the user should do, in the imperative. */
  fix: string
  /** Default: `record` for an executor that failed and an endpoint that is slow or errs, `run` for all else. */
  scope?: ErrorScope
  /** The error that was met, for whoever debugs. */
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
  /** For programs: the message may be worded otherwise tomorrow. */
  readonly code: ErrorCode
  /** What the user should do, in the imperative. */
  readonly fix: string
  /** Whether the record fails or the whole run stops. */
  readonly scope: ErrorScope
  /** The facts that the message was made from; {} when there are none. */
  readonly evidence: Record<string, unknown>

  /** @param message what happened, and what was seen against what was expected; one or two sentences */
  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : {cause: details.cause})
    this.code = code
    this.fix = details.fix
    this.scope = details.scope ?? (ofOneRecord.has(code) ? 'record' : 'run')
    this.evidence = details.evidence ?? {}
  }
}

/** The failure of work that stops because its run was stopped. */
export function interrupted(): PipelineError {
  return new PipelineError('interrupted', 'The run was interrupted.', {
    fix: 'Run `ascend-cot resume` to continue a run that had begun, or the same command again; finished work is kept.',
  })
}

/** Ctrl-C reaches every process of a terminal, including esbuild, which `tsx` uses to load users' files. */
const lostLoader = /^The service (was stopped|is no longer running)/

/** What an aborted system call, a `throwIfAborted` or a lost loader throws only says that the signal fired. */
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
