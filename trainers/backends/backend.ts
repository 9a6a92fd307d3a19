import type {JobState} from '../../datasets/schema/job.ts'
import type {RenderedFile, Rendering} from '../engines/engine.ts'
import type {JobPlan} from '../plan.ts'

/** Where and how an attempt at a job runs. */
export interface Attempt {
  plan: JobPlan
  rendering: Rendering
  /**
   * How the trainer goes on from a checkpoint that is not known yet, where a scheduler may start the attempt again by
   * itself; `lastStep` stands in it for the checkpoint's number. null where that cannot be.
   */
  restart: Rendering | null
  /** From 1. */
  number: number
  /** Absolute; of this attempt alone: script or manifest, and what the job writes to its terminal. */
  folder: string
}

/** What stands for the number of the newest checkpoint, until the job's script knows it. */
export const lastStep = '@LAST-STEP@'

/** File in the attempt's folder that has what the job writes to its terminal. */
export const logName = 'log.txt'

export interface JobStatus {
  state: JobState
  /** In plain words: exit code, a scheduler's reason; '' where there is nothing to say. */
  detail: string
}

export interface LogLine {
  text: string
  /** The byte behind it in the log. */
  end: number
}

/** A place that runs jobs; it owns no state: what it is asked about is named by the handle that `submit` gave. */
export interface Backend {
  name: 'local' | 'slurm' | 'kubernetes'
  /**
   * Script or manifest, below the attempt's folder. Pure.
   * @throws PipelineError `config-invalid` where the job cannot run in this place
   */
  render(attempt: Attempt): readonly RenderedFile[]
  /**
   * Starts what `render` rendered, which is in the attempt's folder.
   * @returns what this backend calls the job from now on; it survives this process
   * @throws PipelineError `toolchain-missing` when its command is not there, `executor-failed` when it refuses
   */
  submit(attempt: Attempt): Promise<string>
  /** @throws PipelineError `executor-failed` when nobody can say */
  state(handle: string, folder: string): Promise<JobStatus>
  /** Whole lines from the byte `from` on, as many as fit into memory easily; none when there are no more yet. */
  log(handle: string, folder: string, from: number): Promise<readonly LogLine[]>
  /** Returns when the job has ended, or its scheduler has promised so. */
  cancel(handle: string, folder: string): Promise<void>
}
