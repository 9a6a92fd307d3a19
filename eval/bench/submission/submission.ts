import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {Behaviour} from '../../behaviours.ts'

/** One call of a submission's model. */
export interface ModelCall {
  /** What the oracle drew: `{init, inputs}` as JSON (submission/call-files.ts). */
  call: string
  seed: number
  /** Content of unwritten memory. */
  poison: 'nan' | 'zero'
  /** Order of blocks. */
  order: 'forward' | 'reverse'
  /** Whether the inputs are put where those of the call before were; otherwise they are elsewhere. */
  again?: boolean
}

/**
 * `outputs` is a folder with what came out (submission/call-files.ts); kept until the next run or the end. `unseen`:
 * nothing is known of the kernels, and there are no traces.
 */
export type ModelRun =
  | {outcome: 'ran'; outputs: string; traces: RunTrace[]; unseen?: true}
  | {
      outcome: 'failed'
      kind: 'model-error' | 'launch-failed' | 'violated' | 'crashed' | 'timed-out' | 'cheated'
      why: string
      /** Of one that is refused for what it does instead of its work. */
      behaviour?: Behaviour
    }

export type Failure = Extract<ModelRun, {outcome: 'failed'}>

/** A reply that compiled. All calls of one run use one process, in order. */
export interface Submission {
  run(calls: readonly ModelCall[], signal?: AbortSignal): Promise<ModelRun[]>
  dispose(): Promise<void>
}

export type Opened =
  | {
      ok: true
      submission: Submission
      /** The same on the executor that has the last word; absent where that runs no models. */
      again?: (signal?: AbortSignal) => Promise<Opened>
    }
  | {
      ok: false
      kind: 'unreadable' | 'compile-failed' | 'link-failed' | 'refused-source'
      why: string
      log: string
      behaviour?: Behaviour
    }

export type OpenSubmission = (
  task: {name: string; stem: string},
  reply: string,
  signal?: AbortSignal,
) => Promise<Opened>
