import signatureExport from '../../datasets/dedup/signature-export.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {api} from '../workspace/held-out.ts'
import {recipe} from '../workspace/workspace.ts'
import releaseSft from './release-sft.ts'

/** All chains of thought → their signatures, in which Spark or another engine finds the copies. */
export default recipe({reads: releaseSft.reads ?? []}, ({runs}) =>
  Pipeline.from('signatures', runs, fromRun(CotSample)).via(signatureExport({config: 'sft', api})),
)
