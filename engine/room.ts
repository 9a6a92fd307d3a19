import {closeSync, openSync, rmSync, statfsSync} from 'node:fs'
import {join} from 'node:path'
import {PipelineError} from './errors.ts'
import {asOutputError, makeFolder, temporaryBeside} from './files.ts'

/**
 * Creates the folder and checks that it is writable.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export function assertWritable(folder: string): void {
  makeFolder(folder)
  const probe = temporaryBeside(join(folder, 'probe'))
  try {
    closeSync(openSync(probe, 'wx'))
    rmSync(probe)
  } catch (error) {
    throw asOutputError(error, folder)
  }
}

/**
 * Reports a full disk before starting work that would not fit.
 * @param purpose what needs the space, as the subject of a sentence
 * @param setting how the user chooses another folder
 * @throws PipelineError `disk-full`
 */
export function assertRoom(
  folder: string,
  bytes: number,
  {purpose, setting}: {purpose: string; setting: string},
): void {
  const {blocks, bavail, bsize, files, ffree} = statfsSync(folder)
  const free = bavail * bsize
  // Some network file systems do not report it.
  const lacksBytes = blocks > 0 && free < bytes
  const lacksFiles = files > 0 && ffree === 0
  if (!lacksBytes && !lacksFiles) return
  const left = lacksBytes ? `${mebi(free)} free` : 'no room for another file'
  const what = `The disk is full: ${folder} has ${left}, and ${purpose} needs ${mebi(bytes)}.`
  throw new PipelineError('disk-full', what, {
    fix: `Free some space, or choose a folder on another disk with ${setting}; then run the command again.`,
    evidence: {path: folder, free, needed: bytes},
  })
}

const mebi = (bytes: number) => `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)} MiB`
