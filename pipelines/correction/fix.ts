import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {CotSample, Teacher} from '../../datasets/schema/sample.ts'
import type {Context} from '../../engine/stage.ts'

/** Judges a model's correction as candidates are judged. */
export interface Check {
  /** By what: a part of the key of every outcome. */
  identity: string
  judge(candidate: Candidate, context: Context): Promise<Judged>
}

/** What was observed of code, by one executor or by two. */
export type Judged = Pick<JudgedCandidate, 'verdict' | 'confirmation'>

/** A correction by any author. */
export interface Fix extends Judged {
  reasoning: string
  answer: string
  /** The files that change, as they are right. */
  files: CotSample['files']
  teacher: Teacher
  /** Attempts that a model needed; 0 where the correct code was there before. */
  rounds: number
}
