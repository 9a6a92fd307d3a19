import type {SplitFact} from '../../datasets/schema/code-facts.ts'
import type {FunctionSyntax} from '../../cpp/syntax.ts'

const blockQuery = /\bGetBlock(?:Idx|Num)\b/
const onlyBlockQuery = /^(?:static_cast<[^<>]*>\()?(?:AscendC::)?GetBlock(?:Idx|Num)\(\)\)?$/

/**
 * Statements that place a core in the whole, each once: those with GetBlockIdx or GetBlockNum, or with a variable that
 * holds one of them.
 */
export function splitFacts(functions: readonly FunctionSyntax[]): SplitFact[] {
  const holders = new Set<string>()
  for (const one of functions) splitAssignments(one, holders)
  const facts = functions.flatMap((one) => {
    const known = new Set([...holders, ...passedHolders(one, functions, holders)])
    return [...splitAssignments(one, known), ...splitCalls(one, known)]
  })
  const seen = new Set<string>()
  return facts.filter(({statement, branches}) => {
    const key = JSON.stringify([statement, branches.map(({condition, arm}) => [condition, arm])])
    return !seen.has(key) && Boolean(seen.add(key))
  })
}

/** Parameters that hold the index or number of blocks in every call of this function. */
function passedHolders(
  {name, parameters}: FunctionSyntax,
  functions: readonly FunctionSyntax[],
  holders: ReadonlySet<string>,
): string[] {
  const calls = functions.flatMap((one) => one.calls).filter((call) => call.name === name)
  const isHolder = (argument = '') => holders.has(argument) || onlyBlockQuery.test(argument)
  return parameters.flatMap((parameter, index) =>
    calls.length > 0 && calls.every(({args}) => isHolder(args[index])) ? parameter.name : [],
  )
}

/** @param holders variables that hold an index or number of blocks; those that are found here join them */
function splitAssignments({name: method, assignments}: FunctionSyntax, holders: Set<string>): SplitFact[] {
  const facts: SplitFact[] = []
  for (const {name, operator, value, branches} of assignments) {
    if (!mentionsBlock(value, holders) || /[;{]/.test(value)) continue
    facts.push({statement: `${name} ${operator} ${value}`, method, branches})
    if (operator === '=' && onlyBlockQuery.test(value)) holders.add(name)
  }
  return facts
}

function splitCalls({name: method, calls}: FunctionSyntax, holders: ReadonlySet<string>): SplitFact[] {
  return calls
    .filter(({name, args}) => name === 'SetGlobalBuffer' && args.some((argument) => mentionsBlock(argument, holders)))
    .map(({receiver, args, branches}) => ({
      statement: `${receiver}.SetGlobalBuffer(${args.join(', ')})`,
      method,
      branches,
    }))
}

function mentionsBlock(text: string, holders: ReadonlySet<string>): boolean {
  return blockQuery.test(text) || [...holders].some((name) => new RegExp(`\\b${name}\\b`).test(text))
}
