import {languageOf} from '../../datasets/voice.ts'
import type {Random} from '../../engine/random.ts'
import {operatorReasoning} from '../code/offline/operator-reasoning.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import type {Attempt} from '../preference/explain.ts'

/** Raise it by hand whenever a word of `reasonOf`, or of the facts that it states, changes. */
export const reasonVersion = `11 ${catalogueDigest()}`

/**
 * Reasoning towards a candidate's code, in the language of its request; undefined when not everything stated is true of
 * it.
 */
export function reasonOf(
  {task: {name, origin, description}, files, facts, place}: Attempt,
  random: Random,
): string | undefined {
  return operatorReasoning({operator: name, origin, files}, facts, {language: languageOf(description), random, place})
}
