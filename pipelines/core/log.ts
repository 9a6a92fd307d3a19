import type {Json} from './json.ts'

export type LogFields = Record<string, Json | undefined>

/** One stream of events: JSON lines in the run directory, and what a person should see on the terminal. */
export interface Log {
  /** For the event file only. */
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** Something the user should know and may mend; the run goes on. */
  warn(message: string, fields?: LogFields): void
}

/** For tests and for code that runs outside a run. */
export const silentLog: Log = {debug() {}, info() {}, warn() {}}
