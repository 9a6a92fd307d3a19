import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {CotSample, Teacher} from '../../datasets/schema/sample.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import type {Context} from '../../engine/stage.ts'

/** Judges a model's correction as candidates are judged. */
export interface Check {
  /** By what: a part of the key of every outcome. */
  identity: string
  judge(candidate: Candidate, context: Context): Promise<Verdict>
}

/** A correction by any author. */
export interface Fix {
  reasoning: string
  answer: string
  /** The files that change, as they are right. */
  files: CotSample['files']
  teacher: Teacher
  verdict: Verdict
  /** Attempts that a model needed; 0 where the correct code was there before. */
  rounds: number
}
