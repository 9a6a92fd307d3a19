import type {Evaluation} from '../../../eval/candidates/attempt.ts'

/**
 * Where the candidates of an evaluation come from: the benchmark's own answers, a model that is asked, or a file of
 * replies.
 */
export type Sampling =
  | {kind: 'answers'}
  | {kind: 'model'; profile: string; samples: number; evaluation: Evaluation}
  | {kind: 'file'; path: string; evaluation: Evaluation}

/** Names of an evaluation's stages, by which its outcomes are read from the run. */
export const stageNames = {
  tasks: 'operator-tasks',
  sampled: {answers: 'answers', model: 'samples', file: 'replies'},
  judged: 'judge',
} as const
