import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Contract} from '../../../datasets/schema/contract.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {breaksContract} from './breaks-contract.ts'
import type {Dtypes} from './dtype-columns.ts'
import {exampleCalls, type Told} from './example-calls.ts'
import {pageCalls, resized} from './page-calls.ts'
import {inferredOutputs, type InferenceRules} from './inferred-origin.ts'
import type {Refusal, Trial} from './trial.ts'
import {distinct} from './variety.ts'

interface Drawing {
  contract: Contract
  definition: OperatorDefinition
  dtypes: Dtypes
  trial: Trial
  rules: InferenceRules
  /** At most this many scenarios, from this many calls. */
  most: number
  attempts: number
}

/**
 * Scenarios of the calls that an operator's own sources give: examples as they are, then with other sizes, larger ones
 * where a kernel moves whole blocks and goes beyond the few elements of an example; then what pages tell. A call that
 * breaks what they say is not run.
 */
export async function contractScenarios({contract, definition, dtypes, trial, rules, most, attempts}: Drawing) {
  const ran: Scenario[] = []
  let refusal: Refusal | undefined
  let tried = 0
  const examples = exampleCalls(contract, definition, dtypes)
  const served: Told[] = []
  const short: Told[] = []
  const rounds: (() => Told[])[] = [
    () => examples,
    () => served.slice(0, 2).flatMap((one) => resized(one, contract, 'ran')),
    () => short.slice(0, 2).flatMap((one) => resized(one, contract, 'short')),
    () => pageCalls(contract, definition, dtypes),
  ]
  const known = new Set<string>()
  for (const round of rounds) {
    for (const one of round()) {
      const told = withInferred(one, definition, rules)
      if (ran.length >= most + spare || tried >= attempts) break
      const key = JSON.stringify(told.call)
      if (known.has(key) || (!told.isWhole && ran.length > 0)) continue
      known.add(key)
      const {written = told.call.inputs} = told
      const whole = {...told.call, inputs: written, ...(!told.isWhole && {outputs: []})}
      const broken = breaksContract(whole, contract, definition)
      if (broken !== undefined) {
        refusal ??= {outcome: 'launch-failed', message: `breaks the contract: ${broken}`}
        continue
      }
      tried += 1
      const end = await serve(told, trial)
      if (end.ok) {
        ran.push(end.scenario)
        served.push(told)
        continue
      }
      if (end.outcome === 'violated') short.push(told)
      if (!refusal || refusal.outcome === 'launch-failed') refusal = end
    }
    if (ran.length >= most) break
  }
  return {scenarios: distinct(ran, most), refusal, tried}
}

/** What inference gives the outputs counts more than what a test of tiling, which ignores it, passes. */
function withInferred(told: Told, definition: OperatorDefinition, rules: InferenceRules): Told {
  const shapes = inferredOutputs(told.call, definition, rules)
  const outputs = told.call.outputs.map((one) => ({...one, shape: [...(shapes.get(one.name) ?? one.shape)]}))
  const isWhole = told.isWhole || outputs.every(({name}) => shapes.has(name))
  return {...told, call: {...told.call, outputs}, isWhole}
}

/** Scenarios drawn beyond those that are kept, so that there is a choice. */
const spare = 2

/** The example's own values, if other values do not run; wrong outputs are no reason to relax a call. */
async function serve(told: Told, trial: Trial) {
  const end = await serveDrawn(told, trial)
  if (end.ok || !told.written || end.outcome === 'disagrees') return end
  return serveDrawn({...told, call: {...told.call, inputs: told.written}}, trial)
}

async function serveDrawn({call, base, written: _, ...drawn}: Told, trial: Trial) {
  const strict = await trial.serve(call, base, false, drawn)
  if (strict.ok || strict.outcome !== 'violated' || !drawn.isWhole) return strict
  return trial.serve(call, base, true, drawn)
}
