import {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import score from '../../../eval/score.ts'
import {fromRun} from '../../../engine/from-run.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import type {Workspace} from '../../workspace/workspace.ts'

interface Scoring {
  /** Name of the run. */
  name: string
  /** Name of the run that judged. */
  judged: string
  /** The k of pass@k. */
  ks: readonly number[]
}

/** Verdicts of a finished run → pass@k, and failures by class. */
export default async ({finished}: Workspace, {name, judged, ks}: Scoring) =>
  Pipeline.from(name, [await finished(judged)], fromRun(JudgedCandidate)).via(score({ks}))
