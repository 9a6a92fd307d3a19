import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {ApiEntry} from '../../datasets/schema/api-entry.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {heldOut} from '../workspace/held-out.ts'
import {licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/**
 * The index of interfaces → no copies, no benchmark, no foreign licence → the `apis` configuration. It is a reference,
 * so nothing of it is held out: all of it is in the train split.
 */
export default async ({config, existing, datasetDirectory}: Workspace) => {
  const runs = await existing(['api-index'])
  return Pipeline.from('release-apis', runs, fromRun(ApiEntry))
    .via(dedup({config: 'apis'}))
    .via(decontaminate({config: 'apis', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'apis', allow: licencesFor(config, 'apis')}))
    .via(exportGate({config: 'apis'}))
    .via(stamp({config: 'apis', runs}))
    .via(split({config: 'apis', testFraction: 0}))
    .via(parquet({config: 'apis', directory: datasetDirectory, codec: config.export.codec}))
}
