import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {scenarioMacros, withDtypes} from './scenario-macros.ts'
import {foldBranches} from './fold-branches.ts'
import {asPlainClasses} from './one-instance.ts'
import {reachableFrom} from './reachable.ts'
import {resolveConditions} from '../../../cpp/resolve-conditions.ts'
import {withTemplateValues} from './template-entry.ts'
import {tidy} from './tidy.ts'
import {withTilingKey} from './tiling-keys.ts'

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
