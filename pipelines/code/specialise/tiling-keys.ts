import {evaluate} from '../../../cpp/expressions.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'
import {scopeOf} from '../../../cpp/scope.ts'

const asked = /\bTILING_KEY_IS\s*\(\s*([^()]+?)\s*\)/g

/**
 * `TILING_KEY_IS(k)` as `false` where another key was taken, and as `true` where 0 was. Of a kernel without the macro
 * the device's compiler builds the binary of key 0 alone, so any other key that was taken stays. The text is unchanged
 * when a key is not a number, when two of them are indistinguishable in a double, or when none is the one that was
 * taken.
 * @param isAlone no host sets a key: that of a kernel without keys, and of one that loses its host
 */
export async function withTilingKey(text: string, key: number, isAlone = key === 0): Promise<string> {
  const keys = [...new Set([...text.matchAll(asked)].map(([, expression]) => expression as string))]
  if (keys.length === 0) return text
  const {declarations, classes} = await syntaxOf(text)
  const scope = scopeOf(declarations, classes, {})
  const values = new Map(keys.map((expression) => [expression, keyValue(expression, (it) => evaluate(it, scope))]))
  const numbers = [...values.values()]
  const taken = [...values].filter(([, value]) => value !== undefined && Number(value) === key)
  if (numbers.includes(undefined) || new Set(taken.map(([, value]) => value)).size !== 1) return text
  const names = new Set(taken.map(([expression]) => expression))
  return text.replace(asked, (whole: string, expression: string) => {
    if (!names.has(expression)) return 'false'
    return isAlone ? 'true' : whole
  })
}

/** Keys go up to 64 bits. */
function keyValue(expression: string, valueOf: (expression: string) => number | undefined): bigint | undefined {
  const literal = /^(0x[\da-f]+|\d+)[ul]*$/i.exec(expression)?.[1]
  if (literal !== undefined) return BigInt(literal)
  const value = valueOf(expression)
  return value === undefined || !Number.isInteger(value) ? undefined : BigInt(value)
}
