import type {Expression, HostStatement, KernelStatement} from '../language/ast.ts'
import {elementBytes} from '../language/dtypes.ts'

/** What is known of a whole number without running the program. */
interface NumberFact {
  /** It is a multiple of this; 0 is a multiple of everything, 1 says nothing. */
  divisor: number
  nonNegative: boolean
}

type FactsOf = (name: string) => NumberFact | undefined

const unknown: NumberFact = {divisor: 1, nonNegative: false}
/** Holds of every value at once: where the search for what names have in common begins. */
const everything: NumberFact = {divisor: 0, nonNegative: true}

export interface Facts {
  of(expression: Expression): NumberFact
}

/** What assertions of the host say, by the text of what they speak of. */
type Asserted = ReadonlyMap<string, number>

/**
 * Facts of all names at once: a loop's variable and what is carried through loops depend on each other, so all start
 * as a multiple of everything and lose what some assignment does not keep, until nothing changes.
 */
export function findFacts(
  definitions: ReadonlyMap<string, readonly (Expression | Steps)[]>,
  given: FactsOf,
  asserted: Asserted = new Map(),
): Facts {
  const known = new Map<string, NumberFact>([...definitions.keys()].map((name) => [name, everything]))
  const lookup: FactsOf = (name) => known.get(name) ?? given(name)
  for (let changed = true; changed; ) {
    changed = false
    for (const [name, values] of definitions) {
      const all = values.map((value) =>
        isSteps(value) ? stepsFact(value, lookup, asserted) : fact(value, lookup, asserted),
      )
      const now = raise(`name:${name}`, all.reduce(common, given(name) ?? everything), asserted)
      const before = known.get(name) as NumberFact
      if (now.divisor === before.divisor && now.nonNegative === before.nonNegative) continue
      known.set(name, now)
      changed = true
    }
  }
  return {of: (expression) => fact(expression, lookup, asserted)}
}

/** The values of a loop's variable. */
interface Steps {
  start: Expression
  step: Expression
}

const isSteps = (value: Expression | Steps): value is Steps => 'step' in value

function stepsFact({start, step}: Steps, lookup: FactsOf, asserted: Asserted): NumberFact {
  const first = fact(start, lookup, asserted)
  return {divisor: gcd(first.divisor, fact(step, lookup, asserted).divisor), nonNegative: first.nonNegative}
}

function fact(expression: Expression, lookup: FactsOf, asserted: Asserted): NumberFact {
  return raise(keyOf(expression), plainFact(expression, lookup, asserted), asserted)
}

function raise(key: string | undefined, found: NumberFact, asserted: Asserted): NumberFact {
  const said = key === undefined ? undefined : asserted.get(key)
  return said === undefined ? found : {...found, divisor: lcm(found.divisor, said)}
}

function plainFact(expression: Expression, lookup: FactsOf, asserted: Asserted): NumberFact {
  const of = (one: Expression) => fact(one, lookup, asserted)
  switch (expression.kind) {
    case 'number':
      if (expression.isFloat) return {divisor: 1, nonNegative: expression.value >= 0}
      return {divisor: Math.abs(expression.value), nonNegative: expression.value >= 0}
    case 'name':
      return lookup(expression.name) ?? unknown
    case 'unary':
      return {divisor: of(expression.operand).divisor, nonNegative: false}
    case 'choice':
      return common(of(expression.yes), of(expression.no))
    case 'binary':
      return binaryFact(expression, of)
    case 'call':
      return callFact(expression, of)
    case 'count':
      return {divisor: productOf(expression.tensor, asserted), nonNegative: true}
    case 'shape':
      return {divisor: 1, nonNegative: true}
    default:
      return unknown
  }
}

function binaryFact({operator, left, right}: Expression & {kind: 'binary'}, of: Facts['of']): NumberFact {
  const [a, b] = [of(left), of(right)]
  const both = a.nonNegative && b.nonNegative
  switch (operator) {
    case '+':
      return common(a, b)
    case '-':
      return {divisor: gcd(a.divisor, b.divisor), nonNegative: false}
    case '*':
      return {divisor: a.divisor * b.divisor, nonNegative: both}
    case '//':
      return {divisor: quotient(a.divisor, right), nonNegative: both}
    case '%':
      return {divisor: gcd(a.divisor, b.divisor), nonNegative: b.nonNegative}
    case '/':
      return {divisor: 1, nonNegative: both}
    default:
      return unknown
  }
}

function callFact({callee, arguments: given}: Expression & {kind: 'call'}, of: Facts['of']): NumberFact {
  const [first, second] = given
  const all = given.map((one) => (one.kind === 'type' ? unknown : of(one)))
  const a = all[0] ?? unknown
  const b = all[1] ?? unknown
  const divisor = all.reduce((sum, one) => gcd(sum, one.divisor), 0)
  switch (callee) {
    case 'program_id':
    case 'num_programs':
      return {divisor: 1, nonNegative: true}
    case 'item_bytes':
      return {divisor: first?.kind === 'type' ? bytesOfType(first) : 1, nonNegative: true}
    case 'min':
      return {divisor, nonNegative: all.every(({nonNegative}) => nonNegative)}
    case 'max':
      return {divisor, nonNegative: all.some(({nonNegative}) => nonNegative)}
    case 'align':
      return {
        divisor: second ? lcm(b.divisor, a.divisor % b.divisor === 0 ? a.divisor : 1) : 1,
        nonNegative: a.nonNegative,
      }
    case 'cdiv':
      return {divisor: second ? quotient(a.divisor, second) : 1, nonNegative: a.nonNegative && b.nonNegative}
    case 'abs':
      return {divisor: a.divisor, nonNegative: true}
    case 'sqrt':
      return {divisor: 1, nonNegative: true}
    case 'int':
    case 'float':
      return {divisor: 1, nonNegative: a.nonNegative}
    default:
      return unknown
  }
}

function bytesOfType({type}: Expression & {kind: 'type'}): number {
  return type.kind === 'type' ? elementBytes[type.type] : 1
}

function quotient(dividend: number, by: Expression): number {
  if (by.kind !== 'number' || by.value === 0) return 1
  return dividend % by.value === 0 ? dividend / by.value : 1
}

function common(a: NumberFact, b: NumberFact): NumberFact {
  return {divisor: gcd(a.divisor, b.divisor), nonNegative: a.nonNegative && b.nonNegative}
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

function lcm(a: number, b: number): number {
  return a === 0 ? 0 : (a / gcd(a, b)) * b
}

/** `n` elements are a multiple of what each axis is a multiple of. */
function productOf(tensor: string, asserted: Asserted): number {
  const axes = [...asserted].filter(([key]) => new RegExp(`^shape:${tensor}:\\d`).test(key))
  return axes.reduce((product, [, divisor]) => product * divisor, 1)
}

function keyOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return `name:${expression.name}`
  if (expression.kind === 'count') return `${expression.of}:${expression.tensor}`
  if (expression.kind === 'shape' && expression.axis.kind === 'number')
    return `shape:${expression.tensor}:${expression.axis.value}`
  return undefined
}

/** What the host asserts of its numbers before it launches: `x.shape[1] % 8 == 0`. */
export function assertedDivisors(body: readonly HostStatement[]): Asserted {
  const said = new Map<string, number>()
  const definitions = definitionsOf(body)
  const read = (condition: Expression): void => {
    if (condition.kind !== 'binary') return
    const {operator, left, right} = condition
    if (operator === 'and') [left, right].forEach(read)
    if (operator !== '==' || left.kind !== 'binary' || left.operator !== '%') return
    const key = keyOf(left.left)
    // A fact about a name only holds for all of its values if it has one value.
    if (left.left.kind === 'name' && (definitions.get(left.left.name)?.length ?? 1) > 1) return
    if (key === undefined || left.right.kind !== 'number' || right.kind !== 'number' || right.value !== 0) return
    said.set(key, lcm(said.get(key) ?? 1, left.right.value))
  }
  for (const statement of body) if (statement.kind === 'assert') read(statement.condition)
  return said
}

type Definitions = Map<string, (Expression | Steps)[]>

/** Everything that is assigned to each scalar of a function; a loop's variable takes the steps of its loop. */
export function definitionsOf(body: readonly (HostStatement | KernelStatement)[]): Definitions {
  const found: Definitions = new Map()
  const add = (name: string, value: Expression | Steps) => found.set(name, [...(found.get(name) ?? []), value])
  const visit = (statements: readonly (HostStatement | KernelStatement)[]): void => {
    for (const statement of statements) {
      if (statement.kind === 'assign') add(statement.name, statement.value)
      if (statement.kind === 'for') add(statement.variable, statement)
      if (statement.kind === 'if') for (const branch of statement.branches) visit(branch.body)
      if (statement.kind === 'for' || statement.kind === 'stage') visit(statement.body)
    }
  }
  visit(body)
  return found
}
