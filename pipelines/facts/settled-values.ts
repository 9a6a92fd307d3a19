import type {Value} from '../../cpp/evaluator.ts'
import type {Assignment, Branch, FunctionSyntax} from '../../cpp/syntax.ts'
import {withoutObjects} from './host-expression.ts'

/** An assignment with its function. */
export interface Placed extends Assignment {
  method: FunctionSyntax
}

/** Value of an expression, given the values of names; undefined where it has one that is not known. */
type Evaluate = (expression: string, values: ReadonlyMap<string, Value>) => Value | undefined

/** What is known of the variables of one call of a program, by its text alone. */
export interface Settled {
  values: ReadonlyMap<string, Value>
  /** The assignment that this call executes; undefined if uncertain. */
  source(assignments: readonly Placed[]): Placed | undefined
  /** The assignments of a variable. */
  of(name: string): readonly Placed[]
  /** Whether an expression reads nothing but what has its last value by then. */
  isReadable(assignment: Placed): boolean
  /** Whether the call takes these branches; undefined where a condition is not known. */
  holds(branches: readonly Branch[], method: FunctionSyntax): boolean | undefined
  value(expression: string, method?: FunctionSyntax): Value | undefined
}

/** Later functions assign what earlier ones use. */
const mostRounds = 5

/**
 * Values that follow from `given` by the assignments that a call takes: those of its branches, as far as their
 * conditions are known. A variable that changes in a loop, or by an assignment that may or may not run, has none.
 */
export function settledValues(
  functions: readonly FunctionSyntax[],
  given: ReadonlyMap<string, Value>,
  evaluate: Evaluate,
): Settled {
  const settling = new Settling(functions, new Map(given), evaluate)
  for (let round = 0; round < mostRounds; round += 1) if (!settling.round()) break
  return settling
}

class Settling implements Settled {
  readonly values: Map<string, Value>
  readonly #evaluate: Evaluate
  readonly #functions: readonly FunctionSyntax[]
  readonly #assignments = new Map<string, Placed[]>()
  readonly #counted: ReadonlySet<string>

  constructor(functions: readonly FunctionSyntax[], values: Map<string, Value>, evaluate: Evaluate) {
    this.values = values
    this.#evaluate = evaluate
    this.#functions = functions
    for (const method of functions) {
      for (const assignment of method.assignments) {
        const name = lastName(assignment.name)
        if (!/^\w+$/.test(name)) continue
        this.#assignments.set(name, [...this.of(name), {...assignment, method}])
      }
    }
    const counters = functions.flatMap(({body}) => [...body.matchAll(/(\w+)\s*(?:\+\+|--)|(?:\+\+|--)\s*(\w+)/g)])
    this.#counted = new Set(counters.map(([, before, after]) => before ?? after ?? ''))
  }

  of(name: string): readonly Placed[] {
    return this.#assignments.get(name) ?? []
  }

  /** @returns whether more is known than before */
  round(): boolean {
    const before = this.values.size
    for (const [name, assignments] of this.#assignments) {
      if (this.values.has(name) || this.#counted.has(name)) continue
      const value = this.#settle(assignments)
      if (value !== undefined) this.values.set(name, value)
    }
    return this.values.size > before
  }

  #settle(assignments: readonly Placed[]): Value | undefined {
    const source = this.source(assignments)
    if (source) return this.value(source.value, source.method)
    // Variables of one name in several functions, where all of them hold the same.
    if (assignments.some(({operator, branches, loops}) => operator !== '=' || branches.length + loops.length > 0))
      return undefined
    const [first, ...others] = assignments.map((one) => this.value(one.value, one.method))
    return others.every((one) => one === first) ? first : undefined
  }

  source(assignments: readonly Placed[]): Placed | undefined {
    const taken = assignments.map((one) => ({one, holds: this.#runs(one, assignments.length > 1)}))
    const live = taken.filter(({holds}) => holds !== false)
    const last = live.at(-1)?.one
    if (!last || live.some(({holds, one}) => holds === undefined || one.operator !== '=' || one.loops.length > 0))
      return undefined
    if (live.length === 1) return last
    const isOneFunction = live.every(({one}) => one.method === last.method)
    return isOneFunction && !returnsEarly(last.method) ? last : undefined
  }

  /** What a variable held before it was assigned again is not known afterwards. */
  #runs({name, branches, method}: Placed, isOneOfSeveral: boolean): boolean | undefined {
    const own = lastName(name)
    if (!/^\w+$/.test(own)) return this.holds(branches, method)
    const asksItself = branches.some(({condition}) => mentions(condition, own))
    return isOneOfSeveral && asksItself ? undefined : this.holds(branches, method)
  }

  /** Whether an expression reads nothing but what has its last value by then. */
  isReadable({name, value, line, method}: Placed): boolean {
    if (/^\w+$/.test(lastName(name)) && mentions(value, lastName(name))) return false
    return [...this.#assignments].every(([other, assignments]) => {
      if (!mentions(value, other)) return true
      const live = assignments.filter((one) => this.holds(one.branches, one.method) !== false)
      return live.length < 2 || live.every((one) => one.method === method && one.line < line)
    })
  }

  holds(branches: readonly Branch[], method: FunctionSyntax): boolean | undefined {
    const truths = branches.map((one) => this.#taken(one, method))
    if (truths.includes(false)) return false
    return truths.includes(undefined) ? undefined : true
  }

  #taken({condition, arm}: Branch, method: FunctionSyntax): boolean | undefined {
    const value = this.value(condition, method)
    if (value === undefined) return undefined
    if (arm === 'then') return value !== 0
    if (arm === 'else') return value === 0
    const wanted = this.value(arm.case, method)
    return wanted === undefined ? undefined : wanted === value
  }

  value(expression: string, method?: FunctionSyntax): Value | undefined {
    return this.#evaluate(expression, method ? this.#within(method) : this.values)
  }

  /** Parameters hide what has their name; those of a function that is called once have its arguments. */
  #within(method: FunctionSyntax): ReadonlyMap<string, Value> {
    if (method.parameters.length === 0) return this.values
    const values = new Map(this.values)
    const calls = this.#functions.flatMap(({calls: all}) => all.filter(({name}) => name === method.name))
    const [call] = calls.length === 1 ? calls : []
    const passed = call && call.args.length === method.parameters.length ? call.args : []
    for (const [at, {name}] of method.parameters.entries()) {
      values.delete(name)
      const argument = passed[at]
      const value = argument === undefined ? undefined : this.#evaluate(argument, this.values)
      if (value !== undefined && this.of(name).every((one) => one.method !== method || one.name !== name))
        values.set(name, value)
    }
    return values
  }
}

function mentions(expression: string, name: string): boolean {
  if (!expression.includes(name)) return false
  return new RegExp(`(?<![\\w])${name}\\b(?!\\s*\\()`).test(expression)
}

/** Other than by refusing the call. */
function returnsEarly({body}: FunctionSyntax): boolean {
  const returns = [...body.matchAll(/\breturn\b([^;]*);/g)].filter(([, what]) => !/FAILED/.test(what ?? ''))
  return returns.length > 1
}

export function lastName(name: string): string {
  return /(\w+)$/.exec(withoutObjects(name))?.[1] ?? name
}

/** The variable that an expression names and does nothing with; undefined where it computes something. */
export function variableIn(expression: string): string | undefined {
  return /^[A-Za-z_](?:\w|\.|->)*$/.test(expression) ? lastName(expression) : undefined
}
