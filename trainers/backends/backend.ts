import type {JobState} from '../../datasets/schema/job.ts'
import type {RenderedFile, Rendering} from '../engines/engine.ts'
import type {JobPlan} from '../plan.ts'

/** Where and how an attempt at a job runs. */
export interface Attempt {
  plan: JobPlan
  rendering: Rendering
  /**
   * How the trainer resumes from a checkpoint that is not known yet, because a scheduler may restart the attempt;
   * `lastStep` is a placeholder for the checkpoint's number. null if that is not possible.
   */
  restart: Rendering | null
  /** From 1. */
  number: number
  /** Absolute; of this attempt alone: script or manifest, and what the job writes to its terminal. */
  folder: string
}

/** Placeholder for the number of the newest checkpoint, filled in by the job's script. */
export const lastStep = '@LAST-STEP@'

/** File in the attempt's folder that has what the job writes to its terminal. */
export const logName = 'log.txt'

export interface JobStatus {
  state: JobState
  /** In plain words: exit code, a scheduler's reason; '' if there is nothing to report. */
  detail: string
}

export interface LogLine {
  text: string
  /** Offset of the byte after it in the log. */
  end: number
}

/** A backend that runs jobs. It is stateless: jobs are identified by the handle that `submit` returned. */
export interface Backend {
  name: 'local' | 'slurm' | 'kubernetes'
  /**
   * Script or manifest, below the attempt's folder. Pure.
   * @throws PipelineError `config-invalid` when the job cannot run on this backend
   */
  render(attempt: Attempt): readonly RenderedFile[]
  /**
   * Starts what `render` rendered, which is in the attempt's folder.
   * @returns the backend's handle for the job, valid after this process ends
   * @throws PipelineError `toolchain-missing` when its command is missing, `executor-failed` when it refuses
   */
  submit(attempt: Attempt): Promise<string>
  /** @throws PipelineError `executor-failed` when the state cannot be determined */
  state(handle: string, folder: string): Promise<JobStatus>
  /** Whole lines from the byte `from` on, as many as fit in memory; empty when there are no new ones yet. */
  log(handle: string, folder: string, from: number): Promise<readonly LogLine[]>
  /** Returns when the job has ended, or its scheduler has accepted the cancellation. */
  cancel(handle: string, folder: string): Promise<void>
}
