import type {KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {FunctionSyntax} from '../../cpp/syntax.ts'

/**
 * Statements that multiply the index of a core to a place in the whole, each once; only those that hold for all cores:
 * outside of branches, and of a name that is assigned once.
 */
export function corePlaces({methods}: KernelFacts): string[] {
  const all = methods.flatMap(({syntax}) => syntax.assignments.map((one) => ({...one, of: syntax})))
  const indices = all.filter(({value}) => onlyBlockIndex.test(value)).map(({name}) => name)
  const isIndex = new RegExp(String.raw`\b(?:${['GetBlockIdx', ...indices.map(lastName)].join('|')})\b`)
  const placing = all
    .filter(({name, operator, of, branches}) => operator === '=' && branches.length === 0 && isOnce(name, of))
    .filter(({name, value}) => isIndex.test(value) && /\*/.test(value) && !aLength.test(name) && !/[;{]/.test(value))
  return [...new Set(placing.map(({name, operator, value}) => `${name} ${operator} ${value}`))]
}

const onlyBlockIndex = /^(?:static_cast<[^<>]*>\()?(?:AscendC::)?GetBlockIdx\(\)\)?$/
const aLength = /remain|left|tail|len|size|count|num_?$/i

const lastName = (name: string) => /\w+$/.exec(name)?.[0] ?? 'GetBlockIdx'

/** What is assigned again may be replaced, for all cores or for some. */
function isOnce(name: string, {assignments}: FunctionSyntax): boolean {
  return assignments.filter((one) => one.name === name).length === 1
}
