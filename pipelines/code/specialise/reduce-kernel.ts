import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {foldBranches} from './fold-branches.ts'
import {asPlainClasses} from './one-instance.ts'
import {reachableFrom} from './reachable.ts'
import {resolveConditions} from '../../../cpp/resolve-conditions.ts'
import {withTemplateValues} from './template-entry.ts'
import {tidy} from './tidy.ts'
import {withTilingKey} from './tiling-keys.ts'
import {chipMacros, type Macros} from '../../../cpp/conditions.ts'
import {elementTypes} from '../../../cpp/types.ts'

/** What a reduction leaves alone, the most thorough one first: the first that an executor accepts is taken. */
export const reductions = [
  {keeps: []},
  {keeps: ['templates']},
  {keeps: ['templates', 'unreached declarations']},
  {keeps: ['templates', 'unreached declarations', 'branches of C++']},
] as const
type Kept = (typeof reductions)[number]['keeps'][number]

interface Taken {
  dtypes: Readonly<Record<string, Dtype>>
  tilingKey: number
  entry: string
}

type Reducer = (taken: Taken, keeps: readonly Kept[]) => Promise<string>

/** Reductions of one kernel; scenarios that differ in their tiling values alone share theirs. */
export function kernelReducer(inlined: string): Reducer {
  const made = new Map<string, Promise<string>>()
  return (taken, keeps) => {
    const key = JSON.stringify([taken, keeps])
    const text = made.get(key) ?? reduceKernel(inlined, taken, keeps)
    made.set(key, text)
    return text
  }
}

/** A kernel in one file, reduced to the types and the tiling key of one scenario. */
async function reduceKernel(inlined: string, taken: Taken, keeps: readonly Kept[]): Promise<string> {
  const typed = withDtypes(resolveConditions(inlined, scenarioMacros(taken.dtypes)), taken.dtypes)
  if (keeps.includes('branches of C++')) return tidy(typed)
  const keyed = await withTilingKey(typed, taken.tilingKey)
  const folded = await foldBranches(withTemplateValues(keyed, taken.entry, taken.tilingKey))
  if (keeps.includes('unreached declarations')) return tidy(folded)
  const reached = await reachableFrom(folded, taken.entry)
  if (keeps.includes('templates')) return tidy(reached)
  return tidy(await withoutTemplates(reached, taken.entry))
}

/** A class without parameters settles conditions, and a branch that is gone may have been the other use of a class. */
async function withoutTemplates(text: string, entry: string): Promise<string> {
  let current = text
  for (let round = 0; round < 4; round += 1) {
    const next = await reachableFrom(await foldBranches(await asPlainClasses(current)), entry)
    if (next === current) break
    current = next
  }
  return current
}

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
