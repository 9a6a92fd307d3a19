import type {LibraryFacts} from '../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {kernelFacts} from './kernel-facts.ts'
import type {FunctionFlow, Statement} from '../../cpp/syntax.ts'
import {functionFlows} from '../../cpp/statements.ts'

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
