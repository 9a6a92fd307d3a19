import type {Decision} from '../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {fileDecisions} from '../../pipelines/facts/decisions/file-decisions.ts'
import {describe} from '../../pipelines/facts/source-facts.ts'
import {sourceOf} from './told-parts.ts'

/** Decisions of a file with the given text, of the host unless the changes say otherwise. */
export async function decidedIn(
  role: OperatorSource['role'],
  text: string,
  changes: Partial<OperatorSource> = {},
): Promise<Decision[]> {
  const source = sourceOf(text, {side: 'host', role, target: {path: 'op_host/fold.cpp', text}, ...changes})
  const described = await describe(source)
  return fileDecisions(source, described)
}

/** `topic/situation` of each. */
export const situations = (decisions: readonly Decision[]): string[] =>
  decisions.map(({topic, situation}) => `${topic}/${situation}`)

/** The values of the one decision of a situation. */
export function valuesOf(decisions: readonly Decision[], situation: string): Decision['values'] | undefined {
  return decisions.find((one) => `${one.topic}/${one.situation}` === situation)?.values
}
