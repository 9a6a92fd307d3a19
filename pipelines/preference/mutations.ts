import type {SourceFile} from '../../datasets/schema/operator.ts'
import {textId} from '../../engine/ids.ts'
import type {Random} from '../../engine/random.ts'
import {arithmeticMutations} from './mutations/arithmetic.ts'
import {hostMutations} from './mutations/host.ts'
import {movementMutations} from './mutations/data-copies.ts'
import type {Mutant, Mutation} from './mutations/mutation.ts'
import {queueMutations} from './mutations/queues.ts'
import {syncMutations} from './mutations/sync.ts'
import {syntaxMutations} from './mutations/broken-syntax.ts'
import {tilingMutations} from './mutations/tiles.ts'
import {typeMutations} from './mutations/types.ts'

/** By what they get wrong. Families take turns, so that a few mutants already differ in kind. */
export const mutationFamilies: readonly (readonly Mutation[])[] = [
  arithmeticMutations,
  queueMutations,
  tilingMutations,
  movementMutations,
  syncMutations,
  typeMutations,
  hostMutations,
  syntaxMutations,
]

export interface NamedMutant extends Mutant {
  mutation: string
}

/**
 * Up to `count` different faulty variants of an operator, at most one of each mutation; fewer when it offers no more
 * places. The same files and the same random stream give the same mutants.
 */
export function mutate(files: readonly SourceFile[], count: number, random: Random): NamedMutant[] {
  const mutants: NamedMutant[] = []
  const seen = new Set([fingerprint(files)])
  for (const mutation of inTurns(mutationFamilies.map((family) => random.shuffle(family)))) {
    if (mutants.length >= count) break
    const mutant = mutation.apply(files, random)
    if (!mutant || seen.has(fingerprint(mutant.files))) continue
    seen.add(fingerprint(mutant.files))
    mutants.push({mutation: mutation.name, ...mutant})
  }
  return mutants
}

function* inTurns<T>(lists: readonly (readonly T[])[]): Generator<T> {
  const longest = Math.max(...lists.map(({length}) => length))
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) {
      const item = list[turn]
      if (item !== undefined) yield item
    }
  }
}

function fingerprint(files: readonly SourceFile[]): string {
  return textId(files.map(({path, text}) => `${path}\0${text}`).join('\0'))
}
