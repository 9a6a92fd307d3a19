import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {ErrorEntry} from '../../datasets/schema/error-entry.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {heldOut} from '../workspace/held-out.ts'
import {licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** How candidates failed → no copies, no benchmark, no foreign licence → the `errors` configuration. */
export default async ({config, finished, datasetDirectory}: Workspace) => {
  const runs = [await finished('errors')]
  return Pipeline.from('release-errors', runs, fromRun(ErrorEntry))
    .via(dedup({config: 'errors'}))
    .via(decontaminate({config: 'errors', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'errors', allow: licencesFor(config, 'errors')}))
    .via(exportGate({config: 'errors'}))
    .via(stamp({config: 'errors', runs}))
    .via(split({config: 'errors', testFraction: config.export.testFraction}))
    .via(parquet({config: 'errors', directory: datasetDirectory, codec: config.export.codec}))
}
