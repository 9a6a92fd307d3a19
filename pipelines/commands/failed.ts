import {join} from 'node:path'
import {openLedger} from '../core/ledger.ts'
import {findRuns} from './runs.ts'
import type {World} from './world.ts'

/** `ascend-cot failed`: the records that the outside world failed, which `resume` will try again. */
export async function failed({out, json}: {out: string; json: boolean}, {terminal}: World): Promise<number> {
  let total = 0
  for (const {directory, record} of await findRuns(out)) {
    const ledger = openLedger(join(directory, 'ledger.db'))
    const keys = new Set(record.stages.map(({name}) => name))
    for (const {stage, input, failure} of ledger.failures()) {
      if (!failure || !keys.has(stage)) continue
      total += 1
      if (json) terminal.print(JSON.stringify({recipe: record.recipe, stage, input, ...failure}))
      else terminal.print(`${record.recipe}/${stage} ${input}\n  ${failure.code}: ${failure.message}\n  → ${failure.fix}`)
    }
    ledger.close()
  }
  if (!json) terminal.print(total === 0 ? 'No record failed.' : `${total} failed; \`ascend-cot resume\` tries them again.`)
  return 0
}
