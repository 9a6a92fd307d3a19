import familyCap from '../../datasets/dedup/family-cap.ts'
import mix from '../../datasets/mix.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {api} from '../workspace/held-out.ts'
import {release} from '../workspace/release.ts'

/** All chains of thought, some of each family → `sft`. */
export default release('sft', {
  reads: [...sourceKinds.flatMap(({samples}) => samples), 'corrections', 'optimisation-samples'],
  api,
  chosen: ({maxPerFamily}) => familyCap({most: maxPerFamily, api}),
  mixed: ({share, mix: ratios}) => mix({share, ratios}),
})
