import {truthOf} from '../../../cpp/evaluator.ts'
import {inScope, type Scope} from '../../../cpp/expressions.ts'
import {elementTypes} from '../../../cpp/types.ts'

const concrete = new Map<string, string>([
  ...Object.values(elementTypes).map(({type}) => [type, type] as const),
  ['float16_t', 'half'],
  ['float32_t', 'float'],
  ['int', 'int32_t'],
  ['char', 'char'],
])

/** What is known of names and comparisons in addition to the constants of a scope. */
export interface Answer {
  name?: (name: string) => boolean | undefined
  equal?: (left: string, right: string) => boolean | undefined
}

/**
 * Whether a condition of C++ holds, as far as `true`, `false`, comparisons of concrete types and of constant numbers
 * tell, and `answer`; undefined when they do not.
 */
export function staticTruth(condition: string, scope: Scope, answer: Answer = {}): boolean | undefined {
  const {name, call} = inScope(scope)
  return truthOf(condition, {
    ...answer,
    name(path) {
      const told = /^(?:true|false)$/.test(path) ? path === 'true' : answer.name?.(path)
      // Constants are known by their own name, whatever space or enumeration they are in.
      return told === undefined ? name(path.replace(/^(?:\w+::)+/, '')) : Number(told)
    },
    call: (path, types, args) =>
      /(?:^|::)(?:is_same(?:_v|::value)?|IsSameType(?:::value)?)$/.test(path) ? same(types) : call?.(path, types, args),
  })
}

function same(types: readonly string[]): number | undefined {
  const [first, second] = types.map((type) => concrete.get(type))
  return first === undefined || second === undefined || types.length > 2 ? undefined : Number(first === second)
}
