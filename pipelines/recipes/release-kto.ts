import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {UnpairedReply} from '../../datasets/schema/unpaired.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {heldOut} from '../workspace/held-out.ts'
import {chatFormat, licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** All single replies → no copies, no benchmark, no foreign licence, nothing unproven → the `kto` configuration. */
export default async ({config, finished, datasetDirectory}: Workspace) => {
  const runs = [await finished('unpaired')]
  const format = await chatFormat(config)
  return Pipeline.from('release-kto', runs, fromRun(UnpairedReply))
    .via(dedup({config: 'kto'}))
    .via(decontaminate({config: 'kto', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'kto', allow: licencesFor(config, 'kto')}))
    .via(exportGate({config: 'kto', maxTokens: config.export.maxTokens, format}))
    .via(stamp({config: 'kto', runs}))
    .via(split({config: 'kto', testFraction: config.export.testFraction}))
    .via(parquet({config: 'kto', directory: datasetDirectory, tokens: format.vocabulary, codec: config.export.codec}))
}
