import type {KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {HostKernelPair, RanKernel} from '../../datasets/schema/scenario.ts'
import {movementApis, vectorApis} from '../../cpp/interfaces.ts'
import type {RunTrace} from '../../datasets/schema/executor.ts'
import type {Call, FunctionSyntax} from '../../cpp/syntax.ts'
import {moveFacts} from './move-facts.ts'
import {integerValue} from './host-expression.ts'
import {settledValues, type Settled} from './settled-values.ts'

/** The kernel in one call: the values in its text, and the part of it that runs. */
interface TakenPath {
  settled: Settled
  facts: KernelFacts
}

/**
 * Facts of a kernel without what the call does not come to: blocks that were seen to be idle, branches whose conditions
 * are known to fail, instructions that the run did not carry out, and functions that no one calls then.
 */
export function takenPath(whole: KernelFacts, {scenario: {trace}, kernel}: HostKernelPair): TakenPath {
  const facts = withoutIdle(whole, kernel.idle ?? [])
  const functions = facts.methods.map(({syntax}) => syntax)
  const settled = settledValues(functions, new Map(facts.constants), (text, values) =>
    integerValue(withTiling(text, trace.tiling), values),
  )
  const counts = Object.keys(trace.calls).length > 0 ? countsOf(trace.calls, functions) : undefined
  const isRefuted = refutation(functions, counts)
  const isEmpty = (loop: number, method: FunctionSyntax) =>
    isEmptyLoop(method.loops[loop]?.header ?? '', method, settled) ||
    method.calls.some((one) => one.branches.length === 0 && one.loops.at(-1) === loop && isRefuted(one.name))
  const ran = (call: Call, method: FunctionSyntax) =>
    !isRefuted(call.name) &&
    settled.holds(call.branches, method) !== false &&
    !call.loops.some((loop) => isEmpty(loop, method))
  const reached = reachedFunctions(functions, facts, ran, (one) => hasNotRun(one, counts))
  const kept = new Map<string, Call>()
  const methods = facts.methods
    .filter(({syntax}) => reached.has(syntax))
    .map(({role, syntax}) => {
      const calls = syntax.calls.filter((call) => ran(call, syntax))
      for (const call of calls) kept.set(keyOf(call), {...call, branches: openBranches(call, syntax, settled)})
      const assignments = syntax.assignments.map((one) => ({...one, branches: openBranches(one, syntax, settled)}))
      return {role, syntax: {...syntax, assignments, calls: calls.map((call) => kept.get(keyOf(call)) ?? call)}}
    })
  const narrowed = <T extends {call: Call}>(items: readonly T[]) =>
    items.flatMap((one) => {
      const call = kept.get(keyOf(one.call))
      return call ? [{...one, call}] : []
    })
  return {
    settled,
    facts: {
      ...facts,
      methods,
      steps: narrowed(facts.steps),
      vectorCalls: narrowed(facts.vectorCalls),
      synchronisation: narrowed(facts.synchronisation),
      moves: methods.flatMap(({syntax}) => moveFacts(syntax, facts.globals)),
    },
  }
}

/** What a call is known by in facts that were kept: they are values. */
const keyOf = (call: Call) => JSON.stringify(call)

/** Without functions, calls and assignments on lines that no core came to. */
function withoutIdle(facts: KernelFacts, idle: NonNullable<RanKernel['idle']>): KernelFacts {
  const isIdle = (first: number, last: number) => idle.some(([from, to]) => from <= first && last <= to)
  const came = ({line}: {line: number}) => !isIdle(line, line)
  const methods = facts.methods.flatMap((method) => {
    const {syntax} = method
    const [first, last] = linesWithin(syntax)
    if (first <= last && isIdle(first, last)) return []
    return [
      {...method, syntax: {...syntax, calls: syntax.calls.filter(came), assignments: syntax.assignments.filter(came)}},
    ]
  })
  return {...facts, methods}
}

/** Those between the brackets of a function. */
function linesWithin({lines: [, last], body}: FunctionSyntax): [number, number] {
  return [last - body.split('\n').length + 2, last - 1]
}

/** How often an instruction was carried out; undefined for names of which a run counts nothing. */
type Counts = ((name: string) => number | undefined) | undefined

/** A run counts instructions by the name under which they are called; a function of that name may be the kernel's. */
function countsOf(calls: RunTrace['calls'], functions: readonly FunctionSyntax[]): Counts {
  const own = new Set(functions.map(({name}) => name))
  const isCounted = (name: string) => movementApis.has(name) || (vectorApis.get(name)?.types ?? []).length > 0
  return (name) => (isCounted(name) && !own.has(name) ? (calls[name] ?? 0) : undefined)
}

/** `tilingData->rows` is what the host computed; a variable of that name may be something else. */
function withTiling(text: string, tiling: Readonly<Record<string, number | readonly number[]>>): string {
  return text.replace(/\b\w*[tT]iling\w*\s*(?:\.|->)\s*(\w+)\b(?!\s*[[(])/g, (member, field: string) => {
    const value = tiling[field]
    return typeof value === 'number' && Number.isInteger(value) ? String(value) : member
  })
}

function isEmptyLoop(header: string, method: FunctionSyntax, settled: Settled): boolean {
  const trips = tripsOf(header, method, settled)
  return trips !== undefined && trips <= 0
}

/** How often `for (i = 0; i < n; i++)` goes round; undefined for other loops and where n is not known. */
function tripsOf(header: string, method: FunctionSyntax, settled: Settled): number | undefined {
  const match = /^for\s*\(\s*[\w:\s]*?\b(\w+)\s*=\s*0\s*;\s*\1\s*<\s*([^;]+);\s*(?:\+\+\s*\1|\1\s*\+\+)\s*\)/.exec(
    header,
  )
  const count = match && settled.value(match[2] ?? '', method)
  return typeof count === 'number' ? count : undefined
}

/** Functions that the entry comes to, each by a call that runs. */
function reachedFunctions(
  functions: readonly FunctionSyntax[],
  {entries}: KernelFacts,
  ran: (call: Call, method: FunctionSyntax) => boolean,
  isRefuted: (one: FunctionSyntax) => boolean,
): Set<FunctionSyntax> {
  const isEntry = ({name}: FunctionSyntax) => entries.some((entry) => entry.name === name)
  const reached = new Set(functions.filter(isEntry))
  // Constructors and operators are not called by name.
  if (reached.size === 0) return new Set(functions.filter((one) => !isRefuted(one)))
  for (const one of reached) {
    const called = new Set(one.calls.filter((call) => ran(call, one)).map(({name}) => name))
    for (const other of functions)
      if ((called.has(other.name) || isNamed(other, one)) && !isRefuted(other)) reached.add(other)
  }
  return reached
}

/** Outside of branches and loops everything runs, or the function did not. */
function hasNotRun({calls}: FunctionSyntax, counts: Counts): boolean {
  return calls.some(({name, branches, loops}) => branches.length + loops.length === 0 && counts?.(name) === 0)
}

/** Whether a name was never executed, be it an instruction or a function of the kernel. */
function refutation(functions: readonly FunctionSyntax[], counts: Counts): (name: string) => boolean {
  return (name) => {
    if (counts?.(name) === 0) return true
    const own = functions.filter((one) => one.name === name)
    return own.length > 0 && own.every((one) => hasNotRun(one, counts))
  }
}

/** Handed over by name, as a function or a template argument. */
function isNamed({name}: FunctionSyntax, by: FunctionSyntax): boolean {
  return new RegExp(`&\\s*(?:\\w+::)*${name}\\b|\\b${name}\\s*,`).test(by.body)
}

/** Branches that the call may or may not take; those that it surely takes say nothing. */
function openBranches({branches}: Pick<Call, 'branches'>, method: FunctionSyntax, settled: Settled): Call['branches'] {
  return branches.filter((one) => settled.holds([one], method) === undefined)
}
