import type {Described} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {apiDecisions} from './api-decisions.ts'
import {definitionDecisions} from './definition-decisions.ts'
import {hostDecisions} from './host-decisions.ts'
import {inferenceDecisions} from './inference-decisions.ts'
import {kernelDecisions} from './kernel-decisions.ts'
import {libraryDecisions} from './library-decisions.ts'

type Facts<Role extends Described['role']> = Extract<Described, {role: Role}>['facts']

type Tiling = RunTrace['tiling']

/** By role: what a file's facts say of its decisions. */
const deciding: {
  [Role in Described['role']]: (source: OperatorSource, facts: Facts<Role>, tiling?: Tiling) => Decision[]
} = {
  kernel: kernelDecisions,
  tiling: hostDecisions,
  'infer-shape': inferenceDecisions,
  definition: definitionDecisions,
  api: apiDecisions,
  library: libraryDecisions,
}

/**
 * Decisions of a file by its facts, in the order of description.
 * @param tiling of a call that the request gives
 */
export function fileDecisions(source: OperatorSource, {role, facts}: Described, tiling?: Tiling): Decision[] {
  const decide = deciding[role] as (source: OperatorSource, facts: unknown, tiling?: Tiling) => Decision[]
  return decide(source, facts, tiling)
}
