import type {Backend} from '../../../trainers/backends/backend.ts'
import type {Engine, Rendering} from '../../../trainers/engines/engine.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import type {JobCost} from '../../../trainers/preflight/resources.ts'
import type {JobSpec} from '../../../trainers/spec.ts'

/** What a check before the launch has to say. */
interface Found {
  code: string
  severity: 'error' | 'warning' | 'note'
  message: string
  /** '' where nothing has to be done. */
  fix: string
}

/** A job that was planned and checked; nothing of it is written. */
export interface CheckedPlan {
  plan: JobPlan
  /** The job that made its model; null where none did. */
  parent: string | null
  findings: readonly Found[]
  cost: JobCost
  /** The findings as text of this width. */
  page(width: number): string
  /** Writes the rows that it trains on where its plan says. */
  writeRows(): Promise<void>
}

/** A job as it was when it was started, which is to go on from a checkpoint. */
export interface Resumed {
  id: string
  folder: string
  output: string
  checkpoint: string
  /** The model that it began from. */
  base: Pick<JobPlan['model'], 'path' | 'adapter'>
  before: Pick<JobPlan, 'spec' | 'data' | 'arithmetic'>
}

/** What the commands need of the rooms that plan, check, render and run jobs. */
export interface TrainRooms {
  /** @throws PipelineError `config-invalid` */
  readSpec(given: string, set: Readonly<Record<string, string>>): Promise<JobSpec>
  /** @throws PipelineError saying what is missing, or what does not divide */
  check(spec: JobSpec, resumed: Resumed | null): Promise<CheckedPlan>
  render(plan: JobPlan): Promise<Rendering>
  engine(name: string): Pick<Engine, 'progressOf' | 'lastCheckpoint'>
  backend(kind: string): Backend
}
