import {withoutComments} from '../../cpp/code-pieces.ts'
import {chipMacros, conditionValue} from '../../cpp/conditions.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {resolveConditions} from '../../cpp/resolve-conditions.ts'

/**
 * A source as the compiler for Atlas A2 sees it: without what the preprocessor keeps for other chips, comments kept.
 * What is told of a file would else mix two programs of which only one is ever built.
 */
export function onChip(source: OperatorSource): OperatorSource {
  const resolved = (text: string) => resolveConditions(text, chipMacros[source.side])
  return {
    ...source,
    target: {...source.target, text: resolved(source.target.text)},
    dependencies: source.dependencies.map(({path, text}) => ({path, text: resolved(text)})),
  }
}

/** Conditions of the preprocessor under which the target holds code for other chips, each once. */
export function otherChipConditions({target, side}: OperatorSource): string[] {
  const directives = [...withoutComments(target.text).matchAll(/^[ \t]*#[ \t]*(if|elif|ifdef)\b[ \t]*([^\n\\]+)$/gm)]
  const conditions = directives
    .filter(([, word, rest = '']) => {
      const condition = word === 'ifdef' ? `defined(${rest})` : rest
      return asksForChip.test(rest) && conditionValue(condition, chipMacros[side]) === false
    })
    .map(([, , rest = '']) => rest.trim())
  return [...new Set(conditions)]
}

const asksForChip = /__(?:CCE_AICORE|NPU_ARCH|DAV)_/
