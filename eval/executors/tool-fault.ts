import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {asOutputError} from '../../engine/files.ts'
import type {ToolResult} from './sandbox.ts'

// Decides whether the candidate or a tool failed. A candidate is only blamed with evidence: a
// message with a place in its own files, or a limit that every candidate has. Anything else is the tool's fault, and
// never a
// verdict.

/** A candidate's own file: compilers name it relative to their working directory, and all else by absolute path. */
const ownPlace = /^(?:In file included from |\s+from )?(?:<inline asm>|[^\s/:"'][^\s:"']*):\d+[:,]/m
const assemblerPlace = /\.s:\d+: Error: /
const pastMemory = /: out of memory|out of memory allocating|virtual memory exhausted/i
const pastFileSize = /File size limit exceeded|File too large/i
/** g++ ends with its own status when a limit ends its subprocess. */
const pastTime = /: CPU time limit exceeded signal terminated program/
const unplacedFatal = /^(?:[^\s:]+: )?fatal error: (?!too many errors)/
const placed = /^[^\s:][^:\n]*:\d+:(?:\d+:)? (?:fatal error|error|warning|note): /
const caret = /^\s*(?:\|\s*)?[~^][~^ \t]*$/
const lostHeader = /fatal error: .*(?:file not found|No such file or directory)/
/** On a full disk, g++ reports the place that it had read up to. */
const unwritten =
  /: fatal error: (?:error (?:writing|closing)|cannot write) .*: (?:No space left|Disk quota|Input\/output)/

const crashSignals = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP']
const crashReport = /PLEASE submit a bug report|internal compiler error|(?:frontend|linker) command failed (?:with|due)/
/** The last line of a clang run that finished; messages worded by the candidate come before it. */
const summary = /^(?:\d+ warnings? and )?\d+ errors? generated\.$/

/** Whether a compiler or linker crashed, which clang's driver reports with status 1 and a stack dump. */
function crashed({code, killedBy, stderr, truncated}: ToolResult): boolean {
  if (killedBy !== undefined) return crashSignals.includes(killedBy)
  if (code !== 1) return code !== null && (code === 70 || crashReport.test(stderr))
  return !truncated && crashReport.test(stderr) && !summary.test(stderr.trimEnd().split('\n').at(-1) ?? '')
}

/**
 * Why this end of a compiler is not the candidate's; undefined when it is.
 * @param twinDirectory the twin's own files: a header missing there is missing for everyone
 */
export function compileFault(end: ToolResult, twinDirectory: string): string | undefined {
  const {stderr} = end
  if (metLimit(end)) return undefined
  const unusual = unusualEnd('compiler', end)
  if (unusual !== undefined) return unusual
  const isLost = (line: string) => line.startsWith(twinDirectory) && lostHeader.test(line)
  const fault = withoutQuotes(stderr.split('\n')).find((line) => unplacedFatal.test(line) || isLost(line))
  if (fault !== undefined) return fault
  const full = stderr.split('\n').find((line) => unwritten.test(line))
  if (full !== undefined) return full
  return ownPlace.test(stderr) || assemblerPlace.test(stderr) ? undefined : firstLine(stderr)
}

/** Which common limit was exceeded; then the compiler or linker is not at fault. */
export function metLimit({overtime, killedBy, stderr}: ToolResult): 'time' | 'memory' | 'file size' | undefined {
  if (overtime || pastTime.test(stderr)) return 'time'
  if (killedBy === 'SIGXFSZ' || pastFileSize.test(stderr)) return 'file size'
  return pastMemory.test(stderr) ? 'memory' : undefined
}

/** Exit states that no error in the code can cause. */
function unusualEnd(tool: 'compiler' | 'linker', end: ToolResult): string | undefined {
  const {code, killedBy, stderr} = end
  const how = killedBy ?? `status ${code}`
  if (crashed(end)) return `the ${tool} ${crashWord}, ${how}: ${firstLine(stderr)}`
  if (killedBy) return `the ${tool} was ended by ${killedBy}`
  if (code === 126 || code === 127) return `the ${tool} could not be started, status ${code}: ${firstLine(stderr)}`
  return code === 1 ? undefined : `the ${tool} ended with status ${code}: ${firstLine(stderr)}`
}

/**
 * The compiler's own lines. From a message with a place to the last caret below it is the candidate's text: its line,
 * and its wording if the message has one, of any number of lines.
 */
function withoutQuotes(lines: readonly string[]): string[] {
  const said: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    said.push(line)
    at += 1
    if (!placed.test(line)) continue
    const next = lines.findIndex((one, index) => index >= at && (placed.test(one) || summary.test(one)))
    const quote = lines.slice(at, next < 0 ? lines.length : next).findLastIndex((one) => caret.test(one))
    at += Math.max(quote + 1, 1)
  }
  return said
}

const ownLinkError =
  /undefined (?:symbol|reference)|duplicate symbol|multiple definition|relocation|hidden symbol|too large|overflow/

/** The same for a linker, which gives names instead of places. */
export function linkFault(end: ToolResult): string | undefined {
  const {code, stderr} = end
  if (metLimit(end)) return undefined
  const unusual = unusualEnd('linker', end)
  if (unusual !== undefined) return unusual
  return ownLinkError.test(stderr) && !noSpace.test(stderr)
    ? undefined
    : `the linker ended with status ${code}: ${firstLine(stderr)}`
}

function firstLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /error|cannot|can't|unable|failed|bwrap/i.test(line)) ?? lines[0] ?? 'it said nothing'
}

const noSpace = /No space left on device|Disk quota exceeded/

/** The error for a message about a full disk; undefined for other messages. */
export function outOfSpace(text: string): PipelineError | undefined {
  if (!noSpace.test(text)) return undefined
  return new PipelineError('disk-full', `The disk is full: ${text.trim().slice(0, 500)}`, {
    fix: 'Free some space, or choose another folder with --out, then run `ascend-cot resume`; finished work is kept.',
  })
}

/**
 * The error for a record on which a tool failed: retried on resume, without a verdict on the candidate. @param
 * spaceLeft whether space is known to be left, whatever the tool said
 */
export function toolFailure(fault: string, {spaceLeft = false} = {}): PipelineError {
  const full = spaceLeft ? undefined : outOfSpace(fault)
  return (
    full ??
    new PipelineError('executor-failed', `The twin could not judge: ${fault.slice(0, 1000)}`, {
      fix: 'Run `ascend-cot doctor`, then `ascend-cot resume`; failed records are retried.',
      evidence: {fault: fault.slice(0, 4000)},
    })
  )
}

const crashWord = 'crashed'

/** The tool that crashed in such a failure; undefined for any other. */
export function crashedTool(error: unknown): string | undefined {
  const fault = error instanceof PipelineError ? String(error.evidence['fault'] ?? '') : ''
  return new RegExp(`^the (compiler|linker) ${crashWord}, `).exec(fault)?.[1]
}

/** Transient errors: another process's change to a file, or a temporary shortage on the machine. */
const touched = ['ENOENT', 'ENOTEMPTY', 'EBUSY', 'ETXTBSY', 'ESTALE']
const short = ['EIO', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']

/** System errors of the work folder, worded for the user; other errors unchanged. */
export function asToolFailure(error: unknown, workDirectory: string): unknown {
  return [...touched, ...short].some((code) => isSystemError(error, code))
    ? toolFailure(String(error))
    : asOutputError(error, workDirectory)
}

/** What a candidate can do to an output file: delete it, or replace it with a link, a folder or an unreadable file. */
const tampering = ['ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM']

/** No outputs if the candidate prevented them. @throws any other read error, which is the machine's fault */
export function asAbsent(error: unknown): undefined {
  if (tampering.some((code) => isSystemError(error, code))) return undefined
  throw error
}
