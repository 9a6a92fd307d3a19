import {chipMacros, type Macros} from '../../../cpp/conditions.ts'
import {elementTypes} from '../../../cpp/types.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'

/** The layout of every tensor of a scenario: `FORMAT_ND` with the graph engine's number. */
const formatNd = 2

type Dtypes = Readonly<Record<string, Dtype>>

/** The operator build's macros for a scenario's kernel on Atlas A2, as far as conditions test them. */
export function scenarioMacros(dtypes: Dtypes): Macros {
  return new Map<string, number | null>([
    ...chipMacros.kernel,
    ...Object.values(elementTypes).map(({constant, number}) => [constant, number] as const),
    ['FORMAT_ND', formatNd],
    ...Object.entries(dtypes).flatMap(([name, dtype]) => {
      const {number} = elementTypes[dtype]
      const upper = name.toUpperCase()
      return [
        [`ORIG_DTYPE_${upper}`, number],
        // Its value is not a number; a condition can only test whether it is defined.
        [`DTYPE_${upper}`, 1],
        [`FORMAT_${upper}`, formatNd],
      ] as const
    }),
  ])
}

/** `DTYPE_X` and `ORIG_DTYPE_X` replaced by the scenario's types; names that the text defines itself stay. */
export function withDtypes(text: string, dtypes: Dtypes): string {
  return Object.entries(dtypes).reduce((changed, [name, dtype]) => {
    const upper = name.toUpperCase()
    const {type, constant} = elementTypes[dtype]
    if (new RegExp(String.raw`#\s*define\s+DTYPE_${upper}\b|\b(?:typename|class|using)\s+DTYPE_${upper}\b`).test(text))
      return changed
    return changed
      .replace(new RegExp(String.raw`\bORIG_DTYPE_${upper}\b`, 'g'), constant)
      .replace(new RegExp(String.raw`\bDTYPE_${upper}\b`, 'g'), type)
  }, text)
}
