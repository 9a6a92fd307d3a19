import type {Scenario} from '../../../datasets/schema/scenario.ts'
import type {HostFacts} from '../host-facts.ts'
import {hostValue, withoutCasts, type HostScope, type HostValue} from './host-expression.ts'
import {plainNumber} from './tiling-summary.ts'

/** Where a value of the tiling comes from. */
export interface Derivation {
  field: string
  value: number
  /** The one expression that the host computes it with. */
  expression?: string
  /** Names in the expression with the values that they had, when the expression gives the value by them. */
  known: readonly (readonly [string, number])[]
  /** Whether it was worked out and came to the value. */
  worked: boolean
}

export const hardware = {vectorCores: 48, cubeCores: 24, ubBytes: 196_352} as const

/**
 * The numbers of a scenario's tiling, in the structure's order, each with its expression where there is just one, after
 * the variables that those expressions need.
 */
export function derivations(facts: HostFacts, scenario: Scenario): Derivation[] {
  const {tiling, blockDim} = scenario.trace
  const numbers = Object.entries(tiling).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const scope = scopeOfCall(facts, scenario)
  const fields = numbers.map(([field, value]) => derived(field, value, expressionOf(field, facts), scope))
  const [blocks] = facts.blockDim.length === 1 ? facts.blockDim : []
  const launched = blocks !== undefined && /^\w+$/.test(blocks) && !/^\d+$/.test(blocks) && !(blocks in tiling)
  const launch = launched ? [derived(blocks, blockDim, definitionOf(blocks, facts), scope)] : []
  const told = new Set(Object.keys(tiling))
  return [...fields, ...launch.filter(({worked}) => worked)].flatMap((one) => [
    ...ingredients(one, facts, scope, told),
    one,
  ])
}

function derived(field: string, value: number, expression: string | undefined, scope: HostScope): Derivation {
  if (expression === undefined) return {field, value: plainNumber(value), known: [], worked: false}
  const values = new Map([...scope.values].filter(([name]) => name !== field))
  const worked = !/^\w+$/.test(expression) && hostValue(expression, {...scope, values}) === value
  const used = namesIn(expression).flatMap((name) => {
    const known = values.get(name)
    return typeof known === 'number' ? [[name, known] as const] : []
  })
  return {field, value: plainNumber(value), expression, known: worked ? used : [], worked}
}

/** Variables of an expression that are computed themselves, each told once. */
function ingredients({known}: Derivation, facts: HostFacts, scope: HostScope, told: Set<string>): Derivation[] {
  return known.flatMap(([name, value]): Derivation[] => {
    if (told.has(name) || facts.constants.has(name)) return []
    told.add(name)
    const own = derived(name, value, definitionOf(name, facts), scope)
    return own.worked ? [...ingredients(own, facts, scope, told), own] : []
  })
}

/** What a field is set to; through a variable that is assigned once, what that variable is. */
function expressionOf(field: string, facts: HostFacts): string | undefined {
  const sets = facts.sets.filter((one) => one.field === field)
  const [set] = sets
  if (!set || sets.length > 1 || set.operator !== '=') return undefined
  const plain = withoutCasts(set.value).replace(/^\((\w+)\)$/, '$1')
  if (!/^\w+$/.test(plain)) return readable(set.value)
  return definitionOf(plain, facts) ?? (plain === field ? undefined : readable(set.value))
}

function definitionOf(name: string, {functions}: HostFacts): string | undefined {
  const assigned = functions.flatMap(({assignments}) => assignments).filter((one) => lastName(one.name) === name)
  const taken = functions
    .flatMap(({calls}) => calls)
    .some(({args}) => args.some((one) => one === name || one === `&${name}`))
  const [only] = assigned
  // A function that is handed the variable may set it, too.
  if (
    !only ||
    assigned.length > 1 ||
    only.operator !== '=' ||
    (taken && !/[/%*+-]|\b(?:min|max|Ceil)/.test(only.value))
  )
    return undefined
  return readable(only.value)
}

function readable(expression: string): string | undefined {
  return expression.length <= 140 && !/[{};"]|\[\s*[&=]?\s*\]/.test(expression) ? expression : undefined
}

const lastName = (name: string) => /(\w+)$/.exec(name)?.[1] ?? name

/** Values of host variables: those that the run tells, and what follows from them by variables assigned once. */
function scopeOfCall(facts: HostFacts, scenario: Scenario): HostScope {
  const {inputs: declared} = facts.definitions[0] ?? {inputs: []}
  const inputs = declared.map(({name}) => scenario.inputs.find((one) => one.name === name))
  const values = new Map<string, HostValue>(facts.constants)
  for (const [name, value] of toldValues(facts, scenario)) if (!values.has(name)) values.set(name, value)
  const assignments = facts.functions.flatMap((one) => one.assignments)
  const times = new Map<string, number>()
  for (const {name} of assignments) times.set(name, (times.get(name) ?? 0) + 1)
  const single = assignments.filter(({name, operator}) => operator === '=' && times.get(name) === 1)
  for (let round = 0; round < assignmentRounds; round += 1) {
    for (const {name, value} of single) {
      if (values.has(name) || !/^[A-Za-z_]\w*$/.test(name)) continue
      const result = hostValue(value, {values, inputs})
      if (result !== undefined) values.set(name, result)
    }
  }
  return {values, inputs}
}

/** Later files may assign what earlier ones use. */
const assignmentRounds = 3

/** By the fields and launch parameters that variables end in, and by what the platform answers. */
function toldValues(facts: HostFacts, {trace}: Scenario): Map<string, number> {
  const known = new Map<string, number>()
  const learn = (expression: string | undefined, value: number | readonly number[] | undefined) => {
    const name = expression === undefined ? '' : withoutCasts(expression)
    if (/^[A-Za-z_]\w*$/.test(name) && typeof value === 'number' && !known.has(name)) known.set(name, value)
  }
  for (const {field, value, operator} of facts.sets) {
    const sets = facts.sets.filter((one) => one.field === field)
    if (operator === '=' && sets.length === 1) learn(value, trace.tiling[field])
  }
  if (facts.blockDim.length === 1) learn(facts.blockDim[0], trace.blockDim)
  for (const {name, result, args} of facts.functions.flatMap(({calls}) => calls)) {
    if (name === 'GetCoreNumAiv') learn(result, hardware.vectorCores)
    if (name === 'GetCoreNumAic') learn(result, hardware.cubeCores)
    if (name === 'GetCoreMemSize' && /\bUB$/.test(args[0] ?? '')) learn(args[1], hardware.ubBytes)
  }
  return known
}

function namesIn(expression: string): string[] {
  const plain = withoutCasts(expression)
  return [...new Set(plain.match(/\b[A-Za-z_]\w*\b(?!\s*(?:\(|<[\w:\s]*>\s*\())/g) ?? [])]
}
