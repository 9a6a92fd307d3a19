import {randomBytes} from 'node:crypto'
import {existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {chmod, open, readdir, rename, rm} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {z} from 'zod'
import {byCodeUnit} from './code-unit-order.ts'
import {isSystemError, PipelineError} from './errors.ts'
import {readLines} from './lines.ts'

/**
 * A name in the same folder (so that a rename stays inside one file system) that no listing takes for a finished file.
 */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
}

/**
 * Makes a folder and those around it. Node's own `recursive` never ends on a file system that answers ENOENT to every
 * new folder, as /proc does.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (isSystemError(error, 'EEXIST') && statSync(path).isDirectory()) return
    if (!isSystemError(error, 'ENOENT')) throw asOutputError(error, path)
    if (existsSync(dirname(path))) throw unwritable(error, path, `${dirname(path)} does not accept new folders`)
    makeFolder(dirname(path))
    makeFolder(path)
  }
}

/**
 * Writes a whole file or nothing: temporary name, fsync, rename. Parent folders are made.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = temporaryBeside(path)
  try {
    makeFolder(dirname(path))
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, {force: true}).catch(() => undefined)
    throw asOutputError(error, path)
  }
}

/** The same, synchronously, for a process that is about to end. */
export function writeWholeSync(path: string, content: string): void {
  const temporary = temporaryBeside(path)
  try {
    writeFileSync(temporary, content, {flag: 'wx'})
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, {force: true})
    throw asOutputError(error, path)
  }
}

/** Sets the file's time to now, so that the least recently used files of a folder can be found. */
export function markUsed(path: string): void {
  const now = new Date()
  utimesSync(path, now, now)
}

/**
 * Removes a folder in which programs have worked. One that was killed may go on writing for a moment, and a candidate
 * may have removed its owner's permissions.
 */
export async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, {recursive: true, force: true, maxRetries: 10, retryDelay: 20})
  try {
    await remove()
  } catch (error) {
    if (!isSystemError(error, 'EACCES')) throw error
    await openFolders(path)
    await remove()
  }
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readdir(path, {withFileTypes: true}))
    if (entry.isDirectory()) await openFolders(join(path, entry.name))
}

/** Turns the error of a full or read-only disk into a PipelineError; any other error is passed through. */
export function asDiskError(error: unknown, otherwise: string): unknown {
  if (!['ENOSPC', 'EDQUOT', 'EROFS'].some((code) => isSystemError(error, code))) return error
  const {path} = error as NodeJS.ErrnoException
  return asOutputError(error, path ?? otherwise)
}

/** Turns a system error of a write into a PipelineError that says what to do; any other error is passed through. */
export function asOutputError(error: unknown, path: string): unknown {
  if (isSystemError(error, 'ENOSPC') || isSystemError(error, 'EDQUOT')) {
    return new PipelineError('disk-full', `The disk is full: ${path} could not be written.`, {
      fix:
        'Free some space, or choose another folder with --out (for the cache: --set cache=…), then run ' +
        '`ascend-cot resume`. Finished work is kept.',
      cause: error,
      evidence: {path},
    })
  }
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOTDIR', 'EISDIR', 'EEXIST']) {
    if (isSystemError(error, code)) return unwritable(error, path, code)
  }
  // On a read-only file system, a recursive mkdir fails with the name of the folder that it could not create.
  const unmade = isSystemError(error, 'ENOENT') && (error as NodeJS.ErrnoException).syscall === 'mkdir'
  return unmade ? unwritable(error, path, 'EROFS') : error
}

/** Changing permissions cannot turn a file into a folder, or a folder into a file. */
const wrongKind = ['ENOTDIR', 'EISDIR', 'EEXIST']

function unwritable(cause: unknown, path: string, code: string): PipelineError {
  const choose = 'Choose a writable folder with --out (for the cache: --set cache=…), or'
  const otherwise = wrongKind.includes(code) ? 'move the file or folder in its place' : 'change its permissions'
  return new PipelineError('output-unwritable', `${path} cannot be written (${code}).`, {
    fix: `${choose} ${otherwise}.`,
    cause,
    evidence: {path, code},
  })
}

const writingCalls = ['mkdir', 'write', 'rename', 'unlink', 'rmdir', 'rm', 'copyfile', 'symlink', 'link', 'ftruncate']

const openFaults: Readonly<Record<string, string>> = {
  ENOTDIR: 'is a file, or is below one; expected a folder',
  EISDIR: 'is a folder; expected a file',
}

/**
 * A system error that no caller caught: not a bug of ours if the disk or a permission caused it. Others pass through.
 */
export function asFileError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PipelineError || !('syscall' in error)) return error
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'A file'
  const onDisk = asDiskError(error, path)
  if (onDisk instanceof PipelineError) return onDisk
  if (writingCalls.includes(String(error.syscall))) return asOutputError(error, path)
  const code = ['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR'].find((one) => isSystemError(error, one))
  if (code === undefined) return error
  return new PipelineError('input-invalid', `${path} ${openFaults[code] ?? `cannot be opened (${code})`}.`, {
    fix: `${code in openFaults ? 'Give' : 'Change its permissions, or give'} another file or folder.`,
    cause: error,
    evidence: {path, code},
  })
}

/**
 * Paths of all files below `root`, relative with `/`, sorted by code unit. Links are not followed; `.git` and
 * `node_modules` are skipped.
 */
export async function* walk(root: string, below = ''): AsyncIterable<string> {
  const entries = await readdir(join(root, below), {withFileTypes: true})
  entries.sort((a, b) => byCodeUnit(a.name, b.name))
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (entry.name !== '.git' && entry.name !== 'node_modules') yield* walk(root, path)
    } else if (entry.isFile()) {
      yield path
    }
  }
}

/**
 * Reads JSON lines through a schema, one at a time. A torn last line (no newline, not JSON) is dropped: a killed
 * process leaves one.
 * @throws PipelineError `record-invalid` with file and line number
 */
export async function* readJsonLines<T>(path: string, schema: z.ZodType<T>): AsyncIterable<T> {
  let number = 0
  let torn: PipelineError | undefined
  for await (const line of readLines(path)) {
    if (torn) throw torn
    number += 1
    if (line.trim() === '') continue
    const result = parseLine(line, schema)
    if (result.ok) yield result.value
    else if (result.torn) torn = invalidLine(path, number, result.problem)
    else throw invalidLine(path, number, result.problem)
  }
}

function parseLine<T>(
  line: string,
  schema: z.ZodType<T>,
): {ok: true; value: T} | {ok: false; torn: boolean; problem: string} {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return {ok: false, torn: true, problem: String(error)}
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return {ok: true, value: parsed.data}
  return {
    ok: false,
    torn: false,
    problem: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  }
}

function invalidLine(path: string, line: number, problem: string): PipelineError {
  return new PipelineError('record-invalid', `${path} line ${line} is not a valid record: ${problem}`, {
    fix: 'Fix or remove that line.',
    evidence: {path, line, problem},
    scope: 'record',
  })
}
