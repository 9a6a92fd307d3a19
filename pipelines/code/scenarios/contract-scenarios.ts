import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Contract} from '../../../datasets/schema/contract.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {breaksContract} from './breaks-contract.ts'
import type {Dtypes} from './dtype-columns.ts'
import {exampleCalls, type Told} from './example-calls.ts'
import {pageCalls, resized} from './page-calls.ts'
import type {Refusal, Trial} from './trial.ts'
import {distinct} from './variety.ts'

interface Drawing {
  contract: Contract
  definition: OperatorDefinition
  dtypes: Dtypes
  trial: Trial
  /** At most so many scenarios, of so many calls. */
  most: number
  attempts: number
}

/**
 * Scenarios of the calls that an operator's own sources give: examples as they are, then with other sizes, then what
 * pages tell. A call that breaks what they say is not run.
 */
export async function contractScenarios({contract, definition, dtypes, trial, most, attempts}: Drawing) {
  const ran: Scenario[] = []
  let refusal: Refusal | undefined
  let tried = 0
  const examples = exampleCalls(contract, definition, dtypes)
  const rounds: ((ran: readonly Told[]) => Told[])[] = [
    () => examples,
    (served) => served.slice(0, 2).flatMap((one) => resized(one, contract)),
    () => pageCalls(contract, definition, dtypes),
  ]
  const served: Told[] = []
  const known = new Set<string>()
  for (const round of rounds) {
    for (const told of round(served)) {
      if (ran.length >= most + spare || tried >= attempts) break
      const key = JSON.stringify(told.call)
      if (known.has(key)) continue
      known.add(key)
      const broken = breaksContract(told.isWhole ? told.call : {...told.call, outputs: []}, contract, definition)
      if (broken !== undefined) {
        refusal ??= {outcome: 'launch-failed', message: `breaks the contract: ${broken}`}
        continue
      }
      tried += 1
      const end = await serve(told, trial)
      if (end.ok) {
        ran.push(end.scenario)
        served.push(told)
      } else if (!refusal || refusal.outcome === 'launch-failed') refusal = end
    }
    if (ran.length >= most) break
  }
  return {scenarios: distinct(ran, most), refusal, tried}
}

/** Scenarios drawn beyond those that are kept, so that there is a choice. */
const spare = 2

async function serve({call, base, ...drawn}: Told, trial: Trial) {
  const strict = await trial.serve(call, base, false, drawn)
  return strict.ok || strict.outcome !== 'violated' ? strict : trial.serve(call, base, true, drawn)
}
