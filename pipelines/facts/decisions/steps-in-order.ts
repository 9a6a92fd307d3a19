import type {Call, FunctionSyntax} from '../../../cpp/syntax.ts'

interface Steps {
  functions: readonly FunctionSyntax[]
  /** Whether a call is a step of its own; functions of the file are what they do. */
  isStep: (call: Call, within: FunctionSyntax) => boolean
  /** Whether a call runs; undefined where that is not settled before. */
  runs: (call: Call, within: FunctionSyntax) => boolean | undefined
}

/** Names of the steps of a function in the order in which they run; undefined where it is open whether one does. */
export function stepsInOrder(one: FunctionSyntax, {functions, isStep, runs}: Steps): string[] | undefined {
  const within = (own: FunctionSyntax, around: readonly FunctionSyntax[]): string[] | undefined => {
    const names: string[] = []
    for (const call of evaluated(own.calls)) {
      const isRun = runs(call, own)
      const called = calledBy(call, own, functions)
      if (isRun === false || (called && around.includes(called))) continue
      const given = isStep(call, own) ? [call.name] : []
      const inner = called ? within(called, [...around, called]) : given
      if (inner === undefined || (isRun === undefined && inner.length > 0)) return undefined
      names.push(...inner)
    }
    return names
  }
  return within(one, [one])
}

/** The function of the file that is called: of the same class before others, the last of a name. */
function calledBy({name}: Call, own: FunctionSyntax, functions: readonly FunctionSyntax[]) {
  const all = functions.filter((one) => one.name === name)
  return all.findLast(({owner}) => owner === own.owner) ?? all.at(-1)
}

/** Calls in an argument come before the call that takes it. */
function evaluated(calls: readonly Call[]): Call[] {
  const [outer, ...rest] = calls
  if (!outer) return []
  const isInside = ({name}: Call) => outer.args.some((one) => one.includes(`${name}(`))
  const end = rest.findIndex((one) => !isInside(one))
  const [inner, later] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end)]
  return [...evaluated(inner), outer, ...evaluated(later)]
}
