import type {Backend} from '../../../trainers/backends/backend.ts'
import type {Engine, Rendering} from '../../../trainers/engines/engine.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import type {JobCost} from '../../../trainers/preflight/resources.ts'
import type {JobSpec} from '../../../trainers/spec.ts'

/** A finding of the check before launch. */
interface Found {
  code: string
  severity: 'error' | 'warning' | 'note'
  message: string
  /** '' if no action is needed. */
  fix: string
}

/** A job that was planned and checked, but not written yet. */
export interface CheckedPlan {
  plan: JobPlan
  /** The job that made its model; null if none did. */
  parent: string | null
  findings: readonly Found[]
  cost: JobCost
  /** The findings as text of this width. */
  page(width: number): string
  /** Writes its training rows to the place that its plan names. */
  writeRows(): Promise<void>
}

/** A job as it was when it was started, to be resumed from a checkpoint. */
export interface Resumed {
  id: string
  folder: string
  output: string
  checkpoint: string
  /** The model that it started from. */
  base: Pick<JobPlan['model'], 'path' | 'adapter'>
  before: Pick<JobPlan, 'spec' | 'data' | 'arithmetic'>
}

/** What the commands need from the modules that plan, check, render and run jobs. */
export interface TrainRooms {
  /** @throws PipelineError `config-invalid` */
  readSpec(given: string, set: Readonly<Record<string, string>>): Promise<JobSpec>
  /** @throws PipelineError saying what is missing, or what does not divide */
  check(spec: JobSpec, resumed: Resumed | null): Promise<CheckedPlan>
  render(plan: JobPlan): Promise<Rendering>
  engine(name: string): Pick<Engine, 'progressOf' | 'lastCheckpoint'>
  backend(kind: string): Backend
}
