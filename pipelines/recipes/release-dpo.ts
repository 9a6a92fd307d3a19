import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {PreferencePair} from '../../datasets/schema/sample.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {heldOut} from '../workspace/held-out.ts'
import {chatFormat, licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** All pairs → no copies, no benchmark, no foreign licence, nothing unproven → the `dpo` configuration. */
export default async ({config, finished, datasetDirectory}: Workspace) => {
  const runs = [await finished('preference')]
  const format = await chatFormat(config)
  const {maxTokens} = config.export
  return Pipeline.from('release-dpo', runs, fromRun(PreferencePair))
    .via(dedup({config: 'dpo'}))
    .via(decontaminate({config: 'dpo', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'dpo', allow: licencesFor(config, 'dpo')}))
    .via(exportGate({config: 'dpo', maxTokens, format}))
    .via(stamp({config: 'dpo', runs}))
    .via(split({config: 'dpo', testFraction: config.export.testFraction}))
    .via(parquet({config: 'dpo', directory: datasetDirectory, tokens: format.vocabulary, codec: config.export.codec}))
}
