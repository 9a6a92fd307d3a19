import {CheckedOperatorSource} from '../../datasets/schema/operator.ts'
import {DescribedSource} from '../../datasets/schema/code-facts.ts'
import {isTooDeep} from '../../cpp/parse.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {describe, isEmpty} from './describe.ts'

/**
 * A checked file, read once as what it is for: what static analysis finds goes with it as a record.
 * Drops: `nothing-to-tell` (no function, tensor or registration could be read), `nested-too-deeply`.
 */
export default function sourceFacts(): Stage<CheckedOperatorSource, DescribedSource> {
  return {
    name: 'source-facts',
    version: 1,
    input: CheckedOperatorSource,
    output: DescribedSource,
    run: each(async (source, context) => {
      const place = `${source.role} ${source.target.path}`
      try {
        const described = await describe(source)
        return isEmpty(described) ? context.drop(source, 'nothing-to-tell', place) : [{...source, described}]
      } catch (error) {
        if (isTooDeep(error)) return context.drop(source, 'nested-too-deeply', place)
        throw error
      }
    }),
  }
}
