import type {Random} from '../../engine/random.ts'
import {operatorReasoning} from '../code/offline/operator-reasoning.ts'
import type {Attempt} from '../preference/explain.ts'

/** Rises when `reasonOf`, or the facts that it tells, say something else. */
export const reasonVersion = 3

/** What the code of a candidate says, as reasoning towards it; undefined where not all that is told holds of it. */
export function reasonOf({task: {name, origin}, files, facts}: Attempt, random: Random): string | undefined {
  return operatorReasoning({operator: name, origin, files}, facts, random)
}
