import type {Value} from '../../cpp/evaluator.ts'
import type {HostFacts} from '../../datasets/schema/code-facts.ts'
import type {HostStep} from '../../datasets/schema/scenario.ts'
import type {Branch} from '../../cpp/syntax.ts'
import type {CallAnswers} from './call-answers.ts'
import {answeredValue, namesIn, plainNumber, readable, type CallOfHost, type Derivation} from './call-of-host.ts'
import {withoutCasts} from './host-expression.ts'
import {lastName, variableIn} from './settled-values.ts'

/** Host code in one call, by the values that it was seen to compute. */
export class SeenCall implements CallOfHost {
  readonly #facts: HostFacts
  readonly #constants: ReadonlyMap<string, number>
  readonly #steps: readonly HostStep[]
  readonly #answers: CallAnswers

  constructor(facts: HostFacts, steps: readonly HostStep[], answers: CallAnswers) {
    this.#facts = facts
    this.#constants = new Map(facts.constants)
    this.#steps = steps
    this.#answers = answers
  }

  field(field: string, value: number): Derivation {
    // A field of an inner structure is named by its path.
    const own = lastName(field)
    const isSet = ({name}: HostStep) => name === `set_${own}` || (name !== own && lastName(name) === own)
    const at = this.#last(isSet, value)
    const ways = new Set(this.#steps.flatMap((step) => (isSet(step) ? step.name : [])))
    // Inner structures of the same type are indistinguishable.
    return this.#derived(field, value, own !== field && ways.size > 1 ? undefined : at)
  }

  variable(name: string, value: number): Derivation {
    const at = this.#constants.has(name) ? undefined : this.#last((step) => lastName(step.name) === name, value)
    return this.#derived(name, value, at)
  }

  launch(api: string, value: number): Derivation | undefined {
    const at = this.#last(({name}) => name === api, value)
    const origin = at === undefined ? undefined : this.#origin(at)
    const step = origin === undefined ? undefined : this.#steps[origin]
    return (
      step &&
      this.#derived(step.name === api ? (variableIn(step.expression) ?? api) : lastName(step.name), value, origin)
    )
  }

  written({value: text, branches}: {value: string; branches: readonly Branch[]}, field: string, value: number) {
    return {...this.#worked(field, value, text, this.#steps.length), branches}
  }

  /** The last step of a kind, when it gave this value. */
  #last(isOne: (step: HostStep) => boolean, value: number, before = this.#steps.length): number | undefined {
    const at = this.#steps.findLastIndex((step, index) => index < before && step.expression !== '' && isOne(step))
    return at >= 0 && isSame(this.#steps[at]?.value, value) ? at : undefined
  }

  #derived(field: string, value: number, at: number | undefined): Derivation {
    const origin = at === undefined ? undefined : this.#origin(at)
    const step = origin === undefined ? undefined : this.#steps[origin]
    if (!step || origin === undefined) return this.#worked(field, value, undefined, 0)
    const found = this.#worked(field, value, step.expression, origin)
    return found.expression === undefined ? found : {...found, branches: this.#branchesOf(step)}
  }

  /** @param at the step before which the expression is computed */
  #worked(field: string, value: number, expression: string | undefined, at: number): Derivation {
    const said = expression === undefined ? undefined : readable(expression)
    const bare = {field, value: plainNumber(value), branches: [], known: [], worked: false}
    if (said === undefined) return bare
    const values = this.#valuesFor(said, at)
    const result = answeredValue(said, this.#answers, values)
    const worked = typeof result === 'number' && isSame(result, value) && /\W/.test(said)
    const known = worked
      ? namesIn(said).flatMap((name) => {
          const number = values.get(name)
          return typeof number === 'number' ? [[name, number] as const] : []
        })
      : []
    return {...bare, expression: said, known, worked}
  }

  /** Through variables that only pass a value on, and through limits that leave a variable as it was. */
  #origin(from: number): number {
    let at = from
    for (let step = 0; step < mostSteps; step += 1) {
      const next = this.#before(at)
      if (next === undefined) return at
      at = next
    }
    return at
  }

  #before(at: number): number | undefined {
    const {name, expression, value} = this.#steps[at] as HostStep
    const own = lastName(name)
    const plain = withoutCasts(expression).replace(/^\((.*)\)$/, '$1')
    const passed = /^[\w.>-]+$/.test(plain) ? lastName(plain) : namesIn(expression).find((one) => one === own)
    if (passed === undefined || this.#constants.has(passed)) return undefined
    return this.#last((step) => lastName(step.name) === passed, value, at)
  }

  /** What the names of an expression held when it was computed. */
  #valuesFor(expression: string, at: number): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>(this.#constants)
    for (const name of namesIn(expression)) {
      const step = this.#steps.findLast((one, index) => index < at && lastName(one.name) === name)
      if (step) values.set(name, plainNumber(step.value))
    }
    return values
  }

  #branchesOf({name, expression}: HostStep): readonly Branch[] {
    const same = this.#facts.functions.flatMap(({assignments, calls}) => [
      ...assignments.filter((one) => one.name === name && one.value === expression),
      ...calls.filter((one) => one.name === name && one.args[0] === expression),
    ])
    // Cases that share their statements have no condition of their own.
    const branches = same.length === 1 ? (same[0]?.branches ?? []) : []
    return branches.filter(({arm}) => typeof arm === 'string')
  }
}

const mostSteps = 4

/** Fields of float hold the nearest float of what they are given. */
function isSame(a: number | undefined, b: number): boolean {
  return a !== undefined && (a === b || Math.fround(a) === Math.fround(b))
}
