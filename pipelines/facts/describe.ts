import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {type ApiFacts, apiFacts} from './api-facts.ts'
import {type DefinitionFacts, definitionFacts} from './definition-facts.ts'
import {type HostFacts, hostFacts} from './host-facts.ts'
import {type InferenceFacts, inferenceFacts} from './inference-facts.ts'
import {type KernelFacts, kernelFacts} from './kernel-facts.ts'
import {type LibraryFacts, libraryFacts} from './library-facts.ts'

/** What static analysis found in a file, by what the file is for. */
export type Described =
  | {role: 'kernel'; facts: KernelFacts}
  | {role: 'tiling'; facts: HostFacts}
  | {role: 'definition'; facts: DefinitionFacts}
  | {role: 'infer-shape'; facts: InferenceFacts}
  | {role: 'api'; facts: ApiFacts}
  | {role: 'library'; facts: LibraryFacts}

/** Reads a file as what it is for. */
export async function describe(source: OperatorSource): Promise<Described> {
  switch (source.role) {
    case 'kernel':
      return {role: 'kernel', facts: await kernelFacts(source)}
    case 'tiling':
      return {role: 'tiling', facts: await hostFacts(source)}
    case 'definition':
      return {role: 'definition', facts: await definitionFacts(source)}
    case 'infer-shape':
      return {role: 'infer-shape', facts: await inferenceFacts(source)}
    case 'api':
      return {role: 'api', facts: await apiFacts(source)}
    case 'library':
      return {role: 'library', facts: await libraryFacts(source)}
  }
}

/** Whether nothing was found that a text about the file could be made of. */
export function isEmpty({role, facts}: Described): boolean {
  if (role === 'definition') return facts.tensors.length === 0 && facts.chips.length === 0
  if (role === 'infer-shape') return facts.functions.length === 0 && facts.registrations.length === 0
  if (role === 'library') return saysNothing(facts)
  if (role === 'api') return facts.functions.length === 0 && facts.prototypes.length === 0
  return false
}

/** Forwarding headers, and classes of which every function is empty: a stand-in for code of another build. */
function saysNothing({functions, prototypes}: LibraryFacts): boolean {
  const all = [...functions, ...prototypes]
  return all.every(({statements, isDeclared, comment, name, owner}) => {
    const isOfClass = owner.replace(/<[^]*$/, '') === name
    return statements.length === 0 && (!isDeclared || isOfClass) && comment === ''
  })
}
