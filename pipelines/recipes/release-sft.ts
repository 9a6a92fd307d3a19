import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import familyCap from '../../datasets/dedup/family-cap.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import mix from '../../datasets/mix.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {api, heldOut} from '../workspace/held-out.ts'
import {chatFormat, licencesFor} from '../workspace/release.ts'
import type {Workspace} from '../workspace/workspace.ts'

/**
 * All chains of thought → no copies, no benchmark, no foreign licence, nothing unproven, some of each family →
 * the `sft` configuration.
 */
export default async ({config, existing, datasetDirectory}: Workspace) => {
  const runs = await existing([...sourceKinds.flatMap(({samples}) => samples), 'corrections', 'optimisation-samples'])
  const format = await chatFormat(config)
  const {maxTokens, testFraction, share, mix: ratios} = config.export
  return Pipeline.from('release-sft', runs, fromRun(CotSample))
    .via(dedup({config: 'sft', api}))
    .via(decontaminate({config: 'sft', ...(await heldOut(config, datasetDirectory))}))
    .via(licenceGate({config: 'sft', allow: licencesFor(config, 'sft')}))
    .via(exportGate({config: 'sft', maxTokens, format}))
    .via(familyCap({most: config.export.maxPerFamily, api}))
    .via(stamp({config: 'sft', runs}))
    .via(split({config: 'sft', testFraction}))
    .via(mix({share, ratios}))
    .via(parquet({config: 'sft', directory: datasetDirectory, tokens: format.vocabulary, codec: config.export.codec}))
}
