import {pino} from 'pino'
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

const files = new Map<string, pino.DestinationStream>()

/** A log that appends to an event file and passes on to `terminal`. One open file serves all stages of a run. */
export function eventLog(terminal: Log, file: string, bindings: LogFields, now: () => number): Log {
  let destination = files.get(file)
  if (!destination) {
    destination = pino.destination({dest: file, append: true, sync: true, mkdir: true})
    files.set(file, destination)
  }
  const events = pino({level: 'debug', base: bindings, timestamp: () => `,"time":"${new Date(now()).toISOString()}"`}, destination)
  const at = (level: keyof Log) => (message: string, fields: LogFields = {}) => {
    events[level](fields, message)
    terminal[level](message, fields)
  }
  return {debug: at('debug'), info: at('info'), warn: at('warn')}
}
