import {closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync} from 'node:fs'
import {dirname} from 'node:path'
import type {z} from 'zod'
import {PipelineError} from './errors.ts'
import {asOutputError, makeFolder} from './files.ts'

export interface Journal<T> {
  /** What earlier processes wrote. */
  readonly entries: readonly T[]
  /**
   * The entry is on the disk when it returns.
   * @throws PipelineError `disk-full` or `output-unwritable`
   */
  append(entry: T): void
  close(): void
}

/**
 * A file of JSON lines that is only added to. A torn last line, which a killed process leaves, is cut off, so that the
 * next one begins on a line of its own.
 * @throws PipelineError `record-invalid` with file and line number
 */
export function openJournal<T>(path: string, schema: z.ZodType<T>): Journal<T> {
  const {entries, bytes} = readJournal(path, schema)
  let descriptor: number
  try {
    makeFolder(dirname(path))
    if (existsSync(path)) truncateSync(path, bytes)
    descriptor = openSync(path, 'a')
  } catch (error) {
    throw asOutputError(error, path)
  }
  return {
    entries,
    append(entry) {
      try {
        writeSync(descriptor, `${JSON.stringify(entry)}\n`)
        fsyncSync(descriptor)
      } catch (error) {
        throw asOutputError(error, path)
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** The complete lines of a journal, which another process may be writing, and how many bytes they have. */
export function readJournal<T>(path: string, schema: z.ZodType<T>): {entries: T[]; bytes: number} {
  if (!existsSync(path)) return {entries: [], bytes: 0}
  const text = readFileSync(path)
  const bytes = text.lastIndexOf('\n') + 1
  const lines = text.toString('utf8', 0, bytes).split('\n').slice(0, -1)
  return {entries: lines.map((line, index) => entryOf(line, schema, {path, line: index + 1})), bytes}
}

function entryOf<T>(line: string, schema: z.ZodType<T>, place: {path: string; line: number}): T {
  let problem: string
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    if (parsed.success) return parsed.data
    problem = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  } catch (error) {
    problem = String(error)
  }
  throw new PipelineError('record-invalid', `${place.path} line ${place.line} is not a valid entry: ${problem}`, {
    fix: 'Remove that line, or start again in another folder.',
    evidence: {...place, problem},
  })
}
