import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import errorEntries from '../correction/error-entries.ts'
import {api} from '../workspace/held-out.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Labelled candidates → how each that failed did. */
export default async ({finished}: Workspace) =>
  Pipeline.from('errors', [await finished('candidates')], fromRun(LabelledCandidate)).via(
    errorEntries({names: api, classify: classifyCandidate}),
  )
