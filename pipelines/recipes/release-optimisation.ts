import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {Optimisation} from '../../datasets/schema/optimisation.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import optimisationPairs from '../preference/optimisation-pairs.ts'
import {heldOut} from '../workspace/held-out.ts'
import {chatFormat, licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Pairs of a faster and a slower operator → no copies, no benchmark, no foreign licence → `optimisation`. */
export default async ({config, finished, datasetDirectory}: Workspace) => {
  const runs = [await finished('optimisation')]
  const format = await chatFormat(config)
  return Pipeline.from('release-optimisation', runs, fromRun(Optimisation))
    .via(optimisationPairs())
    .via(dedup({config: 'optimisation'}))
    .via(decontaminate({config: 'optimisation', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'optimisation', allow: licencesFor(config, 'optimisation')}))
    .via(exportGate({config: 'optimisation', maxTokens: config.export.maxTokens, format}))
    .via(stamp({config: 'optimisation', runs}))
    .via(split({config: 'optimisation', testFraction: config.export.testFraction}))
    .via(
      parquet({
        config: 'optimisation',
        directory: datasetDirectory,
        tokens: format.vocabulary,
        codec: config.export.codec,
      }),
    )
}
