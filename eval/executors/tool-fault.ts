import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {asOutputError} from '../../engine/files.ts'
import type {ToolResult} from './sandbox.ts'

// Whether it was the candidate or a tool that failed. A candidate is blamed only for what the evidence ties to it: a
// message with a place in its own files, or a limit that every candidate has. What is left is the tool's, and never a
// verdict.

/** A candidate's own file: compilers name it relative to their working directory, and all else by absolute path. */
const ownPlace = /^(?:In file included from |\s+from )?(?:<inline asm>|[^\s/:"'][^\s:"']*):\d+[:,]/m
const assemblerPlace = /\.s:\d+: Error: /
/** Not a compiler's fault: limits on memory and file size are the same for all candidates. */
const ownLimit =
  /: out of memory|out of memory allocating|virtual memory exhausted|File size limit exceeded|File too large/i
const unplacedFatal = /^(?:[^\s:]+: )?fatal error: (?!too many errors)/
const placed = /^[^\s:][^:\n]*:\d+:(?:\d+:)? (?:fatal error|error|warning|note): /
const lostHeader = /fatal error: .*(?:file not found|No such file or directory)/

/**
 * Why this end of a compiler is not the candidate's; undefined when it is.
 * @param twinDirectory the twin's own files: a header missing there is missing for everyone
 */
export function compileFault(
  {code, killedBy, overtime, stderr}: ToolResult,
  twinDirectory: string,
): string | undefined {
  if (overtime || killedBy === 'SIGXFSZ' || ownLimit.test(stderr)) return undefined
  if (killedBy) return `the compiler was ended by ${killedBy}`
  if (code !== 1) return `the compiler ended with status ${code}: ${firstLine(stderr)}`
  const lines = stderr.split('\n')
  // Below a placed message stands the line of source that it is about, and that may say anything.
  const said = lines.filter((_, index) => !placed.test(lines[index - 1] ?? ''))
  const isLost = (line: string) => line.startsWith(twinDirectory) && lostHeader.test(line)
  const fault = said.find((line) => unplacedFatal.test(line) || isLost(line))
  if (fault !== undefined) return fault
  return ownPlace.test(stderr) || assemblerPlace.test(stderr) ? undefined : firstLine(stderr)
}

const ownLinkError =
  /undefined (?:symbol|reference)|duplicate symbol|multiple definition|relocation|hidden symbol|too large|overflow/

/** The same for a linker, which has no places but names. */
export function linkFault({code, killedBy, overtime, stderr}: ToolResult): string | undefined {
  if (overtime || killedBy === 'SIGXFSZ' || ownLimit.test(stderr)) return undefined
  if (killedBy) return `the linker was ended by ${killedBy}`
  if (code === 1 && ownLinkError.test(stderr)) return undefined
  return `the linker ended with status ${code}: ${firstLine(stderr)}`
}

function firstLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /error|cannot|can't|unable|failed|bwrap/i.test(line)) ?? lines[0] ?? 'it said nothing'
}

const noSpace = /No space left on device|Disk quota exceeded/

/** The failure of whatever said that the disk is full; undefined when it said something else. */
export function outOfSpace(text: string): PipelineError | undefined {
  if (!noSpace.test(text)) return undefined
  return new PipelineError('disk-full', `The disk is full: ${text.trim().slice(0, 500)}`, {
    fix: 'Free some space, or choose another folder with --out, then run `ascend-cot resume`; nothing is done twice.',
    scope: 'run',
  })
}

/**
 * What becomes of a record that a tool failed: it is tried again on resume, and nothing is said of the candidate.
 * @param spaceLeft known to be so, whatever the tool said
 */
export function toolFailure(fault: string, {spaceLeft = false} = {}): PipelineError {
  const full = spaceLeft ? undefined : outOfSpace(fault)
  return (
    full ??
    new PipelineError('executor-failed', `The twin could not judge: ${fault.slice(0, 1000)}`, {
      fix: 'Run `ascend-cot doctor`, then `ascend-cot resume`; records that failed are tried again.',
      evidence: {fault: fault.slice(0, 4000)},
    })
  )
}

/** System errors of the work folder in the words of a user; other errors as they are. */
export function asToolFailure(error: unknown, workDirectory: string): unknown {
  const passing = ['ENOENT', 'EIO', 'EMFILE'].some((code) => isSystemError(error, code))
  if (passing) return toolFailure(String(error))
  return asOutputError(error, workDirectory)
}
