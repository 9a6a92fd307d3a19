import type {ChatFormat} from '../../datasets/tokens/chat-format.ts'
import type {PlannedJob} from '../make-plan.ts'
import type {JobPlan} from '../plan.ts'

/** Facts about the machine that will run a job, and about the job's folder. */
export interface JobFacts {
  /** What the trainer's environment reported; null if it could not be queried. */
  probe: {versions: Readonly<Record<string, string>>; keys: readonly string[] | null} | null
  /** Keys that the trainer will be given, under its own names. */
  keys: readonly string[]
  /** Accelerators of this machine; null if they are elsewhere or cannot be counted. */
  devices: number | null
  /** Free bytes for checkpoints; null if they go elsewhere. */
  freeBytes: number | null
  /** Why the output folder cannot be written; null if it can, or is elsewhere. */
  unwritable: string | null
  /** The scheduler's submit command or cluster, if it is missing. */
  missingCommand: string | null
  /** Checkpoints in the output folder. */
  checkpoints: readonly string[]
  /** The job as it was first started; null for a new one. */
  before: Pick<JobPlan, 'spec' | 'data' | 'arithmetic'> | null
}

export interface CheckedJob extends PlannedJob {
  facts: JobFacts
  /** The model's chat format, and how tokens are counted. */
  chat: CheckedChat
}

export interface CheckedChat {
  format: ChatFormat
  /** Whether tokens are counted with the model's tokenizer; otherwise they are estimates. */
  exact: boolean
  /** The model's chat template; null if its files are not available, undefined if it has none. */
  template: string | null | undefined
}
