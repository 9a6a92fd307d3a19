import type {Method, Progress} from '../../datasets/schema/job.ts'
import type {JobPlan} from '../plan.ts'

/** A part of a command line that is only known on the machine that runs it. */
export type Word = string | {rendezvous: 'node-rank' | 'master-address' | 'master-port'}

/** A text file for a trainer; `path` is below the job's `rendered` folder. */
export interface RenderedFile {
  path: string
  text: string
}

/** One program of a job; they run in order, and one that fails ends the job. */
export interface Step {
  name: string
  argv: readonly Word[]
  environment: Readonly<Record<string, Word>>
  /** Run once on every node, with the rendezvous filled in; otherwise only on the first node. */
  everyNode: boolean
  /** Working directory, absolute. */
  directory: string
}

export interface Rendering {
  files: readonly RenderedFile[]
  steps: readonly Step[]
}

/** Files from other modules that a job needs. */
export interface Companions {
  /** The Python client of the judge's service, `ascend_cot_judge`; a job of the method GRPO needs it. */
  judgeClient?: readonly RenderedFile[]
}

/**
 * A trainer that people already use. Everything except running its programs is pure: the same plan gives the same
 * bytes.
 */
export interface Engine {
  name: JobPlan['spec']['engine']
  methods: readonly Method[]
  /** Packages whose versions decide how it is rendered, with the tested versions. */
  packages: readonly string[]
  /**
   * Files below `<plan.folder>/rendered` and the programs that read them.
   * @throws PipelineError `config-invalid` when this trainer cannot do what the plan requires
   */
  render(plan: JobPlan, companions?: Companions): Rendering
  /**
   * Program that prints, as the last line of its output, `{"versions": {…}, "keys": […] | null}`: the installed
   * versions, and the keys that this trainer's parser accepts.
   */
  probe(python: string, plan: Pick<JobPlan, 'spec'>): readonly string[]
  /** What a line of the trainer's output reports; null for any other line. */
  progressOf(line: string): Progress | null
  /** The checkpoint in its output folder that the trainer would resume from; null without one. */
  lastCheckpoint(entries: readonly CheckpointEntry[]): string | null
}

/** A file or folder below a job's output folder, by its path there. */
export interface CheckpointEntry {
  path: string
  /** Of small text files that name a checkpoint; undefined for all others. */
  text?: string
}
