import type {Decision} from '../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {definitionDecisions} from '../../pipelines/facts/decisions/definition-decisions.ts'
import {hostDecisions} from '../../pipelines/facts/decisions/host-decisions.ts'
import {inferenceDecisions} from '../../pipelines/facts/decisions/inference-decisions.ts'
import {describe} from '../../pipelines/facts/source-facts.ts'
import {sourceOf} from './told-parts.ts'

/** Decisions of a file of the host with the given text. */
export async function decidedIn(
  role: OperatorSource['role'],
  text: string,
  changes: Partial<OperatorSource> = {},
): Promise<Decision[]> {
  const source = sourceOf(text, {side: 'host', role, target: {path: 'op_host/fold.cpp', text}, ...changes})
  const described = await describe(source)
  if (described.role === 'tiling') return hostDecisions(source, described.facts)
  if (described.role === 'infer-shape') return inferenceDecisions(source, described.facts)
  return described.role === 'definition' ? definitionDecisions(source, described.facts) : []
}

/** `topic/situation` of each. */
export const situations = (decisions: readonly Decision[]): string[] =>
  decisions.map(({topic, situation}) => `${topic}/${situation}`)

/** The values of the one decision of a situation. */
export function valuesOf(decisions: readonly Decision[], situation: string): Decision['values'] | undefined {
  return decisions.find((one) => `${one.topic}/${one.situation}` === situation)?.values
}
