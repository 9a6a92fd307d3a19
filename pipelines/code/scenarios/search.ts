import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import type {Contract} from '../../../datasets/schema/contract.ts'
import {attributeSets} from './attribute-values.ts'
import {breaksContract} from './breaks-contract.ts'
import {callOf, type Candidate, type Plan} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {outputRolesOf, rolesOf, type Shape, absent} from './roles.ts'
import type {Refusal, Trial} from './trial.ts'

/** A way to call an operator that ran. */
export interface Found {
  plan: Plan
  base: Shape
  tolerant: boolean
  scenario: Scenario
}

type Search = {found: Found} | {found?: undefined; refusal: Refusal; attempts: number}

/** Shapes that a call may be about, with how unlikely an operator wants them. */
const bases: readonly (readonly [Shape, number])[] = [
  [[24, 128], 0],
  [[2, 16, 8, 16], 1],
  [[4, 16, 64], 1],
  [[2048], 1],
  [[1, 16, 4, 8, 16], 2],
]

/** Tries calls, the likeliest first, until one runs; first under all rules, then past those that a device goes past. */
export async function findCall(
  definition: OperatorDefinition,
  dtypes: Dtypes,
  trial: Trial,
  attempts: number,
  contract?: Contract,
): Promise<Search> {
  const violated: {plan: Plan; base: Shape}[] = []
  const tried = new Set<string>()
  const wishes = new Wishes(definition)
  let worst: Refusal | undefined
  let refuted = 0
  for (const candidate of candidates(definition, dtypes)) {
    if (tried.size >= attempts) break
    if (!wishes.meets(candidate)) continue
    const {base} = candidate
    const sets = attributeSets(definition, dtypes, base)
    const attributes = sets[candidate.attributeSet]
    if (!attributes) continue
    const plan = {inputs: candidate.inputs, outputs: candidate.outputs, attributes}
    const call = callOf(definition, dtypes, plan, base)
    const key = JSON.stringify(call)
    if (tried.has(key)) continue
    tried.add(key)
    if (contract && breaksContract({...call, outputs: []}, contract, definition) !== undefined) continue
    const end = await trial.serve(call, base, false)
    if (end.ok) return {found: {plan, base, tolerant: false, scenario: end.scenario}}
    if (end.outcome === 'violated') violated.push({plan, base})
    if (!worst || rank[end.outcome] > rank[worst.outcome]) worst = {outcome: end.outcome, message: end.message}
    if (end.outcome === 'disagrees') refuted += 1
    if (end.outcome === 'timed-out' || isMistyped(end) || refuted >= mostRefuted) break
    if (end.outcome === 'launch-failed') wishes.hear(end.message)
  }
  for (const {plan, base} of violated.slice(0, tolerantAttempts)) {
    const end = await trial.serve(callOf(definition, dtypes, plan, base), base, true)
    if (end.ok) return {found: {plan, base, tolerant: true, scenario: end.scenario}}
  }
  return {refusal: worst ?? {outcome: 'launch-failed', message: 'no call can be drawn'}, attempts: tried.size}
}

/** Whether it was the dtypes that were refused, which no other shape helps. */
export function isMistyped({outcome, message}: Refusal): boolean {
  return outcome === 'launch-failed' && message.startsWith('no column of DataType')
}

const tolerantAttempts = 6

/** A kernel that gives other values than its formula in this many calls is unlikely to give them in another. */
const mostRefuted = 3

/** The further a call came, the more its refusal says. */
const rank: Readonly<Record<Refusal['outcome'], number>> = {
  'launch-failed': 0,
  'timed-out': 1,
  crashed: 2,
  unserved: 3,
  violated: 4,
  disagrees: 5,
}

interface Choice {
  cost: number
  apply(candidate: Candidate): Candidate
}

/** Each choice of each part, by the sum of what they cost. */
function* candidates(definition: OperatorDefinition, dtypes: Dtypes): Iterable<Candidate> {
  const parts = choicesOf(definition, dtypes)
  const start: Candidate = {base: [], inputs: {}, outputs: {}, attributeSet: 0}
  for (let cost = 0; cost <= mostCost; cost += 1) {
    for (const choices of withCost(parts, cost, 0)) {
      yield choices.reduce((candidate, choice) => choice.apply(candidate), start)
    }
  }
}

const mostCost = 4

function choicesOf(definition: OperatorDefinition, dtypes: Dtypes): Choice[][] {
  const {inputs, outputs, operator} = definition
  return [
    bases.map(([base, cost]) => ({cost, apply: (candidate) => ({...candidate, base})})),
    [0, 1, 2].map((attributeSet) => ({cost: attributeSet, apply: (candidate) => ({...candidate, attributeSet})})),
    ...inputs.map((input, position) =>
      rolesOf(input, position, dtypes[input.name] ?? 'float32', operator).map(
        (role, cost): Choice => ({
          cost,
          apply: (candidate) => ({...candidate, inputs: {...candidate.inputs, [input.name]: role}}),
        }),
      ),
    ),
    ...outputs.map(({name}) =>
      outputRolesOf(name).map(
        (role, cost): Choice => ({
          cost: cost * 2,
          apply: (candidate) => ({...candidate, outputs: {...candidate.outputs, [name]: role}}),
        }),
      ),
    ),
  ]
}

function* withCost(parts: readonly Choice[][], cost: number, at: number): Iterable<Choice[]> {
  const choices = parts[at]
  if (!choices) {
    if (cost === 0) yield []
    return
  }
  for (const choice of choices) {
    if (choice.cost > cost) continue
    for (const rest of withCost(parts, cost - choice.cost, at + 1)) yield [choice, ...rest]
  }
}

const rankPatterns = [
  /\b([1-5]) ?-? ?(?:d|dims?|dimensions?|dimensional)\b/i,
  /\b(?:dim(?:ension)?s?|rank)\w*(?: num\w*| number)?[^\d\n]{0,40}?\b([1-5])\b/i,
]

/**
 * Requirements from tilings' own messages: a number of dimensions, of a named input or of the call as a whole. A
 * requirement that did not help when met is dropped.
 */
export class Wishes {
  readonly #names: readonly string[]
  readonly #ranks = new Map<string, number>()
  readonly #heard = new Set<string>()

  constructor({inputs}: OperatorDefinition) {
    this.#names = inputs.map(({name}) => name)
  }

  meets({base, inputs}: Candidate): boolean {
    return [...this.#ranks].every(([name, rank]) => {
      if (name === '') return base.length === rank
      const role = inputs[name]
      return role === undefined || role === absent || role.shape(base).length === rank
    })
  }

  hear(message: string): void {
    for (const line of message.split('\n').slice(1)) this.#hearLine(line)
  }

  #hearLine(line: string): void {
    const rank = rankPatterns.map((pattern) => pattern.exec(line)?.[1]).find((digit) => digit !== undefined)
    if (rank === undefined) return
    const said = line.slice(line.indexOf(':') + 1)
    const name = this.#names.find((one) => new RegExp(`\\b${one}(?:shape|dim)?\\b`, 'i').test(said)) ?? ''
    const wish = `${name} ${rank}`
    if (this.#heard.has(wish)) {
      if (this.#ranks.get(name) === Number(rank)) this.#ranks.delete(name)
      return
    }
    this.#heard.add(wish)
    this.#ranks.set(name, Number(rank))
  }
}
