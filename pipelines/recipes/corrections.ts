import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import correct from '../correction/correct.ts'
import references from '../correction/references.ts'
import {checkBy} from '../workspace/check-by.ts'
import {apisOf} from '../workspace/runs.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Labelled candidates → those that failed beside what is right → question, error analysis, corrected code. */
export default async ({config, finished, executor}: Workspace) =>
  Pipeline.from('corrections', [await finished('candidates')], fromRun(LabelledCandidate))
    .via(references())
    .via(
      correct({
        apis: await apisOf(config.out),
        check: checkBy(await executor()),
      }),
    )
