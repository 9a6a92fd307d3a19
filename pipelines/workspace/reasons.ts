import {languageOf} from '../../datasets/voice.ts'
import type {Random} from '../../engine/random.ts'
import {operatorReasoning} from '../code/offline/operator-reasoning.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import type {Attempt} from '../preference/explain.ts'

/** Changes when `reasonOf`, or the facts that it tells, say something else: by hand, and with every word. */
export const reasonVersion = `7 ${catalogueDigest()}`

/**
 * What the code of a candidate says, as reasoning towards it in the language of its request; undefined where not all
 * that is told holds of it.
 */
export function reasonOf(
  {task: {name, origin, description}, files, facts}: Attempt,
  random: Random,
): string | undefined {
  return operatorReasoning({operator: name, origin, files}, facts, {language: languageOf(description), random})
}
