import {CheckedOperatorSource, type OperatorSource} from '../../datasets/schema/operator.ts'
import {DescribedSource, type Described, type LibraryFacts} from '../../datasets/schema/code-facts.ts'
import {isTooDeep} from '../../cpp/parse.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {apiFacts} from './api-facts.ts'
import {definitionFacts} from './definition-facts.ts'
import {hostFacts} from './host-facts.ts'
import {inferenceFacts} from './inference-facts.ts'
import {kernelFacts} from './kernel-facts.ts'
import {libraryFacts} from './library-facts.ts'

/**
 * A checked file → the same with the facts that static analysis finds, according to the role of the file. Drops:
 * `nothing-to-tell` (no function, tensor or registration could be read), `nested-too-deeply`.
 */
export default function sourceFacts(): Stage<CheckedOperatorSource, DescribedSource> {
  return {
    name: 'source-facts',
    version: 3,
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
