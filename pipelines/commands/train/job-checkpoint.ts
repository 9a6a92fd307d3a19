import {join} from 'node:path'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {engineByName} from '../../../trainers/engines/by-name.ts'
import {leftNothing} from '../../../trainers/find-model.ts'
import {findJob, jobsFolder, lastCheckpoint} from '../../../trainers/job-folder.ts'
import type {JobSpec} from '../../../trainers/spec.ts'
import {storedSpec} from './look-at-jobs.ts'

const prefix = 'job:'

export const namesJob = (given: string) => given.startsWith(prefix)

interface JobCheckpoint {
  record: JobRecord
  spec: JobSpec
  /** Absolute. */
  checkpoint: string
}

/**
 * The last checkpoint of a training job.
 * @param given `job:` and its id, the first characters of it, or the name of the newest one
 * @throws PipelineError `job-missing`, or `input-missing` when it has no checkpoint yet
 */
export async function jobCheckpoint(given: string, out: string): Promise<JobCheckpoint> {
  const record = await findJob(out, given.slice(prefix.length))
  const folder = join(jobsFolder(out), record.id)
  const spec = storedSpec(folder)
  const checkpoint = await lastCheckpoint(record.output, engineByName(record.engine))
  if (checkpoint !== null) return {record, spec, checkpoint}
  throw leftNothing({id: record.id, folder})
}
