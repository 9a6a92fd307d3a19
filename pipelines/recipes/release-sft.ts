import familyCap from '../../datasets/dedup/family-cap.ts'
import teachingGate from '../../datasets/gates/teaching-gate.ts'
import mix from '../../datasets/mix.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {api} from '../workspace/held-out.ts'
import {release} from '../workspace/release.ts'

/** All chains of thought, capped per family and per repeated phrase → `sft`. */
export default release('sft', {
  reads: [...sourceKinds.flatMap(({samples}) => samples), 'corrections', 'optimisation-samples'],
  api,
  chosen: ({maxPerFamily, maxRepeated}) => [familyCap({most: maxPerFamily, api}), teachingGate({repeats: maxRepeated})],
  mixed: ({share, mix: ratios}) => mix({share, ratios}),
})
