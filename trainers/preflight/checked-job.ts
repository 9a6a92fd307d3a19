import type {ChatFormat} from '../../datasets/tokens/chat-format.ts'
import type {PlannedJob} from '../make-plan.ts'
import type {JobPlan} from '../plan.ts'

/** What was found on the machine that is to run a job, and in the job's folder. */
export interface JobFacts {
  /** What the trainer's environment answered; null where nobody could ask it. */
  probe: {versions: Readonly<Record<string, string>>; keys: readonly string[] | null} | null
  /** Keys that the trainer will be given, under its own names. */
  keys: readonly string[]
  /** Accelerators of this machine; null where they are elsewhere or cannot be counted. */
  devices: number | null
  /** Free where checkpoints go; null where that is elsewhere. */
  freeBytes: number | null
  /** Why the output folder cannot be written; null where it can, or is elsewhere. */
  unwritable: string | null
  /** The command that hands jobs to the scheduler, or the cluster that it asks, where it is not there. */
  missingCommand: string | null
  /** Checkpoints in the output folder. */
  checkpoints: readonly string[]
  /** What the job was when it was started first; null for a new one. */
  before: Pick<JobPlan, 'spec' | 'data' | 'arithmetic'> | null
}

export interface CheckedJob extends PlannedJob {
  facts: JobFacts
  /** How the model is talked to, and how tokens are counted. */
  chat: CheckedChat
}

export interface CheckedChat {
  format: ChatFormat
  /** Whether tokens are those of the model; else they are estimates. */
  exact: boolean
  /** The model's chat template; null where its files are not at hand, undefined where it has none. */
  template: string | null | undefined
}
