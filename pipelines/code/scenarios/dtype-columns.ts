import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {Contract} from '../../../datasets/schema/contract.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {parameterOf} from './contract-names.ts'

export type Dtypes = Readonly<Record<string, Dtype>>

/**
 * The dtype of each input and output in up to `most` combinations that a definition supports, those with another dtype
 * of the first input first. If a list cannot be read, the operator's pages say what it holds, or there are some more,
 * because only a build can tell. Combinations that only differ in format are merged, and complex numbers are skipped:
 * no values are drawn for them.
 */
export function dtypeColumns({inputs, outputs}: OperatorDefinition, most: number, contract?: Contract): Dtypes[] {
  const parameters = [...inputs, ...outputs]
  const told = (name: string) => (contract && parameterOf(contract, name)?.dtypes) ?? []
  const count = Math.max(1, ...parameters.map(({dtypes}) => dtypes.length))
  // A definition may compute a list, which no scan can read; these are what such lists hold.
  const unread = parameters.some(({dtypes}) => dtypes.length === 0)
  const columns = Array.from({length: count}, (_, column) => {
    const first = inputs[0]?.dtypes[column] ?? inputs[0]?.dtypes[0] ?? 'float32'
    const instead: readonly Dtype[] = unread ? [first, 'bool', 'float32', 'uint8'] : [first]
    return instead.map(
      (other): Dtypes =>
        Object.fromEntries(
          parameters.map(({name, dtypes}) => [
            name,
            dtypes[column] ?? dtypes[0] ?? nearest(told(name), first) ?? other,
          ]),
        ),
    )
  }).flat()
  const distinct = [...new Map(columns.map((one) => [JSON.stringify(one), one])).values()].filter(
    (one) => !Object.values(one).includes('complex64'),
  )
  if (unread) return distinct.slice(0, most + 4)
  const leading = inputs[0]?.name ?? ''
  const isFirst = (one: Dtypes) => distinct.find((other) => other[leading] === one[leading]) === one
  return [...distinct.filter(isFirst), ...distinct.filter((one) => !isFirst(one))].slice(0, most)
}

/** Of the types that a page allows: the one itself, or one for the same kind of number. */
function nearest(allowed: readonly Dtype[], one: Dtype): Dtype | undefined {
  return allowed.includes(one) ? one : allowed.find((other) => isInteger(other) === isInteger(one))
}
