import type {Described} from '../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {checksOf} from './api-facts.ts'
import {formulas} from './formula.ts'
import {isSize} from './host-sizes.ts'
import {memoryPlans, takenBeside, ubBytes} from './memory-plan.ts'

/** Constants of included files may be hundreds. */
const mostConstants = 24

/** A file's facts as passed to a model with the file. */
export function handedFacts(source: OperatorSource, described: Described): object {
  const {operator, side, role, target, purpose, dtypes} = source
  const constants = described.facts.constants.slice(0, mostConstants)
  return {operator, side, role, file: target.path, purpose, dtypes, ...described.facts, constants, ...worked(described)}
}

/** What follows from a record. */
function worked({role, facts}: Described): object {
  if (role === 'tiling') return {sizes: facts.flows.flatMap(({statements}) => statements.filter(isSize))}
  if (role === 'api') return {checks: facts.functions.flatMap(checksOf)}
  if (role !== 'kernel') return {}
  const plans = memoryPlans(facts).filter(({most}) => most !== undefined)
  return {
    formulas: formulas(facts),
    unifiedBuffer: plans.map(({owner, fixed, perUnit, lengths, most}) => {
      return {owner, bytes: ubBytes - takenBeside(facts), fixed, perUnit, lengths, most}
    }),
  }
}

/** Where something stands, and what other fields say again. */
const leftOut = new Set(['line', 'lines', 'loops', 'depths', 'flows', 'vectorCalls'])

/** One line: keys in order, nothing that is empty, and of functions and statements no more than says which. */
export function factsJson(value: object): string {
  return canonicalJson(compact(value))
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  const {body, statements, owner, name, text} = value as Record<string, unknown>
  // The code accompanies the facts.
  if (body !== undefined || statements !== undefined) return owner === '' ? name : `${owner}::${name}`
  const kept = Object.entries(value).filter(([key]) => !leftOut.has(key) && !(key === 'call' && text !== undefined))
  return Object.fromEntries(kept.map(([key, one]) => [key, compact(one)]).filter(([, one]) => !isEmpty(one)))
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === undefined || value === '' || value === false
}
