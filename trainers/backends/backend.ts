import type {JobState} from '../../datasets/schema/job.ts'
import type {RenderedFile, Rendering} from '../engines/engine.ts'
import type {JobPlan} from '../plan.ts'

/** Where and how an attempt at a job runs. */
export interface Attempt {
  plan: JobPlan
  rendering: Rendering
  /** From 1. */
  number: number
  /** Absolute; of this attempt alone: script or manifest, and what the job writes to its terminal. */
  folder: string
}

/** A place that runs jobs; it owns no state: what it is asked about is named by the handle that `submit` gave. */
export interface Backend {
  name: 'local' | 'slurm' | 'kubernetes'
  /** Script or manifest, below the attempt's folder. Pure. */
  render(attempt: Attempt): readonly RenderedFile[]
  /**
   * @returns what this backend calls the job from now on; it survives this process
   * @throws PipelineError `toolchain-missing` when its command is not there, `executor-failed` when it refuses
   */
  submit(attempt: Attempt): Promise<string>
  state(handle: string, attempt: Attempt): Promise<{state: JobState; detail: string}>
  /** Whole lines from the byte `from` on, and where to go on next time. */
  log(handle: string, attempt: Attempt, from: number): Promise<{lines: readonly string[]; next: number}>
  cancel(handle: string, attempt: Attempt): Promise<void>
}
