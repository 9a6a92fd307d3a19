import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {variableOf} from '../variable.ts'

/** The element type that a tensor is declared with, as written: `float`, `T`; undefined if unknown. */
export function elementTypeOf(tensor: string, methods: KernelFacts['methods']): string | undefined {
  const name = variableOf(tensor)
  if (name === '') return undefined
  const declared = new RegExp(`\\bLocalTensor<(\\w+)>\\s*&?\\s*${name}\\b`)
  const types = methods.flatMap(({syntax: {body, parameters}}) => {
    const given = parameters.find((one) => one.name === name)?.type ?? ''
    return (declared.exec(body) ?? /\bLocalTensor<(\w+)>/.exec(given))?.[1] ?? []
  })
  return new Set(types).size === 1 ? types[0] : undefined
}
