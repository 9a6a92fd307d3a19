import {stat} from 'node:fs/promises'
import {isSystemError, PipelineError} from '../engine/errors.ts'

/**
 * Nothing when there is a folder at `root`; what it should contain, and the fix, are given to the error.
 * @throws PipelineError `input-missing` when there is none
 */
export async function assertFolder(root: string, {holds, fix}: {holds: string; fix: string}): Promise<void> {
  try {
    if ((await stat(root)).isDirectory()) return
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') && !isSystemError(error, 'ENOTDIR')) throw error
  }
  throw new PipelineError('input-missing', `There is no ${holds} at ${root}.`, {fix, evidence: {root}})
}
