import {CheckedOperatorSource, type OperatorSource} from '../../datasets/schema/operator.ts'
import {DescribedSource, type Described, type LibraryFacts} from '../../datasets/schema/code-facts.ts'
import {isTooDeep} from '../../cpp/parse.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {apiFacts} from './api-facts.ts'
import {definitionFacts} from './definition-facts.ts'
import {hostFacts} from './host-facts.ts'
import {inferenceFacts} from './inference-facts.ts'
import {kernelFacts} from './kernel-facts.ts'
import type {FunctionFlow, Statement} from '../../cpp/syntax.ts'
import {functionFlows} from '../../cpp/statements.ts'

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

/** Facts of a file of a high-level API's implementation, which belongs to no operator. */
export async function libraryFacts(source: OperatorSource): Promise<LibraryFacts> {
  const flows = await functionFlows(source.target.text)
  const functions = flows.filter(({isDeclared}) => !isDeclared)
  const kernel = await kernelFacts(source)
  return {
    side: source.side,
    functions,
    prototypes: flows.filter(({isDeclared, name}) => isDeclared && !/^[A-Z_\d]+$/.test(name)),
    kernel,
    temporaries: source.side === 'kernel' ? texts(functions, carves) : [],
    masks: [
      ...new Set(
        functions.flatMap(({statements}) =>
          statements.flatMap(({call}) =>
            call && /^(?:Set(?:Vector)?Mask\w*|ResetMask)$/.test(call.name) ? [call.name] : [],
          ),
        ),
      ),
    ],
    sizes: source.side === 'host' ? texts(functions, isSize) : [],
    constants: kernel.constants,
  }
}

function texts(functions: readonly FunctionFlow[], told: (statement: Statement) => boolean): LibraryFacts['sizes'] {
  return functions.flatMap(({name: method, statements}) =>
    statements
      .filter((one) => one.kind === 'value' && told(one) && one.text.length <= 110)
      .map(({target, operator, text}) => ({method, text: `${target} ${operator} ${text}`})),
  )
}

/** What names of working memory have in them. */
const workingName = 'tmp|temp|Tmp|Temp|TMP|workLocal|stackBuffer'

const working = new RegExp(
  String.raw`\b\w*(?:${workingName})\w*(?:\[|(?:\.|->)(?:ReinterpretCast|GetWithOffset|Get)\b)`,
)

function carves({text}: Statement): boolean {
  return working.test(text)
}

function isSize({target, text}: Statement): boolean {
  return (
    /size|num|len|count|bytes/i.test(target) &&
    /[*/+%]|\b(?:std::)?(?:max|min|Align\w*|Ceil\w*)\s*(?:<\w+>)?\(/.test(text) &&
    !/["{]/.test(text)
  )
}
