import {appendFileSync, closeSync, fstatSync, ftruncateSync, openSync} from 'node:fs'
import {pino} from 'pino'
import {asOutputError} from './files.ts'
import type {Json} from './json.ts'

type LogFields = Record<string, Json | undefined>

/** One stream of events: JSON lines in the run directory, and what a person should see on the terminal. */
export interface Log {
  /** For the event file only. */
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** Something the user should know and may want to fix; the run continues. */
  warn(message: string, fields?: LogFields): void
}

/** For tests and for code that runs outside a run. */
export const silentLog: Log = {debug() {}, info() {}, warn() {}}

export interface EventFile {
  write(line: string): void
  close(): void
}

/**
 * Opens a file to append events to.
 * @param onFailure called once, with the reason why nothing more can be written: a caller that logs, such as a timer,
 *   may be unable to handle it
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export function openEventFile(file: string, onFailure: (error: unknown) => void): EventFile {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'a')
  } catch (error) {
    throw asOutputError(error, file)
  }
  function close(): void {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  return {
    write(line) {
      if (descriptor === undefined) return
      const {size} = fstatSync(descriptor)
      try {
        appendFileSync(descriptor, line)
      } catch (error) {
        // Half a line would spoil the next one.
        if (fstatSync(descriptor).size > size) ftruncateSync(descriptor, size)
        close()
        onFailure(asOutputError(error, file))
      }
    },
    close,
  }
}

/** A log that appends to an event file and passes on to `terminal`. */
export function eventLog(terminal: Log, file: EventFile, bindings: LogFields, now: () => number): Log {
  const timestamp = () => `,"time":"${new Date(now()).toISOString()}"`
  const events = pino({level: 'debug', base: bindings, timestamp}, file)
  const at =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}) => {
      events[level](fields, message)
      terminal[level](message, fields)
    }
  return {debug: at('debug'), info: at('info'), warn: at('warn')}
}
