import {chipMacros} from '../../cpp/conditions.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {resolveConditions} from '../../cpp/resolve-conditions.ts'

/**
 * A source as the compiler for Atlas A2 sees it: without what the preprocessor keeps for other chips, comments kept.
 * Otherwise a description of the file would mix two programs of which only one is ever built.
 */
export function onChip(source: OperatorSource): OperatorSource {
  const resolved = (text: string) => resolveConditions(text, chipMacros[source.side])
  return {
    ...source,
    target: {...source.target, text: resolved(source.target.text)},
    dependencies: source.dependencies.map(({path, text}) => ({path, text: resolved(text)})),
  }
}
